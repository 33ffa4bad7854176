//! A recorded game step by step. Of a Boxing game: its boards, made again from the first one and the moves as written.
//! Games of lines are played again at a table ([`LineReplay`]).

mod lines;
mod show;
#[cfg(test)]
mod tests;

use cornerman::format::{EntrantId, PairingId};
use cornerman::game::{Game, Seat};
use cornerman::games::boxing::{Arena, Boxing, Square, marks_of};
use cornerman_harness::record::{EntrantRecord, GameRecord, Used};
use std::fmt;

pub use lines::{LineReplay, Turn};

/// A game that can be stepped through.
#[derive(Clone, Debug)]
pub struct Replay {
    id: PairingId,
    /// By seat.
    entrants: Vec<EntrantId>,
    /// By seat, as they are.
    names: Vec<String>,
    marks: Vec<u8>,
    start: Arena,
    steps: Vec<Step>,
    /// How it ended, in words.
    ending: String,
}

/// What a seat did, and the arena after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which move of the game, from 1; forfeits have the number of the move that they would have been.
    pub number: u32,
    /// Who.
    pub seat: Seat,
    /// What it did.
    pub act: Act,
    /// What it used up.
    pub used: Used,
    /// The arena afterwards.
    pub arena: Arena,
}

/// What a seat did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It took this square; the remarks are in words, usually none.
    Took(Square, String),
    /// It forfeited.
    Forfeited {
        /// The slug of its fault.
        kind: String,
        /// The fault in words.
        detail: String,
    },
}

