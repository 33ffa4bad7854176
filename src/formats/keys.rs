//! The building blocks of format settings: bounded numbers, boards, a game's defaults, and the error for invalid
//! settings.

use super::scoring::ScoringKind;
use crate::format::FormatError;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Range, RangeInclusive};

/// A whole number from `MIN` to `MAX`; by default `MIN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "i64", into = "i64"))]
pub struct Bounded<const MIN: u32, const MAX: u32>(u32);

/// The number of games in each order of play on each board.
pub type GamesPerOrder = Bounded<1, 1000>;

/// The number of rounds.
pub type RoundCount = Bounded<1, 1000>;

/// The error for a number outside its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    number: i64,
    min: u32,
    max: u32,
}

impl<const MIN: u32, const MAX: u32> Bounded<MIN, MAX> {
    /// The bounded `number`.
    ///
    /// # Panics
    /// When the number is outside the bounds.
    pub const fn new(number: u32) -> Self {
        assert!(MIN <= number && number <= MAX, "out of range");
        Bounded(number)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> Default for Bounded<MIN, MAX> {
    fn default() -> Self {
        Bounded(MIN)
    }
}

impl<const MIN: u32, const MAX: u32> TryFrom<i64> for Bounded<MIN, MAX> {
    type Error = OutOfRange;

    fn try_from(number: i64) -> Result<Self, OutOfRange> {
        let within = u32::try_from(number).ok().filter(|number| (MIN..=MAX).contains(number));
        within.map(Bounded).ok_or(OutOfRange { number, min: MIN, max: MAX })
    }
}

impl<const MIN: u32, const MAX: u32> From<Bounded<MIN, MAX>> for i64 {
    fn from(number: Bounded<MIN, MAX>) -> i64 {
        number.0.into()
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} is out of range: {} to {}", self.number, self.min, self.max)
    }
}

/// The highest board number in files, where boards count from 1.
const MAX_BOARDS: u32 = 1_000_000;

/// The number of boards set aside for a format with a new board each round: later stages get boards after these.
const BOARDS_OF_ROUNDS: u32 = 1000;

/// The boards of a stage with a new board each round, starting with `first`. [`BOARDS_OF_ROUNDS`] boards are set aside
/// for it. Later stages may use the boards after these, so the stage's further rounds get boards whose numbers are too
/// high for any file: 2^16 such numbers are kept for each stage, because the number of a round is a `u16`.
pub(super) fn boards_of_rounds(first: BoardNumber, stage: u8) -> [Range<u32>; 2] {
    let far = MAX_BOARDS + (u32::from(stage) << 16);
    [first.0..first.0 + BOARDS_OF_ROUNDS, far + BOARDS_OF_ROUNDS..far + (1 << 16)]
}

/// The board of a round for which no board is set aside; `None` for earlier rounds. Both numbers count from 0.
pub(super) fn far_board(stage: u8, round: u16) -> Option<u32> {
    let far = MAX_BOARDS + (u32::from(stage) << 16);
    (u32::from(round) >= BOARDS_OF_ROUNDS).then(|| far + u32::from(round))
}

/// The boards that a setting names.
pub(super) fn named<'a>(boards: impl IntoIterator<Item = &'a BoardNumber>) -> Vec<Range<u32>> {
    boards.into_iter().map(|board| board.0..board.0 + 1).collect()
}

/// The number of a board, from 0. Files count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "i64", into = "i64"))]
pub struct BoardNumber(pub u32);

impl TryFrom<i64> for BoardNumber {
    type Error = OutOfRange;

    fn try_from(number: i64) -> Result<BoardNumber, OutOfRange> {
        Bounded::<1, MAX_BOARDS>::try_from(number).map(|number| BoardNumber(number.get() - 1))
    }
}

impl From<BoardNumber> for i64 {
    fn from(BoardNumber(index): BoardNumber) -> i64 {
        i64::from(index) + 1
    }
}

/// The boards of a format: those `given`, or else `count` boards numbered from `next`.
pub(super) fn boards(given: Option<&[BoardNumber]>, count: u32, next: u32) -> Vec<u32> {
    match given {
        Some(given) if !given.is_empty() => given.iter().map(|board| board.0).collect(),
        _ => (next..next.saturating_add(count)).collect(),
    }
}

