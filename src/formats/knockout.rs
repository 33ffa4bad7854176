//! Single elimination: who loses a match is out. Byes and positions favour the best seeds.
//!
//! A match may start as soon as its two entrants are known, so nobody waits for a whole round. Everything is
//! computed from the results each time: a tree of n − 1 matches is nothing next to one game.

mod tree;

use super::distinct;
use super::series::{Game, Series};
use crate::format::{EntrantId, Format, FormatError, PairingId, Plan, Remark, Results, Standing, rank};
use crate::game::Seat;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use tree::Tree;

/// How the knockout is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The boards of the rounds, in order; after the last the first comes again.
    pub boards: Vec<u32>,
    /// How often each order of play is played in a match.
    pub games_per_order: u16,
    /// Whether the losers of the semi-finals play for third place.
    pub third_place: bool,
}

impl Default for Settings {
    /// Matches of two games on board 0 in all rounds, no match for third place.
    fn default() -> Settings {
        Settings { boards: vec![0], games_per_order: 1, third_place: false }
    }
}

/// A knockout of known entrants, given in the order of their seeding.
#[derive(Clone, Debug)]
pub struct Knockout {
    stage: u8,
    entrants: Vec<EntrantId>,
    settings: Settings,
}

/// A match whose two entrants are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The round, from 0.
    pub round: u16,
    /// Its number in the round, from 0: as in the names of its games.
    pub table: u32,
    /// Whether it is for third place.
    pub third_place: bool,
    /// Who plays, the better seed first.
    pub pair: [EntrantId; 2],
    /// Games won so far, by side.
    pub wins: [u32; 2],
    /// Points so far, by side.
    pub points: [i64; 2],
    /// Who won it and by what, once all games are played.
    pub winner: Option<(EntrantId, By)>,
}

/// What decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// More games won.
    Wins,
    /// As many games won, more points.
    Points,
    /// Equal in both: the better seed goes on.
    Seed,
}

impl Knockout {
    /// The knockout of `entrants`, the best seed first, as a contest's stage number `stage`.
    ///
    /// # Errors
    /// When an entrant is named twice or a match has no games.
    pub fn new(stage: u8, entrants: &[EntrantId], settings: Settings) -> Result<Knockout, FormatError> {
        distinct(entrants)?;
        if settings.boards.is_empty() {
            return Err(FormatError("a knockout without boards has no game: give `boards` at least one".into()));
        }
        let knockout = Knockout { stage, entrants: entrants.to_vec(), settings };
        knockout.series(0).check(entrants.len())?;
        Ok(knockout)
    }

    /// The games of a match of `round`.
    fn series(&self, round: u16) -> Series {
        let boards = &self.settings.boards;
        Series {
            boards: vec![boards[usize::from(round) % boards.len()]],
            games_per_order: self.settings.games_per_order,
        }
    }

    /// The games of the match of two seeds at a place of the tree.
    fn games(&self, round: u16, table: u32, seeds: [usize; 2]) -> Vec<Game> {
        let place = PairingId { stage: self.stage, round, table, game: 0 };
        self.series(round).games(place, seeds.map(|seed| self.entrants[seed])).collect()
    }

    /// The games won and the points of each side of a match so far, and whether all its games are played.
    fn tally(&self, done: &Results, round: u16, table: u32, seeds: [usize; 2]) -> ([u32; 2], [i64; 2], bool) {
        let (mut wins, mut points, mut whole) = ([0u32; 2], [0i64; 2], true);
        for game in self.games(round, table, seeds) {
            let Some((seats, outcome)) = game.played(done) else {
                whole = false;
                continue;
            };
            for (side, seed) in seeds.into_iter().enumerate() {
                let seat = Seat(u8::from(seats[0] != self.entrants[seed]));
                wins[side] += u32::from(outcome.winners().eq([seat]));
                points[side] += outcome.points[seat.index()];
            }
        }
        (wins, points, whole)
    }

    /// The seed that won the match, the better one first in `seeds`, and by what; none while games are missing.
    fn winner(&self, done: &Results, round: u16, table: u32, seeds: [usize; 2]) -> Option<(usize, By)> {
        let (wins, points, whole) = self.tally(done, round, table, seeds);
        let by = if wins[0] != wins[1] { By::Wins } else { By::Points };
        whole.then(|| match wins[0].cmp(&wins[1]).then(points[0].cmp(&points[1])) {
            Ordering::Greater => (seeds[0], by),
            Ordering::Less => (seeds[1], by),
            Ordering::Equal => (seeds[0], By::Seed),
        })
    }

    /// Every match whose entrants are known, round by round, that for third place last: what it takes to draw the
    /// tree.
    pub fn matches(&self, done: &Results) -> Vec<Match> {
        let tree = self.tree(done);
        let last = tree.last_round();
        let shown = |m: tree::Match| {
            let (wins, points, _) = self.tally(done, m.round, m.table, m.seeds);
            let winner = self.winner(done, m.round, m.table, m.seeds).map(|(seed, by)| (self.entrants[seed], by));
            let third_place = m.round == last && m.table == 1;
            let pair = m.seeds.map(|seed| self.entrants[seed]);
            Match { round: m.round, table: m.table, third_place, pair, wins, points, winner }
        };
        tree.matches().map(shown).collect()
    }

    fn tree(&self, done: &Results) -> Tree {
        Tree::grow(self.entrants.len(), self.settings.third_place, |round, table, seeds| {
            self.winner(done, round, table, seeds).map(|(winner, _)| winner)
        })
    }
}

impl Format for Knockout {
    fn plan(&self, done: &Results) -> Plan {
        let tree = self.tree(done);
        let open = tree.matches().filter(|m| m.winner.is_none());
        let games = open.flat_map(|m| self.games(m.round, m.table, m.seeds));
        Plan::of(games.filter(|game| done.get(game.id).is_none()).map(Game::pairing))
    }

    /// Rounds survived, byes included; then, if it is played, whether the match for third place was won.
    fn columns(&self) -> Vec<&'static str> {
        match self.settings.third_place {
            true => vec!["rounds", "third place"],
            false => vec!["rounds"],
        }
    }

    fn standings(&self, done: &Results) -> Vec<Standing> {
        let tree = self.tree(done);
        let row = |(seed, &id): (usize, &EntrantId)| {
            let mut figures = vec![tree.survived(seed)];
            if self.settings.third_place {
                figures.push(i64::from(tree.third() == Some(seed)));
            }
            (id, figures)
        };
        rank(self.entrants.iter().enumerate().map(row).collect())
    }

    fn remarks(&self, done: &Results) -> Vec<Remark> {
        let tree = self.tree(done);
        let byes = tree.byes().map(|seed| Remark::Bye { round: 0, entrant: self.entrants[seed] });
        let close = tree.matches().filter_map(|m| {
            let decided = match self.winner(done, m.round, m.table, m.seeds)?.1 {
                By::Wins => return None,
                By::Points => "by points: wins were equal",
                By::Seed => "for the better seed: wins and points were equal",
            };
            Some(Remark::Note(format!("round {}, match {}: decided {decided}", m.round + 1, m.table + 1)))
        });
        byes.chain(close).collect()
    }
}

#[cfg(test)]
mod tests;
