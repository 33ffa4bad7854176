//! Single elimination: the loser of a match is out. Byes and positions favour the best seeds.
//!
//! More games won decide a match, then more points. If both are equal, tie-break games follow, two at a time,
//! until they decide or all are played; then a lot decides.
//!
//! A match may start as soon as its two entrants are known, without waiting for the rest of its round. The tree is
//! rebuilt from the results each time: its n − 1 matches cost little compared with a single game.

mod tree;

use super::keys::{boards, fill_in_board, fill_in_boards, named};
use super::series::{Series, SeriesGame};
use super::{BoardNumber, Bounded, FormatSettings, GamesPerOrder, SettingsError, distinct, lot};
use crate::format::{
    Arrival, Departure, EntrantId, FormatError, GameId, Match, Plan, Results, Rounds, Schedule, ScheduleFacts,
    Side, StageInput, StageRemark, Standing, StandingsColumn, rank,
};
use crate::journal::Journal;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{Range, RangeInclusive};
use tree::KnockoutTree;

/// The settings of a knockout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct KnockoutSettings {
    /// The boards of the rounds, in order; after the last one they start over. By default one board.
    pub boards: Option<Vec<BoardNumber>>,
    /// The number of games in each order of play in a match; by default one.
    pub games_per_order: GamesPerOrder,
    /// Whether the losers of the semi-finals play for third place.
    pub third_place: bool,
    /// The most games that follow when wins and points are equal, an even number: in each two, each side is first once.
    /// By default two. After them a lot decides.
    pub tie_break_games: Bounded<0, 100>,
    /// The board of tie-break games; by default one of their own, because bots that always play alike would repeat the
    /// tie on the board of the match.
    pub tie_break_board: Option<BoardNumber>,
}

impl Default for KnockoutSettings {
    fn default() -> KnockoutSettings {
        KnockoutSettings {
            boards: None,
            games_per_order: GamesPerOrder::default(),
            third_place: false,
            tie_break_games: Bounded::new(2),
            tie_break_board: None,
        }
    }
}

impl FormatSettings for KnockoutSettings {
    fn games_per_order(&self) -> u32 {
        self.games_per_order.get()
    }

    fn fill_in_defaults(&mut self, _: &RangeInclusive<u8>, next_board: u32) -> Result<u32, SettingsError> {
        let after = fill_in_boards(&mut self.boards, 1, next_board)?;
        let games = self.tie_break_games.get();
        match (games, self.tie_break_board) {
            (0, None) => Ok(after),
            (0, Some(_)) => {
                let why = "`tie_break_board` requires `tie_break_games` of 2 or more";
                Err(SettingsError::new("tie_break_board", why))
            }
            _ if games % 2 == 1 => {
                let why = format!("{games} is odd: set an even number, so that each side is first equally often");
                Err(SettingsError::new("tie_break_games", why))
            }
            _ => fill_in_board(&mut self.tie_break_board, after),
        }
    }

    fn boards(&self, _: u8) -> Vec<Range<u32>> {
        named(self.boards.iter().flatten().chain(&self.tie_break_board))
    }

    fn schedule(&self, start: &StageInput) -> Result<Box<dyn Schedule>, FormatError> {
        Ok(Box::new(Knockout::new(start, self)?))
    }

    fn is_open_ended(&self) -> bool {
        self.tie_break_games.get() > 0
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
    tie_break_games: u16,
    tie_break_board: u32,
    /// The seed of the lots.
    lots: u64,
    /// The organizer's decisions: which bots have left, and which earlier lots hold.
    journal: Journal,
}

/// The criterion that decided a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Criterion {
    /// More games won.
    Wins,
    /// More points, with equal numbers of games won.
    Points,
    /// The games that followed because wins and points were equal.
    TieBreak,
    /// A lot, with all of these equal.
    Lot,
    /// A side left before all games were played.
    Walkover,
}

/// The games of a match that are played or due, and its totals so far.
struct MatchState {
    games: Vec<SeriesGame>,
    /// The number of games played.
    played: usize,
    sides: [Side; 2],
    /// The seed that won and what decided it; `None` while games are due.
    winner: Option<(usize, Criterion)>,
}

impl Knockout {
    /// The knockout of the entrants in `start`.
    ///
    /// # Errors
    /// When an entrant is listed twice or there are too many games.
    pub fn new(start: &StageInput, settings: &KnockoutSettings) -> Result<Knockout, FormatError> {
        distinct(start.entrants)?;
        let knockout = Knockout {
            stage: start.stage,
            entrants: start.entrants.to_vec(),
            boards: boards(settings.boards.as_deref(), 1, 0),
            games_per_order: settings.games_per_order.get() as u16,
            third_place: settings.third_place,
            tie_break_games: settings.tie_break_games.get() as u16,
            tie_break_board: settings.tie_break_board.map_or(0, |board| board.0),
            lots: start.seed,
            journal: start.journal.clone(),
        };
        knockout.series(0).check(start.entrants.len(), 2)?;
        Ok(knockout)
    }

    /// The series of games that a match of `round` consists of, without tie-break games.
    fn series(&self, round: u16) -> Series {
        let board = self.boards[usize::from(round) % self.boards.len()];
        Series { boards: vec![board], games_per_order: self.games_per_order }
    }

