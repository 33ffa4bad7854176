//! Markov: the hand that beats what the opponent has shown most often after a round like the last one.

use super::{History, Strategy, Tally};
use cornerman::games::rps::Hand;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    // How often each of the opponent's hands followed a round, by own and opponent's hand of that round.
    let mut followed = [[Tally::default(); 3]; 3];
    let mut before = None;
    Box::new(move |history: &History| {
        let Some((own, foe)) = history.last() else { return Hand::Rock };
        let at = |(own, foe): (Hand, Hand)| (usize::from(own.number()), usize::from(foe.number()));
        if let Some((own, foes)) = before.replace((own, foe)).map(at) {
            followed[own][foes].add(foe);
        }
        let (own, foes) = at((own, foe));
        followed[own][foes].most().map_or(Hand::Rock, Hand::beaten_by)
    })
}
