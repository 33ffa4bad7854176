//! Frequency: what beats the hand that the opponent has shown most often.

use super::{Idea, Past, Tally};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Idea> {
    let mut shown = Tally::default();
    Box::new(move |past: &Past| {
        if let Some(foe) = past.foes.last() {
            shown.add(*foe);
        }
        shown.most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
