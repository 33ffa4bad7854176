//! The rounds of a stage: two brackets, a knockout, or the groups of a Swiss system.
//!
//! [`StageProgress::rounds`](cornerman::contest::StageProgress::rounds) has the same type for all of these. Other
//! formats, such as everyone against everyone, have a [cross-table](crate::crosstable) instead.

use crate::Tournament;
use crate::doc::{Block, Cell, Column, Line, Section, Table, TableLayout, row};
use crate::json::EntrantJson;
use cornerman::format::{EntrantId, Match, Part, Round, Rounds, Side};
use schemars::JsonSchema;
use serde::Serialize;

/// The rounds of a stage, numbered from 0.
pub(crate) fn block(stage: u8, rounds: Rounds) -> Block {
    let parts = rounds.list.iter().map(section).collect();
    Block::Rounds { stage, rounds, parts }
}

/// A round with a table for each of its parts, which has a row for each match.
fn section(round: &Round) -> Section {
    let mut section = Section::new("", crate::round_title(round));
    for part in &round.parts {
        let table = table(part);
        section = match part.title {
            Some(title) => section.with(Section::new("", title).with(table)),
            None => section.with(table),
        };
    }
    section
}

/// A table of the matches and byes of a part; shorter rows are filled with empty cells.
fn table(part: &Part) -> Table {
    let byes = part.byes.iter().map(|&id| row!["bye", id]);
    let mut rows: Vec<Vec<Cell>> = part.matches.iter().map(row_of_match).chain(byes).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut rows {
        row.resize(width, Cell::EMPTY);
    }
    let columns = [Column::name("match")].into_iter().chain((1..width).map(|_| Column::text("")));
    Table { layout: TableLayout::Bare, ..Table::new("", columns).rows(rows) }
}

/// A round.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RoundJson {
    /// Its number.
    pub round: u32,
    /// The board of all its games, if it has one.
    pub board: Option<u64>,
    /// Its brackets, or a single part.
    pub parts: Vec<PartJson>,
}

/// A part of a round.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PartJson {
    /// The name of the bracket, if there are several.
    pub bracket: Option<&'static str>,
    /// Its matches.
    pub matches: Vec<MatchJson>,
    /// The entrants without an opponent.
    pub byes: Vec<EntrantJson>,
}

/// A match, or a game of more than two.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MatchJson {
    /// Its number in the round.
    #[serde(rename = "match")]
    pub number: u32,
    /// The sides; more than two are in the order of their results.
    pub sides: Vec<SideJson>,
    /// The number of games played so far.
    pub games: u32,
    /// Whether all its games have been played.
    pub over: bool,
    /// The only winner, if it has one.
    pub winner: Option<EntrantJson>,
    /// Remarks, such as `met before`.
    pub notes: Vec<&'static str>,
}

/// A side of a match.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SideJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// The games that it alone won.
    pub wins: u32,
    /// Its points.
    pub points: i64,
}

/// The rounds as JSON.
pub(crate) fn json(rounds: &Rounds, tournament: &Tournament) -> Vec<RoundJson> {
    let who = |&id: &EntrantId| tournament.entrant_json(id);
    let side = |side: &Side| SideJson { who: who(&side.entrant), wins: side.wins, points: side.points };
    let one = |one: &Match| MatchJson {
        number: one.table + 1,
        sides: one.sides.iter().map(side).collect(),
        games: one.games,
        over: one.over,
        winner: one.winner.as_ref().map(who),
        notes: one.notes.clone(),
    };
    let part = |part: &Part| PartJson {
        bracket: part.title,
        matches: part.matches.iter().map(one).collect(),
        byes: part.byes.iter().map(who).collect(),
    };
    let round = |round: &Round| RoundJson {
        round: u32::from(round.number) + 1,
        board: round.board.map(|board| u64::from(board) + 1),
        parts: round.parts.iter().map(part).collect(),
    };
    rounds.list.iter().map(round).collect()
}

/// The row of a match of two, such as `m1  gull  2 : 0  tern  (12 : 3)  gull wins`, or of a larger group: its members
/// with their points.
fn row_of_match(one: &Match) -> Vec<Cell> {
    let mut cells = row![format!("m{}", one.table + 1)];
    match &one.sides[..] {
        [a, b] => {
            let result = match (one.over, one.winner) {
                (false, _) => "under way".into(),
                (true, None) => "tied".into(),
                (true, Some(winner)) => Line::from(winner).then(" wins"),
            };
            let points = format!("({} : {})", a.points, b.points);
            cells.extend(row![a.entrant, format!("{} : {}", a.wins, b.wins), b.entrant, points, result]);
        }
        sides => {
            let side = |side: &Side| {
                let name = Line::from(side.entrant);
                if one.over { name.then(format!(" {}", side.points)) } else { name }
            };
            cells.extend(sides.iter().map(|one| side(one).into()));
            cells.extend((!one.over).then(|| "under way".into()));
        }
    }
    cells.push(one.notes.join(", ").into());
    cells
}

#[cfg(test)]
mod tests;
