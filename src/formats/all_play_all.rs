//! All-play-all, or round robin: every entrant plays every other one (B11, F9, G8, R1).
//!
//! No game depends on another one, so all games are planned at once. The circle method orders them into rounds: at any
//! time all entrants have played about the same number of games, so intermediate standings are meaningful.
//!
//! In a game that is not for two, every group of as many entrants as it has seats meets, each of them first equally
//! often. A game of one seat is played by every entrant alone.

use super::fixed::{FixedFormat, RankedBy};
use super::keys::{boards, fill_in_distinct_boards, named, seats_of_games};
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

/// The settings of an all-play-all (B11, F9, G8, R1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct AllPlayAllSettings {
    /// The number of seats in its games, if it is not two: by default two, or else the fewest that the ruleset allows.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub seats: Option<Bounded<1, { MAX_SEATS as u32 }>>,
    /// The boards. On each, every entrant of a match is first equally often. By default as many as the game
    /// says (B11, R1, G8), or three without a game; one if `scoring` is [`ScoringKind::Bonus`] (F9).
    pub boards: Option<Vec<BoardNumber>>,
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

impl AllPlayAllSettings {
    fn has_bonuses(&self) -> bool {
        self.scoring == Some(ScoringKind::Bonus)
    }

    /// The scoring that decides, and those of further rankings.
    fn scorings(&self) -> Vec<ScoringKind> {
        [self.scoring.unwrap_or_default()].iter().chain(self.tables.iter().flatten()).copied().collect()
    }

    /// The number of seats in its games.
    fn seats_of_games(&self) -> usize {
        self.seats.map_or(2, Bounded::get) as usize
    }

    fn default_boards(&self) -> u32 {
        if self.has_bonuses() { 1 } else { 3 }
    }
}

impl FormatSettings for AllPlayAllSettings {
    fn games_per_order(&self) -> u32 {
        self.games_per_order.get()
    }

    fn fill_in_game_defaults(&mut self, game: &GameDefaults, next_board: u32) {
        let scoring = *self.scoring.get_or_insert(game.scoring);
        self.tables.get_or_insert_with(|| game.tables_beside(scoring));
        game.fill_in_threshold(&self.scorings(), &mut self.threshold);
        if !self.has_bonuses() && self.boards.as_ref().is_none_or(Vec::is_empty) {
            self.boards = Some(boards(None, game.boards, next_board).into_iter().map(BoardNumber).collect());
        }
    }

    fn seats(&self) -> Option<u8> {
        None
    }

    fn fill_in_defaults(&mut self, seats: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let own = seats_of_games(self.seats.map(Bounded::get), seats)?;
        self.seats = (own != 2).then(|| Bounded::new(own));
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
    /// The number of entrants that it began with.
    begun_with: usize,
    /// The number of seats in a game.
    seats: usize,
    series: Series,
    ranked_by: RankedBy,
}

impl AllPlayAll {
    /// The all-play-all of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice, the entrants do not fill a game, or there are too many games or rounds.
    pub fn new(start: &StageInput, settings: &AllPlayAllSettings) -> Result<AllPlayAll, FormatError> {
        let begun_with = start.entrants.len();
        let entrants = everyone(start)?;
        let series = Series {
            boards: boards(settings.boards.as_deref(), settings.default_boards(), 0),
            games_per_order: settings.games_per_order.get() as u16,
        };
        let seats = settings.seats_of_games();
        let n = entrants.len();
        if n > 1 && n < seats {
            return Err(FormatError(format!("{n} entrants do not fill a game of {seats} seats")));
        }
        series.check(combinations(n, seats), seats)?;
        let rounds: usize = (begun_with..n).map(|others| rounds_of_late(others, seats)).sum();
        if rounds + begun_with > usize::from(u16::MAX) {
            return Err(FormatError(format!("{n} entrants would play more than {} rounds", u16::MAX)));
        }
        let mut ranked_by = RankedBy::new(entrants, &settings.scorings(), settings.bonus, settings.threshold);
        ranked_by.head_to_head = settings.head_to_head.unwrap_or(settings.has_bonuses());
        Ok(AllPlayAll { stage: start.stage, begun_with, seats, series, ranked_by })
    }

    /// The entrants with these indices.
    fn meeting(&self, indices: &[usize]) -> Meeting {
        Meeting::new(&self.ranked_by.entrants, indices)
    }