/// Why a game cannot be stepped through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// It does not start as a Boxing game does.
    Start {
        /// The game.
        id: PairingId,
        /// In what way.
        why: String,
    },
    /// It makes no sense by its record's ruleset.
    Rules {
        /// The game.
        id: PairingId,
        /// The ruleset's id.
        ruleset: String,
        /// Where, and in what way.
        why: String,
    },
    /// A move is no legal one: another game, or a record that has been tampered with.
    Move {
        /// The game.
        id: PairingId,
        /// Which move, from 1.
        number: u32,
        /// How it is written.
        notation: String,
    },
    /// There is no such move.
    NoMove {
        /// The game.
        id: PairingId,
        /// Which one was asked for.
        number: u32,
        /// The last that there is.
        last: u32,
    },
    /// Another seat was asked for than those that had this move.
    OtherSeat {
        /// The game.
        id: PairingId,
        /// Which move, from 1.
        number: u32,
        /// Who had it.
        seat: Seat,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ReplayError::Start { id, why } => write!(f, "game {id} cannot be replayed as Boxing: {why}"),
            ReplayError::Rules { id, ruleset, why } => {
                write!(f, "game {id} cannot be replayed by {}: {why}", crate::shown(ruleset))
            }
            ReplayError::Move { id, number, notation } => {
                let notation = crate::shown(notation);
                write!(f, "game {id} cannot be replayed: move {number}, `{notation}`, is none in that position")
            }
            ReplayError::NoMove { id, number, last } => {
                write!(f, "game {id} has no move {number}: take 1 to {last}")
            }
            ReplayError::OtherSeat { id, number, seat } => {
                write!(f, "move {number} of game {id} is not that seat's: it is {seat}'s")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl Replay {
    /// The game of a record, whose entrants these are.
    ///
    /// # Errors
    /// When it is no Boxing game from its first move to its last.
    pub fn of(game: &GameRecord, entrants: &[EntrantRecord]) -> Result<Replay, ReplayError> {
        let id = game.pairing.id;
        let start_error = |why: String| ReplayError::Start { id, why };
        // The largest square that any rules permit: the record holds moves that were legal by its own.
        let start = Boxing::default().start(&game.setup).map_err(|wrong| start_error(wrong.to_string()))?;
        let marks = marks_of(&game.setup).map_err(|wrong| start_error(wrong.to_string()))?;
        if game.pairing.seats.len() != marks.len() {
            return Err(start_error(format!("{} sat at {} seats", game.pairing.seats.len(), marks.len())));
        }
        let mut replay = Replay {
            id,
            entrants: game.pairing.seats.clone(),
            names: game.pairing.seats.iter().map(|&id| crate::raw_name_of(entrants, id)).collect(),
            marks,
            start: start.arena().clone(),
            steps: Vec::new(),
            ending: String::new(),
        };
        let mut faults = game.faults.iter().peekable();
        for one in &game.moves {
            while let Some(fault) = faults.next_if(|fault| fault.number <= one.number) {
                replay.forfeit(fault);
            }
            let wrong = || ReplayError::Move { id, number: one.number, notation: one.notation.clone() };
            let square: Square = one.notation.parse().map_err(|_| wrong())?;
            let mut arena = replay.arena(replay.len()).clone();
            let mark = *replay.marks.get(one.seat.index()).ok_or_else(wrong)?;
            if !arena.vacancy().fits(square) {
                return Err(wrong());
            }
            arena.fill(square, mark);
            let act = Act::Took(square, one.remarks.clone());
            replay.steps.push(Step { number: one.number, seat: one.seat, act, used: one.used, arena });
        }
        faults.for_each(|fault| replay.forfeit(fault));
        replay.ending = show::ending(&replay, &game.outcome);
        Ok(replay)
    }

    /// How many steps there are: moves and forfeits.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nobody did anything.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The arena after so many steps; after more than there are, the last one.
    pub fn arena(&self, steps: usize) -> &Arena {
        match steps.min(self.len()).checked_sub(1) {
            Some(last) => &self.steps[last].arena,
            None => &self.start,
        }
    }

    /// After how many steps move `number` has been made, 0 for none; a forfeit counts where there is no such move.
    ///
    /// # Errors
    /// When there is none.
    pub fn steps_to(&self, number: u32) -> Result<usize, ReplayError> {
        let last = self.steps.last().map_or(0, |step| step.number);
        match self.steps.iter().rposition(|step| step.number == number) {
            Some(at) => Ok(at + 1),
            None if number == 0 => Ok(0),
            None => Err(ReplayError::NoMove { id: self.id, number, last }),
        }
    }

    fn forfeit(&mut self, fault: &cornerman_harness::record::FaultRecord) {
        let act = Act::Forfeited { kind: fault.kind.clone(), detail: fault.detail.clone() };
        let arena = self.arena(self.len()).clone();
        self.steps.push(Step { number: fault.number, seat: fault.seat, act, used: fault.used, arena });
    }
}

/// What the bot at move `number` was given, to be given to a bot again: its mark, and the bytes that it read.
/// Several seats have had a move where some forfeited it: `seat` says which is meant, otherwise the one that
/// made it, or forfeited it last.
///
/// # Errors
/// When there is no such move, it was not that seat's, or it is no Boxing game.
pub fn input_of(game: &GameRecord, number: u32, seat: Option<Seat>) -> Result<(u8, Vec<u8>), ReplayError> {
    let replay = Replay::of(game, &[])?;
    let after = replay.steps_to(number)?;
    if after == 0 {
        let last = replay.steps.last().map_or(0, |step| step.number);
        return Err(ReplayError::NoMove { id: replay.id, number, last });
    }
    let made = replay.steps[after - 1].seat;
    let wanted = |step: &Step| step.number == number && seat.is_none_or(|seat| seat == step.seat);
    match replay.steps.iter().rposition(wanted) {
        Some(at) => {
            let step = &replay.steps[at];
            let view = game.faults.iter().find(|fault| (fault.number, fault.seat) == (number, step.seat));
            let bytes = match (&step.act, view) {
                (Act::Forfeited { .. }, Some(fault)) => fault.view.clone(),
                _ => replay.arena(at).to_bytes().to_vec(),
            };
            let mark = replay.marks.get(step.seat.index()).copied();
            let nobody = || ReplayError::Start { id: replay.id, why: format!("nobody sat in {}", step.seat) };
            Ok((mark.ok_or_else(nobody)?, bytes))
        }
        None => Err(ReplayError::OtherSeat { id: replay.id, number, seat: made }),
    }
}
