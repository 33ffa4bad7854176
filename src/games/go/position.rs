//! A board with its stones, chains and ko, for the rules and for bots.
//!
//! The points are stored in one array with an edge around the board, so that every point has four neighbours. The
//! stones of a chain form a linked ring. Its liberties are counted once for each stone that they touch
//! (pseudo-liberties): the count shows whether there are any, and with their sum and their sum of squares, whether
//! there is exactly one. So no liberties are searched for when a stone is placed, and a copy is one block of memory.

mod area;
mod chain;
mod tally;
mod text;
pub use chain::Chain;

use super::{Colour, Move, SIZES};
use crate::game::Spot;
use crate::rng::Rng;
use tally::ChainTally;

/// The number of points of the largest board and its edge; one column of edge serves both sides.
const POINTS: usize = {
    let size = *SIZES.end() as usize;
    (size + 2) * (size + 1) + 1
};

/// A point of a board, as [`Position`] addresses it. Points of boards of different sizes must not be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The point as an index into a list of [`Position::MAX_POINTS`] items.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Why a stone may not be placed (G6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The point holds a stone of this colour.
    Occupied(Colour),
    /// The stone, with those that it joins, would have no liberty and capture nothing.
    Suicide,
    /// The stone would capture the single stone that has just captured one there.
    Ko,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointState {
    Empty,
    Stone(Colour),
    Edge,
}

/// A board with stones and a possible ko, but without the turn and earlier positions.
#[derive(Clone, Debug)]
pub struct Position {
    size: u8,
    cells: [PointState; POINTS],
    /// For each stone, the head of its chain.
    head: [Point; POINTS],
    /// For each stone, the next one in the ring of its chain.
    next: [Point; POINTS],
    /// For each head, the tally of its chain.
    tally: [ChainTally; POINTS],
    /// The empty points, in no particular order: the first `vacant` entries.
    empty: [Point; POINTS],
    /// For each empty point, its index in `empty`.
    place: [u16; POINTS],
    vacant: u16,
    /// The point where a colour may not play because of ko.
    ko: Option<(Point, Colour)>,
    hash: u64,
    /// The stones that black and white have lost.
    lost: [u32; 2],
}

/// Two positions are equal if they have the same stones, ko and numbers of captured stones.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.has_same_stones(other) && (self.ko, self.lost) == (other.ko, other.lost)
    }
}

impl Eq for Position {}

impl Position {
    /// The length of a list that is indexed by [`Point::index`], for every size of the board.
    pub const MAX_POINTS: usize = POINTS;

    /// The empty board of `size` lines per side.
    ///
    /// # Panics
    /// If `size` is not one of [`SIZES`].
    pub fn new(size: u8) -> Position {
        assert!(SIZES.contains(&size), "a go board has {SIZES:?} lines per side, not {size}");
        let unused = Point(0);
        let mut position = Position {
            size,
            cells: [PointState::Edge; POINTS],
            head: [unused; POINTS],
            next: [unused; POINTS],
            tally: [ChainTally::default(); POINTS],
            empty: [unused; POINTS],
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

    /// The size of the board, in lines per side.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The point at `spot`.
    ///
    /// # Panics
    /// If `spot` is not on the board.
    #[inline]
    pub fn point(&self, spot: Spot) -> Point {
        assert!(spot.row < self.size && spot.col < self.size, "{spot} is not on a board of {} lines", self.size);
        Point((u16::from(spot.row) + 1) * self.stride() + u16::from(spot.col) + 1)
    }

    /// The spot of `point`.
    #[inline]
    pub fn spot(&self, point: Point) -> Spot {
        let stride = self.stride();
        Spot { row: (point.0 / stride - 1) as u8, col: (point.0 % stride - 1) as u8 }
    }

    /// All points of the board, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = u16::from(self.size);
        let stride = self.stride();
        (1..=size).flat_map(move |row| (1..=size).map(move |col| Point(row * stride + col)))
    }

    /// The empty points, in no particular order.
    #[inline]
    pub fn empties(&self) -> &[Point] {
        &self.empty[..usize::from(self.vacant)]
    }

    /// The colour of the stone at `point`; `None` if the point is empty.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Colour> {
        match self.cells[point.index()] {
            PointState::Stone(colour) => Some(colour),
            PointState::Empty | PointState::Edge => None,
        }
    }