    /// The groups in which entrants that were admitted late play, as (round, table, entrants): each such entrant meets
    /// all that were there before it, in rounds of its own.
    fn late_groups(&self) -> Vec<(u16, u32, Meeting)> {
        let mut found = Vec::new();
        let mut first = if self.seats == 2 { turning(self.begun_with) } else { self.begun_with };
        for late in self.begun_with..self.ranked_by.entrants.len() {
            let others = if self.seats == 1 { vec![(0, 0, Vec::new())] } else { groups(late, self.seats - 1) };
            found.extend(others.into_iter().map(|(round, table, mut group)| {
                group.push(late);
                (first as u16 + round, table, self.meeting(&group))
            }));
            first += rounds_of_late(late, self.seats);
        }
        found
    }
}

/// The number of groups of `k` among `n`; `usize::MAX` if it does not fit.
fn combinations(n: usize, k: usize) -> usize {
    if k > n {
        return 0;
    }
    (0..k).try_fold(1usize, |product, i| Some(product.checked_mul(n - i)? / (i + 1))).unwrap_or(usize::MAX)
}

/// All groups of `k` among `n` as (round, table, indices). Groups whose indices have the same sum modulo `n` are in one
/// round, so that all have played about equally often at any time.
fn groups(n: usize, k: usize) -> Vec<(u16, u32, Vec<usize>)> {
    let mut found = vec![Vec::new(); n];
    let mut group: Vec<usize> = (0..k).collect();
    while group.last().is_some_and(|last| *last < n) {
        found[group.iter().sum::<usize>() % n].push(group.clone());
        // The next group: the last index that can grow grows by one, and the indices after it follow without gaps.
        let Some(at) = (0..k).rev().find(|&at| group[at] < n - k + at) else { break };
        let next = group[at] + 1;
        for (step, index) in group[at..].iter_mut().enumerate() {
            *index = next + step;
        }
    }
    let rounds = (0u16..).zip(found);
    rounds.flat_map(|(round, groups)| (0..).zip(groups).map(move |(table, group)| (round, table, group))).collect()
}

impl FixedFormat for AllPlayAll {
    fn games(&self) -> impl Iterator<Item = SeriesGame<Meeting>> {
        let n = self.begun_with;
        let pairs = circle(if self.seats == 2 { n } else { 0 });
        let pairs = pairs.map(|(round, table, pair)| (round, table, self.meeting(&pair)));
        let groups = if self.seats == 2 { Vec::new() } else { groups(n, self.seats) };
        let groups = groups.into_iter().map(|(round, table, group)| (round, table, self.meeting(&group)));
        pairs.chain(groups).chain(self.late_groups()).flat_map(|(round, table, group)| {
            self.series.games(GameId { stage: self.stage, round, table, game: 0, attempt: 0 }, group)
        })
    }

    fn ranked_by(&self) -> &RankedBy {
        &self.ranked_by
    }

    fn facts(&self) -> ScheduleFacts {
        let departure = if self.seats == 2 { Departure::Pairs } else { Departure::Groups };
        ScheduleFacts::new(departure, Arrival::NewRounds)
    }
}

/// The circle method for `n` entrants: every pair meets once and no entrant plays twice in a round. Yields (round,
/// table, pair of indices).
///
/// All entrants but the last stand in a circle that turns by one place each round. Entrants opposite each other meet;
/// the one without an opposite meets the last. If `n` is odd, all stand in the circle and that one rests.
fn circle(n: usize) -> impl Iterator<Item = (u16, u32, [usize; 2])> {
    let turning = turning(n);
    (0..turning).flat_map(move |round| {
        let alone = n.is_multiple_of(2).then_some([round, n - 1]);
        let opposite =
            (1..=turning / 2).map(move |step| [(round + step) % turning, (round + turning - step) % turning]);
        (0..).zip(alone.into_iter().chain(opposite)).map(move |(table, pair)| (round as u16, table, pair))
    })
}

/// The number of entrants in the circle, which is also the number of rounds.
fn turning(n: usize) -> usize {
    (n + n % 2).saturating_sub(1)
}

/// The number of rounds that are added for an entrant that is admitted late, when there are `others` already.
fn rounds_of_late(others: usize, seats: usize) -> usize {
    if seats == 1 { 1 } else { others }
}

#[cfg(test)]
mod tests;
