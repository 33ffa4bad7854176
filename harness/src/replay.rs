//! Plays recorded games again: the one way in which `verify`, `rejudge`, `replay` and pages follow a game.
//!
//! The rules read the moves from their notation. A game is followed up to the first move or forfeit that contradicts
//! the rules.

use crate::player::Fault;
use crate::record::{GameRecord, RecordedAction, actions};
use crate::ruleset::Ruleset;
use cornerman::game::{LiveGame, Outcome, Reply, Seat, Setup};
use std::fmt;

/// Why a game cannot be followed further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Deviation {
    /// The move, from 1, from which on the game is unknown; 0 if that is the start.
    pub number: u32,
    /// What contradicts the rules, or would be different.
    pub why: String,
}

impl Deviation {
    /// A deviation at the start, or of the game as a whole.
    pub fn at_start(why: impl Into<String>) -> Deviation {
        Deviation { number: 0, why: why.into() }
    }

    /// A deviation at move `number`: `what` is preceded by the number of the move.
    pub(crate) fn at(number: u32, what: impl fmt::Display) -> Deviation {
        Deviation { number, why: format!("move {number}{what}") }
    }

    pub(crate) fn not_to_move(number: u32, seat: Seat) -> Deviation {
        Deviation::at(number, format_args!(": {seat} is not to move"))
    }

    /// The game goes on after move `last`, the last one of its record.
    pub(crate) fn no_end(last: u32) -> Deviation {
        Deviation { number: last + 1, why: "its moves do not reach the end of the game".to_string() }
    }
}

/// What is expected of the forfeits of a game. Those that do not follow from an answer ([`Fault::PROCESS_KINDS`]) are
/// never checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeits {
    /// Nothing: they are not checked, and moves may be written in another notation.
    Taken,
    /// An answer that was a forfeit must be illegal, for whatever reason.
    Judged,
    /// An answer that was a forfeit must be illegal for the recorded reason.
    AsRecorded,
}

/// Begins a recorded game again by `ruleset`.
///
/// # Errors
/// When it cannot begin with this setup, or has another number of entrants.
pub fn open(ruleset: &Ruleset, game: &GameRecord) -> Result<Box<dyn LiveGame>, Deviation> {
    let live = begin(ruleset, &game.setup)?;
    let sat = game.pairing.seats.len();
    let seats = game.setup.seats;
    if sat != usize::from(seats) {
        return Err(Deviation::at_start(format!("{sat} entrants for {seats} seats")));
    }
    Ok(live)
}

/// Begins a game by `ruleset`.
///
/// # Errors
/// When it cannot begin with this `setup`.
pub(crate) fn begin(ruleset: &Ruleset, setup: &Setup) -> Result<Box<dyn LiveGame>, Deviation> {
    ruleset.open(setup).map_err(|error| Deviation::at_start(error.to_string()))
}

/// Plays one recorded move or forfeit in `live`.
///
/// # Errors
/// When it contradicts the rules.
pub fn take(live: &mut dyn LiveGame, action: RecordedAction, forfeits: Forfeits) -> Result<(), Deviation> {
    let number = action.number();
    let seat = action.seat();
    if !live.to_act().contains(seat) {
        return Err(Deviation::not_to_move(number, seat));
    }
    match action {
        RecordedAction::Moved(made) => match live.play(seat, &Reply::Notation(made.notation.clone())) {
            Ok(notation) if notation == made.notation || forfeits == Forfeits::Taken => {}
            Ok(notation) => return Err(Deviation::at(number, format_args!(" is written {notation}"))),
            Err(violation) => return Err(Deviation::at(number, format_args!(": {violation}"))),
        },
        RecordedAction::Forfeited(fault) => {
            if forfeits != Forfeits::Taken && !Fault::PROCESS_KINDS.contains(&fault.kind.as_str()) {
                match live.judge(seat, &Reply::Answer(fault.answer.clone())) {
                    Err(violation) if violation.kind == fault.kind || forfeits == Forfeits::Judged => {}
                    Err(violation) => {
                        let what = format_args!(" is a forfeit because {violation}");
                        return Err(Deviation::at(number, what));
                    }
                    Ok(_) => return Err(Deviation::at(number, " is a forfeit, but its answer is legal")),
                }
            }
            live.forfeit(seat);
        }
    }
    Ok(())
}

/// The outcome of `game` by `ruleset`, which must be the one that it was played by.
///
/// # Errors
/// When its setup, its moves or its forfeits contradict the rules, or do not reach the end of the game.
pub fn follow(game: &GameRecord, ruleset: &Ruleset) -> Result<Outcome, Deviation> {
    let mut live = open(ruleset, game)?;
    let mut last = 0;
    for action in actions(game) {
        last = action.number();
        take(&mut *live, action, Forfeits::AsRecorded)?;
    }
    live.outcome().ok_or_else(|| Deviation::no_end(last))
}

/// A move or a forfeit, with the boards before and after it.
pub struct Step<'a, 'b> {
    /// The move or forfeit.
    pub action: RecordedAction<'a>,
    /// The view that the rules give the seat for this move.
    pub view: Vec<u8>,
    /// The board before it.
    pub before: &'b [u8],
    /// The board after it.
    pub after: &'b [u8],
    /// The game after it.
    pub live: &'b dyn LiveGame,
    /// Whether other seats still have to act in the same turn.
    pub is_in_turn: bool,
}

/// Plays `actions` in `live` from its position on, and passes each step to `see`.
///
/// # Errors
/// When an action contradicts the rules.
pub fn play_again<'a>(
    live: &mut dyn LiveGame,
    actions: &[RecordedAction<'a>],
    see: &mut dyn FnMut(Step<'a, '_>),
) -> Result<(), Deviation> {
    let mut board = live.board();
    let mut due = live.to_act().len();
    for &action in actions {
        let view = if live.to_act().contains(action.seat()) { live.view(action.seat()) } else { Vec::new() };
        take(live, action, Forfeits::Taken)?;
        let after = live.board();
        let is_in_turn = due > 1;
        due = if is_in_turn { due - 1 } else { live.to_act().len() };
        see(Step { action, view, before: &board, after: &after, live: &*live, is_in_turn });
        board = after;
    }
    Ok(())
}
