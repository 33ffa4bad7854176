//! The gauntlet: one entrant, or a few, against many, to measure a new version or a newcomer against known opponents.
//!
//! In games of more than two seats, each challenger plays against each group of opponents that are neighbours in the
//! order of all opponents, in which the first follows the last.

use super::fixed::{FixedFormat, RankedBy};
use super::keys::{
    RoundBoards, boards, boards_of_rounds, far_board, fill_in_distinct_boards, named, seats_of_games,
};
use super::scoring::{self, Bonus, ScoringKind};
use super::series::{Meeting, Series, SeriesGame};
use super::{BoardNumber, Bounded, FormatSettings, GameDefaults, GamesPerOrder, SettingsError, everyone};
use crate::format::{Arrival, Departure, FormatError, GameId, Schedule, ScheduleFacts, StageInput};
use crate::game::MAX_SEATS;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The settings of a gauntlet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct GauntletSettings {
    /// The number of seats in its games, if it is not two: by default two, or else the fewest that the ruleset allows.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub seats: Option<Bounded<2, { MAX_SEATS as u32 }>>,
    /// The boards. On each, every entrant of a match is first equally often. By default one board.
    pub boards: Option<Vec<BoardNumber>>,
    /// The number of games in each order of play on each board; by default one.
    pub games_per_order: GamesPerOrder,
    /// The scoring; by default games won minus games lost, which compares entrants with different numbers of games.
    pub scoring: ScoringKind,
    /// The bonuses for wins and ties, for [`ScoringKind::Bonus`] only (F2).
    pub bonus: Option<Bonus>,
    /// The largest margin of a pair, in points over all its games, that is a tie in the cross-table, for
    /// [`ScoringKind::Margins`] only (R9).
    pub threshold: Option<u32>,
    /// How many of the first entrants play each of the others; by default one.
    pub challengers: Bounded<1, 65_535>,
    /// The number of rounds, each on a new board; all matches are played in every round. By default there is one round,
    /// on `boards`.
    pub rounds: Option<Bounded<1, 65_536>>,
    /// The board of the first round, if there are `rounds`.
    pub first_board: Option<BoardNumber>,
}

impl Default for GauntletSettings {
    fn default() -> GauntletSettings {
        GauntletSettings {
            seats: None,
            boards: None,
            games_per_order: GamesPerOrder::default(),
            scoring: ScoringKind::WonMinusLost,
            bonus: None,
            threshold: None,
            challengers: Bounded::new(1),
            rounds: None,
            first_board: None,
        }
    }
}

impl FormatSettings for GauntletSettings {
    fn games_per_order(&self) -> u32 {
        self.games_per_order.get()
    }

    fn fill_in_game_defaults(&mut self, game: &GameDefaults, _: u32) {
        game.fill_in_threshold(&[self.scoring], &mut self.threshold);
    }

    fn seats(&self) -> Option<u8> {
        None
    }

    fn fill_in_defaults(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let own = seats_of_games(self.seats.map(Bounded::get), seats)?;
        if own == 1 {
            let why = "gauntlet is against opponents, and a game of this ruleset has one seat: `all-play-all` plays them";
            return Err(SettingsError::new("kind", why));
        }
        self.seats = (own != 2).then(|| Bounded::new(own));
        scoring::fill_in_defaults(&[self.scoring], &mut self.bonus, &mut self.threshold)?;
        match (self.rounds, &self.boards, &self.first_board) {
            (None, _, Some(_)) => Err(SettingsError::new("first_board", "`first_board` needs `rounds`")),
            (None, ..) => fill_in_distinct_boards(&mut self.boards, 1, next_board),
            (Some(_), Some(_), _) => Err(SettingsError::new(
                "boards",
                "set either `boards`, or `rounds` and `first_board`, a new board each round, not both",
            )),
            (Some(_), None, _) => RoundBoards::fill_in_defaults(&mut None, &mut self.first_board, next_board),
        }
    }

