//! The cross-table: how often each entrant finished ahead of each other one, row against column. If many entrants took
//! part and only a few have met the others, such as the challengers of a gauntlet, only they have columns, and figures
//! are column against row.
//!
//! Games of any number of seats count: a seat wins against all seats with a worse place. A stage that counts
//! margins has a second table: the margins of all games of each pair together, and which of the two they favour (R9).

use crate::doc::{Cell, Column, Favour, Table, TableLayout, row};
use crate::json::EntrantJson;
use crate::{Tournament, count};
use cornerman::contest::StageProgress;
use cornerman::format::EntrantId;
use cornerman::formats::scoring::margin_over;
use cornerman::game::Seat;
use cornerman_harness::record::GameSummary;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The entrants of a stage, and how each did against each other one.
#[derive(Clone, Debug)]
pub(crate) struct Crosstable {
    /// The largest margin of a pair that is a tie; `None` if the stage does not count margins (R9).
    tie_margin: Option<u32>,
    /// The entrants of the rows: those in the standings in their order, then any others that played.
    order: Vec<EntrantId>,
    /// The meetings of each row with each column.
    cells: Vec<Vec<Meetings>>,
}

/// A cross-table as matrices, row by row.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CrosstableJson {
    /// The entrants of the rows and columns, in order.
    pub entrants: Vec<EntrantJson>,
    /// The wins of the row against the column.
    pub wins: Vec<Vec<i64>>,
    /// Their games.
    pub games: Vec<Vec<i64>>,
    /// The sums of the margins of all their games; null if the stage does not count margins (R9).
    pub margins: Option<Vec<Vec<i64>>>,
    /// The largest sum that is a tie.
    pub threshold: Option<u32>,
}

/// The games between two entrants, from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meetings {
    /// Games in which both played.
    pub games: u32,
    /// Games in which the first had the better place.
    pub wins: u32,
    /// The sum of the first one's margins over the other.
    pub margin: i64,
}

impl Meetings {
    /// Which entrant the sum of margins favours, with the strongest favour; neither if it is at most `tie` points (R9).
    fn by_margin(self, tie: u32) -> Favour {
        match self.margin {
            margin if margin.unsigned_abs() <= u64::from(tie) => Favour::EVEN,
            0.. => Favour::Step(Favour::STEPS - 1),
            _ => Favour::Step(0),
        }
    }

    /// Which entrant these meetings favour. `other` are the same meetings from the other's view; equal places count
    /// half.
    fn favour(self, other: Meetings) -> Favour {
        if self.wins == other.wins {
            return Favour::EVEN;
        }
        let last = u32::from(Favour::STEPS) - 1;
        let twice_the_score = self.games + self.wins - other.wins;
        // Rounded to the nearest step. Only equal wins are in the middle.
        let mut step = (twice_the_score * last + self.games) / (2 * self.games);
        if step == last / 2 {
            step = if self.wins > other.wins { step + 1 } else { step - 1 };
        }
        Favour::Step(step as u8)
    }
}

/// The figure that a table shows for each pair.
#[derive(Clone, Copy)]
enum ShownFigure {
    /// Wins, or `wins/games` if not all pairs have met equally often.
    Wins,
    /// The sum of the margins of all games, which is a tie up to this threshold (R9).
    Margins(u32),
}

impl Crosstable {
    /// The cross-table of a stage, numbered from 0, with `games`; games of other stages are ignored.
    pub(crate) fn from_games(tournament: &Tournament, stage: u8, games: &[GameSummary]) -> Crosstable {
        let games: Vec<&GameSummary> = games.iter().filter(|game| game.pairing.id.stage == stage).collect();
        let progress = tournament.progress.get(usize::from(stage));
        let standings = progress.map_or_else(Vec::new, |progress| progress.standings(tournament.results));
        let mut order: Vec<EntrantId> = standings.iter().map(|standing| standing.entrant).collect();
        let mut rows: BTreeMap<EntrantId, usize> = order.iter().copied().zip(0..).collect();
        for id in games.iter().flat_map(|game| &game.pairing.seats) {
            rows.entry(*id).or_insert_with(|| {
                order.push(*id);
                order.len() - 1
            });
        }
        let mut cells = vec![vec![Meetings::default(); order.len()]; order.len()];
        for GameSummary { pairing, outcome, .. } in games {
            let rows: Vec<usize> = pairing.seats.iter().map(|id| rows[id]).collect();
            for (seat, &row) in rows.iter().enumerate() {
                for (other, &column) in rows.iter().enumerate().filter(|&(other, _)| other != seat) {
                    let meetings = &mut cells[row][column];
                    meetings.games += 1;
                    meetings.wins += u32::from(outcome.places[seat] < outcome.places[other]);
                    meetings.margin += margin_over(outcome, Seat(seat as u8), Seat(other as u8));
                }
            }
        }
        Crosstable { tie_margin: progress.and_then(StageProgress::tie_margin), order, cells }
    }

