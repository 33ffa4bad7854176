//! Echo: believes that history repeats itself.
//!
//! It looks for the longest stretch of earlier rounds that went exactly as the last ones did, and expects the opponent to
//! do what it did after that stretch. Every habit shows up in this way, however complicated, after it has come up twice.
//! But a habit of its own is as easy to find, and it has no idea that the opponent looks for one.

use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// The longest stretch that is compared.
pub(super) const LONGEST: usize = 24;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    Box::new(|history: &History| {
        repeated(history, LONGEST, |a, b| a == b).map_or(Hand::Rock, |round| history.foes[round].beaten_by())
    })
}

/// The round that followed the longest earlier stretch like the last rounds, of at most `longest`; of several the last.
/// Two rounds, own hand first, are alike if `alike` says so.
pub(super) fn repeated(
    history: &History,
    longest: usize,
    alike: impl Fn((Hand, Hand), (Hand, Hand)) -> bool,
) -> Option<usize> {
    let rounds = history.rounds();
    let at = |round: usize| (history.own[round], history.foes[round]);
    let mut best = None;
    let mut best_length = 0;
    for next in (1..rounds).rev() {
        let length = (1..=next.min(longest)).take_while(|&back| alike(at(next - back), at(rounds - back))).count();
        if length > best_length {
            best = Some(next);
            best_length = length;
        }
        if length == longest {
            break;
        }
    }
    best
}
