//! The rounds of a stage: two brackets, a knockout, or the groups of a Swiss system.
//!
//! [`StageProgress::rounds`](cornerman::contest::StageProgress::rounds) has the same type for all formats. Formats in
//! which everyone plays everyone have a [cross-table](crate::crosstable) instead.

use crate::doc::{Block, Cell, Column, Layout, Line, Section, Table, row};
use crate::{SCHEMA, Tournament};
use cornerman::format::{Match, Part, Round, Rounds, Side};
use serde_json::{Value, json};

/// The rounds of a stage, numbered from 0.
pub fn block(stage: u8, rounds: Rounds) -> Block {
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

fn table(part: &Part) -> Table {
    let byes = part.byes.iter().map(|&id| row!["bye", id]);
    let mut rows: Vec<Vec<Cell>> = part.matches.iter().map(line).chain(byes).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in &mut rows {
        row.resize(width, Cell::EMPTY);
    }
    let columns = [Column::name("match")].into_iter().chain((1..width).map(|_| Column::text("")));
    Table { layout: Layout::Bare, ..Table::new("", columns).rows(rows) }
}

/// The rounds as JSON, each with its parts (the brackets), their matches or groups, and byes. Rounds, boards and
/// matches count from 0.
pub fn json(rounds: &Rounds, tournament: &Tournament) -> Value {
    let side = |side: &Side| {
        let mut value = tournament.entrant_json(side.entrant);
        value["wins"] = json!(side.wins);
        value["points"] = json!(side.points);
        value
    };
    let one = |one: &Match| {
        json!({
            "match": one.table,
            "sides": one.sides.iter().map(side).collect::<Vec<_>>(),
            "games": one.games,
            "over": one.over,
            "winner": one.winner.map(|id| id.0),
            "notes": one.notes,
        })
    };
    let part = |part: &Part| {
        json!({
            "bracket": part.title,
            "matches": part.matches.iter().map(one).collect::<Vec<_>>(),
            "byes": part.byes.iter().map(|&id| tournament.entrant_json(id)).collect::<Vec<_>>(),
        })
    };
    let round = |round: &Round| {
        json!({
            "round": round.number,
            "board": round.board,
            "parts": round.parts.iter().map(part).collect::<Vec<_>>(),
        })
    };
    json!({ "schema": SCHEMA, "rounds": rounds.list.iter().map(round).collect::<Vec<_>>() })
}

/// The cells of a match of two, as in `m1  gull  2 : 0  tern  (12 : 3)  gull wins`, or of a larger group: its members
/// with their points.
fn line(one: &Match) -> Vec<Cell> {
    let mut cells = row![format!("m{}", one.table + 1)];
    match &one.sides[..] {
        [a, b] => {
            let result = match (one.over, one.winner) {
                (false, _) => "under way".into(),
                (true, None) => "tied".into(),
                (true, Some(winner)) => Line::default().then(winner).then(" wins"),
            };
            let points = format!("({} : {})", a.points, b.points);
            cells.extend(row![a.entrant, format!("{} : {}", a.wins, b.wins), b.entrant, points, result]);
        }
        sides => {
            let side = |side: &Side| {
                let name = Line::default().then(side.entrant);
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