    /// The rows of the entrants that have columns. That is all of them, unless the table is large and only a few have
    /// met at least half of the entrants and took part in every meeting. Then only these few have columns.
    fn columns(&self) -> Vec<usize> {
        /// The fewest entrants of a large table.
        const LARGE: usize = 10;
        let n = self.order.len();
        let have_met = |row: usize, other: usize| self.cells[row][other].games > 0;
        let opponents = |row: usize| (0..n).filter(|&other| have_met(row, other)).count();
        let (few, others): (Vec<usize>, Vec<usize>) = (0..n).partition(|&row| 2 * opponents(row) >= n);
        let others_met = others.iter().any(|&row| others.iter().any(|&other| have_met(row, other)));
        let has_all = n < LARGE || few.is_empty() || 2 * few.len() >= n || others_met;
        if has_all { (0..n).collect() } else { few }
    }

    /// The tables: of wins and, if the stage counts margins, of margins (R9).
    pub(crate) fn tables(&self) -> Vec<Table> {
        let margins = self.tie_margin.map(ShownFigure::Margins);
        [ShownFigure::Wins].into_iter().chain(margins).map(|shown| self.table(shown)).collect()
    }

    fn table(&self, shown: ShownFigure) -> Table {
        let games = self.games_a_pair();
        let columns = self.columns();
        // If only a few entrants have columns, cells show the column's results against the row.
        let is_transposed = columns.len() < self.order.len();
        let [own, other] = if is_transposed { ["column", "row"] } else { ["row", "column"] };
        let caption = match (shown, games) {
            (ShownFigure::Wins, Some(games)) => {
                format!("wins of the {own} against the {other}, in {}", count(games, "game"))
            }
            (ShownFigure::Wins, None) => format!("wins of the {own} against the {other} / games"),
            (ShownFigure::Margins(tie), _) => {
                format!("margins of the {own} over the {other}, all games together; up to {tie} a tie (R9)")
            }
        };
        let titled = |&at: &usize| Column { entrant: Some(self.order[at]), ..Column::number(at + 1) };
        let heads = [Column::number(""), Column::name("name")].into_iter().chain(columns.iter().map(titled));
        let cell = |at: usize, column: usize| {
            let (of, against) = if is_transposed { (column, at) } else { (at, column) };
            let own = self.cells[of][against];
            let figure = match (shown, own.games, games) {
                _ if column == at => return Cell::Against(Box::new("·".into()), Favour::Same),
                (_, 0, _) => return Cell::EMPTY,
                (ShownFigure::Margins(_), ..) => own.margin.to_string(),
                (ShownFigure::Wins, _, Some(_)) => own.wins.to_string(),
                (ShownFigure::Wins, games, None) => format!("{}/{games}", own.wins),
            };
            let favour = match shown {
                ShownFigure::Wins => own.favour(self.cells[against][of]),
                ShownFigure::Margins(tie) => own.by_margin(tie),
            };
            Cell::Against(Box::new(Cell::Meetings([self.order[of], self.order[against]], figure)), favour)
        };
        let row = |(at, id): (usize, &EntrantId)| {
            row![at + 1, *id].into_iter().chain(columns.iter().map(|&column| cell(at, column))).collect()
        };
        let table = Table::new(caption, heads).rows(self.order.iter().enumerate().map(row));
        Table { layout: TableLayout::Matrix, ..table }
    }

    /// The table as matrices, row by row in the order of `entrants`.
    pub(crate) fn json(&self, tournament: &Tournament) -> CrosstableJson {
        let matrix = |of: fn(&Meetings) -> i64| -> Vec<Vec<i64>> {
            self.cells.iter().map(|row| row.iter().map(of).collect()).collect()
        };
        CrosstableJson {
            entrants: self.order.iter().map(|&id| tournament.entrant_json(id)).collect(),
            wins: matrix(|meetings| meetings.wins.into()),
            games: matrix(|meetings| meetings.games.into()),
            margins: self.tie_margin.map(|_| matrix(|meetings| meetings.margin)),
            threshold: self.tie_margin,
        }
    }

    /// The number of games of each pair, if it is the same for all pairs that have met.
    fn games_a_pair(&self) -> Option<u32> {
        let mut met = self.cells.iter().flatten().map(|meetings| meetings.games).filter(|&games| games > 0);
        let first = met.next()?;
        met.all(|games| games == first).then_some(first)
    }
}

#[cfg(test)]
mod tests;
