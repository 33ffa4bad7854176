//! The arena: 16 rows of 32 spots, read from and written as 528 bytes.

use super::{ARENA_BYTES, BLOCKED, HEIGHT, SpotSet, Square, VACANT, WIDTH, all_spots, frame};
use crate::game::{Spot, Violation};
use crate::rng::Rng;
use alloc::vec::Vec;

/// An arena (B1). Each spot is `-` (vacant), `o` (blocked) or the mark of the seat that took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    spots: [[u8; WIDTH]; HEIGHT],
    vacant: SpotSet,
}

impl Arena {
    /// The arena with these 16 rows of 32 bytes, from the top.
    pub fn from_rows(spots: [[u8; WIDTH]; HEIGHT]) -> Arena {
        let vacant =
            |row: [u8; WIDTH]| row.iter().rev().fold(0, |bits, &spot| bits << 1 | u32::from(spot == VACANT));
        Arena { spots, vacant: SpotSet(spots.map(vacant)) }
    }

    /// The arena in which every spot is vacant.
    pub fn open() -> Arena {
        Arena::from_rows([[VACANT; WIDTH]; HEIGHT])
    }

    /// Reads 528 bytes: 16 lines of 32, each ended by a line feed (B6).
    ///
    /// # Errors
    /// The text has another format; the violation says where.
    pub fn parse(text: &[u8]) -> Result<Arena, Violation> {
        frame::read(text).map(Arena::from_rows)
    }

    /// An arena with 0 to 40 blocked spots; their number and places depend on `seed` (F6).
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

    /// The arena as text, 528 bytes (B6).
    pub fn to_bytes(&self) -> [u8; ARENA_BYTES] {
        let mut bytes = [b'\n'; ARENA_BYTES];
        for (line, row) in bytes.chunks_exact_mut(WIDTH + 1).zip(&self.spots) {
            line[..WIDTH].copy_from_slice(row);
        }
        bytes
    }

    /// The 16 rows of 32 bytes, from the top.
    pub fn rows(&self) -> &[[u8; WIDTH]; HEIGHT] {
        &self.spots
    }

    /// The byte at `spot`.
    pub fn at(&self, spot: Spot) -> u8 {
        self.spots[usize::from(spot.row)][usize::from(spot.col)]
    }

    /// The vacant spots.
    pub fn vacant(&self) -> SpotSet {
        self.vacant
    }

    /// The number of spots that hold the byte `mark`.
    pub fn count(&self, mark: u8) -> u32 {
        self.spots.as_flattened().iter().filter(|&&spot| spot == mark).count() as u32
    }

    /// Writes the byte `mark` at `spot`.
    pub fn set(&mut self, spot: Spot, mark: u8) {
        self.spots[usize::from(spot.row)][usize::from(spot.col)] = mark;
        let bit = 1 << spot.col;
        let row = &mut self.vacant.0[usize::from(spot.row)];
        *row = if mark == VACANT { *row | bit } else { *row & !bit };
    }

    /// Fills `square` with the byte `mark`.
    ///
    /// # Panics
    /// If `square` does not lie in the arena.
    pub fn fill(&mut self, square: Square, mark: u8) {
        let left = usize::from(square.col);
        let size = usize::from(square.size);
        for row in &mut self.spots[usize::from(square.row)..][..size] {
            row[left..left + size].fill(mark);
        }
        self.vacant = self.vacant.without(square);
    }
}
