//! Markov: what beats the hand that the opponent has shown most often after a round like the last one.

use super::{Idea, Past, Tally};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Idea> {
    // By the number of the round before: own hand, then the opponent's.
    let mut followed = [[Tally::default(); 3]; 3];
    let mut before = None;
    Box::new(move |past: &Past| {
        let Some((own, foe)) = past.last() else { return Hand::Rock };
        let at = |(own, foe): (Hand, Hand)| (usize::from(own.number()), usize::from(foe.number()));
        if let Some((own, foes)) = before.replace((own, foe)).map(at) {
            followed[own][foes].add(foe);
        }
        let (own, foes) = at((own, foe));
        followed[own][foes].most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
