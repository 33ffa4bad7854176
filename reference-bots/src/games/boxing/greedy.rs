//! Greedy: the largest square there is, the first in reading order where several are.
//!
//! What most people write first. It makes for short games with many marks, but only the last spot wins
//! (B3), and to that end it is no better than random.

use super::Turn;
use cornerman::game::Spot;
use cornerman::games::boxing::Square;

/// The first of the largest squares.
pub fn choose(turn: &Turn) -> Square {
    let (size, corners) = turn.arena.vacant().anchors_by_size().last().expect("a turn has a vacant spot");
    let Spot { row, col } = corners.spots().next().expect("sizes without a corner are not listed");
    Square { row, col, size }
}
