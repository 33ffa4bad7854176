//! Rotate: rock, paper, scissors, rock and so on.

use super::{Idea, Past};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Idea> {
    Box::new(|past: &Past| past.own.last().map_or(Hand::Rock, |own| own.turned(1)))
}
