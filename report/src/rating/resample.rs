//! The bootstrap (Efron, 1979): the ratings by matches drawn from the real ones, with replacement.

use cornerman_harness::{machine, pool};

/// What to draw, and how often.
pub(super) struct Bootstrap {
    /// The number of resamples.
    pub resamples: usize,
    /// The number of matches played, and of matches drawn for each resample.
    pub matches: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Bootstrap {
    /// The strengths that `rate` computes for each resample; its argument is how often each match was drawn. The result
    /// does not depend on the number of processors.
    pub(super) fn drawn(&self, rate: &(impl Fn(&[u32]) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        let mut rng = cornerman::rng::Rng::new(self.seed);
        let seeds: Vec<u64> = (0..self.resamples).map(|_| rng.draw()).collect();
        pool::map(seeds, machine::cores(), |seed| rate(&times(self.matches, seed)))
    }
}

/// How often each of `matches` matches is drawn when that many are drawn with replacement.
fn times(matches: usize, seed: u64) -> Vec<u32> {
    let mut rng = cornerman::rng::Rng::new(seed);
    let mut times = vec![0; matches];
    for _ in 0..matches {
        times[rng.below(matches as u64) as usize] += 1;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_resample_draws_as_many_matches_as_were_played() {
        let rng = Bootstrap { resamples: 300, matches: 50, seed: 7 };
        let all = rng.drawn(&|times| times.iter().map(|&times| f64::from(times)).collect());
        assert_eq!(all.len(), 300);
        assert!(all.iter().all(|times| times.iter().sum::<f64>() == 50.0));
        assert!(all.windows(2).all(|two| two[0] != two[1]));
        let mean = all.iter().map(|times| times[0]).sum::<f64>() / 300.0;
        assert!((mean - 1.0).abs() < 0.2, "{mean}");
    }
}
