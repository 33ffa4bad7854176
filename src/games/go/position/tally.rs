//! What a chain's head knows of the chain: enough to tell no liberty, one, and more, without a search.

use super::Point;

/// What is known of a chain, kept at its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// How many stones it has.
    pub(super) stones: u32,
    /// How often a stone of the chain touches an empty point.
    pub(super) touches: u32,
    /// The sum of the points touched.
    sum: u32,
    /// The sum of their squares.
    squares: u32,
}

impl Tally {
    /// Of a stone alone that touches nothing yet.
    #[inline]
    pub(super) fn of_a_stone() -> Tally {
        Tally { stones: 1, ..Tally::default() }
    }

    /// A stone touches the empty `point`.
    #[inline]
    pub(super) fn add(&mut self, point: Point) {
        let p = u32::from(point.0);
        self.touches += 1;
        self.sum += p;
        self.squares += p * p;
    }

    /// A stone does not touch `point` any more.
    #[inline]
    pub(super) fn remove(&mut self, point: Point) {
        let p = u32::from(point.0);
        self.touches -= 1;
        self.sum -= p;
        self.squares -= p * p;
    }

    /// The stones of another chain come to it.
    #[inline]
    pub(super) fn join(&mut self, other: Tally) {
        self.stones += other.stones;
        self.touches += other.touches;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The only liberty. Points that differ have a mean square above the square of their mean.
    #[inline]
    pub(super) fn only(self) -> Option<Point> {
        let (n, sum, squares) = (u64::from(self.touches), u64::from(self.sum), u64::from(self.squares));
        (n > 0 && n * squares == sum * sum).then(|| Point((sum / n) as u16))
    }
}
