//! Chains: stones of one colour that hang together, and what they breathe by.

use super::{Cell, POINTS, Point, Position};
use crate::games::go::Colour;

/// The chain of a stone.
#[derive(Clone, Copy)]
pub struct Chain<'a> {
    position: &'a Position,
    head: Point,
    colour: Colour,
}

impl<'a> Chain<'a> {
    /// Whose it is.
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// How many stones it has.
    pub fn stone_count(&self) -> u32 {
        self.position.tally[self.head.index()].stones
    }

    /// Its stones, each once.
    pub fn stones(&self) -> impl Iterator<Item = Point> + use<'a> {
        let (position, head) = (self.position, self.head);
        let next = move |&stone: &Point| Some(position.next[stone.index()]).filter(|&next| next != head);
        core::iter::successors(Some(head), next)
    }

    /// Its liberties, each once.
    pub fn liberties(&self) -> impl Iterator<Item = Point> + use<'a> {
        let (position, mut seen) = (self.position, PointSet::default());
        let beside = self.stones().flat_map(move |stone| position.around(stone));
        beside.filter(move |&point| position.cells[point.index()] == Cell::Empty && seen.insert(point))
    }

    /// Its only liberty, if it has just one: it is in atari. Takes no search.
    pub fn only_liberty(&self) -> Option<Point> {
        self.position.tally[self.head.index()].only()
    }
}

impl Position {
    /// The chain of the stone at `point`, if one stands there.
    pub fn chain(&self, point: Point) -> Option<Chain<'_>> {
        let colour = self.at(point)?;
        Some(Chain { position: self, head: self.head[point.index()], colour })
    }

    /// Every chain once.
    pub fn chains(&self) -> impl Iterator<Item = Chain<'_>> {
        let heads = self.points().filter(|&point| self.head[point.index()] == point);
        heads.filter_map(|head| self.chain(head))
    }

    /// How many liberties the chain of the stone at `point` has; 0 where no stone stands.
    pub fn liberties(&self, point: Point) -> u32 {
        self.chain(point).map_or(0, |chain| chain.liberties().count() as u32)
    }
}

/// Some points of a board.
#[derive(Clone, Copy)]
pub(super) struct PointSet([u64; POINTS.div_ceil(64)]);

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet([0; POINTS.div_ceil(64)])
    }
}

impl PointSet {
    /// Adds `point`: whether it was not among them.
    pub(super) fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (&mut self.0[point.index() / 64], 1 << (point.index() % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
