//! All-play-all, or round robin: every entrant plays every other one (B11, F9, G8, R1).
//!
//! No game depends on another one, so all games are planned at once. The circle method orders them into rounds: at any
//! time all entrants have played about the same number of games, so intermediate standings are meaningful.

use super::keys::{boards, fill_in_distinct_boards, named};
use super::scoring::{self, Bonus, HEAD_TO_HEAD, Scoring, ScoringKind, rank_with_head_to_head};
use super::series::{Series, SeriesGame};
use super::{Board, FormatSettings, GameDefaults, GamesPerOrder, SettingsError, distinct};
use crate::format::{
    Column, EntrantId, FormatError, GameId, Plan, Ranking, Remark, Results, Schedule, StageInput, Standing, rank,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

/// The settings of an all-play-all (B11, F9, G8, R1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Settings {
    /// The boards. Each pair plays both orders of play on each. By default as many as the game
    /// says (B11, R1, G8), or three without a game; one if `scoring` is [`ScoringKind::Bonus`] (F9).
    pub boards: Option<Vec<Board>>,
    /// The number of games in each order of play on each board; by default one.
    pub games_per_order: GamesPerOrder,
    /// The scoring; by default the game's, or wins, then score (B11).
    pub scoring: Option<ScoringKind>,
    /// The bonuses for wins and ties, for [`ScoringKind::Bonus`] only (F2).
    pub bonus: Option<Bonus>,
    /// The largest margin of a pair, in points over all its games, that is a tie in the cross-table, for
    /// [`ScoringKind::Margins`] only (R9).
    pub threshold: Option<u32>,
    /// The scorings of further rankings, which decide nothing; by default the game's (R9).
    pub tables: Option<Vec<ScoringKind>>,
    /// Whether the games between tied entrants break the tie; by default only with bonuses (F9).
    pub head_to_head: Option<bool>,
}

impl Settings {
    fn has_bonuses(&self) -> bool {
        self.scoring == Some(ScoringKind::Bonus)
    }

    /// The scoring that decides, and those of further rankings.
    fn scorings(&self) -> Vec<ScoringKind> {
        [self.scoring.unwrap_or_default()].iter().chain(self.tables.iter().flatten()).copied().collect()
    }

    fn default_boards(&self) -> u32 {
        if self.has_bonuses() { 1 } else { 3 }
    }
}

impl FormatSettings for Settings {
    fn games_per_order(&self) -> u32 {
        self.games_per_order.get()
    }

    fn fill_in_game_defaults(&mut self, game: &GameDefaults, next_board: u32) {
        let scoring = *self.scoring.get_or_insert(game.scoring);
        self.tables.get_or_insert_with(|| game.tables_beside(scoring));
        game.fill_in_threshold(&self.scorings(), &mut self.threshold);
        if !self.has_bonuses() && self.boards.as_ref().is_none_or(Vec::is_empty) {
            self.boards = Some(boards(None, game.boards, next_board).into_iter().map(Board).collect());
        }
    }

    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let kinds = self.scorings();
        scoring::refuse_repeated(&kinds)?;
        scoring::fill_in_defaults(&kinds, &mut self.bonus, &mut self.threshold)?;
        (self.scoring, self.tables) = (Some(kinds[0]), Some(kinds[1..].to_vec()));
        self.head_to_head.get_or_insert(kinds[0] == ScoringKind::Bonus);
        let count = self.default_boards();
        fill_in_distinct_boards(&mut self.boards, count, next_board)
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        named(self.boards.iter().flatten())
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(AllPlayAll::new(start, self)?))
    }
}

/// An all-play-all whose entrants are known (B11, F9, G8, R1).
#[derive(Clone, Debug)]
pub struct AllPlayAll {
    stage: u8,
    entrants: Vec<EntrantId>,
    series: Series,
    scoring: Scoring,
    further: Vec<Scoring>,
    tie_margin: Option<u32>,
    head_to_head: bool,
}

impl AllPlayAll {
    /// The all-play-all of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice or there are too many games.
    pub fn new(start: &StageInput, settings: &Settings) -> Result<AllPlayAll, FormatError> {
        let entrants = start.entrants.to_vec();
        distinct(&entrants)?;
        let series = Series {
            boards: boards(settings.boards.as_deref(), settings.default_boards(), 0),
            games_per_order: settings.games_per_order.get() as u16,
        };
        series.check(entrants.len() * entrants.len().saturating_sub(1) / 2)?;
        let kinds = settings.scorings();
        let scoring = |kind: &ScoringKind| kind.with(settings.bonus);
        Ok(AllPlayAll {
            stage: start.stage,
            entrants,
            series,
            scoring: scoring(&kinds[0]),
            further: kinds[1..].iter().map(scoring).collect(),
            tie_margin: scoring::tie_margin(&kinds, settings.threshold),
            head_to_head: settings.head_to_head.unwrap_or(settings.has_bonuses()),
        })
    }

    fn games(&self) -> impl Iterator<Item = SeriesGame> + '_ {
        circle(self.entrants.len()).flat_map(|(round, table, [a, b])| {
            let place = GameId { stage: self.stage, round, table, game: 0 };
            self.series.games(place, [self.entrants[a], self.entrants[b]])
        })
    }
}

impl Schedule for AllPlayAll {
    fn plan(&self, done: &Results) -> Plan {
        Plan::from_games(self.games().filter(|game| done.get(game.id).is_none()).map(SeriesGame::pairing))
    }

    fn columns(&self) -> Vec<Column> {
        let head_to_head = self.head_to_head.then_some(HEAD_TO_HEAD);
        self.scoring.columns().iter().copied().chain(head_to_head).collect()
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let scoring = &self.scoring;
        let played = || self.games().filter_map(|game| game.played(done));
        let totals = scoring.totals(&self.entrants, played());
        if self.head_to_head { rank_with_head_to_head(scoring, totals, played()) } else { rank(totals) }
    }

    fn further_rankings(&self, done: &Results) -> Vec<Ranking> {
        let played = || self.games().filter_map(|game| game.played(done));
        self.further.iter().map(|scoring| scoring.ranking(&self.entrants, played())).collect()
    }

    fn tie_margin(&self) -> Option<u32> {
        self.tie_margin
    }

    fn remarks(&self, _: &Results) -> Vec<Remark> {
        Vec::new()
    }
}

/// The circle method for `n` entrants: every pair meets once and no entrant plays twice in a round. Yields (round,
/// table, pair of indices).
///
/// All entrants but the last stand in a circle that turns by one place each round. Entrants opposite each other meet;
/// the one without an opposite meets the last. If `n` is odd, all stand in the circle and that one rests.
fn circle(n: usize) -> impl Iterator<Item = (u16, u32, [usize; 2])> {
    let turning = (n + n % 2).saturating_sub(1);
    (0..turning).flat_map(move |round| {
        let alone = n.is_multiple_of(2).then_some([round, n - 1]);
        let opposite =
            (1..=turning / 2).map(move |step| [(round + step) % turning, (round + turning - step) % turning]);
        (0..).zip(alone.into_iter().chain(opposite)).map(move |(table, pair)| (round as u16, table, pair))
    })
}

#[cfg(test)]
mod tests;
