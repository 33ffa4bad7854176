//! The tally of a chain, which shows without a search whether the chain has no liberty, one, or more.

use super::Point;

/// Counts and sums over a chain, stored at its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChainTally {
    /// The number of stones.
    pub(super) stones: u32,
    /// The number of pairs of a stone of the chain and an empty point next to it.
    pub(super) pseudo_liberties: u32,
    /// The sum of the empty points of these pairs.
    sum: u32,
    /// The sum of the squares of these points.
    squares: u32,
}

impl ChainTally {
    /// The tally of a single stone, without liberties so far.
    #[inline]
    pub(super) fn of_a_stone() -> ChainTally {
        ChainTally { stones: 1, ..ChainTally::default() }
    }

    /// Adds a pseudo-liberty at `point`.
    #[inline]
    pub(super) fn add(&mut self, point: Point) {
        let p = u32::from(point.0);
        self.pseudo_liberties += 1;
        self.sum += p;
        self.squares += p * p;
    }

    /// Removes a pseudo-liberty at `point`.
    #[inline]
    pub(super) fn remove(&mut self, point: Point) {
        let p = u32::from(point.0);
        self.pseudo_liberties -= 1;
        self.sum -= p;
        self.squares -= p * p;
    }

    /// Adds the tally of another chain.
    #[inline]
    pub(super) fn join(&mut self, other: ChainTally) {
        self.stones += other.stones;
        self.pseudo_liberties += other.pseudo_liberties;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The only liberty, if there is exactly one. The mean of the squares equals the square of the mean only if all
    /// pseudo-liberties are the same point.
    #[inline]
    pub(super) fn only(self) -> Option<Point> {
        let n = u64::from(self.pseudo_liberties);
        let sum = u64::from(self.sum);
        let squares = u64::from(self.squares);
        (n > 0 && n * squares == sum * sum).then(|| Point((sum / n) as u16))
    }
}
