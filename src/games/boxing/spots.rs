//! Squares, and sets of spots as 16 rows of 32 bits, which answer what a bot needs to know: which squares fit, and how
//! large the largest one is.

use super::{HEIGHT, SPOTS, WIDTH};
use crate::game::Spot;

/// A square of spots: its top left corner and the length of its sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The top row, 0-based.
    pub row: u8,
    /// The left column, 0-based.
    pub col: u8,
    /// Spots a side, at least 1.
    pub size: u8,
}

impl Square {
    /// The columns of the square as the bits of a row.
    fn bits(self) -> u32 {
        // A side is at most 16, so the shift never overflows.
        ((1u32 << self.size) - 1) << self.col
    }

    /// Whether the whole square lies in the arena, and it has at least one spot.
    pub fn in_arena(self) -> bool {
        self.size >= 1
            && usize::from(self.row) + usize::from(self.size) <= HEIGHT
            && usize::from(self.col) + usize::from(self.size) <= WIDTH
    }

    /// The spots of the square, row by row.
    pub fn spots(self) -> impl Iterator<Item = Spot> {
        let rows = self.row..self.row + self.size;
        let cols = self.col..self.col + self.size;
        rows.flat_map(move |row| cols.clone().map(move |col| Spot { row, col }))
    }

    /// The number of spots of the square.
    pub fn area(self) -> u32 {
        u32::from(self.size) * u32::from(self.size)
    }
}

impl core::fmt::Display for Square {
    /// `4x4 at row 3, column 5`, counted from 1.
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        write!(f, "{0}x{0} at row {1}, column {2}", self.size, self.row + 1, self.col + 1)
    }
}

/// The error when text is not a square in [its notation](Square#impl-Display-for-Square).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl core::fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        f.write_str("not a square of the arena, such as `4x4 at row 3, column 5`")
    }
}

impl core::error::Error for ParseSquareError {}

impl core::str::FromStr for Square {
    type Err = ParseSquareError;

    /// Reads exactly what [`Display`](core::fmt::Display) writes for a square in the arena.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let read = || -> Option<Square> {
            let (size, place) = text.split_once(" at row ")?;
            let (row, col) = place.split_once(", column ")?;
            let (size, other) = size.split_once('x')?;
            let from_one = |number: &str| plain_number(number)?.checked_sub(1);
            let square = Square { row: from_one(row)?, col: from_one(col)?, size: plain_number(size)? };
            (size == other && square.in_arena()).then_some(square)
        };
        read().ok_or(ParseSquareError)
    }
}

/// Reads a number without a sign or leading zeros.
fn plain_number(text: &str) -> Option<u8> {
    let plain = text.starts_with(|c: char| c.is_ascii_digit() && c != '0');
    text.parse().ok().filter(|_| plain)
}

/// A set of spots of the arena, such as the vacant ones: 16 rows from the top, in which bit 0 is the leftmost column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpotSet(pub [u32; HEIGHT]);

impl SpotSet {
    /// All spots of the arena.
    pub const ALL: SpotSet = SpotSet([u32::MAX; HEIGHT]);
    /// The empty set.
    pub const NONE: SpotSet = SpotSet([0; HEIGHT]);

    /// The number of spots in the set, 0 to 512.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Whether `spot` is in the set.
    pub fn contains(&self, spot: Spot) -> bool {
        self.0[usize::from(spot.row)] >> spot.col & 1 == 1
    }

    /// Adds `spot` to the set.
    pub fn insert(&mut self, spot: Spot) {
        self.0[usize::from(spot.row)] |= 1 << spot.col;
    }

    /// The spots of the set, row by row.
    pub fn spots(self) -> impl Iterator<Item = Spot> {
        (0u8..).zip(self.0).flat_map(|(row, mut bits)| {
            core::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let col = bits.trailing_zeros() as u8;
                    bits &= bits - 1;
                    Spot { row, col }
                })
            })
        })
    }

    /// The spot of the set that has `index` others before it, row by row; `None` if there is no such spot.
    pub fn nth(self, index: usize) -> Option<Spot> {
        self.spots().nth(index)
    }

    /// Whether `square` lies in the arena and all its spots are in the set (B2).
    pub fn fits(&self, square: Square) -> bool {
        square.in_arena() && {
            let top = usize::from(square.row);
            let bits = square.bits();
            self.0[top..top + usize::from(square.size)].iter().all(|row| row & bits == bits)
        }
    }

    /// The set without the spots of `square`, which must lie in the arena.
    ///
    /// # Panics
    /// If its rows do not lie in the arena.
    #[must_use]
    pub fn without(mut self, square: Square) -> SpotSet {
        let top = usize::from(square.row);
        let bits = square.bits();
        for row in &mut self.0[top..top + usize::from(square.size)] {
            *row &= !bits;
        }
        self
    }

    /// Takes the set as the top left corners of all squares of some size that fit, and returns those of the squares one
    /// spot larger. The vacant spots themselves are the corners of the 1×1 squares.
    #[must_use]
    pub fn grown(&self) -> SpotSet {
        let across = self.0.map(|row| row & row >> 1);
        SpotSet(core::array::from_fn(|row| across[row] & across.get(row + 1).copied().unwrap_or(0)))
    }

    /// The top left corners of all squares with sides of `size` that fit.
    pub fn anchors(&self, size: u8) -> SpotSet {
        match size {
            0 => SpotSet::NONE,
            _ => (1..size).fold(*self, |corners, _| corners.grown()),
        }
    }

    /// The [anchors](SpotSet::anchors) of each size of which a square fits, from 1 up.
    pub fn anchors_by_size(self) -> impl Iterator<Item = (u8, SpotSet)> {
        let sizes = core::iter::successors(Some(self), |corners| Some(corners.grown()));
        (1u8..).zip(sizes).take_while(|(_, corners)| !corners.is_empty())
    }

    /// The squares that fit: by size from 1, then row by row.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        self.anchors_by_size()
            .flat_map(|(size, corners)| corners.spots().map(move |Spot { row, col }| Square { row, col, size }))
    }

    /// The number of squares that fit. For the vacant spots this is the number of legal moves by the original
    /// rules.
    pub fn count_squares(self) -> u32 {
        self.anchors_by_size().map(|(_, corners)| corners.count()).sum()
    }

    /// The side of the largest square that fits; 0 if the set is empty.
    pub fn largest(self) -> u8 {
        self.anchors_by_size().last().map_or(0, |(size, _)| size)
    }
}

impl FromIterator<Spot> for SpotSet {
    fn from_iter<I: IntoIterator<Item = Spot>>(spots: I) -> SpotSet {
        let mut set = SpotSet::NONE;
        for spot in spots {
            set.insert(spot);
        }
        set
    }
}

/// All spots of the arena, row by row.
pub fn all_spots() -> impl Iterator<Item = Spot> {
    (0..SPOTS).map(|i| Spot { row: (i / WIDTH) as u8, col: (i % WIDTH) as u8 })
}
