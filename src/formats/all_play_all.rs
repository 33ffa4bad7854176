//! Everyone plays everyone (B11, F9, G8, R1).
//!
//! Nothing has to wait for anything, so all games are planned at once. Rounds are those of the circle method:
//! everyone plays about equally many games at any time, so standings on the way mean something.

use super::distinct;
use super::scoring::{HEAD_TO_HEAD, Scoring, settle_head_to_head};
use super::series::{Game, Series};
use crate::format::{EntrantId, Format, FormatError, PairingId, Plan, Remark, Results, Standing, Table, rank};
use alloc::vec::Vec;

/// How everyone plays everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The games of each pair.
    pub series: Series,
    /// What counts.
    pub scoring: Scoring,
    /// By what else there is a table, which decides nothing (R9).
    pub shown: Vec<Scoring>,
    /// Whether those whom the scoring leaves tied are told apart by the games between them (F9).
    pub head_to_head: bool,
}

impl Default for Settings {
    /// The Boxing Match's first stage: six games a pair on boards 0, 1 and 2; wins, then score (B11).
    fn default() -> Settings {
        Settings {
            series: Series::on([0, 1, 2]),
            scoring: Scoring::WinsThenScore,
            shown: Vec::new(),
            head_to_head: false,
        }
    }
}

/// An all-play-all of known entrants.
#[derive(Clone, Debug)]
pub struct AllPlayAll {
    stage: u8,
    entrants: Vec<EntrantId>,
    settings: Settings,
}

impl AllPlayAll {
    /// The all-play-all of `entrants` as a contest's stage number `stage`.
    ///
    /// # Errors
    /// When an entrant is named twice or a match has no games.
    pub fn new(stage: u8, entrants: &[EntrantId], settings: Settings) -> Result<AllPlayAll, FormatError> {
        distinct(entrants)?;
        settings.series.check(entrants.len() * entrants.len().saturating_sub(1) / 2)?;
        Ok(AllPlayAll { stage, entrants: entrants.to_vec(), settings })
    }

    fn games(&self) -> impl Iterator<Item = Game> + '_ {
        circle(self.entrants.len()).flat_map(|(round, table, [a, b])| {
            let place = PairingId { stage: self.stage, round, table, game: 0 };
            self.settings.series.games(place, [self.entrants[a], self.entrants[b]])
        })
    }
}

impl Format for AllPlayAll {
    fn plan(&self, done: &Results) -> Plan {
        Plan::of(self.games().filter(|game| done.get(game.id).is_none()).map(Game::pairing))
    }

    fn columns(&self) -> Vec<&'static str> {
        let head_to_head = self.settings.head_to_head.then_some(HEAD_TO_HEAD);
        self.settings.scoring.columns().iter().copied().chain(head_to_head).collect()
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let scoring = &self.settings.scoring;
        let played = || self.games().filter_map(|game| game.played(done));
        let table = scoring.table(&self.entrants, played());
        match self.settings.head_to_head {
            true => settle_head_to_head(scoring, table, played()),
            false => rank(table),
        }
    }

    fn further_tables(&self, done: &Results) -> Vec<Table> {
        let played = || self.games().filter_map(|game| game.played(done));
        let table = |scoring: &Scoring| Table {
            columns: scoring.columns().to_vec(),
            standings: rank(scoring.table(&self.entrants, played())),
        };
        self.settings.shown.iter().map(table).collect()
    }

    fn remarks(&self, _: &Results) -> Vec<Remark> {
        Vec::new()
    }
}

/// The circle method for `n`: every pair once, as (round, table, pair of indices), nobody twice in a round.
///
/// All but the last stand in a circle that turns by one a round, and opposite ones meet; the last meets
/// whoever has nobody opposite. An odd number makes the last a ghost, and its opponent rests.
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
