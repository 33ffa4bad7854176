//! The arena: 16 rows of 32 spots, read from and written as 528 bytes.

use super::{ARENA_BYTES, BLOCKED, HEIGHT, Square, VACANT, Vacancy, WIDTH, all_spots, frame};
use crate::game::{Spot, Violation};
use crate::rng::Rng;
use alloc::vec::Vec;

/// An arena (B1): for every spot `-`, `o`, or the mark of whoever took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    spots: [[u8; WIDTH]; HEIGHT],
    vacancy: Vacancy,
}

impl Arena {
    /// The arena of these 16 rows of 32 bytes.
    pub fn from_rows(spots: [[u8; WIDTH]; HEIGHT]) -> Arena {
        let vacant =
            |row: [u8; WIDTH]| row.iter().rev().fold(0, |bits, &spot| bits << 1 | u32::from(spot == VACANT));
        Arena { spots, vacancy: Vacancy(spots.map(vacant)) }
    }

    /// An arena with nothing in it.
    pub fn open() -> Arena {
        Arena::from_rows([[VACANT; WIDTH]; HEIGHT])
    }

    /// Reads 528 bytes: 16 lines of 32, each ended by a line feed (B6).
    ///
    /// # Errors
    /// How the bytes are not that, with the place.
    pub fn parse(text: &[u8]) -> Result<Arena, Violation> {
        frame::read(text).map(Arena::from_rows)
    }

    /// An arena with between 0 and 40 spots blocked, number and places drawn from `seed` (F6).
    pub fn generate(seed: u64) -> Arena {
        let mut rng = Rng::new(seed);
        let mut order: Vec<Spot> = all_spots().collect();
        rng.shuffle(&mut order);
        let mut arena = Arena::open();
        for spot in order.into_iter().take(rng.below(41) as usize) {
            arena.set(spot, BLOCKED);
        }
        arena
    }

    /// The 528 bytes of it.
    pub fn to_bytes(&self) -> [u8; ARENA_BYTES] {
        let mut bytes = [b'\n'; ARENA_BYTES];
        for (line, row) in bytes.chunks_exact_mut(WIDTH + 1).zip(&self.spots) {
            line[..WIDTH].copy_from_slice(row);
        }
        bytes
    }

    /// The rows, from the top.
    pub fn rows(&self) -> &[[u8; WIDTH]; HEIGHT] {
        &self.spots
    }

    /// What stands at `spot`.
    pub fn at(&self, spot: Spot) -> u8 {
        self.spots[usize::from(spot.row)][usize::from(spot.col)]
    }

    /// The vacant spots.
    pub fn vacancy(&self) -> Vacancy {
        self.vacancy
    }

    /// How many spots bear `mark`.
    pub fn count(&self, mark: u8) -> u32 {
        self.spots.as_flattened().iter().filter(|&&spot| spot == mark).count() as u32
    }

    /// Writes `mark` at `spot`.
    pub fn set(&mut self, spot: Spot, mark: u8) {
        self.spots[usize::from(spot.row)][usize::from(spot.col)] = mark;
        let bit = 1 << spot.col;
        let row = &mut self.vacancy.0[usize::from(spot.row)];
        *row = if mark == VACANT { *row | bit } else { *row & !bit };
    }

    /// Fills `square`, which lies in the arena, with `mark`.
    pub fn fill(&mut self, square: Square, mark: u8) {
        let (left, size) = (usize::from(square.col), usize::from(square.size));
        for row in &mut self.spots[usize::from(square.row)..][..size] {
            row[left..left + size].fill(mark);
        }
        self.vacancy = self.vacancy.without(square);
    }
}
