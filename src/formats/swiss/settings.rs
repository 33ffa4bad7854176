//! What a tournament in the Modified Swiss system needs to know, and why it may be refused.

use super::SEATS;
use crate::format::EntrantId;
use alloc::vec::Vec;
use core::fmt;

/// What the organizer decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The stage of the contest this is, for the names of its games.
    pub stage: u8,
    /// The teams, at least one.
    pub entrants: Vec<EntrantId>,
    /// Entrants of the organizer's that fill up to a multiple of four (S2). More than needed may be given.
    pub fillers: Vec<EntrantId>,
    /// How many rounds are played: 4 to this power must not be below the number of players (S6).
    pub rounds: u16,
    /// Which boards the games begin from.
    pub boards: Boards,
    /// What lots are drawn from.
    pub seed: u64,
}

/// Which board each round is played on; all tables of a round use the same one, so that none is favoured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boards {
    /// This one in every round.
    Same(u32),
    /// This one in the first round, and the one after it in each later round.
    EachRound(u32),
}

impl Boards {
    /// The board of a round, counted from 0.
    pub fn of_round(self, round: u16) -> u32 {
        match self {
            Boards::Same(board) => board,
            Boards::EachRound(first) => first.wrapping_add(u32::from(round)),
        }
    }
}

/// Why the Modified Swiss system cannot be played as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// There is nobody to play.
    NoEntrants,
    /// Somebody would play twice in a round.
    Twice(EntrantId),
    /// Not enough fillers for a multiple of four (S2).
    FillersMissing {
        /// How many teams there are.
        entrants: usize,
        /// How many fillers are needed.
        needed: usize,
        /// How many are given.
        given: usize,
    },
    /// Too few rounds for so many players (S6).
    TooFewRounds {
        /// What was asked for.
        rounds: u16,
        /// Teams and fillers.
        players: usize,
        /// The smallest number that is allowed.
        smallest: u16,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SettingsError::NoEntrants => write!(f, "a Modified Swiss without entrants: name at least one"),
            SettingsError::Twice(who) => {
                write!(f, "entrant {} is listed twice, among entrants or fillers: list it once", who.0)
            }
            SettingsError::FillersMissing { entrants, needed, given } => write!(
                f,
                "{entrants} entrants need {needed} to fill up to a multiple of four (S2), given {given}: \
                 name {} more",
                needed - given
            ),
            SettingsError::TooFewRounds { rounds, players, smallest } => {
                write!(f, "rounds = {rounds} is too few for {players} players (S6): set {smallest} or more")
            }
        }
    }
}

impl core::error::Error for SettingsError {}

/// Everybody that plays: the entrants, then the fillers that are needed.
pub(super) fn players(settings: &Settings) -> Result<Vec<EntrantId>, SettingsError> {
    let entrants = settings.entrants.len();
    if entrants == 0 {
        return Err(SettingsError::NoEntrants);
    }
    let needed = entrants.next_multiple_of(SEATS) - entrants;
    let given = settings.fillers.len();
    if given < needed {
        return Err(SettingsError::FillersMissing { entrants, needed, given });
    }
    let players: Vec<EntrantId> = settings.entrants.iter().chain(&settings.fillers[..needed]).copied().collect();
    if let Some(twice) = repeated(&players) {
        return Err(SettingsError::Twice(twice));
    }
    let smallest = fewest_rounds(players.len());
    if settings.rounds < smallest {
        return Err(SettingsError::TooFewRounds { rounds: settings.rounds, players: players.len(), smallest });
    }
    Ok(players)
}

/// Somebody that is in the list more than once.
pub(crate) fn repeated(list: &[EntrantId]) -> Option<EntrantId> {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// The smallest number of rounds allowed (S6): logarithms in integers.
pub fn fewest_rounds(players: usize) -> u16 {
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
    use alloc::string::ToString;

    fn refused(entrants: u16, fillers: u16, rounds: u16) -> Option<SettingsError> {
        let entrants = (0..entrants).map(EntrantId).collect();
        let fillers = (1000..1000 + fillers).map(EntrantId).collect();
        let boards = Boards::Same(0);
        players(&Settings { stage: 0, entrants, fillers, rounds, boards, seed: 1 }).err()
    }

    #[track_caller]
    fn check_fewest_rounds(entrants: u16, smallest: u16) {
        let players = usize::from(entrants).next_multiple_of(4);
        let too_few = SettingsError::TooFewRounds { rounds: smallest - 1, players, smallest };
        assert_eq!(refused(entrants, 3, smallest - 1), Some(too_few));
        assert_eq!(refused(entrants, 3, smallest), None);
    }

    #[test]
    fn rounds_are_at_least_the_logarithm_to_base_four_with_the_fillers() {
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
        assert_eq!(refused(entrants, given, 9).unwrap().to_string(), message);
        let needed = (entrants.next_multiple_of(4)) - entrants;
        assert_eq!(refused(entrants, needed, 9), None);
    }

    #[test]
    fn the_error_says_how_many_fillers_are_missing() {
        let message = "13 entrants need 3 to fill up to a multiple of four (S2), given 1: name 2 more";
        check_missing_fillers(13, 1, message);
        let message = "7 entrants need 1 to fill up to a multiple of four (S2), given 0: name 1 more";
        check_missing_fillers(7, 0, message);
    }

    #[test]
    fn nobody_is_listed_twice() {
        let list = [3, 1, 2, 1].map(EntrantId).to_vec();
        let settings = Settings {
            stage: 0,
            entrants: list,
            fillers: Vec::new(),
            rounds: 3,
            boards: Boards::Same(0),
            seed: 1,
        };
        assert_eq!(players(&settings), Err(SettingsError::Twice(EntrantId(1))));
    }

    #[test]
    fn nobody_to_play_is_refused() {
        assert_eq!(refused(0, 4, 3), Some(SettingsError::NoEntrants));
    }

    #[test]
    fn each_round_has_another_board_if_asked_for() {
        assert_eq!([0, 1, 2].map(|round| Boards::EachRound(5).of_round(round)), [5, 6, 7]);
        assert_eq!([0, 1, 2].map(|round| Boards::Same(5).of_round(round)), [5, 5, 5]);
    }
}
