//! A recorded game of any kind, step by step: played again by its record's ruleset, and described in its game's words.

mod show;
#[cfg(test)]
mod tests;

pub use show::{ReplayJson, quoted};

use crate::view::{GameView, StepWords};
use cornerman::format::GameId;
use cornerman::game::{LiveGame, Seat};
use cornerman_harness::record::{EntrantRecord, GameRecord, RecordedAction, actions};
use cornerman_harness::replay::{Deviation, Step, open, play_again};
use cornerman_harness::ruleset::Ruleset;

/// A recorded game that has been played again, and can be shown step by step.
pub struct Replay<'a> {
    game: &'a GameRecord,
    ruleset: &'a Ruleset,
    game_view: &'a dyn GameView,
    /// The entrants' names by seat, unescaped.
    names: Vec<String>,
    /// The board before the first move.
    start: Vec<u8>,
    actions: Vec<RecordedAction<'a>>,
    /// What each action changes.
    steps: Vec<StateChange>,
    /// The seats whose logs are shown.
    logs: Vec<Seat>,
}

/// What an action changes.
struct StateChange {
    /// The view that the seat was sent before the action.
    view: Vec<u8>,
    /// The board after the action.
    board: Vec<u8>,
    /// The action in words.
    words: StepWords,
    /// Whether other seats still have to act in the same turn.
    is_in_turn: bool,
}

/// A turn of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedTurn<'a> {
    /// The index of its action in the game, from 0.
    pub at: usize,
    /// The number of the move in the game, from 1.
    pub number: u32,
    /// The seat that moved or forfeited.
    pub seat: Seat,
    /// The view that the seat was sent.
    pub view: &'a [u8],
    /// The move in the game's notation; `None` for a forfeit.
    pub notation: Option<&'a str>,
}

/// Why a game cannot be stepped through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Its record contradicts the ruleset.
    #[error("game {id} cannot be replayed by {}: {why}", crate::shown(ruleset))]
    Rules {
        /// The game.
        id: GameId,
        /// The ruleset's id.
        ruleset: String,
        /// The move, and what is wrong with it.
        why: String,
    },
    /// There is no such move.
    #[error("game {id} has no move {number}: choose 1 to {last}")]
    NoMove {
        /// The game.
        id: GameId,
        /// The requested number.
        number: u32,
        /// The number of the last move.
        last: u32,
    },
    /// The requested seat did not have this move.
    #[error("move {number} of game {id} belongs to {seat}, not to the requested seat")]
    OtherSeat {
        /// The game.
        id: GameId,
        /// The number of the move, from 1.
        number: u32,
        /// The seat that had it.
        seat: Seat,
    },
}

/// A recorded game that is played again from its start, up to each turn that is requested.
pub struct Follower<'a> {
    actions: &'a [RecordedAction<'a>],
    live: Box<dyn LiveGame>,
    /// The number of actions played so far.
    at: usize,
}

impl Follower<'_> {
    /// The game as it was before `turn`. Turns must be requested in order.
    pub fn before(&mut self, turn: ReplayedTurn) -> &dyn LiveGame {
        play_again(&mut *self.live, &self.actions[self.at..turn.at], &mut |_| {})
            .expect("`Replay::new` played them");
        self.at = turn.at;
        &*self.live
    }
}

impl<'a> Replay<'a> {
    /// The replay that also shows what the bots in these seats wrote to standard error.
    #[must_use]
    pub fn with_logs(self, logs: Vec<Seat>) -> Replay<'a> {
        Replay { logs, ..self }
    }

    /// Plays `game` again by `ruleset`; `entrants` are those of its record, and `game_view` shows it.
    ///
    /// # Errors
    /// When the record contradicts these rules at any move.
    pub fn new(
        game: &'a GameRecord,
        entrants: &[EntrantRecord],
        ruleset: &'a Ruleset,
        game_view: &'a dyn GameView,
    ) -> Result<Replay<'a>, ReplayError> {
        let id = game.pairing.id;
        let wrong = |why: Deviation| ReplayError::Rules { id, ruleset: ruleset.id.clone(), why: why.to_string() };
        let mut live = open(ruleset, game).map_err(wrong)?;
        let start = live.board();
        let actions = actions(game);
        let mut steps = Vec::new();
        let played = play_again(&mut *live, &actions, &mut |step| {
            let words = game_view.words(&step);
            let Step { view, after, is_in_turn, .. } = step;
            steps.push(StateChange { view, board: after.to_vec(), words, is_in_turn });
        });
        played.map_err(wrong)?;
        let names = game.pairing.seats.iter().map(|&id| crate::raw_name_of(entrants, id)).collect();
        Ok(Replay { game, ruleset, game_view, names, start, actions, steps, logs: Vec::new() })
    }

    /// The turns of `seat` up to the last one at which it made, or forfeited, move `number`.
    ///
    /// # Errors
    /// When there is no such move, or another seat had it.
    pub fn turns(&self, number: u32, seat: Seat) -> Result<Vec<ReplayedTurn<'_>>, ReplayError> {
        let last_of_number = self.action_of(number)?;
        let due = |action: &RecordedAction| action.number() == number && action.seat() == seat;
        let Some(due) = self.actions.iter().rposition(due) else {
            let seat = self.actions[last_of_number].seat();
            return Err(ReplayError::OtherSeat { id: self.game.pairing.id, number, seat });
        };
        let own = self.actions[..=due].iter().zip(&self.steps).enumerate();
        let own = own.filter(|(_, (action, _))| action.seat() == seat);
        let turns = own.map(|(at, (action, step))| {
            let (view, notation) = match action {
                RecordedAction::Moved(made) => (&step.view, Some(made.notation.as_str())),
                // The record has the view that the seat was sent.
                RecordedAction::Forfeited(fault) => (&fault.view, None),
            };
            ReplayedTurn { at, number: action.number(), seat, view, notation }
        });
        Ok(turns.collect())
    }

    /// The game at its start, to be played again turn by turn.
    pub fn follow(&self) -> Follower<'_> {
        let live = self.ruleset.open(&self.game.setup).expect("`Replay::new` opened this setup");
        Follower { actions: &self.actions, live, at: 0 }
    }

    /// The index of the last action with this number.
    fn action_of(&self, number: u32) -> Result<usize, ReplayError> {
        let last = self.actions.last().map_or(0, RecordedAction::number);
        let found = self.actions.iter().rposition(|action| action.number() == number);
        found.ok_or(ReplayError::NoMove { id: self.game.pairing.id, number, last })
    }
}
