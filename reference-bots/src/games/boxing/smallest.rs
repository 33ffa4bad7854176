//! Smallest: the first vacant spot in reading order, and nothing else.
//!
//! The slowest player there is. Whoever wants to shorten a game has to do it alone against this one, so
//! it shows what a bot does when all the decisions are its own.

use super::Turn;
use cornerman::games::boxing::Square;

/// The first vacant spot, as a square of one.
pub fn choose(turn: &Turn) -> Square {
    turn.arena.vacant().squares().next().expect("a turn has a vacant spot")
}