    fn boards(&self, stage: u8) -> Vec<Range<u32>> {
        match self.rounds {
            None => named(self.boards.iter().flatten()),
            Some(_) => boards_of_rounds(self.first_board.unwrap_or(BoardNumber(0)), stage).into(),
        }
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Gauntlet::new(start, self)?))
    }
}

/// A gauntlet: the challengers, which are the first entrant or the first few, play each of the others. In games of two,
/// the others do not meet each other. An entrant that is admitted later is not a challenger.
#[derive(Clone, Debug)]
pub struct Gauntlet {
    stage: u8,
    /// The number of entrants that it began with.
    begun_with: usize,
    challengers: usize,
    /// The number of seats in a game.
    seats: usize,
    /// For each round, the series of games of which each of its matches consists.
    rounds: Vec<Series>,
    ranked_by: RankedBy,
}

impl Gauntlet {
    /// The gauntlet of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice, the opponents do not fill a game, or there are too many games.
    pub fn new(start: &StageInput, settings: &GauntletSettings) -> Result<Gauntlet, FormatError> {
        let entrants = everyone(start)?;
        let begun_with = start.entrants.len();
        let challengers = settings.challengers.get() as usize;
        if challengers > 1 && challengers >= begun_with {
            let why = format!("{challengers} challengers of {begun_with} entrants have no opponent");
            return Err(FormatError(why));
        }
        let seats = settings.seats.map_or(2, Bounded::get) as usize;
        let opponents = begun_with.saturating_sub(challengers);
        if opponents > 0 && opponents < seats - 1 {
            let others = seats - 1;
            let why = match challengers {
                1 => format!(
                    "{begun_with} entrants are too few for a challenger and {others} opponents in one game"
                ),
                _ => format!(
                    "{begun_with} entrants are too few for {challengers} challengers, each of which plays {others} \
                     opponents in one game: challengers are no opponents of each other"
                ),
            };
            return Err(FormatError(why));
        }
        let games_per_order = settings.games_per_order.get() as u16;
        let series = |boards| Series { boards, games_per_order };
        let rounds = match settings.rounds {
            None => vec![series(boards(settings.boards.as_deref(), 1, 0))],
            Some(rounds) => {
                let boards = RoundBoards::new(None, settings.first_board);
                let board = |round| far_board(start.stage, round).unwrap_or_else(|| boards.of_round(round));
                (0..=u16::MAX).take(rounds.get() as usize).map(|round| series(vec![board(round)])).collect()
            }
        };
        rounds[0].check(rounds.len() * challengers * entrants.len().saturating_sub(challengers), seats)?;
        let ranked_by = RankedBy::new(entrants, &[settings.scoring], settings.bonus, settings.threshold);
        Ok(Gauntlet { stage: start.stage, begun_with, challengers, seats, rounds, ranked_by })
    }

    /// The entrants that meet in each match of a round.
    fn meetings(&self) -> Vec<Meeting> {
        let challengers = 0..self.challengers.min(self.begun_with);
        let opponents: Vec<usize> = (self.challengers..self.begun_with).collect();
        let others = self.seats - 1;
        // If all opponents are in one game, they are a single group, whichever comes first.
        let groups = if opponents.len() == others { 1 } else { opponents.len() };
        let mut matches: Vec<Vec<usize>> = Vec::new();
        for challenger in challengers.clone() {
            for first in 0..groups {
                let group = opponents.iter().cycle().skip(first).take(others).copied();
                matches.push([challenger].into_iter().chain(group).collect());
            }
        }
        // The matches of an admitted entrant come after all others, so that those keep their numbers.
        for late in self.begun_with..self.ranked_by.entrants.len() {
            for challenger in challengers.clone() {
                let group = opponents.iter().copied().take(others - 1);
                matches.push([challenger, late].into_iter().chain(group).collect());
            }
        }
        let filled = matches.iter().filter(|indices| indices.len() == self.seats);
        filled.map(|indices| Meeting::new(&self.ranked_by.entrants, indices)).collect()
    }
}

