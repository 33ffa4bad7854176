//! Counter: knows that it may be seen through, and thinks one step further than its opponent if that pays.
//!
//! It predicts as `echo` does, and it predicts itself in the same way, because the opponent may. Each prediction has
//! three answers: beat it; beat what beats that, for an opponent that expects to be predicted; and once more. Of the six
//! answers, it gives the one that would have won the most in the last rounds. This is the core of Iocaine Powder, which
//! won the first programming contest of rock-paper-scissors (Egnor, 1999).

use super::echo::{LONGEST, repeated};
use super::hydra::Score;
use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// How fast the past is forgotten: with each round, scores decay by a factor of 1 - 2^-n.
const SPEED: u32 = 4;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    let mut scores = [Score::default(); 6];
    let mut answers = [None; 6];
    Box::new(move |history: &History| {
        if let Some((_, foe)) = history.last() {
            for (score, answer) in scores.iter_mut().zip(answers) {
                score.add(answer, foe, SPEED);
            }
        }
        answers = answers_to(
            repeated(history, LONGEST, |a, b| a == b).map(|round| [history.own[round], history.foes[round]]),
        );
        let best = scores.iter().zip(answers).rev().max_by_key(|(score, _)| **score);
        best.and_then(|(_, answer)| answer).unwrap_or(Hand::Rock)
    })
}

/// The three answers to the prediction of each side, own hand first.
fn answers_to(expected: Option<[Hand; 2]>) -> [Option<Hand>; 6] {
    let Some([own, foe]) = expected else { return [None; 6] };
    // Who expects our hand beats it; so does its answer to our answer, and so on.
    std::array::from_fn(|at| Some(if at < 3 { foe } else { own }.turned(at as u8 % 3)))
}
