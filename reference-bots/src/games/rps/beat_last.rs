//! Beat-last: the hand that beats the opponent's last hand.

use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| history.foes.last().map_or(Hand::Rock, |foe| foe.beaten_by()))
}
