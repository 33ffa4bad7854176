//! Bots with one idea each about how to predict the opponent: history repeats itself; a dozen predictors together are
//! right; both sides may be seen through.

use super::hydra::Score;
use super::hydra::heads::{Predictor, voices};
use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// The most rounds in a row that are compared.
pub(super) const LONGEST: usize = 24;

/// How fast the chorus and the counter forget: with each round, scores decay by a factor of 1 - 2^-n.
const CHORUS_SPEED: u32 = 5;
const COUNTER_SPEED: u32 = 4;

/// Echo: believes that history repeats itself.
///
/// It looks for the longest stretch of earlier rounds that went exactly as the last ones did, and expects the opponent
/// to do what it did after that stretch. Every habit shows up in this way, however complicated, after it has come up
/// twice. But its own habit is as easy to find, and it does not guard against an opponent that looks for one.
pub fn echo(_seed: u16) -> Box<dyn Strategy> {
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

/// Chorus: a dozen simple predictors vote, and those that were right lately have more votes.
///
/// Each predictor looks at the last hands of one side or of both, and expects what followed them most often. None of
/// them is good at everything; together they are good at nearly everything that does not fight back.
pub fn chorus(_seed: u16) -> Box<dyn Strategy> {
    let mut heads: Vec<Predictor> = voices();
    let mut scores = vec![Score::default(); heads.len()];
    let mut answers: Vec<Option<Hand>> = vec![None; heads.len()];
    Box::new(move |history: &History| {
        if let Some((own, foe)) = history.last() {
            for ((head, score), answer) in heads.iter_mut().zip(&mut scores).zip(&answers) {
                head.learn(own, foe);
                score.add(*answer, foe, CHORUS_SPEED);
            }
        }
        answers = heads.iter().map(|head| head.expects()[1].map(Hand::beaten_by)).collect();
        let votes = |hand: Hand| -> i32 {
            let voters = answers.iter().zip(&scores).filter(|(answer, _)| **answer == Some(hand));
            voters.map(|(_, score)| score.votes()).sum()
        };
        Hand::ALL.into_iter().rev().max_by_key(|&hand| votes(hand)).expect("there are three hands")
    })
}

/// Counter: knows that it may be seen through, and thinks one step further than its opponent if that pays.
///
/// It predicts as `echo` does, and it predicts itself in the same way, because the opponent may. Each prediction has
/// three answers: beat it; beat what beats that, for an opponent that expects to be predicted; and once more. Of the
/// six answers, it gives the one that would have won the most in the last rounds. This is the core of Iocaine Powder,
/// which won the first programming contest of rock-paper-scissors (Egnor, 1999).
pub fn counter(_seed: u16) -> Box<dyn Strategy> {
    let mut scores = [Score::default(); 6];
    let mut answers = [None; 6];
    Box::new(move |history: &History| {
        if let Some((_, foe)) = history.last() {
            for (score, answer) in scores.iter_mut().zip(answers) {
                score.add(answer, foe, COUNTER_SPEED);
            }
        }
        answers = answers_to(
            repeated(history, LONGEST, |a, b| a == b).map(|round| [history.own[round], history.foes[round]]),
        );
        let best = scores.iter().zip(answers).rev().max_by_key(|(score, _)| **score);
        best.and_then(|(_, answer)| answer).unwrap_or(Hand::Rock)
    })
}

/// The answers to the predictions `expected`, own hand first: three to the opponent's, then three to the own.
fn answers_to(expected: Option<[Hand; 2]>) -> [Option<Hand>; 6] {
    let Some([own, foe]) = expected else { return [None; 6] };
    // An opponent that expects our hand beats it, and each further step of thought turns the answer by one hand.
    std::array::from_fn(|at| Some(if at < 3 { foe } else { own }.turned(at as u8 % 3)))
}
