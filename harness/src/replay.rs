//! Plays recorded games again: the one way in which `verify`, `rejudge`, `replay` and pages follow a game.
//!
//! The rules read the moves from their notation. A game is followed up to the first move or forfeit that contradicts
//! the rules.

use crate::player::Fault;
use crate::record::{GameRecord, RecordedAction, actions};
use crate::ruleset::Ruleset;
use cornerman::game::{LiveGame, Outcome, Reply, Seat, Setup, Violation};

/// Why a game cannot be followed further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Deviation {
    /// It cannot begin with this setup.
    #[error("{0}")]
    NoStart(String),
    /// It is not this seat's turn.
    #[error("move {0}: {1} is not to move")]
    NotToMove(u32, Seat),
    /// The move is not legal.
    #[error("move {0}: {1}")]
    Illegal(u32, Violation),
    /// The move has another notation.
    #[error("move {0} is written {1}")]
    Written(u32, String),
    /// The forfeit has another reason.
    #[error("move {0} is a forfeit because {1}")]
    OtherForfeit(u32, Violation),
    /// The answer that was a forfeit is legal.
    #[error("move {0} is a forfeit, but its answer is legal")]
    Legal(u32),
    /// The game goes on after the last action.
    #[error("its moves do not reach the end of the game")]
    NoEnd(u32),
    /// The seat would have been sent something else.
    #[error("move {0}: {1} would have been sent something else")]
    OtherView(u32, Seat),
    /// The seat was stopped when it would still have had time.
    #[error("move {0}: {1} would have had more time")]
    MoreTime(u32, Seat),
    /// By its clock the seat would have been notified, or have forfeited, at another time.
    #[error("move {0}: {1} would have been told at another time that its clock has run out")]
    OtherClock(u32, Seat),
    /// The seat forfeits, and the others play on.
    #[error("move {0}: {1} forfeits by its time, and the others play on")]
    PlaysOn(u32, Seat),
    /// The seat used more memory than it may.
    #[error("{0} used {mib} MiB of memory, which is more than it may", mib = .1.div_ceil(1 << 20))]
    Memory(Seat, u64),
}

impl Deviation {
    /// The move, from 1, from which on the game is unknown; 0 if that is the start.
    pub(crate) fn number(&self) -> u32 {
        match self {
            Deviation::NoStart(_) | Deviation::Memory(..) => 0,
            Deviation::NotToMove(number, _)
            | Deviation::Illegal(number, _)
            | Deviation::Written(number, _)
            | Deviation::OtherForfeit(number, _)
            | Deviation::Legal(number)
            | Deviation::NoEnd(number)
            | Deviation::OtherView(number, _)
            | Deviation::MoreTime(number, _)
            | Deviation::PlaysOn(number, _)
            | Deviation::OtherClock(number, _) => *number,
        }
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

/// Begins a game by `ruleset`.
///
/// # Errors
/// [`Deviation::NoStart`].
pub fn open(ruleset: &Ruleset, setup: &Setup) -> Result<Box<dyn LiveGame>, Deviation> {
    ruleset.open(setup).map_err(|error| Deviation::NoStart(error.to_string()))
}

/// Plays one recorded move or forfeit in `live`.
///
/// # Errors
/// When it contradicts the rules.
pub fn take(live: &mut dyn LiveGame, action: RecordedAction, forfeits: Forfeits) -> Result<(), Deviation> {
    let number = action.number();
    let seat = action.seat();
    if !live.to_act().contains(seat) {
        return Err(Deviation::NotToMove(number, seat));
    }
    match action {
        RecordedAction::Moved(made) => match live.play(seat, &Reply::Notation(made.notation.clone())) {
            Ok(notation) if notation == made.notation || forfeits == Forfeits::Taken => {}
            Ok(notation) => return Err(Deviation::Written(number, notation)),
            Err(violation) => return Err(Deviation::Illegal(number, violation)),
        },
        RecordedAction::Forfeited(fault) => {
            if forfeits != Forfeits::Taken && !Fault::PROCESS_KINDS.contains(&fault.kind.as_str()) {
                match live.judge(seat, &Reply::Answer(fault.answer.clone())) {
                    Err(violation) if violation.kind == fault.kind || forfeits == Forfeits::Judged => {}
                    Err(violation) => return Err(Deviation::OtherForfeit(number, violation)),
                    Ok(_) => return Err(Deviation::Legal(number)),
                }
            }
            live.forfeit(seat);
        }
    }
    Ok(())
}

/// The outcome of `game` by the rules that it was played by.
///
/// # Errors
/// When its moves and forfeits contradict them, or do not end it.
pub fn follow(game: &GameRecord, ruleset: &Ruleset) -> Result<Outcome, Deviation> {
    let mut live = open(ruleset, &game.setup)?;
    let mut last = 0;
    for action in actions(game) {
        last = action.number();
        take(&mut *live, action, Forfeits::AsRecorded)?;
    }
    live.outcome().ok_or(Deviation::NoEnd(last + 1))
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
    for &action in actions {
        let view = if live.to_act().contains(action.seat()) { live.view(action.seat()) } else { Vec::new() };
        take(live, action, Forfeits::Taken)?;
        let after = live.board();
        see(Step { action, view, before: &board, after: &after, live: &*live });
        board = after;
    }
    Ok(())
}
