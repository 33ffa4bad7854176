//! A recorded game of a line protocol, Go or rock-paper-scissors, step by step: played again by its own ruleset.

mod show;
#[cfg(test)]
mod tests;

use super::ReplayError;
use crate::board::Board;
use crate::film::{Act, Rules, acts};
use cornerman::game::{Seat, Violation};
use cornerman_harness::record::{EntrantRecord, GameRecord};
use cornerman_harness::ruleset::Ruleset;

/// A game that can be stepped through.
pub struct LineReplay<'a> {
    game: &'a GameRecord,
    rules: Rules,
    look: Board,
    /// By seat, as they are.
    names: Vec<String>,
    /// The board before the first move.
    start: Vec<u8>,
    acts: Vec<Act<'a>>,
    /// One an act.
    steps: Vec<Step>,
}

/// What was around an act.
struct Step {
    /// What its seat was told to be asked for it.
    view: Vec<u8>,
    /// The board afterwards.
    board: Vec<u8>,
    /// Stones that it took off the board.
    captured: usize,
}

/// A turn of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// Which act of the game it is, from 0.
    pub at: usize,
    /// Which move of the game, from 1.
    pub number: u32,
    /// Whose.
    pub seat: Seat,
    /// What the seat was told to be asked for it.
    pub view: &'a [u8],
    /// The move as written; `None` for a forfeit.
    pub notation: Option<&'a str>,
}

impl<'a> LineReplay<'a> {
    /// The game of a record whose entrants these are and whose rules are `ruleset`.
    ///
    /// # Errors
    /// When it makes no sense by these rules from its first move to its last.
    pub fn of(
        game: &'a GameRecord,
        entrants: &[EntrantRecord],
        ruleset: &Ruleset,
    ) -> Result<LineReplay<'a>, ReplayError> {
        let id = game.pairing.id;
        let wrong = |why: String| ReplayError::Rules { id, ruleset: ruleset.id.clone(), why };
        let rules = Rules::by(ruleset.clone());
        let mut table = rules.table(game).map_err(|error| wrong(error.to_string()))?;
        let (start, acts, mut steps) = (table.board(), acts(game), Vec::new());
        let look = Board::of(ruleset);
        let played = rules.play_again(game, &mut *table, &acts, &mut |scene| {
            let captured = match look {
                Board::Stones { .. } => captured(scene.before, scene.after),
                Board::Arena | Board::Rounds => 0,
            };
            steps.push(Step { view: scene.view, board: scene.after.to_vec(), captured });
        });
        played.map_err(wrong)?;
        let names = game.pairing.seats.iter().map(|&id| crate::raw_name_of(entrants, id)).collect();
        Ok(LineReplay { game, rules, look, names, start, acts, steps })
    }

    /// The turn at which `seat` made, or forfeited, move `number`.
    ///
    /// # Errors
    /// When there is no such move, or it was another seat's.
    pub fn turn(&self, number: u32, seat: Seat) -> Result<Turn<'_>, ReplayError> {
        let made = self.act_of(number)?;
        let wanted = |act: &Act| act.number() == number && act.seat() == seat;
        match self.acts.iter().rposition(wanted) {
            Some(at) => Ok(self.turn_at(at)),
            None => Err(ReplayError::OtherSeat { id: self.game.pairing.id, number, seat: self.acts[made].seat() }),
        }
    }

    /// The turns of the same seat before this one, in order.
    pub fn turns_before(&self, turn: Turn) -> impl Iterator<Item = Turn<'_>> {
        (0..turn.at).map(|at| self.turn_at(at)).filter(move |earlier| earlier.seat == turn.seat)
    }

    /// The move that `answer` would have been at this turn, as it is written.
    ///
    /// # Errors
    /// Why it would have been none.
    pub fn judge(&self, turn: Turn, answer: &[u8]) -> Result<String, Violation> {
        let mut table = self.rules.table(self.game).expect("the game was set up just so before");
        let before = &self.acts[..turn.at];
        self.rules.play_again(self.game, &mut *table, before, &mut |_| {}).expect("it was played again before");
        table.answer(turn.seat, answer)
    }

    fn turn_at(&self, at: usize) -> Turn<'_> {
        let act = self.acts[at];
        let notation = match act {
            Act::Moved(made) => Some(made.notation.as_str()),
            Act::Forfeited(_) => None,
        };
        Turn { at, number: act.number(), seat: act.seat(), view: &self.steps[at].view, notation }
    }

    /// The last act with this number.
    fn act_of(&self, number: u32) -> Result<usize, ReplayError> {
        let last = self.acts.last().map_or(0, Act::number);
        let found = self.acts.iter().rposition(|act| act.number() == number);
        found.ok_or(ReplayError::NoMove { id: self.game.pairing.id, number, last })
    }
}

/// How many points had a stone and have none.
fn captured(before: &[u8], after: &[u8]) -> usize {
    before.iter().zip(after).filter(|&(old, new)| old != new && *new == b'.').count()
}
