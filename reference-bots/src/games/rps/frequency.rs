//! Frequency: the hand that beats the opponent's most frequent hand.

use super::{History, Strategy, Tally};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    let mut shown = Tally::default();
    Box::new(move |history: &History| {
        if let Some(foe) = history.foes.last() {
            shown.add(*foe);
        }
        shown.most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
