//! A board with its stones, chains and ko: what the rules judge by and bots compute with.
//!
//! Points lie in one array with an edge around the board, so that every point has four neighbours. A chain is a
//! ring through its stones; its liberties are counted once for every stone they touch (pseudo-liberties), which
//! tells none from some, and with their sum and sum of squares one from more. Nothing is ever searched
//! for when a stone is placed, and a copy is one run of memory.

mod area;
mod chain;
mod playout;
mod tally;
mod text;
mod zobrist;

pub use chain::Chain;

use super::{Colour, Move, SIZES};
use crate::game::Spot;
use tally::Tally;

/// The largest board with its edge: one column of edge serves both sides.
const POINTS: usize = {
    let size = *SIZES.end() as usize;
    (size + 2) * (size + 1) + 1
};

/// A point of a board of one size, the form in which positions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The point as an index into a list of [`Position::ALL`] things.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Why a stone may not be placed (G6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// A stone of this colour stands there.
    Occupied(Colour),
    /// It would be without a liberty, alone or with those it joins, and takes nothing.
    Suicide,
    /// It would take back the one stone that has just taken one there.
    Ko,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Stone(Colour),
    Edge,
}

/// A board with stones. It knows the ko but neither whose turn it is nor what was there before.
#[derive(Clone, Debug)]
pub struct Position {
    size: u8,
    cells: [Cell; POINTS],
    /// The head of the chain that a stone is of.
    head: [Point; POINTS],
    /// The next stone of the same chain, round to the first.
    next: [Point; POINTS],
    /// By head.
    tally: [Tally; POINTS],
    /// The empty points, in no order, the first `vacant` of them.
    empty: [Point; POINTS],
    /// Where in `empty` a point is.
    place: [u16; POINTS],
    vacant: u16,
    /// Where who may not play because of ko.
    ko: Option<(Point, Colour)>,
    hash: u64,
    lost: [u32; 2],
}

/// Equal are positions with the same stones and ko after as many captures.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.has_same_stones(other) && (self.ko, self.lost) == (other.ko, other.lost)
    }
}

impl Eq for Position {}

impl Position {
    /// How many things a list by [`Point::index`] holds, whatever the size of the board.
    pub const ALL: usize = POINTS;

    /// The empty board of `size` lines a side.
    ///
    /// # Panics
    /// When `size` is none of [`SIZES`].
    pub fn new(size: u8) -> Position {
        assert!(SIZES.contains(&size), "a go board has {SIZES:?} lines a side, not {size}");
        let nowhere = Point(0);
        let mut position = Position {
            size,
            cells: [Cell::Edge; POINTS],
            head: [nowhere; POINTS],
            next: [nowhere; POINTS],
            tally: [Tally::default(); POINTS],
            empty: [nowhere; POINTS],
            place: [0; POINTS],
            vacant: 0,
            ko: None,
            hash: 0,
            lost: [0; 2],
        };
        for point in position.points() {
            position.vacate(point);
        }
        position
    }

    /// Lines a side.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The point at `spot`.
    ///
    /// # Panics
    /// When the spot is not on the board.
    #[inline]
    pub fn point(&self, spot: Spot) -> Point {
        assert!(spot.row < self.size && spot.col < self.size, "{spot} is not on a board of {} lines", self.size);
        Point((u16::from(spot.row) + 1) * self.stride() + u16::from(spot.col) + 1)
    }

    /// Where `point` is.
    #[inline]
    pub fn spot(&self, point: Point) -> Spot {
        let stride = self.stride();
        Spot { row: (point.0 / stride - 1) as u8, col: (point.0 % stride - 1) as u8 }
    }

