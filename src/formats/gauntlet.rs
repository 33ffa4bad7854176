//! The gauntlet: one entrant against many, to measure a new version or a newcomer against known opponents.

use super::keys::{boards, fill_in_distinct_boards, named};
use super::scoring::{self, Bonus, Scoring, ScoringKind};
use super::series::{Series, SeriesGame};
use super::{Board, FormatSettings, GameDefaults, GamesPerOrder, SettingsError, distinct};
use crate::format::{
    Column, EntrantId, FormatError, GameId, Plan, Remark, Results, Schedule, StageInput, Standing, rank,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The settings of a gauntlet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Settings {
    /// The boards. Each pair plays both orders of play on each. By default one board.
    pub boards: Option<Vec<Board>>,
    /// The number of games in each order of play on each board; by default one.
    pub games_per_order: GamesPerOrder,
    /// The scoring; by default games won minus games lost, which compares entrants with different numbers of games.
    pub scoring: ScoringKind,
    /// The bonuses for wins and ties, for [`ScoringKind::Bonus`] only (F2).
    pub bonus: Option<Bonus>,
    /// The largest margin of a pair, in points over all its games, that is a tie in the cross-table, for
    /// [`ScoringKind::Margins`] only (R9).
    pub threshold: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        let (scoring, games_per_order) = (ScoringKind::WonMinusLost, GamesPerOrder::default());
        Settings { boards: None, games_per_order, scoring, bonus: None, threshold: None }
    }
}

impl FormatSettings for Settings {
    fn fill_in_game_defaults(&mut self, game: &GameDefaults, _: u32) {
        game.fill_in_threshold(&[self.scoring], &mut self.threshold);
    }

    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        scoring::fill_in_defaults(&[self.scoring], &mut self.bonus, &mut self.threshold)?;
        fill_in_distinct_boards(&mut self.boards, 1, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        named(self.boards.iter().flatten())
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Gauntlet::new(start, self)?))
    }
}

/// A gauntlet: the first entrant plays each of the others, which do not meet each other.
#[derive(Clone, Debug)]
pub struct Gauntlet {
    stage: u8,
    entrants: Vec<EntrantId>,
    series: Series,
    scoring: Scoring,
    tie_margin: Option<u32>,
}

impl Gauntlet {
    /// The gauntlet of the first entrant in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice or there are too many games.
    pub fn new(start: &StageInput, settings: &Settings) -> Result<Gauntlet, FormatError> {
        let entrants = start.entrants.to_vec();
        distinct(&entrants)?;
        let (boards, games_per_order) = (boards(settings.boards.as_deref(), 1, 0), settings.games_per_order);
        let series = Series { boards, games_per_order: games_per_order.get() as u16 };
        series.check(entrants.len())?;
        let scoring = settings.scoring.with(settings.bonus);
        let tie_margin = scoring::tie_margin(&[settings.scoring], settings.threshold);
        Ok(Gauntlet { stage: start.stage, entrants, series, scoring, tie_margin })
    }

    fn games(&self) -> impl Iterator<Item = SeriesGame> + '_ {
        let pairs = self.entrants.iter().skip(1).map(|&opponent| [self.entrants[0], opponent]);
        (0..).zip(pairs).flat_map(|(table, pair)| {
            let place = GameId { stage: self.stage, round: 0, table, game: 0 };
            self.series.games(place, pair)
        })
    }
}

impl Schedule for Gauntlet {
    fn plan(&self, done: &Results) -> Plan {
        Plan::of(self.games().filter(|game| done.get(game.id).is_none()).map(SeriesGame::pairing))
    }

    fn columns(&self) -> Vec<Column> {
        self.scoring.columns().to_vec()
    }

    /// Each entrant by all its games: the first has played against all, the others only against the first.
    fn standings(&self, done: &Results) -> Vec<Standing> {
        let played = self.games().filter_map(|game| game.played(done));
        rank(self.scoring.totals(&self.entrants, played))
    }

    fn tie_margin(&self) -> Option<u32> {
        self.tie_margin
    }

    fn remarks(&self, _: &Results) -> Vec<Remark> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Bounded;
    use crate::formats::testing::{PlayOrder, games_as_text, invented, meetings, play, standings_as_text, start};
    use proptest::prelude::*;

    fn gauntlet(n: u16, games_per_order: u16) -> Gauntlet {
        // The first entrant has the number 1, so that it is not always the smaller of a pair.
        let entrants: Vec<EntrantId> = [1, 0].into_iter().chain(2..n).map(EntrantId).collect();
        let (boards, games_per_order) = (Some(alloc::vec![Board(3)]), Bounded::new(games_per_order.into()));
        Gauntlet::new(&start(0, &entrants), &Settings { boards, games_per_order, ..Settings::default() }).unwrap()
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