    /// The two to four points next to `point`.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        self.around(point).into_iter().filter(|p| self.cells[p.index()] != PointState::Edge)
    }

    /// If there is a ko, the point and the colour that may not play there now.
    pub fn ko(&self) -> Option<(Point, Colour)> {
        self.ko
    }

    /// The numbers of stones that black and white have lost.
    pub fn lost(&self) -> [u32; 2] {
        self.lost
    }

    /// A hash of the stones on the board; 0 for the empty board. Ko and captures do not affect it.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether both boards have the same size and the same stones.
    pub fn has_same_stones(&self, other: &Position) -> bool {
        self.size == other.size && self.hash == other.hash && self.cells == other.cells
    }

    /// Why `colour` may not play at `point`, if it may not (G6). Superko, which depends on earlier positions, is not
    /// checked.
    pub fn why_illegal(&self, point: Point, colour: Colour) -> Option<Illegal> {
        if let Some(by) = self.at(point) {
            Some(Illegal::Occupied(by))
        } else if !self.keeps_a_liberty(point, colour) {
            Some(Illegal::Suicide)
        } else if self.ko == Some((point, colour)) {
            Some(Illegal::Ko)
        } else {
            None
        }
    }

    /// Whether `colour` may play at `point`. Superko is not checked.
    #[inline]
    pub fn is_legal(&self, point: Point, colour: Colour) -> bool {
        self.cells[point.index()] == PointState::Empty
            && self.ko != Some((point, colour))
            && self.keeps_a_liberty(point, colour)
    }

    /// Whether a stone of `colour` placed at the empty `point` has a liberty after its captures.
    #[inline]
    fn keeps_a_liberty(&self, point: Point, colour: Colour) -> bool {
        self.around(point).into_iter().any(|p| match self.cells[p.index()] {
            PointState::Empty => true,
            PointState::Stone(own) => (own == colour) != self.tally_at(p).only().is_some(),
            PointState::Edge => false,
        })
    }

    /// Whether the empty `point` is an eye of `colour` that it should not fill: its own stones are on all sides, and
    /// the opponent has too few of the corners to make the eye false.
    #[inline]
    pub fn is_own_eye(&self, point: Point, colour: Colour) -> bool {
        let own =
            |p: Point| matches!(self.cells[p.index()], PointState::Stone(c) if c == colour) || self.is_edge(p);
        if !self.around(point).into_iter().all(own) {
            return false;
        }
        let stride = self.stride();
        let corners = [point.0 - stride - 1, point.0 - stride + 1, point.0 + stride - 1, point.0 + stride + 1];
        let opposing = corners.iter().filter(|&&p| self.at(Point(p)) == Some(colour.other())).count();
        let at_edge = corners.iter().any(|&p| self.is_edge(Point(p)));
        opposing + usize::from(at_edge) < 2
    }

    /// Places a stone at `point`, where that must be [legal](Position::is_legal), removes the stones that it captures,
    /// and returns their number.
    pub fn play(&mut self, point: Point, colour: Colour) -> u32 {
        debug_assert!(self.is_legal(point, colour), "{colour:?} may not play at {:?}", self.spot(point));
        self.place(point, colour);
        let opponent = colour.other();
        let mut captured = 0;
        let mut captured_at = point;
        for beside in self.around(point) {
            if self.at(beside) == Some(opponent) && self.tally_at(beside).pseudo_liberties == 0 {
                captured += self.capture(beside);
                captured_at = beside;
            }
        }
        self.lost[opponent as usize] += captured;
        // It is a ko only if the next move could capture this stone alone: it joined no other and has no other liberty.
        let ChainTally { stones, pseudo_liberties, .. } = self.tally_at(point);
        self.ko = (captured == 1 && stones == 1 && pseudo_liberties == 1).then_some((captured_at, opponent));
        captured
    }

    /// Passes: a ko may be retaken afterwards.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// Makes the move `m`, which must be legal for `colour`.
    ///
    /// # Panics
    /// If its spot is not on the board.
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
        self.cells[point.index()] == PointState::Edge
    }

    /// The four points next to `point`, including those of the edge.
    #[inline]
    fn around(&self, point: Point) -> [Point; 4] {
        let p = point.0;
        let stride = self.stride();
        [Point(p - stride), Point(p - 1), Point(p + 1), Point(p + stride)]
    }

    /// The tally of the chain to which the stone at `point` belongs.
    #[inline]
    fn tally_at(&self, point: Point) -> ChainTally {
        self.tally[self.head[point.index()].index()]
    }

    /// Places a stone on an empty point and joins it to its neighbours of the same colour. Captures nothing.
    fn place(&mut self, point: Point, colour: Colour) {
        self.fill(point, colour);
        self.head[point.index()] = point;
        self.next[point.index()] = point;
        let mut own = ChainTally::of_a_stone();
        for beside in self.around(point) {
            match self.cells[beside.index()] {
                PointState::Empty => own.add(beside),
                PointState::Stone(_) => self.tally[self.head[beside.index()].index()].remove(point),
                PointState::Edge => {}
            }
        }
        self.tally[point.index()] = own;
        for beside in self.around(point) {
            if self.at(beside) == Some(colour) {
                self.join(point, beside);
            }
        }
    }

    /// Joins the chains of the stones `a` and `b`. The smaller chain takes over the head of the larger one.
    fn join(&mut self, a: Point, b: Point) {
        let mut from = self.head[a.index()];
        let mut into = self.head[b.index()];
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

    /// Removes the chain of the stone at `point` from the board and returns the number of its stones.
    fn capture(&mut self, point: Point) -> u32 {
        let mut stone = point;
        let mut captured = 0;
        loop {
            captured += 1;
            self.vacate(stone);
            for beside in self.around(stone) {
                if self.at(beside).is_some() {
                    self.tally[self.head[beside.index()].index()].add(stone);
                }
            }
            stone = self.next[stone.index()];
            if stone == point {
                return captured;
            }
        }
    }

    /// Puts a stone on an empty point, without its chain.
    fn fill(&mut self, point: Point, colour: Colour) {
        self.cells[point.index()] = PointState::Stone(colour);
        self.hash ^= key(point, colour);
        self.vacant -= 1;
        let at = self.place[point.index()];
        let last = self.empty[usize::from(self.vacant)];
        self.empty[usize::from(at)] = last;
        self.place[last.index()] = at;
    }

    /// Makes a point empty, without changing any chain.
    fn vacate(&mut self, point: Point) {
        if let PointState::Stone(colour) = self.cells[point.index()] {
            self.hash ^= key(point, colour);
        }
        self.cells[point.index()] = PointState::Empty;
        self.empty[usize::from(self.vacant)] = point;
        self.place[point.index()] = self.vacant;
        self.vacant += 1;
    }
}

static KEYS: [[u64; POINTS]; 2] = keys();

/// What a stone of `colour` at `point` contributes to the hash of a position.
#[inline]
fn key(point: Point, colour: Colour) -> u64 {
    KEYS[colour as usize][point.index()]
}

/// Random keys from an arbitrary seed, computed at compile time.
const fn keys() -> [[u64; POINTS]; 2] {
    let mut keys = [[0; POINTS]; 2];
    let mut rng = Rng::new(1984);
    let mut at = 0;
    while at < 2 * POINTS {
        keys[at / POINTS][at % POINTS] = rng.draw();
        at += 1;
    }
    keys
}
