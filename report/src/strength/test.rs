//! The sequential test: after which observation the answer is known, and what it is.

use super::likelihood::{self, Hypotheses};
use super::{Sample, Scores};
use schemars::JsonSchema;
use serde::Serialize;

/// The test: two leads, between which it decides, and how often it may err.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "TestJson")]
pub struct Test {
    /// The two leads.
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// How often it may take the smaller for the larger.
    pub alpha: f64,
    /// How often it may take the larger for the smaller.
    pub beta: f64,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The lower hypothesis.
    Low,
    /// The higher hypothesis.
    High,
}

impl Test {
    /// The bounds of the log-likelihood ratio: ln(β / (1 - α)) and ln((1 - β) / α). It stops at [narrower
    /// ones](TestState::bounds), which allow for overshoot.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The test before the first observation, which will have one of `scores`.
    pub fn begin(self, scores: Scores) -> TestState {
        TestState {
            test: self,
            sample: Sample::new(scores),
            ratio: 0.0,
            below: Records::default(),
            above: Records::default(),
            decision: None,
        }
    }
}

/// A test with the observations so far.
#[derive(Clone, Debug)]
pub struct TestState {
    test: Test,
    sample: Sample,
    ratio: f64,
    below: Records,
    above: Records,
    decision: Option<Decision>,
}

impl TestState {
    /// The test.
    pub(crate) fn test(&self) -> Test {
        self.test
    }

    /// The observations until the decision.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// The log-likelihood ratio.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// The bounds at which it stops now, which allow for the expected overshoot.
    pub fn bounds(&self) -> [f64; 2] {
        let [low, high] = self.test.bounds();
        [low + self.below.overshoot(), high - self.above.overshoot()]
    }

    /// The decision, if there is one. Further observations do not change it.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Adds an observation of the score with this index, unless there is a decision already. Returns the decision, if
    /// there is one.
    pub fn add(&mut self, index: usize) -> Option<Decision> {
        if self.decision.is_some() {
            return self.decision;
        }
        self.sample.add(index);
        self.ratio = likelihood::log_likelihood_ratio(&self.sample, self.test.hypotheses);
        self.below.add(-self.ratio);
        self.above.add(self.ratio);
        let [low, high] = self.bounds();
        self.decision = match self.ratio {
            ratio if ratio < low => Some(Decision::Low),
            ratio if ratio > high => Some(Decision::High),
            _ => None,
        };
        self.decision
    }
}

/// The records of a random walk: by how much each new highest value exceeded the one before it. If X are these steps,
/// the mean overshoot over a distant bound is E(X²) / 2 E(X) (Siegmund).
#[derive(Clone, Copy, Debug, Default)]
struct Records {
    highest: f64,
    sum: f64,
    squares: f64,
}

impl Records {
    fn add(&mut self, value: f64) {
        let step = value - self.highest;
        if step > 0.0 {
            self.highest = value;
            self.sum += step;
            self.squares += step * step;
        }
    }

    /// By how much the walk is expected to exceed a bound; 0 before the first record.
    fn overshoot(&self) -> f64 {
        if self.sum > 0.0 { self.squares / self.sum / 2.0 } else { 0.0 }
    }
}
