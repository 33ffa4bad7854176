//! Rock: good old rock, whatever the opponent does.

use super::{Idea, Past};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Idea> {
    Box::new(|_: &Past| Hand::Rock)
}
