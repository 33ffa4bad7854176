//! The bootstrap (Efron, 1979): what ratings would have been, had other matches of the same kind been played.

use std::num::NonZero;
use std::thread;

/// What is drawn again.
pub struct Lots {
    /// How often.
    pub resamples: usize,
    /// Of how many matches; as many are drawn each time.
    pub matches: usize,
    /// What all lots come from.
    pub seed: u64,
}

impl Lots {
    /// What `rate` makes of each resample: it is told how often each match was drawn. The same whatever the number of
    /// processors.
    pub fn drawn(&self, rate: &(impl Fn(&[u32]) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        let mut lots = cornerman::lots::Lots::new(self.seed);
        let seeds: Vec<u64> = (0..self.resamples).map(|_| lots.draw()).collect();
        let some = |seeds: &[u64]| -> Vec<Vec<f64>> {
            seeds.iter().map(|&seed| rate(&times(self.matches, seed))).collect()
        };
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            let some = &some;
            let part = |seeds| scope.spawn(move || some(seeds));
            let parts: Vec<_> = seeds.chunks(self.resamples.div_ceil(workers)).map(part).collect();
            parts.into_iter().flat_map(|part| part.join().expect("rating does not panic")).collect()
        })
    }
}

/// How often each of so many matches is drawn, if as many are drawn as there are.
fn times(matches: usize, seed: u64) -> Vec<u32> {
    let (mut lots, mut times) = (cornerman::lots::Lots::new(seed), vec![0; matches]);
    for _ in 0..matches {
        times[lots.below(matches as u64) as usize] += 1;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_drawn_as_there_are_and_never_in_the_same_way() {
        let lots = Lots { resamples: 300, matches: 50, seed: 7 };
        let all = lots.drawn(&|times| times.iter().map(|&times| f64::from(times)).collect());
        assert_eq!(all.len(), 300);
        assert!(all.iter().all(|times| times.iter().sum::<f64>() == 50.0));
        assert!(all.windows(2).all(|two| two[0] != two[1]));
        let mean = all.iter().map(|times| times[0]).sum::<f64>() / 300.0;
        assert!((mean - 1.0).abs() < 0.2, "{mean}");
    }
}
