//! Chorus: a dozen simple predictors vote, and those that were right lately have more votes.
//!
//! Each predictor looks at the last hands of one side or of both, and expects what followed them most often. None of them
//! is good at everything; together they are good at nearly everything that does not fight back.

use super::hydra::Score;
use super::hydra::heads::{Predictor, voices};
use super::{History, Strategy};
use cornerman::games::rps::Hand;

/// How fast the past is forgotten: with each round, scores decay by a factor of 1 - 2^-n.
const SPEED: u32 = 5;

/// Begins a game.
pub fn start(_seed: u16) -> Box<dyn Strategy> {
    let mut heads: Vec<Predictor> = voices();
    let mut scores = vec![Score::default(); heads.len()];
    let mut answers: Vec<Option<Hand>> = vec![None; heads.len()];
    Box::new(move |history: &History| {
        if let Some((own, foe)) = history.last() {
            for ((head, score), answer) in heads.iter_mut().zip(&mut scores).zip(&answers) {
                head.learn(own, foe);
                score.add(*answer, foe, SPEED);
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
