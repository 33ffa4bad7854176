//! Smallest: the first vacant spot in reading order.
//!
//! This makes the longest games. All decisions are left to the opponent, so it shows what a bot does on its own.

use super::Turn;
use cornerman::games::boxing::Square;

/// The first vacant spot, as a square of one.
pub fn choose(turn: &Turn) -> Square {
    turn.arena.vacant().squares().next().expect("a turn has a vacant spot")
}