    /// The state of the match between two seeds, the better one first, at this place of the tree.
    fn state(&self, done: &Results, round: u16, table: u32, seeds: [usize; 2]) -> MatchState {
        let place = GameId { stage: self.stage, round, table, game: 0, attempt: 0 };
        let pair = seeds.map(|seed| self.entrants[seed]);
        let series = self.series(round);
        let regular = series.games_between(2);
        let mut state = MatchState { games: Vec::new(), played: 0, sides: pair.map(Side::new), winner: None };
        state.add(series.games(place, pair), done);
        let tie_breaks = Series::on([self.tie_break_board]);
        for first in (0..self.tie_break_games).step_by(2) {
            if !state.is_tied() {
                break;
            }
            let later = |game: SeriesGame| {
                let number = regular as u16 + first + game.id.game;
                SeriesGame { id: GameId { game: number, ..game.id }, ..game }
            };
            state.add(tie_breaks.games(place, pair).map(later), done);
        }
        let [one, other] = state.sides;
        let decided_by = if state.games.len() > regular {
            Criterion::TieBreak
        } else if one.wins != other.wins {
            Criterion::Wins
        } else {
            Criterion::Points
        };
        state.winner = (state.played == state.games.len()).then(|| match state.compare() {
            Ordering::Greater => (seeds[0], decided_by),
            Ordering::Less => (seeds[1], decided_by),
            Ordering::Equal => {
                let first = lot(self.lots, round, table);
                let mut drawn = [seeds[first], seeds[1 - first]];
                self.journal.keep_lots(self.stage, "", &mut drawn, |&seed| self.entrants[seed]);
                (drawn[0], Criterion::Lot)
            }
        });
        let left = pair.map(|entrant| self.journal.order_of_leaving(self.stage, entrant));
        if state.winner.is_none() && left != [None; 2] {
            // If both have left, the one that left later wins: this match was its walkover before it left.
            let [one, other] = left.map(|at| at.unwrap_or(usize::MAX));
            state.winner = Some((seeds[usize::from(one < other)], Criterion::Walkover));
        }
        state
    }

    fn tree(&self, done: &Results) -> KnockoutTree {
        KnockoutTree::build(self.entrants.len(), self.third_place, |round, table, seeds| {
            self.state(done, round, table, seeds).winner.map(|(winner, _)| winner)
        })
    }
}

impl MatchState {
    /// Adds `games` and their results.
    fn add(&mut self, games: impl Iterator<Item = SeriesGame>, done: &Results) {
        for game in games {
            self.games.push(game);
            let Some((seats, outcome)) = game.played(done) else { continue };
            self.played += 1;
            for side in &mut self.sides {
                side.add_game(&seats, outcome);
            }
        }
    }

    /// Compares the sides by games won, then by points.
    fn compare(&self) -> Ordering {
        let [one, other] = self.sides;
        (one.wins, one.points).cmp(&(other.wins, other.points))
    }

    /// Whether all games so far are played and decide nothing.
    fn is_tied(&self) -> bool {
        self.played == self.games.len() && self.compare() == Ordering::Equal
    }
}

impl Schedule for Knockout {
    fn plan(&self, done: &Results) -> Plan {
        let tree = self.tree(done);
        let open = tree.matches().filter(|m| m.winner.is_none());
        let games = open.flat_map(|m| self.state(done, m.round, m.table, m.seeds).games);
        Plan::from_games(games.filter(|game| done.outcome_of(game.id, 2).is_none()).map(SeriesGame::pairing))
    }

    /// The number of rounds survived, including byes; then, if third place is played for, whether the entrant won it.
    fn columns(&self) -> Vec<StandingsColumn> {
        let third_place = self.third_place.then_some(StandingsColumn::flag("third place"));
        [StandingsColumn::count("rounds")].into_iter().chain(third_place).collect()
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
            let state = self.state(done, m.round, m.table, m.seeds);
            let by = state.winner.and_then(|(_, by)| match by {
                Criterion::Wins => None,
                Criterion::Points => Some("by points"),
                Criterion::TieBreak => Some("by tie-break games"),
                Criterion::Lot => Some("by lot"),
                Criterion::Walkover => Some("walkover"),
            });
            let third_place = m.round == tree.last_round() && m.table == 1;
            let shown = Match {
                table: m.table,
                sides: state.sides.to_vec(),
                games: state.played as u32,
                over: state.winner.is_some(),
                winner: state.winner.map(|(seed, _)| self.entrants[seed]),
                notes: by.into_iter().chain(third_place.then_some("for third place")).collect(),
                ..Match::default()
            };
            (m.round, shown)
        };
        let seeds = Some(self.entrants.clone());
        Some(Rounds::from_matches(tree.matches().map(shown), &self.remarks(done), seeds))
    }

    fn remarks(&self, done: &Results) -> Vec<StageRemark> {
        let tree = self.tree(done);
        let byes = tree.byes().map(|seed| StageRemark::Bye { round: 0, entrant: self.entrants[seed] });
        let close = tree.matches().filter_map(|m| {
            let (winner, by) = self.state(done, m.round, m.table, m.seeds).winner?;
            let name = format!("round {}, match {}", m.round + 1, m.table + 1);
            let decided = match by {
                Criterion::Wins => return None,
                Criterion::Points => "by points: wins were equal",
                Criterion::TieBreak => "by tie-break games: wins and points were equal",
                Criterion::Walkover => "by a walkover",
                Criterion::Lot => {
                    let loser = m.seeds[usize::from(winner == m.seeds[0])];
                    let about = format!("{name}, where wins and points were equal");
                    return Some(StageRemark::Lot {
                        about,
                        order: [winner, loser].map(|seed| self.entrants[seed]).into(),
                    });
                }
            };
            Some(StageRemark::Note(format!("{name}: decided {decided}")))
        });
        byes.chain(close).collect()
    }

    fn facts(&self) -> ScheduleFacts {
        ScheduleFacts::new(Departure::Knockout, Arrival::Never)
    }
}

#[cfg(test)]
mod tests;