impl FixedFormat for Gauntlet {
    fn games(&self) -> impl Iterator<Item = SeriesGame<Meeting>> {
        let meetings = self.meetings();
        (0..=u16::MAX).zip(&self.rounds).flat_map(move |(round, series)| {
            let meetings = meetings.clone();
            (0..).zip(meetings).flat_map(move |(table, meeting)| {
                series.games(GameId { stage: self.stage, round, table, game: 0, attempt: 0 }, meeting)
            })
        })
    }

    fn ranked_by(&self) -> &RankedBy {
        &self.ranked_by
    }

    fn facts(&self) -> ScheduleFacts {
        let departure = if self.seats == 2 { Departure::Pairs } else { Departure::Groups };
        ScheduleFacts::new(departure, Arrival::Appended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EntrantId;
    use crate::formats::testing::{PlayOrder, games_as_text, invented, meetings, play, standings_as_text, start};
    use proptest::prelude::*;

    #[test]
    fn every_challenger_meets_each_opponent_on_the_board_of_each_round() {
        let entrants: Vec<EntrantId> = (0..4).map(EntrantId).collect();
        let settings = |challengers, first_board| GauntletSettings {
            challengers: Bounded::new(challengers),
            rounds: Some(Bounded::new(2)),
            first_board: Some(BoardNumber(first_board)),
            ..GauntletSettings::default()
        };
        let format = Gauntlet::new(&start(0, &entrants), &settings(2, 4)).unwrap();
        let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 10 * u64::from(id.0)));
        insta::assert_snapshot!(games_as_text(&played), @"
            s1/r1/m1  0-2 board 4: 3-6, 2-0 board 4: 11-1
            s1/r1/m2  0-3 board 4: 7-9, 3-0 board 4: 15-5
            s1/r1/m3  1-2 board 4: 3-8, 2-1 board 4: 12-4
            s1/r1/m4  1-3 board 4: 6-15, 3-1 board 4: 15-10
            s1/r2/m1  0-2 board 5: 0-14, 2-0 board 5: 7-1
            s1/r2/m2  0-3 board 5: 3-13, 3-0 board 5: 7-5
            s1/r2/m3  1-2 board 5: 8-6, 2-1 board 5: 9-10
            s1/r2/m4  1-3 board 5: 6-15, 3-1 board 5: 12-2
            ");
        let wrong = Gauntlet::new(&start(0, &entrants), &settings(4, 4)).map(|_| ()).unwrap_err();
        assert_eq!(wrong.0, "4 challengers of 4 entrants have no opponent");
        let more = GauntletSettings { rounds: Some(Bounded::new(65_536)), ..settings(1, 0) };
        let format = Gauntlet::new(&start(1, &entrants[..2]), &more).unwrap();
        let boards: Vec<u32> = format.games().step_by(2).map(|game| game.board).collect();
        assert_eq!((boards.len(), boards[0], boards[999], boards[1000]), (65_536, 0, 999, 1_066_536));
        let named = more.boards(1);
        assert!(boards.iter().all(|board| named.iter().any(|range| range.contains(board))), "{named:?}");
    }

    #[test]
    fn in_games_of_more_each_challenger_meets_all_opponents_that_follow_each_other() {
        let meetings = |challengers, entrants: u16| {
            let entrants: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
            let (challengers, seats) = (Bounded::new(challengers), Some(Bounded::new(3)));
            let settings = GauntletSettings { challengers, seats, ..GauntletSettings::default() };
            let format = Gauntlet::new(&start(0, &entrants), &settings).map_err(|error| error.0)?;
            let seats: Vec<Vec<u16>> =
                format.games().map(|game| game.pairing().seats.iter().map(|id| id.0).collect()).collect();
            // Each table has three games, in which all move up by a seat.
            assert!(seats.chunks(3).all(|games| games[1] == [games[0][1], games[0][2], games[0][0]]), "{seats:?}");
            Ok::<_, alloc::string::String>(seats.into_iter().step_by(3).collect::<Vec<_>>())
        };
        assert_eq!(meetings(1, 4).unwrap(), [[0, 1, 2], [0, 2, 3], [0, 3, 1]]);
        assert_eq!(meetings(2, 4).unwrap(), [[0, 2, 3], [1, 2, 3]]);
        assert_eq!(
            meetings(1, 2).unwrap_err(),
            "2 entrants are too few for a challenger and 2 opponents in one game"
        );
    }

    #[test]
    fn boards_are_named_or_new_in_each_round() {
        let filled = |settings: &GauntletSettings| {
            let mut settings = settings.clone();
            let after = settings.fill_in_defaults(&(2..=2), 3).map_err(|wrong| wrong.key);
            after.map(|after| (settings.boards, settings.first_board, after))
        };
        let boards = Some(vec![BoardNumber(7)]);
        let rounds = Some(Bounded::new(2));
        let none = GauntletSettings::default();
        assert_eq!(filled(&none), Ok((Some(vec![BoardNumber(3)]), None, 4)));
        assert_eq!(filled(&GauntletSettings { rounds, ..none.clone() }), Ok((None, Some(BoardNumber(3)), 1003)));
        assert_eq!(filled(&GauntletSettings { rounds, boards, ..none.clone() }), Err("boards"));
        assert_eq!(filled(&GauntletSettings { first_board: Some(BoardNumber(1)), ..none }), Err("first_board"));
    }

    fn gauntlet(n: u16, games_per_order: u16) -> Gauntlet {
        // The first entrant has the number 1, so that it is not always the smaller of a pair.
        let entrants: Vec<EntrantId> = [1, 0].into_iter().chain(2..n).map(EntrantId).collect();
        let boards = Some(alloc::vec![BoardNumber(3)]);
        let games_per_order = Bounded::new(games_per_order.into());
        Gauntlet::new(
            &start(0, &entrants),
            &GauntletSettings { boards, games_per_order, ..GauntletSettings::default() },
        )
        .unwrap()
    }

    #[test]
    fn the_first_meets_all_others_and_they_do_not_meet_each_other() {
        let format = gauntlet(4, 1);
        let played = play(&format, PlayOrder::ALL_AT_ONCE, |game| invented(game, |id| 10 * u64::from(id.0)));
        insta::assert_snapshot!(games_as_text(&played), @"
            s1/r1/m1  1-0 board 3: 7-7, 0-1 board 3: 8-12
            s1/r1/m2  1-2 board 3: 5-12, 2-1 board 3: 12-3
            s1/r1/m3  1-3 board 3: 7-13, 3-1 board 3: 10-6
            ");
        insta::assert_snapshot!(standings_as_text(&format.columns(), &format.standings(&played.results)), @"
            place entrant won - lost
            1 2 [2]
            1 3 [2]
            3 0 [-1]
            4 1 [-3]
            ");
    }

    proptest! {
        #[test]
        fn the_first_meets_each_opponent_equally_often_in_any_play_order(
            n in 2u16..60, games_per_order in 1u16..4, seed: u64, batch in 1usize..50,
        ) {
            let format = gauntlet(n, games_per_order);
            let judge = |game: &_| invented(game, |id| u64::from(id.0));
            let played = play(&format, PlayOrder { seed, batch }, judge);
            let meetings = meetings(&played);
            prop_assert_eq!(meetings.len(), usize::from(n) - 1);
            let games = u32::from(games_per_order);
            prop_assert!(meetings.iter().all(|(&(a, b), &count)| (a == 1 || b == 1) && count == (2 * games, games)));
            prop_assert_eq!(&played, &play(&format, PlayOrder::ALL_AT_ONCE, judge));
        }
    }
}
