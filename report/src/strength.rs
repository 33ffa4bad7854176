//! Is one bot stronger than another? A sequential test and estimates, from pairs of games.
//!
//! Two games on one board, in both orders of play, end alike more often than games on different boards do, so the pair
//! is what is counted: its score is one of five ([`Scores::of_meeting`]). In a game of more seats, what is counted is
//! the games on one board in which the bot sits in each seat once. The [test](Test) is the generalized sequential
//! probability ratio test of M. Van den Bergh ("A practical introduction to the GSPRT", "Normalized Elo"), with the
//! correction for overshoot of D. Siegmund ("Sequential Analysis", 1985, corollary 8.33). `docs/compare.md` has the
//! formulas.

mod likelihood;
mod test;
#[cfg(test)]
mod tests;

pub use likelihood::Hypotheses;
pub use test::{Decision, Test, TestState};

use crate::json::rounded;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Ordering;
use std::f64::consts::LN_10;

/// The quantile of the normal distribution for intervals of 95 %.
const TWO_SIDED_95: f64 = 1.959_964;

/// The probability that scores are not observed at all if they are as frequent as [`Sample::estimate_of_equal`]
/// assumes.
const ONE_SIDED_95: f64 = 0.05;

/// This many units of normalized Elo are one standard deviation of a game's score.
const NORMALIZED: f64 = 800.0 / LN_10;

/// A score without observations counts as observed this many times, so that no likelihood is 0.
const EMPTY: f64 = 1e-3;

/// The score that a lead of `elo` in rating gives, as the share of games won: 0 to 1.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The lead in rating that a `score` stands for. Infinite at 0 and 1.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The values that the score of an observation can have, in ascending order and at equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The smallest value.
    pub from: f64,
    /// The distance to the next one.
    pub step: f64,
    /// The number of values.
    pub count: usize,
    /// How many games of the bot, or of its new version, are in an observation: the number of seats.
    pub games: u32,
}

impl Scores {
    /// The mean score of the games on one board, one in each of the `seats`: the share of the other seats that the bot
    /// is placed before, where a tie is a half. For two seats 0, ¼, ½, ¾ or 1.
    pub fn of_meeting(seats: usize) -> Scores {
        let halves = halves(seats);
        Scores { from: 0.0, step: 1.0 / halves as f64, count: halves + 1, games: seats as u32 }
    }

    /// A half plus the difference between the mean scores of two versions, each from the games on one board against the
    /// same opponents: from -½ to 1½.
    pub fn against(seats: usize) -> Scores {
        let halves = halves(seats);
        Scores { from: -0.5, step: 1.0 / halves as f64, count: 2 * halves + 1, games: seats as u32 }
    }

    /// The factor by which the standard deviation of one game's score exceeds that of the mean of an observation's
    /// games, if they are independent.
    fn root_of_games(&self) -> f64 {
        f64::from(self.games).sqrt()
    }

    /// Whether it is the difference of two versions' scores.
    pub fn is_difference(&self) -> bool {
        self.from < 0.0
    }

    /// The value with this index.
    pub fn value(&self, index: usize) -> f64 {
        self.from + self.step * index as f64
    }
}

/// The most that the games on one board can score, one in each of the `seats`: 2 for each other seat that the bot is
/// placed before, 1 for a tie.
fn halves(seats: usize) -> usize {
    2 * seats * (seats - 1)
}

/// How often each score was observed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The possible scores.
    pub scores: Scores,
    /// How often each was observed.
    pub counts: Vec<u64>,
}

impl Sample {
    /// A sample without observations.
    pub fn new(scores: Scores) -> Sample {
        Sample { scores, counts: vec![0; scores.count] }
    }

    /// Adds an observation of the score with this index.
    pub fn add(&mut self, index: usize) {
        self.counts[index] += 1;
    }

