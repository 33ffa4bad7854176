//! Exact intervals for a rate (Clopper and Pearson, 1934).

/// The confidence of an interval, in percent.
pub(super) const CONFIDENCE: u32 = 95;

/// How often a bisection halves its interval: enough for all digits of a number.
const HALVINGS: usize = 200;

/// The rates that fit what was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RateInterval {
    /// At least this rate; 0 if nothing was seen.
    pub lower: f64,
    /// At most this rate.
    pub upper: f64,
}

impl RateInterval {
    /// The interval after `events` in this many `trials`, at least one. Without an event only the upper bound is in
    /// question, so that all of the remaining doubt is at that side: 1 - 0.05^(1/n), about 3/n.
    pub(super) fn from_counts(events: u64, trials: u64) -> RateInterval {
        let doubt = 1.0 - f64::from(CONFIDENCE) / 100.0;
        if events == 0 {
            return RateInterval { lower: 0.0, upper: 1.0 - doubt.powf(1.0 / trials.max(1) as f64) };
        }
        let side = doubt / 2.0;
        // More than `events - 1` are too unlikely below, and no more than `events` above.
        let lower = bisected(|rate| 1.0 - at_most(events - 1, trials, rate) < side);
        let upper = if events >= trials { 1.0 } else { bisected(|rate| at_most(events, trials, rate) > side) };
        RateInterval { lower, upper }
    }
}

/// The greatest rate for which `is_below`, which is true up to some rate.
fn bisected(is_below: impl Fn(f64) -> bool) -> f64 {
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability of at most this many `events` in `trials` at `rate`, which is between 0 and 1.
fn at_most(events: u64, trials: u64, rate: f64) -> f64 {
    let events = events as f64;
    let trials = trials as f64;
    // The logarithm of the probability of each number of events follows from the one before.
    let mut log = trials * (-rate).ln_1p();
    let mut sum = 0.0;
    let mut k = 0.0;
    while k <= events {
        sum += log.exp();
        log += ((trials - k) / (k + 1.0)).ln() + rate.ln() - (-rate).ln_1p();
        k += 1.0;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(events: u64, trials: u64, lower: f64, upper: f64) {
        let found = RateInterval::from_counts(events, trials);
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        assert!(near(found.lower, lower) && near(found.upper, upper), "{found:?}");
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        check(0, 10, 0.0, 0.2589);
        check(1, 10, 0.0025, 0.4450);
        check(5, 10, 0.1871, 0.8129);
        check(10, 10, 0.6915, 1.0);
        check(3, 1000, 0.0006, 0.0087);
    }

    #[test]
    fn no_event_in_n_trials_is_about_the_rule_of_three() {
        let upper = RateInterval::from_counts(0, 4300).upper;
        assert!((1.0 / upper - 4300.0 / 3.0).abs() < 5.0, "{upper}");
    }
}
