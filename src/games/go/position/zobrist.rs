//! Zobrist hashing: the hash of a position is the exclusive or of the keys of its stones.

use super::{POINTS, Point};
use crate::games::go::Colour;

static KEYS: [[u64; POINTS]; 2] = keys();

/// The key of a stone of `colour` at `point`.
#[inline]
pub(super) fn key(point: Point, colour: Colour) -> u64 {
    KEYS[colour as usize][point.index()]
}

/// Random keys, from the generator of [`Rng`](crate::rng::Rng) but computed at compile time.
const fn keys() -> [[u64; POINTS]; 2] {
    let mut keys = [[0; POINTS]; 2];
    let mut state = 1984_u64;
    let mut at = 0;
    while at < 2 * POINTS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[at / POINTS][at % POINTS] = z ^ (z >> 31);
        at += 1;
    }
    keys
}