/// Like [`fill_in_boards`], for a format in which no board may be named twice.
///
/// # Errors
/// When a board is named twice, or its number is too high.
pub(super) fn fill_in_distinct_boards(
    given: &mut Option<Vec<BoardNumber>>,
    count: u32,
    next: u32,
) -> Result<u32, SettingsError> {
    let named = given.as_deref().unwrap_or_default();
    let twice = named.iter().enumerate().find(|(at, board)| named[..*at].contains(board));
    if let Some((_, board)) = twice {
        let why = format!(
            "`boards` names board {} twice: name it once, and set `games_per_order` for more games on each board",
            i64::from(*board)
        );
        return Err(SettingsError::new("boards", why));
    }
    fill_in_boards(given, count, next)
}

/// The number of seats in the games of a stage: the one `given`, or by default two, or the fewest that are `allowed` if
/// a game cannot have two.
///
/// # Errors
/// When a game cannot have this number of seats.
pub(super) fn seats_of_games(given: Option<u32>, allowed: &RangeInclusive<u8>) -> Result<u32, SettingsError> {
    let (least, most) = (*allowed.start(), *allowed.end());
    let usual = if allowed.contains(&2) { 2 } else { least };
    let seats = given.unwrap_or(usual.into());
    if !(u32::from(least)..=u32::from(most)).contains(&seats) {
        let why = format!("seats = {seats}, but a game of this ruleset has {least} to {most} seats");
        return Err(SettingsError::new("seats", why));
    }
    Ok(seats)
}

/// Fills in the boards that [`boards`] chooses. Returns the first board number after these and after all before `next`.
pub(super) fn fill_in_boards(
    given: &mut Option<Vec<BoardNumber>>,
    count: u32,
    next: u32,
) -> Result<u32, SettingsError> {
    let boards = boards(given.as_deref(), count, next);
    let after = boards.iter().max().map_or(0, |last| last + 1);
    *given = Some(boards.into_iter().map(BoardNumber).collect());
    check_board_count(after).map(|()| next.max(after))
}

/// [`fill_in_boards`] for a format with one board.
pub(super) fn fill_in_board(given: &mut Option<BoardNumber>, next: u32) -> Result<u32, SettingsError> {
    let after = given.get_or_insert(BoardNumber(next)).0 + 1;
    check_board_count(after).map(|()| next.max(after))
}

/// [`fill_in_boards`] for a format with a new board each round, starting with `first`.
pub(super) fn fill_in_first_board(first: &mut Option<BoardNumber>, next: u32) -> Result<u32, SettingsError> {
    fill_in_board(first, next).map(|after| after + BOARDS_OF_ROUNDS - 1)
}

/// Checks that files can name this many boards.
fn check_board_count(boards: u32) -> Result<(), SettingsError> {
    let words =
        format!("its boards would be numbered beyond {MAX_BOARDS}: name lower boards here or in an earlier stage");
    if boards <= MAX_BOARDS { Ok(()) } else { Err(SettingsError::new("kind", words)) }
}

/// The board of each round. All matches of a round use the same board, so that it favours no entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundBoards {
    /// The same board in every round.
    Same(u32),
    /// The board of the first round; each later round has the next board.
    EachRound(u32),
}

impl RoundBoards {
    /// `same` in all rounds if it is given; otherwise a new board each round, starting with `first` or board 0.
    pub(super) fn new(same: Option<BoardNumber>, first: Option<BoardNumber>) -> RoundBoards {
        match (same, first) {
            (Some(same), _) => RoundBoards::Same(same.0),
            (None, first) => RoundBoards::EachRound(first.map_or(0, |first| first.0)),
        }
    }

    /// Fills in `first` if neither is given. Returns the first board number after those of this format and after all
    /// before `next`.
    ///
    /// # Errors
    /// When both are given, or a board's number would be too high.
    pub(super) fn fill_in_defaults(
        same: &mut Option<BoardNumber>,
        first: &mut Option<BoardNumber>,
        next: u32,
    ) -> Result<u32, SettingsError> {
        match (&same, &first) {
            (Some(_), Some(_)) => Err(SettingsError::new(
                "board",
                "set either `board`, the same in all rounds, or `first_board`, a new board each round, not both",
            )),
            (Some(_), None) => fill_in_board(same, next),
            (None, _) => fill_in_first_board(first, next),
        }
    }

    /// The boards of a stage with these settings.
    pub(super) fn numbers(same: Option<BoardNumber>, first: Option<BoardNumber>) -> Vec<Range<u32>> {
        let rounds = |first: &BoardNumber| first.0..first.0 + BOARDS_OF_ROUNDS;
        named(&same).into_iter().chain(first.iter().map(rounds)).collect()
    }

