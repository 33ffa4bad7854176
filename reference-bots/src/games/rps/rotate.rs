//! Rotate: rock, paper, scissors, rock and so on.

use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.own.last().map_or(Hand::Rock, |own| own.turned(1)))
}
