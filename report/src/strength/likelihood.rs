//! The most likely distributions under a hypothesis, and the ratio of their likelihoods.
//!
//! The empirical distribution has the shares p̂ᵢ of the scores aᵢ. Under a hypothesis about the mean, the most likely
//! distribution is p̂ᵢ / (1 + x (aᵢ - s)), with the x for which its mean is s.

use super::{NORMALIZED, Sample, expected_score};
use schemars::JsonSchema;
use serde::Serialize;

/// Two hypotheses about the lead of the new version, in Elo or in normalized Elo, which counts in standard deviations of
/// a game's score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hypotheses {
    /// The smaller lead.
    #[serde(rename = "elo0")]
    pub low: f64,
    /// The larger lead.
    #[serde(rename = "elo1")]
    pub high: f64,
    /// Whether they are in normalized Elo.
    pub normalized: bool,
}

/// How often an estimate of the standard deviation is refined at most. A few times are enough.
const REFINED: usize = 10;

/// How often the interval around a root is halved.
const HALVED: usize = 60;

/// The mean and the variance of a distribution.
pub(super) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    (mean, shares.iter().map(|(score, share)| share * (score - mean).powi(2)).sum())
}

/// The logarithm of the ratio of the likelihoods of the sample under the higher and the lower hypothesis.
pub(super) fn log_likelihood_ratio(sample: &Sample, hypotheses: Hypotheses) -> f64 {
    let (total, shares) = sample.shares();
    let [low, high] = [hypotheses.low, hypotheses.high].map(|lead| {
        if hypotheses.normalized {
            with_ratio(&shares, lead / NORMALIZED * sample.scores.root_of_games())
        } else {
            with_mean(&shares, expected_score(lead))
        }
    });
    let terms = shares.iter().zip(low.iter().zip(&high));
    total * terms.map(|((_, share), (low, high))| share * (high / low).ln()).sum::<f64>()
}

/// The most likely shares if the mean is `mean`.
fn with_mean(shares: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let from_mean: Vec<(f64, f64)> = shares.iter().map(|(score, share)| (score - mean, *share)).collect();
    weighted(&from_mean)
}

/// The most likely shares if the mean is this many standard deviations above a half.
fn with_ratio(shares: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut found = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..REFINED {
        let now: Vec<(f64, f64)> = shares.iter().zip(&found).map(|((score, _), share)| (*score, *share)).collect();
        let (mean, variance) = moments(&now);
        let deviation = variance.sqrt();
        // The constraint, linearized at the distribution found so far.
        let slope =
            |score: f64| score - 0.5 - ratio * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let constrained: Vec<(f64, f64)> = shares.iter().map(|(score, share)| (slope(*score), *share)).collect();
        let next = weighted(&constrained);
        let change = found.iter().zip(&next).map(|(then, now)| (then - now).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-9 {
            break;
        }
    }
    found
}

/// The shares pᵢ / (1 + x vᵢ) for pairs of vᵢ and pᵢ, with the x for which the mean of v is 0.
fn weighted(pairs: &[(f64, f64)]) -> Vec<f64> {
    let least = pairs.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = pairs.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    // Between the poles the sum falls from +∞ to -∞.
    let mut low = -1.0 / most;
    let mut high = -1.0 / least;
    for _ in 0..HALVED {
        let middle = f64::midpoint(low, high);
        let sum: f64 = pairs.iter().map(|(value, share)| share * value / (1.0 + middle * value)).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let x = f64::midpoint(low, high);
    pairs.iter().map(|(value, share)| share / (1.0 + x * value)).collect()
}
