//! What a Swiss tournament of games of two needs to know, and why it may be refused.

use crate::format::EntrantId;
use crate::formats::swiss::{Boards, repeated};
use alloc::vec::Vec;
use core::fmt;

/// The most entrants: pairing takes time with the third power of their number.
pub const MAX_ENTRANTS: usize = 1000;

/// The most rounds.
pub const MAX_ROUNDS: u16 = 1000;

/// What the organizer decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The stage of the contest this is, for the names of its games.
    pub stage: u8,
    /// Who plays: 2 to [`MAX_ENTRANTS`].
    pub entrants: Vec<EntrantId>,
    /// How many rounds, at most [`MAX_ROUNDS`]; if not said, the logarithm to base two of the number of
    /// entrants, rounded up, and one more.
    pub rounds: Option<u16>,
    /// How many games a match is.
    pub games: Games,
    /// Which boards the games begin from; the games of a match begin from the same.
    pub boards: Boards,
    /// What lots are drawn from.
    pub seed: u64,
}

/// How many games a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Games {
    /// One.
    One,
    /// Two, each side first once.
    Two,
}

impl Games {
    /// As a number.
    pub(super) fn count(self) -> u16 {
        match self {
            Games::One => 1,
            Games::Two => 2,
        }
    }
}

/// Why a Swiss tournament cannot be played as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// There is no pair.
    TooFewEntrants(usize),
    /// More than [`MAX_ENTRANTS`].
    TooManyEntrants(usize),
    /// Somebody would play twice in a round.
    Twice(EntrantId),
    /// None, or more than [`MAX_ROUNDS`].
    Rounds(u16),
    /// More rounds than entrants, their number odd: somebody would need a second bye.
    SecondBye {
        /// What was asked for.
        rounds: u16,
        /// How many there are.
        entrants: usize,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SettingsError::TooFewEntrants(entrants) => {
                write!(f, "a Swiss of {entrants} entrants has no pair to play: name at least two")
            }
            SettingsError::TooManyEntrants(entrants) => {
                write!(f, "a Swiss of {entrants} entrants is too large to pair: split it, {MAX_ENTRANTS} at most")
            }
            SettingsError::Twice(who) => write!(f, "entrant {} is listed twice: list it once", who.0),
            SettingsError::Rounds(rounds) => {
                write!(f, "rounds = {rounds} in a Swiss: set 1 to {MAX_ROUNDS}, or leave it out")
            }
            SettingsError::SecondBye { rounds, entrants } => write!(
                f,
                "rounds = {rounds} with {entrants} entrants gives somebody a second bye: set {entrants} or fewer"
            ),
        }
    }
}

impl core::error::Error for SettingsError {}

/// The number of rounds, if all is well.
pub(super) fn rounds(settings: &Settings) -> Result<u16, SettingsError> {
    let entrants = settings.entrants.len();
    if entrants < 2 {
        return Err(SettingsError::TooFewEntrants(entrants));
    }
    if entrants > MAX_ENTRANTS {
        return Err(SettingsError::TooManyEntrants(entrants));
    }
    if let Some(twice) = repeated(&settings.entrants) {
        return Err(SettingsError::Twice(twice));
    }
    let rounds = settings.rounds.unwrap_or_else(|| usual_rounds(entrants));
    if rounds == 0 || rounds > MAX_ROUNDS {
        return Err(SettingsError::Rounds(rounds));
    }
    if !entrants.is_multiple_of(2) && usize::from(rounds) > entrants {
        return Err(SettingsError::SecondBye { rounds, entrants });
    }
    Ok(rounds)
}

/// The logarithm to base two, rounded up, and one more.
fn usual_rounds(entrants: usize) -> u16 {
    entrants.next_power_of_two().ilog2() as u16 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(entrants: u16, asked: Option<u16>, expected: Result<u16, SettingsError>) {
        let entrants = (0..entrants).map(EntrantId).collect();
        let boards = Boards::Same(0);
        let settings = Settings { stage: 0, entrants, rounds: asked, games: Games::One, boards, seed: 1 };
        assert_eq!(rounds(&settings), expected);
    }

    #[test]
    fn the_usual_number_of_rounds_finds_one_winner_and_one_more() {
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
        check(8, Some(0), Err(SettingsError::Rounds(0)));
        check(8, Some(1001), Err(SettingsError::Rounds(1001)));
        check(8, Some(1000), Ok(1000));
        check(7, Some(7), Ok(7));
        check(7, Some(8), Err(SettingsError::SecondBye { rounds: 8, entrants: 7 }));
    }

    #[test]
    fn too_few_and_too_many_entrants_are_refused() {
        check(0, None, Err(SettingsError::TooFewEntrants(0)));
        check(1, None, Err(SettingsError::TooFewEntrants(1)));
        check(1001, None, Err(SettingsError::TooManyEntrants(1001)));
    }

    #[test]
    fn nobody_is_listed_twice() {
        let entrants = [4, 2, 4].map(EntrantId).to_vec();
        let boards = Boards::Same(0);
        let settings = Settings { stage: 0, entrants, rounds: None, games: Games::One, boards, seed: 1 };
        assert_eq!(rounds(&settings), Err(SettingsError::Twice(EntrantId(4))));
    }
}
