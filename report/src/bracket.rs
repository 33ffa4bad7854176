//! The rounds of a stage: two brackets, a knockout, or the groups of a Swiss system.
//!
//! [`StageProgress::rounds`](cornerman::contest::StageProgress::rounds) has the same type for all formats. Formats in
//! which everyone plays everyone have a [cross-table](crate::crosstable) instead.

use crate::style::{lines, table};
use crate::{SCHEMA, Style, Tournament};
use cornerman::format::{Match, Part, Round, Rounds, Side};
use serde_json::{Value, json};

/// The rounds as text, with a line for each match.
pub fn text(rounds: &Rounds, tournament: &Tournament, style: Style) -> String {
    let mut text = String::new();
    for round in &rounds.list {
        text += &style.heading(&title(round));
        text.push('\n');
        for part in &round.parts {
            if let Some(title) = part.title {
                text += &format!(" {title}\n");
            }
            let matches = part.matches.iter().map(|one| line(tournament, one));
            let byes = part.byes.iter().map(|&id| vec!["bye".to_string(), tournament.name(id)]);
            let mut rows: Vec<Vec<String>> = matches.chain(byes).collect();
            let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
            for row in &mut rows {
                row.resize(columns, String::new());
            }
            text += &lines(&table(&[], |_| false, &rows), style);
        }
    }
    text
}

/// A round's title, in the terminal and on the page: `Round 2, board 5`, or `Round 2` if the round as a whole has no
/// board. Both numbers count from 1.
pub fn title(round: &Round) -> String {
    let board = round.board.map(|board| format!(", board {}", u64::from(board) + 1)).unwrap_or_default();
    format!("Round {}{board}", u32::from(round.number) + 1)
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
fn line(tournament: &Tournament, one: &Match) -> Vec<String> {
    let mut cells = vec![format!("m{}", one.table + 1)];
    match &one.sides[..] {
        [a, b] => {
            let result = match (one.over, one.winner) {
                (false, _) => "under way".to_string(),
                (true, None) => "tied".to_string(),
                (true, Some(winner)) => format!("{} wins", tournament.name(winner)),
            };
            let points = format!("({} : {})", a.points, b.points);
            let first = tournament.name(a.entrant);
            let second = tournament.name(b.entrant);
            cells.extend([first, format!("{} : {}", a.wins, b.wins), second, points, result]);
        }
        sides => {
            let side = |side: &Side| {
                if one.over {
                    format!("{} {}", tournament.name(side.entrant), side.points)
                } else {
                    tournament.name(side.entrant)
                }
            };
            cells.extend(sides.iter().map(side));
            cells.extend((!one.over).then(|| "under way".to_string()));
        }
    }
    cells.push(one.notes.join(", "));
    cells
}

#[cfg(test)]
mod tests;
