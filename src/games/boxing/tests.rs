//! Tests of the Boxing Match, one file per subject, with the arenas that they share and functions to change them.

mod documents;
mod oracle;
mod play;
mod spots;
mod verdicts;

use super::*;
use crate::game::Spot;
use crate::rng::Rng;
use proptest::prelude::*;

/// The sample start from the contest's announcement (B14).
const START: &[u8; ARENA_BYTES] = include_bytes!("golden/start.arena");
/// The partial game from the contest's announcement; it is the turn of `B` (B14).
const PARTIAL: &[u8; ARENA_BYTES] = include_bytes!("golden/partial.arena");

/// The square of `size` whose top left corner is at `row` and `col`, 0-based.
fn square(size: u8, row: u8, col: u8) -> Square {
    Square { row, col, size }
}

/// `arena` as text with `squares` filled with `mark`, whether that is legal or not.
fn filled(arena: &[u8], mark: u8, squares: &[Square]) -> Vec<u8> {
    let spots = squares.iter().flat_map(|square| square.spots());
    spotted(arena, &spots.map(|spot| (spot.row, spot.col, mark)).collect::<Vec<_>>())
}

/// `arena` as text with other bytes at some spots.
fn spotted(arena: &[u8], spots: &[(u8, u8, u8)]) -> Vec<u8> {
    let mut text = arena.to_vec();
    for &(row, col, byte) in spots {
        text[usize::from(row) * (WIDTH + 1) + usize::from(col)] = byte;
    }
    text
}

/// A random arena after at most `moves` random legal moves, made in turn by the first `marks` letters.
fn reached(seed: u64, marks: u8, moves: usize) -> Arena {
    let mut arena = Arena::generate(seed);
    let mut rng = Rng::new(seed ^ 1);
    for turn in 0..moves {
        let squares: Vec<Square> = arena.vacant().squares().collect();
        if let Some(&square) = rng.pick(&squares) {
            arena.fill(square, b'A' + (turn % usize::from(marks)) as u8);
        }
    }
    arena
}

/// An arena from any stage of a game.
fn any_arena() -> impl Strategy<Value = Arena> {
    (any::<u64>(), 2..=MAX_SEATS, 0usize..80).prop_map(|(seed, marks, moves)| reached(seed, marks, moves))
}
