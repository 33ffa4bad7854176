//! The settings of the Modified Swiss system, and its players.

use super::{SEATS, Swiss};
use crate::format::{EntrantId, FormatError, Schedule, StageInput};
use crate::formats::keys::RoundBoards;
use crate::formats::{BoardNumber, FormatSettings, RoundCount, SettingsError, distinct};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The settings of a Modified Swiss (S2–S6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct SwissSettings {
    /// The number of rounds: 4 to this power must be at least the number of players (S6). By default the fewest.
    pub rounds: Option<RoundCount>,
    /// The board of all rounds.
    pub board: Option<BoardNumber>,
    /// Instead of `board`: the board of the first round; each later round has the next board.
    pub first_board: Option<BoardNumber>,
}

impl FormatSettings for SwissSettings {
    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        RoundBoards::fill_in_defaults(&mut self.board, &mut self.first_board, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        RoundBoards::numbers(self.board, self.first_board)
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Swiss::new(start, self)?))
    }

    fn seats(&self) -> Option<u8> {
        Some(SEATS as u8)
    }

    fn min_fillers(&self) -> Option<usize> {
        Some(0)
    }
}

/// The players, which are the entrants and then the fillers that are needed, and the number of rounds.
///
/// # Errors
/// When these entrants cannot play a tournament with these settings.
pub(super) fn players(start: &StageInput, settings: &SwissSettings) -> Result<(Vec<EntrantId>, u16), FormatError> {
    let refuse = |why| Err(FormatError(why));
    let entrants = start.entrants.len();
    if entrants == 0 {
        return refuse("a Modified Swiss needs at least one entrant".into());
    }
    let needed = entrants.next_multiple_of(SEATS) - entrants;
    let given = start.field.fillers.len();
    if given < needed {
        return refuse(format!(
            "{entrants} entrants and {given} fillers are not a multiple of four (S2): name {} more in `fillers`",
            needed - given
        ));
    }
    let players: Vec<EntrantId> = start.entrants.iter().chain(&start.field.fillers[..needed]).copied().collect();
    distinct(&players)?;
    let fewest = min_rounds(players.len());
    let players_number = players.len();
    let rounds = settings.rounds.map_or(fewest, |rounds| rounds.get() as u16);
    if rounds < fewest {
        return refuse(format!(
            "rounds = {rounds} is too few for {players_number} players (S6): set {fewest} or more"
        ));
    }
    start.journal.check_rounds(start.stage, rounds)?;
    Ok((players, rounds))
}

/// The smallest number of rounds allowed (S6): the logarithm to base four, rounded up, in integers.
fn min_rounds(players: usize) -> u16 {
    let mut reach = 1;
    let mut rounds = 0;
    while reach < players {
        reach = reach.saturating_mul(SEATS);
        rounds += 1;
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Field;
    use crate::formats::testing::start;
    use alloc::string::String;

    fn refused(entrants: u16, fillers: u16, rounds: u16) -> Option<String> {
        let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
        let field = Field { fillers: (1000..1000 + fillers).map(EntrantId).collect(), ..Field::new(0, 0) };
        let start = StageInput { field: &field, seed: 1, ..start(0, &entrants) };
        let settings = SwissSettings { rounds: Some(RoundCount::new(rounds.into())), ..SwissSettings::default() };
        players(&start, &settings).err().map(|error| error.0)
    }

    #[track_caller]
    fn check_fewest_rounds(entrants: u16, smallest: u16) {
        assert_eq!(min_rounds(usize::from(entrants).next_multiple_of(4)), smallest);
        assert_eq!(refused(entrants, 3, smallest), None);
        if smallest > 1 {
            let why = refused(entrants, 3, smallest - 1).unwrap();
            assert!(why.ends_with(&format!("players (S6): set {smallest} or more")), "{why}");
        }
    }

    #[test]
    fn the_fewest_rounds_are_the_logarithm_to_base_four_of_the_number_of_players() {
        check_fewest_rounds(1, 1);
        check_fewest_rounds(4, 1);
        check_fewest_rounds(5, 2);
        check_fewest_rounds(13, 2);
        check_fewest_rounds(16, 2);
        check_fewest_rounds(17, 3);
        check_fewest_rounds(64, 3);
        check_fewest_rounds(65, 4);
    }

    #[track_caller]
    fn check_missing_fillers(entrants: u16, given: u16, message: &str) {
        assert_eq!(refused(entrants, given, 9).as_deref(), Some(message));
        let needed = (entrants.next_multiple_of(4)) - entrants;
        assert_eq!(refused(entrants, needed, 9), None);
    }

    #[test]
    fn the_error_says_how_many_fillers_are_missing() {
        let message = "13 entrants and 1 fillers are not a multiple of four (S2): name 2 more in `fillers`";
        check_missing_fillers(13, 1, message);
        let message = "7 entrants and 0 fillers are not a multiple of four (S2): name 1 more in `fillers`";
        check_missing_fillers(7, 0, message);
    }

    #[test]
    fn an_entrant_that_is_listed_twice_is_refused() {
        let list = [3, 1, 2, 1].map(EntrantId);
        let field = Field::new(0, 0);
        let start = StageInput { field: &field, seed: 1, ..start(0, &list) };
        let refused = players(&start, &SwissSettings::default()).unwrap_err();
        assert_eq!(refused.0, "entrant 2 is named twice: name it once");
    }

    #[test]
    fn a_tournament_without_entrants_is_refused() {
        assert_eq!(refused(0, 4, 3).as_deref(), Some("a Modified Swiss needs at least one entrant"));
    }
}
