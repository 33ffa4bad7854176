//! A recorded game step by step, whichever it is: played again by its record's ruleset, and told in the words of its
//! game.

mod show;
#[cfg(test)]
mod tests;

use crate::trace::{Action, actions, play_again};
use crate::view::{AnyView, StepWords, View};
use cornerman::format::PairingId;
use cornerman::game::{LiveGame, Seat};
use cornerman_harness::record::{EntrantRecord, GameRecord};
use cornerman_harness::ruleset::Ruleset;
use std::fmt;

/// A game that can be stepped through.
pub struct Replay<'a> {
    game: &'a GameRecord,
    ruleset: &'a Ruleset,
    look: Box<dyn View + 'a>,
    /// By seat, as they are.
    names: Vec<String>,
    /// The board before the first move.
    start: Vec<u8>,
    actions: Vec<Action<'a>>,
    /// One an action.
    steps: Vec<Around>,
}

/// What was around an action.
struct Around {
    /// What its seat was sent to be asked for it.
    view: Vec<u8>,
    /// The board afterwards.
    board: Vec<u8>,
    /// What its game says of it.
    words: StepWords,
}

/// A turn of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// Which action of the game it is, from 0.
    pub at: usize,
    /// Which move of the game, from 1.
    pub number: u32,
    /// Whose.
    pub seat: Seat,
    /// What the seat was sent to be asked for it.
    pub view: &'a [u8],
    /// The move as written; `None` for a forfeit.
    pub notation: Option<&'a str>,
}

/// Why a game cannot be stepped through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// It makes no sense by its record's ruleset.
    Rules {
        /// The game.
        id: PairingId,
        /// The ruleset's id.
        ruleset: String,
        /// Where, and in what way.
        why: String,
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
            ReplayError::Rules { id, ruleset, why } => {
                write!(f, "game {id} cannot be replayed by {}: {why}", crate::shown(ruleset))
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

/// A recorded game that is played again from turn to turn.
pub struct Follower<'a> {
    actions: &'a [Action<'a>],
    live: Box<dyn LiveGame>,
    /// How many of the actions it has seen.
    at: usize,
}

impl Follower<'_> {
    /// The game as it was at `turn`, which is not before one that was asked for earlier.
    pub fn before(&mut self, turn: Turn) -> &dyn LiveGame {
        play_again(&mut *self.live, &self.actions[self.at..turn.at], &mut |_| {}).expect("it was played before");
        self.at = turn.at;
        &*self.live
    }
}

impl<'a> Replay<'a> {
    /// The game of a record whose entrants these are and whose rules are `ruleset`, shown as `view` does.
    ///
    /// # Errors
    /// When it makes no sense by these rules from its first move to its last.
    pub fn of(
        game: &'a GameRecord,
        entrants: &[EntrantRecord],
        ruleset: &'a Ruleset,
        view: &'a dyn AnyView,
    ) -> Result<Replay<'a>, ReplayError> {
        let id = game.pairing.id;
        let wrong = |why: String| ReplayError::Rules { id, ruleset: ruleset.id.clone(), why };
        let mut live = ruleset.open(&game.setup).map_err(|error| wrong(error.to_string()))?;
        let (sat, seats) = (game.pairing.seats.len(), usize::from(game.setup.seats));
        if sat != seats {
            return Err(wrong(format!("{sat} sat at {seats} seats")));
        }
        let (look, start, actions) = (view.of(ruleset), live.board(), actions(game));
        let mut steps = Vec::new();
        let played = play_again(&mut *live, &actions, &mut |step| {
            let words = look.words(&step);
            steps.push(Around { view: step.view, board: step.after.to_vec(), words });
        });
        played.map_err(wrong)?;
        let names = game.pairing.seats.iter().map(|&id| crate::raw_name_of(entrants, id)).collect();
        Ok(Replay { game, ruleset, look, names, start, actions, steps })
    }

    /// The turn at which `seat` made, or forfeited, move `number`.
    ///
    /// # Errors
    /// When there is no such move, or it was another seat's.
    pub fn turn(&self, number: u32, seat: Seat) -> Result<Turn<'_>, ReplayError> {
        let made = self.action_of(number)?;
        let wanted = |action: &Action| action.number() == number && action.seat() == seat;
        match self.actions.iter().rposition(wanted) {
            Some(at) => Ok(self.turn_at(at)),
            None => {
                Err(ReplayError::OtherSeat { id: self.game.pairing.id, number, seat: self.actions[made].seat() })
            }
        }
    }

    /// The turns of the same seat before this one, in order.
    pub fn turns_before(&self, turn: Turn) -> impl Iterator<Item = Turn<'_>> {
        (0..turn.at).map(|at| self.turn_at(at)).filter(move |earlier| earlier.seat == turn.seat)
    }

    /// The game anew, to be followed from turn to turn.
    pub fn follow(&self) -> Follower<'_> {
        let live = self.ruleset.open(&self.game.setup).expect("the game was set up just so before");
        Follower { actions: &self.actions, live, at: 0 }
    }

    fn turn_at(&self, at: usize) -> Turn<'_> {
        let action = self.actions[at];
        let (view, notation) = match action {
            Action::Moved(made) => (&self.steps[at].view, Some(made.notation.as_str())),
            // What it was shown is in the record.
            Action::Forfeited(fault) => (&fault.view, None),
        };
        Turn { at, number: action.number(), seat: action.seat(), view, notation }
    }

    /// The last action with this number.
    fn action_of(&self, number: u32) -> Result<usize, ReplayError> {
        let last = self.actions.last().map_or(0, Action::number);
        let found = self.actions.iter().rposition(|action| action.number() == number);
        found.ok_or(ReplayError::NoMove { id: self.game.pairing.id, number, last })
    }
}