    /// All points of the board, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (size, stride) = (u16::from(self.size), self.stride());
        (1..=size).flat_map(move |row| (1..=size).map(move |col| Point(row * stride + col)))
    }

    /// The empty points, in no particular order.
    #[inline]
    pub fn empties(&self) -> &[Point] {
        &self.empty[..usize::from(self.vacant)]
    }

    /// Whose stone stands at `point`.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Colour> {
        match self.cells[point.index()] {
            Cell::Stone(colour) => Some(colour),
            Cell::Empty | Cell::Edge => None,
        }
    }

    /// The two to four points beside `point`.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.around(point).into_iter().filter(|p| self.cells[p.index()] != Cell::Edge)
    }

    /// The point where the colour given may not play because of ko.
    pub fn ko(&self) -> Option<(Point, Colour)> {
        self.ko
    }

    /// How many stones black and white have lost.
    pub fn lost(&self) -> [u32; 2] {
        self.lost
    }

    /// A number that positions with the same stones share, and others hardly ever; 0 for the empty board.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether the same stones stand on both boards.
    pub fn has_same_stones(&self, other: &Position) -> bool {
        self.size == other.size && self.hash == other.hash && self.cells == other.cells
    }

    /// Why `colour` may not play at `point`, if it may not (G6). Superko, which depends on the game, is not asked.
    pub fn why_not(&self, point: Point, colour: Colour) -> Option<Illegal> {
        if let Some(by) = self.at(point) {
            Some(Illegal::Occupied(by))
        } else if !self.can_breathe(point, colour) {
            Some(Illegal::Suicide)
        } else if self.ko == Some((point, colour)) {
            Some(Illegal::Ko)
        } else {
            None
        }
    }

    /// Whether `colour` may play at `point`, superko apart.
    #[inline]
    pub fn is_legal(&self, point: Point, colour: Colour) -> bool {
        self.cells[point.index()] == Cell::Empty
            && self.ko != Some((point, colour))
            && self.can_breathe(point, colour)
    }

    /// Whether a stone of `colour` at the empty `point` has a liberty once it has taken what it takes.
    #[inline]
    fn can_breathe(&self, point: Point, colour: Colour) -> bool {
        self.around(point).into_iter().any(|p| match self.cells[p.index()] {
            Cell::Empty => true,
            Cell::Stone(own) => (own == colour) != self.tally_at(p).only().is_some(),
            Cell::Edge => false,
        })
    }

    /// Whether the empty `point` is an eye of `colour` that would better not be filled: its own stones are all
    /// around, and too few corners are the opponent's for it to be false.
    #[inline]
    pub fn is_own_eye(&self, point: Point, colour: Colour) -> bool {
        let own = |p: Point| matches!(self.cells[p.index()], Cell::Stone(c) if c == colour) || self.is_edge(p);
        if !self.around(point).into_iter().all(own) {
            return false;
        }
        let stride = self.stride();
        let corners = [point.0 - stride - 1, point.0 - stride + 1, point.0 + stride - 1, point.0 + stride + 1];
        let foes = corners.iter().filter(|&&p| self.at(Point(p)) == Some(colour.other())).count();
        let at_edge = corners.iter().any(|&p| self.is_edge(Point(p)));
        foes + usize::from(at_edge) < 2
    }

    /// Places a stone at `point`, where that [is legal](Position::is_legal), and takes what it takes: so many stones.
    pub fn play(&mut self, point: Point, colour: Colour) -> u32 {
        debug_assert!(self.is_legal(point, colour), "{colour:?} may not play at {:?}", self.spot(point));
        self.place(point, colour);
        let foe = colour.other();
        let (mut taken, mut taken_at) = (0, point);
        for beside in self.around(point) {
            if self.at(beside) == Some(foe) && self.tally_at(beside).touches == 0 {
                taken += self.take(beside);
                taken_at = beside;
            }
        }
        self.lost[foe as usize] += taken;
        // One that joined others, or has a liberty besides, cannot be taken back alone.
        let Tally { stones, touches, .. } = self.tally_at(point);
        self.ko = (taken == 1 && stones == 1 && touches == 1).then_some((taken_at, foe));
        taken
    }

    /// Nobody plays: a ko may be retaken afterwards.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// Makes a move that is legal for `colour`.
    ///
    /// # Panics
    /// When its spot is not on the board.
    pub fn make(&mut self, m: Move, colour: Colour) {
        match m {
            Move::Place(spot) => {
                self.play(self.point(spot), colour);
            }
            Move::Pass => self.pass(),
        }
    }

    #[inline]
    fn stride(&self) -> u16 {
        u16::from(self.size) + 1
    }

    #[inline]
    fn is_edge(&self, point: Point) -> bool {
        self.cells[point.index()] == Cell::Edge
    }

    /// The four points beside `point`, the edge among them.
    #[inline]
    fn around(&self, point: Point) -> [Point; 4] {
        let (p, stride) = (point.0, self.stride());
        [Point(p - stride), Point(p - 1), Point(p + 1), Point(p + stride)]
    }

    /// Of the chain that the stone at `point` is of.
    #[inline]
    fn tally_at(&self, point: Point) -> Tally {
        self.tally[self.head[point.index()].index()]
    }

    /// Puts a stone on an empty point and joins it with its own; takes nothing.
    fn place(&mut self, point: Point, colour: Colour) {
        self.fill(point, colour);
        self.head[point.index()] = point;
        self.next[point.index()] = point;
        let mut own = Tally::of_a_stone();
        for beside in self.around(point) {
            match self.cells[beside.index()] {
                Cell::Empty => own.add(beside),
                Cell::Stone(_) => self.tally[self.head[beside.index()].index()].remove(point),
                Cell::Edge => {}
            }
        }
        self.tally[point.index()] = own;
        for beside in self.around(point) {
            if self.at(beside) == Some(colour) {
                self.join(point, beside);
            }
        }
    }

    /// Makes the chains of the stones `a` and `b` one; the fewer stones get the head of the others.
    fn join(&mut self, a: Point, b: Point) {
        let (mut from, mut into) = (self.head[a.index()], self.head[b.index()]);
        if from == into {
            return;
        }
        if self.tally[from.index()].stones > self.tally[into.index()].stones {
            core::mem::swap(&mut from, &mut into);
        }
        let joined = self.tally[from.index()];
        self.tally[into.index()].join(joined);
        let mut stone = from;
        loop {
            self.head[stone.index()] = into;
            stone = self.next[stone.index()];
            if stone == from {
                break;
            }
        }
        self.next.swap(from.index(), into.index());
    }

    /// Takes the chain of the stone at `point` off the board: so many stones.
    fn take(&mut self, point: Point) -> u32 {
        let (mut stone, mut taken) = (point, 0);
        loop {
            taken += 1;
            self.vacate(stone);
            for beside in self.around(stone) {
                if self.at(beside).is_some() {
                    self.tally[self.head[beside.index()].index()].add(stone);
                }
            }
            stone = self.next[stone.index()];
            if stone == point {
                return taken;
            }
        }
    }

    fn fill(&mut self, point: Point, colour: Colour) {
        self.cells[point.index()] = Cell::Stone(colour);
        self.hash ^= zobrist::key(point, colour);
        self.vacant -= 1;
        let (at, last) = (self.place[point.index()], self.empty[usize::from(self.vacant)]);
        self.empty[usize::from(at)] = last;
        self.place[last.index()] = at;
    }

    fn vacate(&mut self, point: Point) {
        if let Cell::Stone(colour) = self.cells[point.index()] {
            self.hash ^= zobrist::key(point, colour);
        }
        self.cells[point.index()] = Cell::Empty;
        self.empty[usize::from(self.vacant)] = point;
        self.place[point.index()] = self.vacant;
        self.vacant += 1;
    }
}
