//! Reproducible random numbers: the only source of chance in the rules, drawn from a seed that the caller gives.

/// A reproducible random number generator: SplitMix64 (Steele, Lea and Flood, 2014). A seed gives the same numbers on
/// every machine.
///
/// ```
/// use cornerman::rng::Rng;
/// assert_eq!(Rng::new(7).below(100), Rng::new(7).below(100));
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator that starts from `seed`.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next number: every 64-bit value is equally likely.
    pub const fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// A number from `0..n`, with every value equally likely.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "cannot draw from an empty range");
        // If `n` does not divide 2^64, the highest draws would favour small values: they are rejected.
        let uneven = (u64::MAX % n + 1) % n;
        loop {
            let draw = self.draw();
            if draw <= u64::MAX - uneven {
                return draw % n;
            }
        }
    }

    /// One of `things`, each equally likely; `None` if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        match things.len() {
            0 => None,
            n => Some(&things[self.below(n as u64) as usize]),
        }
    }

    /// Shuffles `things`, with every order equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Mixes the bits of `z`, as SplitMix64 does.
#[inline]
pub(crate) const fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        // The first values for seed 1234567 of the reference implementation (Vigna, splitmix64.c).
        let mut rng = Rng::new(1_234_567);
        let drawn: [u64; 3] = core::array::from_fn(|_| rng.draw());
        assert_eq!(drawn, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn values_are_evenly_spread_and_below_the_bound() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (850..1150).contains(&times)), "{seen:?}");
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut things: [u8; 20] = core::array::from_fn(|i| i as u8);
        Rng::new(3).shuffle(&mut things);
        assert_ne!(things, core::array::from_fn(|i| i as u8));
        things.sort_unstable();
        assert_eq!(things, core::array::from_fn(|i| i as u8));
    }
}