    /// The board of a round; rounds count from 0.
    pub(super) fn of_round(self, round: u16) -> u32 {
        match self {
            RoundBoards::Same(board) => board,
            RoundBoards::EachRound(first) => first.wrapping_add(u32::from(round)),
        }
    }
}

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The invalid key; `kind` if the format as a whole does not fit.
    pub key: &'static str,
    /// What is wrong, and how to fix it.
    pub why: String,
}

impl SettingsError {
    pub(super) fn new(key: &'static str, why: impl Into<String>) -> SettingsError {
        SettingsError { key, why: why.into() }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl core::error::Error for SettingsError {}

impl From<SettingsError> for FormatError {
    fn from(wrong: SettingsError) -> FormatError {
        FormatError(wrong.why)
    }
}

/// The defaults of a game for settings of stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameDefaults {
    /// The number of boards on which everyone plays everyone: three in Boxing (B11); one in Go and rock-paper-scissors,
    /// so that every pair plays twice (R1, G8).
    pub boards: u32,
    /// The scoring (B11, R9).
    pub scoring: ScoringKind,
    /// The scorings of further rankings (R9).
    pub tables: Vec<ScoringKind>,
    /// The largest margin of a pair that is a tie in the cross-table (R9).
    pub threshold: u32,
    /// How a game with the same entrants, seats and board can differ from an earlier one.
    pub repetition: Repetition,
}

/// How a repeated game can differ from the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repetition {
    /// It begins differently, because it has lots of its own.
    Varies,
    /// It begins in the same way, and differs only if a bot plays at random.
    #[default]
    BeginsAlike,
    /// It is the same game, because bots must not play at random (R8).
    IsTheSame,
}

impl Default for GameDefaults {
    /// One board, and a scoring by wins.
    fn default() -> GameDefaults {
        let scoring = ScoringKind::default();
        let repetition = Repetition::default();
        GameDefaults { boards: 1, scoring, tables: Vec::new(), threshold: 0, repetition }
    }
}

impl GameDefaults {
    /// The scorings of further rankings of a stage with this `scoring`.
    pub(super) fn tables_beside(&self, scoring: ScoringKind) -> Vec<ScoringKind> {
        self.tables.iter().copied().filter(|&table| table != scoring).collect()
    }

    /// Fills in the threshold of a stage if one of `kinds` counts margins.
    pub(super) fn fill_in_threshold(&self, kinds: &[ScoringKind], threshold: &mut Option<u32>) {
        if kinds.contains(&ScoringKind::Margins) {
            threshold.get_or_insert(self.threshold);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    #[test]
    fn numbers_outside_the_bounds_are_refused() {
        let check =
            |number: i64| Bounded::<2, 8>::try_from(number).map(i64::from).map_err(|wrong| wrong.to_string());
        assert_eq!([check(2), check(8)], [Ok(2), Ok(8)]);
        for number in [i64::MIN, -1, 1, 9, i64::MAX] {
            assert_eq!(check(number), Err(format!("{number} is out of range: 2 to 8")));
        }
    }

    #[test]
    fn each_round_has_a_new_board_or_the_same_one() {
        assert_eq!([0, 1, 2].map(|round| RoundBoards::EachRound(5).of_round(round)), [5, 6, 7]);
        assert_eq!([0, 1, 2].map(|round| RoundBoards::Same(5).of_round(round)), [5, 5, 5]);
    }

    #[test]
    fn default_boards_come_after_those_of_earlier_stages() {
        let mut own = None;
        let mut given = Some(vec![BoardNumber(7), BoardNumber(2)]);
        assert_eq!(fill_in_boards(&mut own, 3, 4), Ok(7));
        assert_eq!(own, Some(vec![BoardNumber(4), BoardNumber(5), BoardNumber(6)]));
        assert_eq!(fill_in_boards(&mut given, 3, 4), Ok(8));
        assert_eq!(fill_in_boards(&mut given, 3, 20), Ok(20));
        let mut first = None;
        assert_eq!((fill_in_first_board(&mut first, 9), first), (Ok(1009), Some(BoardNumber(9))));
        assert_eq!(fill_in_boards(&mut None, 3, MAX_BOARDS - 2).map_err(|wrong| wrong.key), Err("kind"));
    }
}