    /// The number of observations.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether there are no observations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of observations, and each score with its share of them. Scores without an observation count as
    /// observed [`EMPTY`] times in both.
    fn shares(&self) -> (f64, Vec<(f64, f64)>) {
        let counts: Vec<f64> =
            self.counts.iter().map(|&count| if count == 0 { EMPTY } else { count as f64 }).collect();
        let total: f64 = counts.iter().sum();
        (total, counts.iter().enumerate().map(|(at, count)| (self.scores.value(at), count / total)).collect())
    }

    /// The ends of the score's interval with the score between them, and the likelihood of superiority, if all
    /// observations have the score with the index `only`. They say nothing about their spread, only how frequent other
    /// scores are at most.
    fn estimate_of_equal(&self, only: usize) -> ([f64; 3], f64) {
        let observations = self.len() as f64;
        let rare = 1.0 - ONE_SIDED_95.powf(1.0 / observations);
        let [least, most] = [0, self.counts.len() - 1].map(|at| self.scores.value(at));
        let score = self.scores.value(only);
        let chance = 0.5f64.powf(observations);
        let superiority = match score.total_cmp(&0.5) {
            Ordering::Greater => 1.0 - chance,
            Ordering::Less => chance,
            Ordering::Equal => 0.5,
        };
        ([score - rare * (score - least), score, score + rare * (most - score)], superiority)
    }

    /// The estimates; `None` without observations.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.is_empty() {
            return None;
        }
        let (total, shares) = self.shares();
        let (mean, variance) = likelihood::moments(&shares);
        let deviation = variance.sqrt();
        let error = deviation / total.sqrt();
        let occupied: Vec<usize> = (0..self.counts.len()).filter(|&at| self.counts[at] > 0).collect();
        let (interval, superiority) = match occupied[..] {
            [only] => self.estimate_of_equal(only),
            _ => {
                let margin = TWO_SIDED_95 * error;
                ([mean - margin, mean, mean + margin], normal_below((mean - 0.5) / error))
            }
        };
        // At the ends of the scale the lead is infinite, so the score stays half a win away from them.
        let games = f64::from(self.scores.games) * self.len() as f64;
        let bounded = |score: f64| elo(score.clamp(0.5 / games, 1.0 - 0.5 / games));
        // In standard deviations of one game, which are larger than those of an observation.
        let normalized = |score: f64| (score - 0.5) / deviation / self.scores.root_of_games() * NORMALIZED;
        Some(Estimate {
            score: Interval::new(interval.map(|score| score.clamp(0.0, 1.0))),
            elo: Interval::new(interval.map(bounded)),
            normalized: (occupied.len() > 1).then(|| Interval::new(interval.map(normalized))),
            superiority,
        })
    }
}

/// An estimate of the difference in strength, from a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean score, from 0 to 1.
    pub score: Interval,
    /// The lead in Elo.
    pub elo: Interval,
    /// The lead in normalized Elo: the score's distance from a half in standard deviations of a game. `None` if all
    /// observations are alike.
    pub normalized: Option<Interval>,
    /// The likelihood of superiority: the probability, from 0 to 1, that the lead is positive.
    pub superiority: f64,
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "IntervalJson")]
pub struct Interval {
    /// The estimate.
    pub at: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval with this lower end, estimate and upper end.
    fn new([low, at, high]: [f64; 3]) -> Interval {
        Interval { low, at, high }
    }

    /// The interval, rounded to a hundredth.
    pub(crate) fn rounded(self) -> Interval {
        let [at, low, high] = [self.at, self.low, self.high].map(|value| rounded(value, 2));
        Interval { at, low, high }
    }

    /// Half its width.
    pub(crate) fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The share of the standard normal distribution below `x`.
fn normal_below(x: f64) -> f64 {
    // Abramowitz and Stegun 26.2.17: right to 7.5e-8.
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let poly = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let tail = poly.iter().fold(0.0, |sum, c| (sum + c) * t) * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if x < 0.0 { tail } else { 1.0 - tail }
}
