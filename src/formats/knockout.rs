//! Single elimination: the loser of a match is out. Byes and positions favour the best seeds.
//!
//! A match may start as soon as its two entrants are known, without waiting for the rest of its round. The tree is
//! rebuilt from the results each time: its n − 1 matches cost little compared with a single game.

mod tree;

use super::keys::{boards, fill_in_boards};
use super::series::{Series, SeriesGame};
use super::{Board, FormatSettings, GamesPerOrder, SettingsError, distinct};
use crate::format::{
    Column, EntrantId, FormatError, GameId, Match, Plan, Remark, Results, Rounds, Schedule, Side, StageInput,
    Standing, rank,
};
use crate::game::Seat;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::RangeInclusive;
use tree::Tree;

/// The settings of a knockout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Settings {
    /// The boards of the rounds, in order; after the last one they start over. By default one board.
    pub boards: Option<Vec<Board>>,
    /// The number of games in each order of play in a match; by default one.
    pub games_per_order: GamesPerOrder,
    /// Whether the losers of the semi-finals play for third place.
    pub third_place: bool,
}

impl FormatSettings for Settings {
    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        fill_in_boards(&mut self.boards, 1, next_board)
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Knockout::new(start, self)?))
    }
}

/// A knockout whose entrants are known, the best seed first.
#[derive(Clone, Debug)]
pub struct Knockout {
    stage: u8,
    entrants: Vec<EntrantId>,
    boards: Vec<u32>,
    games_per_order: u16,
    third_place: bool,
}

/// What decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Criterion {
    /// More games won.
    Wins,
    /// More points, with equal numbers of games won.
    Points,
    /// The better seed, with equal numbers of games won and equal points.
    Seed,
}

impl Knockout {
    /// The knockout of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice or there are too many games.
    pub fn new(start: &StageInput, settings: &Settings) -> Result<Knockout, FormatError> {
        distinct(start.entrants)?;
        let knockout = Knockout {
            stage: start.stage,
            entrants: start.entrants.to_vec(),
            boards: boards(settings.boards.as_deref(), 1, 0),
            games_per_order: settings.games_per_order.get() as u16,
            third_place: settings.third_place,
        };
        knockout.series(0).check(start.entrants.len())?;
        Ok(knockout)
    }

    /// The series of games that a match of `round` consists of.
    fn series(&self, round: u16) -> Series {
        let board = self.boards[usize::from(round) % self.boards.len()];
        Series { boards: vec![board], games_per_order: self.games_per_order }
    }

    /// The games of the match between two seeds at this place of the tree.
    fn games(&self, round: u16, table: u32, seeds: [usize; 2]) -> Vec<SeriesGame> {
        let place = GameId { stage: self.stage, round, table, game: 0 };
        self.series(round).games(place, seeds.map(|seed| self.entrants[seed])).collect()
    }

    /// The games won and the points of each side of a match so far, and the number of games played.
    fn tally(&self, done: &Results, round: u16, table: u32, seeds: [usize; 2]) -> ([u32; 2], [i64; 2], u32) {
        let (mut wins, mut points, mut played) = ([0u32; 2], [0i64; 2], 0);
        for game in self.games(round, table, seeds) {
            let Some((seats, outcome)) = game.played(done) else { continue };
            played += 1;
            for (side, seed) in seeds.into_iter().enumerate() {
                let seat = Seat(u8::from(seats[0] != self.entrants[seed]));
                wins[side] += u32::from(outcome.winners().eq([seat]));
                points[side] += outcome.points[seat.index()];
            }
        }
        (wins, points, played)
    }

    /// The winner of a match and what decided it; `None` while games are missing. `seeds` has the better seed first.
    fn winner(&self, done: &Results, round: u16, table: u32, seeds: [usize; 2]) -> Option<(usize, Criterion)> {
        let (wins, points, played) = self.tally(done, round, table, seeds);
        let whole = played as usize == self.series(round).len();
        let by = if wins[0] != wins[1] { Criterion::Wins } else { Criterion::Points };
        whole.then(|| match wins[0].cmp(&wins[1]).then(points[0].cmp(&points[1])) {
            Ordering::Greater => (seeds[0], by),
            Ordering::Less => (seeds[1], by),
            Ordering::Equal => (seeds[0], Criterion::Seed),
        })
    }

    fn tree(&self, done: &Results) -> Tree {
        Tree::build(self.entrants.len(), self.third_place, |round, table, seeds| {
            self.winner(done, round, table, seeds).map(|(winner, _)| winner)
        })
    }
}

impl Schedule for Knockout {
    fn plan(&self, done: &Results) -> Plan {
        let tree = self.tree(done);
        let open = tree.matches().filter(|m| m.winner.is_none());
        let games = open.flat_map(|m| self.games(m.round, m.table, m.seeds));
        Plan::of(games.filter(|game| done.get(game.id).is_none()).map(SeriesGame::pairing))
    }

    /// The number of rounds survived, including byes; then, if third place is played for, whether the entrant won it.
    fn columns(&self) -> Vec<Column> {
        let third_place = self.third_place.then_some(Column::flag("third place"));
        [Column::count("rounds")].into_iter().chain(third_place).collect()
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let tree = self.tree(done);
        let row = |(seed, &id): (usize, &EntrantId)| {
            let mut figures = vec![tree.rounds_survived(seed)];
            if self.third_place {
                figures.push(i64::from(tree.third_place() == Some(seed)));
            }
            (id, figures)
        };
        rank(self.entrants.iter().enumerate().map(row).collect())
    }

    fn rounds(&self, done: &Results) -> Option<Rounds> {
        let tree = self.tree(done);
        let shown = |m: tree::KnockoutMatch| {
            let (wins, points, games) = self.tally(done, m.round, m.table, m.seeds);
            let side =
                |at: usize| Side { entrant: self.entrants[m.seeds[at]], wins: wins[at], points: points[at] };
            let winner = self.winner(done, m.round, m.table, m.seeds);
            let by = winner.and_then(|(_, by)| match by {
                Criterion::Wins => None,
                Criterion::Points => Some("by points"),
                Criterion::Seed => Some("the better seed"),
            });
            let third_place = m.round == tree.last_round() && m.table == 1;
            let shown = Match {
                table: m.table,
                sides: vec![side(0), side(1)],
                games,
                over: winner.is_some(),
                winner: winner.map(|(seed, _)| self.entrants[seed]),
                notes: by.into_iter().chain(third_place.then_some("for third place")).collect(),
            };
            (m.round, shown)
        };
        Some(Rounds::of(tree.matches().map(shown), &self.remarks(done), true))
    }

    fn remarks(&self, done: &Results) -> Vec<Remark> {
        let tree = self.tree(done);
        let byes = tree.byes().map(|seed| Remark::Bye { round: 0, entrant: self.entrants[seed] });
        let close = tree.matches().filter_map(|m| {
            let decided = match self.winner(done, m.round, m.table, m.seeds)?.1 {
                Criterion::Wins => return None,
                Criterion::Points => "by points: wins were equal",
                Criterion::Seed => "for the better seed: wins and points were equal",
            };
            Some(Remark::Note(format!("round {}, match {}: decided {decided}", m.round + 1, m.table + 1)))
        });
        byes.chain(close).collect()
    }
}

#[cfg(test)]
mod tests;
