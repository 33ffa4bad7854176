//! The test and the estimates: published figures, limits, and error rates in simulated comparisons.

use super::likelihood::{Hypotheses, log_likelihood_ratio};
use super::*;
use cornerman::rng::Rng;
use std::f64::consts::SQRT_2;

/// A published comparison of two chess engines: pairs by score, from two losses to two wins.
const PUBLISHED: [u64; 5] = [379, 10_170, 21_828, 10_640, 343];

#[track_caller]
fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted} ± {within}");
}

#[test]
fn a_published_comparison_has_the_published_figures() {
    let sample = Sample { scores: Scores::of_meeting(2), counts: PUBLISHED.to_vec() };
    let hypotheses = Hypotheses { low: 0.0, high: 2.0, normalized: true };
    near(log_likelihood_ratio(&sample, hypotheses), 2.946, 1e-3);
    let estimate = sample.estimate().unwrap();
    let normalized = estimate.normalized.unwrap();
    near(normalized.at, 3.05, 5e-3);
    near(normalized.margin(), 2.31, 5e-3);
    near(estimate.score.at, 0.502_295, 1e-6);
    near(estimate.elo.at, 1.594, 1e-3);
    near(estimate.superiority, 0.9951, 1e-4);
}

#[test]
fn scores_and_leads_are_converted_both_ways() {
    for (lead, score) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0)] {
        near(expected_score(lead), score, 1e-12);
        near(elo(score), lead, 1e-9);
    }
    assert_eq!(elo(1.0), f64::INFINITY);
}

#[test]
fn the_normal_distribution_is_that_of_the_tables() {
    for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1), (-9.0, 0.0)] {
        near(normal_below(x), share, 1e-7);
    }
}

#[test]
fn a_bot_that_wins_every_game_leads_by_at_least_as_much_as_is_likely() {
    let mut sample = Sample::new(Scores::of_meeting(2));
    assert_eq!(sample.estimate(), None);
    for _ in 0..10 {
        sample.add(4);
    }
    let estimate = sample.estimate().unwrap();
    near(estimate.elo.at, elo(1.0 - 0.5 / 20.0), 1e-9);
    near(estimate.elo.low, elo(0.05f64.powf(0.1)), 1e-2);
    assert_eq!((estimate.elo.high, estimate.normalized), (estimate.elo.at, None));
    near(estimate.superiority, 0.999, 1e-3);
}

#[test]
fn a_test_that_has_decided_stays_so() {
    let hypotheses = Hypotheses { low: 0.0, high: 200.0, normalized: false };
    let mut state = Test { hypotheses, alpha: 0.05, beta: 0.05 }.begin(Scores::of_meeting(2));
    let decided = (0..100).find(|_| state.add(4) == Some(Decision::High));
    assert!(decided.is_some_and(|after| after < 20), "{decided:?}");
    let before = state.sample().len();
    for _ in 0..1000 {
        assert_eq!(state.add(0), Some(Decision::High));
    }
    assert_eq!(state.sample().len(), before);
}

/// One score of a distribution of pairs with this mean.
fn draw(rng: &mut Rng, shares: &[f64]) -> usize {
    let drawn = rng.below(1 << 30) as f64 / (1u64 << 30) as f64;
    let mut below = 0.0;
    shares
        .iter()
        .position(|share| {
            below += share;
            drawn < below
        })
        .unwrap_or(shares.len() - 1)
}

/// The shares of two losses to two wins, for games without ties that are won with probability `score`, of which the
/// share `alike` of the pairs has the same winner in both because of the board.
fn pairs(score: f64, alike: f64) -> [f64; 5] {
    let both = 1.0 - alike;
    let split = alike;
    let won = score;
    let lost = 1.0 - score;
    [both * lost * lost + split * lost, 0.0, both * 2.0 * won * lost, 0.0, both * won * won + split * won]
}

/// The share of simulated comparisons that end with `wrong`, in which `observe` makes the observations.
fn error_rate(test: Test, scores: Scores, mut observe: impl FnMut(&mut Rng) -> usize, wrong: Decision) -> f64 {
    const COMPARISONS: u32 = 200;
    let mut rng = Rng::new(7);
    let errors = (0..COMPARISONS).filter(|_| {
        let mut state = test.begin(scores);
        loop {
            if let Some(decided) = state.add(observe(&mut rng)) {
                return decided == wrong;
            }
        }
    });
    f64::from(errors.count() as u32) / f64::from(COMPARISONS)
}

/// Checks that comparisons at either hypothesis end with the other as rarely as asked.
#[track_caller]
fn check_errors(hypotheses: Hypotheses, low: &[f64], high: &[f64]) {
    let test = Test { hypotheses, alpha: 0.05, beta: 0.05 };
    for (shares, wrong) in [(low, Decision::High), (high, Decision::Low)] {
        let rate = error_rate(test, Scores::of_meeting(2), |rng| draw(rng, shares), wrong);
        assert!(rate <= 0.065, "{rate}, {wrong:?} wrong");
    }
}

/// What a comparison tells apart in units of Elo.
const SIXTY: Hypotheses = Hypotheses { low: 0.0, high: 60.0, normalized: false };

#[test]
fn errors_are_as_rare_as_asked() {
    check_errors(SIXTY, &pairs(0.5, 0.0), &pairs(expected_score(60.0), 0.0));
}

#[test]
fn errors_are_as_rare_as_asked_if_boards_decide() {
    check_errors(SIXTY, &pairs(0.5, 0.3), &pairs(expected_score(60.0), 0.3));
}

#[test]
fn errors_are_as_rare_as_asked_with_ties_and_in_standard_deviations() {
    let even = [0.05, 0.2, 0.5, 0.2, 0.05];
    let better = [0.035, 0.165, 0.49, 0.245, 0.065];
    let scores: Vec<_> =
        better.iter().enumerate().map(|(at, &share)| (Scores::of_meeting(2).value(at), share)).collect();
    let (mean, variance) = likelihood::moments(&scores);
    let lead = (mean - 0.5) / variance.sqrt() / SQRT_2 * NORMALIZED;
    check_errors(Hypotheses { low: 0.0, high: lead, normalized: true }, &even, &better);
}

/// The score of the games on one board, one from each of the `seats`, of a bot with this lead over equal opponents:
/// each place goes to one of those that are left, by the odds that the leads stand for (Plackett and Luce).
fn meeting(rng: &mut Rng, seats: usize, lead: f64) -> usize {
    const FINE: u64 = 1 << 30;
    let odds = 10f64.powf(lead / 400.0);
    let game = |rng: &mut Rng| {
        let is_next = |left: &usize| (rng.below(FINE) as f64) < FINE as f64 * odds / (odds + *left as f64);
        2 * (1..seats).rev().find(is_next).unwrap_or(0)
    };
    (0..seats).map(|_| game(rng)).sum()
}

#[test]
fn errors_are_as_rare_as_asked_in_games_of_more_seats() {
    let hypotheses = Hypotheses { low: 0.0, high: 140.0, normalized: false };
    let test = Test { hypotheses, alpha: 0.05, beta: 0.05 };
    for seats in [2, 3, 8] {
        for (lead, wrong) in [(0.0, Decision::High), (140.0, Decision::Low)] {
            let rate = error_rate(test, Scores::of_meeting(seats), |rng| meeting(rng, seats, lead), wrong);
            assert!(rate <= 0.065, "{rate} in games of {seats}, {wrong:?} wrong");
        }
    }
}
