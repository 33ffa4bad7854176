//! Random: any point that is not one of its own eyes, drawn from the position itself.

use super::Turn;
use cornerman::games::go::Move;

/// The move for `turn`.
pub fn choose(turn: &Turn) -> Move {
    turn.rng().pick(&turn.candidates()).map_or(Move::Pass, |&point| turn.at(point))
}
