//! Chains: connected stones of one colour, and their liberties.

use super::{POINTS, Point, PointState, Position};
use crate::games::go::Colour;

/// A chain of a [`Position`].
#[derive(Clone, Copy)]
pub struct Chain<'a> {
    position: &'a Position,
    head: Point,
    colour: Colour,
}

impl<'a> Chain<'a> {
    /// The colour of its stones.
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// The number of its stones.
    pub fn stone_count(&self) -> u32 {
        self.position.tally[self.head.index()].stones
    }

    /// Its stones, each once, in no particular order.
    pub fn stones(&self) -> impl Iterator<Item = Point> + use<'a> {
        let position = self.position;
        let head = self.head;
        let next = move |&stone: &Point| Some(position.next[stone.index()]).filter(|&next| next != head);
        core::iter::successors(Some(head), next)
    }

    /// Its liberties, each once, in no particular order.
    pub fn liberties(&self) -> impl Iterator<Item = Point> + use<'a> {
        let position = self.position;
        let mut seen = PointSet::default();
        let beside = self.stones().flat_map(move |stone| position.around(stone));
        beside.filter(move |&point| position.cells[point.index()] == PointState::Empty && seen.insert(point))
    }

    /// Its only liberty, if it has exactly one, that is, if it is in atari. Takes constant time.
    pub fn only_liberty(&self) -> Option<Point> {
        self.position.tally[self.head.index()].only()
    }
}

impl Position {
    /// The chain of the stone at `point`; `None` if the point is empty.
    pub fn chain(&self, point: Point) -> Option<Chain<'_>> {
        let colour = self.at(point)?;
        Some(Chain { position: self, head: self.head[point.index()], colour })
    }

    /// All chains, each once.
    pub fn chains(&self) -> impl Iterator<Item = Chain<'_>> {
        let heads = self.points().filter(|&point| self.head[point.index()] == point);
        heads.filter_map(|head| self.chain(head))
    }
}

/// A set of points of a board.
#[derive(Clone, Copy)]
pub(super) struct PointSet([u64; POINTS.div_ceil(64)]);

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet([0; POINTS.div_ceil(64)])
    }
}

impl PointSet {
    /// Adds `point` and returns whether it is new.
    pub(super) fn insert(&mut self, point: Point) -> bool {
        let word = &mut self.0[point.index() / 64];
        let bit = 1 << (point.index() % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
