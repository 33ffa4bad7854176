//! The settings of the Swiss system for games of two, and the number of rounds.

use super::PairSwiss;
use crate::format::{FormatError, Schedule, StageInput};
use crate::formats::all_play_all::{self, AllPlayAll};
use crate::formats::keys::RoundBoards;
use crate::formats::scoring::{self, ScoringKind};
use crate::formats::{BoardNumber, Bounded, FormatSettings, GameDefaults, RoundCount, SettingsError, everyone};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The most entrants. Pairing them takes time proportional to the cube of their number.
pub const MAX_ENTRANTS: usize = 1000;

/// The settings of a Swiss tournament of pairs (G8).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct PairSwissSettings {
    /// The number of rounds; by default the logarithm to base two of the number of entrants, rounded up, plus one.
    pub rounds: Option<RoundCount>,
    /// The number of games in a match; of two, each side is first in one. By default two.
    pub games: Bounded<1, 2>,
    /// The board of all rounds.
    pub board: Option<BoardNumber>,
    /// Instead of `board`: the board of the first round; each later round has the next board.
    pub first_board: Option<BoardNumber>,
    /// Up to this number of entrants play an all-play-all of two games a pair instead; by default ten (G8).
    pub all_play_all_up_to: u16,
    /// The scoring of that all-play-all; by default the game's. A Swiss has it as a further ranking, unless it is
    /// by wins.
    pub scoring: Option<ScoringKind>,
    /// The scorings of further rankings, which decide nothing; by default the game's (R9).
    pub tables: Option<Vec<ScoringKind>>,
    /// The largest margin of a pair, in points over all its games, that is a tie in the cross-table, if a scoring is
    /// [`ScoringKind::Margins`] (R9); by default the game's.
    pub threshold: Option<u32>,
}

impl PairSwissSettings {
    /// The scoring, and those of further rankings.
    pub(super) fn scorings(&self) -> Vec<ScoringKind> {
        [self.scoring.unwrap_or_default()].iter().chain(self.tables.iter().flatten()).copied().collect()
    }
}

impl Default for PairSwissSettings {
    fn default() -> PairSwissSettings {
        PairSwissSettings {
            rounds: None,
            games: Bounded::new(2),
            board: None,
            first_board: None,
            all_play_all_up_to: 10,
            scoring: None,
            tables: None,
            threshold: None,
        }
    }
}

impl FormatSettings for PairSwissSettings {
    fn fill_in_game_defaults(&mut self, game: &GameDefaults, _: u32) {
        let scoring = *self.scoring.get_or_insert(game.scoring);
        self.tables.get_or_insert_with(|| game.tables_beside(scoring));
        game.fill_in_threshold(&self.scorings(), &mut self.threshold);
    }

    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let kinds = self.scorings();
        scoring::refuse_repeated(&kinds)?;
        scoring::fill_in_defaults(&kinds, &mut None, &mut self.threshold)?;
        RoundBoards::fill_in_defaults(&mut self.board, &mut self.first_board, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        RoundBoards::numbers(self.board, self.first_board)
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        if start.entrants.len() > usize::from(self.all_play_all_up_to) {
            return Ok(Box::new(PairSwiss::new(start, self)?));
        }
        let board = BoardNumber(RoundBoards::new(self.board, self.first_board).of_round(0));
        let few = all_play_all::AllPlayAllSettings {
            boards: Some(vec![board]),
            scoring: self.scoring,
            tables: self.tables.clone(),
            threshold: self.threshold,
            ..Default::default()
        };
        Ok(Box::new(AllPlayAll::new(start, &few)?))
    }
}

/// The number of rounds.
///
/// # Errors
/// When these entrants cannot play that many rounds, or any.
pub(super) fn rounds(start: &StageInput, settings: &PairSwissSettings) -> Result<u16, FormatError> {
    let refuse = |why| Err(FormatError(why));
    let entrants = start.entrants.len();
    if entrants < 2 {
        return refuse(format!("a Swiss of {entrants} entrants has no games: name at least two"));
    }
    if entrants > MAX_ENTRANTS {
        return refuse(format!(
            "a Swiss of {entrants} entrants is too large to pair: split it into stages of at most {MAX_ENTRANTS}"
        ));
    }
    if everyone(start)?.len() > MAX_ENTRANTS {
        return refuse(format!("a Swiss of more than {MAX_ENTRANTS} entrants is too large to pair: admit fewer"));
    }
    let rounds = settings.rounds.map_or_else(|| default_rounds(entrants), |rounds| rounds.get() as u16);
    start.journal.check_rounds(start.stage, rounds)?;
    if !entrants.is_multiple_of(2) && usize::from(rounds) > entrants {
        return refuse(format!(
            "rounds = {rounds} with {entrants} entrants gives one a second bye: set {entrants} or fewer"
        ));
    }
    Ok(rounds)
}

/// The logarithm to base two, rounded up, plus one.
fn default_rounds(entrants: usize) -> u16 {
    entrants.next_power_of_two().ilog2() as u16 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EntrantId;
    use crate::formats::testing::start;

    #[track_caller]
    fn check(entrants: u16, asked: Option<u16>, expected: Result<u16, &str>) {
        let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
        let rounds = asked.map(|rounds| RoundCount::new(rounds.into()));
        let found =
            super::rounds(&start(0, &entrants), &PairSwissSettings { rounds, ..PairSwissSettings::default() });
        assert_eq!(found.as_ref().map_err(|error| error.0.as_str()), expected.as_ref().map_err(|words| *words));
    }

    #[test]
    fn by_default_there_is_one_round_more_than_a_knockout_has() {
        check(2, None, Ok(2));
        check(3, None, Ok(3));
        check(4, None, Ok(3));
        check(5, None, Ok(4));
        check(11, None, Ok(5));
        check(16, None, Ok(5));
        check(17, None, Ok(6));
        check(100, None, Ok(8));
    }

    #[test]
    fn rounds_that_cannot_be_played_are_refused() {
        check(8, Some(1000), Ok(1000));
        check(7, Some(7), Ok(7));
        check(7, Some(8), Err("rounds = 8 with 7 entrants gives one a second bye: set 7 or fewer"));
    }

    #[test]
    fn too_few_and_too_many_entrants_are_refused() {
        check(0, None, Err("a Swiss of 0 entrants has no games: name at least two"));
        check(1, None, Err("a Swiss of 1 entrants has no games: name at least two"));
        check(
            1001,
            None,
            Err("a Swiss of 1001 entrants is too large to pair: split it into stages of at most 1000"),
        );
    }

    #[test]
    fn an_entrant_that_is_listed_twice_is_refused() {
        let refused = rounds(&start(0, &[4, 2, 4].map(EntrantId)), &PairSwissSettings::default()).unwrap_err();
        assert_eq!(refused.0, "entrant 5 is named twice: name it once");
    }
}
