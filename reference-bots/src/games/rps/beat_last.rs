//! Beat-last: what beats the opponent's last hand.

use super::{Idea, Past};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Idea> {
    Box::new(|past: &Past| past.foes.last().map_or(Hand::Rock, |foe| foe.beaten_by()))
}
