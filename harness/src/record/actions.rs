//! Moves and forfeits of a recorded game as one list.

use super::{FaultRecord, GameRecord, MoveRecord, TimeUsed};
use cornerman::game::Seat;

/// A move or a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// A legal move.
    Moved(&'a MoveRecord),
    /// A forfeit.
    Forfeited(&'a FaultRecord),
}

impl Action<'_> {
    /// The number of the move in the game, from 1.
    pub fn number(&self) -> u32 {
        match self {
            Action::Moved(made) => made.number,
            Action::Forfeited(fault) => fault.number,
        }
    }

    /// The seat that moved or forfeited.
    pub fn seat(&self) -> Seat {
        match self {
            Action::Moved(made) => made.seat,
            Action::Forfeited(fault) => fault.seat,
        }
    }

    /// The time that it used.
    pub fn used(&self) -> TimeUsed {
        match self {
            Action::Moved(made) => made.used,
            Action::Forfeited(fault) => fault.used,
        }
    }
}

/// Moves and forfeits in the order of their numbers. Where both have the same number, the forfeit came first: the
/// next seat then made that move.
pub fn actions(game: &GameRecord) -> Vec<Action<'_>> {
    let faults = game.faults.iter().map(|fault| (fault.number, 0, Action::Forfeited(fault)));
    let moves = game.moves.iter().map(|made| (made.number, 1, Action::Moved(made)));
    let mut all: Vec<(u32, u8, Action)> = faults.chain(moves).collect();
    // The sort is stable, so several forfeits of a move stay in the order in which they happened.
    all.sort_by_key(|(number, kind, _)| (*number, *kind));
    all.into_iter().map(|(.., act)| act).collect()
}
