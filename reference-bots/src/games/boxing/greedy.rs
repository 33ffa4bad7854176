//! Greedy: the largest square, and of several the first in reading order.
//!
//! Most people write this first. It makes short games with many marks, but only the last spot wins (B3), and for that
//! it is no better than random.

use super::Turn;
use cornerman::game::Spot;
use cornerman::games::boxing::Square;

/// The first of the largest squares.
pub fn choose(turn: &Turn) -> Square {
    let (size, corners) = turn.arena.vacant().anchors_by_size().last().expect("a turn has a vacant spot");
    let Spot { row, col } = corners.spots().next().expect("sizes without a corner are not listed");
    Square { row, col, size }
}
