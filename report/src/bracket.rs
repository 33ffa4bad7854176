//! The rounds of a stage: the two brackets of the finals, a knockout, the groups of a Swiss system.
//!
//! [`Rounds::of`] brings them all into one form, which text and JSON are written from. Formats in which everyone
//! plays everyone have a [cross-table](crate::crosstable) instead.

mod rounds;

pub use rounds::{Group, Part, Round, Rounds, Side};

use crate::style::{lines, table};
use crate::{SCHEMA, Style, Tournament};
use serde_json::{Value, json};

impl Rounds {
    /// The rounds as text: a line a match.
    pub fn text(&self, tournament: &Tournament, style: Style) -> String {
        let mut text = String::new();
        for round in &self.0 {
            let board = round.board.map(|board| format!(", board {board}")).unwrap_or_default();
            text += &style.heading(&format!("Round {}{board}", u32::from(round.number) + 1));
            text.push('\n');
            for part in &round.parts {
                if let Some(title) = part.title {
                    text += &format!(" {title}\n");
                }
                let groups = part.groups.iter().map(|group| line(tournament, group));
                let byes = part.byes.iter().map(|&id| vec!["bye".to_string(), tournament.name(id)]);
                let mut rows: Vec<Vec<String>> = groups.chain(byes).collect();
                let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
                rows.iter_mut().for_each(|row| row.resize(columns, String::new()));
                text += &lines(&table(&[], |_| false, &rows), style);
            }
        }
        text
    }

    /// The rounds, each with its parts (the brackets), their matches or groups, and byes.
    pub fn json(&self, tournament: &Tournament) -> Value {
        let side = |side: &Side| {
            let mut value = tournament.who(side.entrant);
            value["wins"] = json!(side.wins);
            value["points"] = json!(side.points);
            value
        };
        let group = |group: &Group| {
            json!({
                "match": group.table,
                "sides": group.sides.iter().map(side).collect::<Vec<_>>(),
                "games": group.games,
                "over": group.over,
                "winner": group.winner.map(|id| id.0),
                "notes": group.notes,
            })
        };
        let part = |part: &Part| {
            json!({
                "bracket": part.title,
                "matches": part.groups.iter().map(group).collect::<Vec<_>>(),
                "byes": part.byes.iter().map(|&id| tournament.who(id)).collect::<Vec<_>>(),
            })
        };
        let round = |round: &Round| {
            json!({
                "round": round.number,
                "board": round.board,
                "parts": round.parts.iter().map(part).collect::<Vec<_>>(),
            })
        };
        json!({ "schema": SCHEMA, "rounds": self.0.iter().map(round).collect::<Vec<_>>() })
    }
}

/// A match of two as `m1  gull  2 : 0  tern  12 : 3  gull wins`, a group as its members with their points.
fn line(tournament: &Tournament, group: &Group) -> Vec<String> {
    let mut cells = vec![format!("m{}", group.table + 1)];
    match &group.sides[..] {
        [a, b] => {
            let result = match (group.over, group.winner) {
                (false, _) => "under way".to_string(),
                (true, None) => "tied".to_string(),
                (true, Some(winner)) => format!("{} wins", tournament.name(winner)),
            };
            let points = format!("({} : {})", a.points, b.points);
            let (first, second) = (tournament.name(a.entrant), tournament.name(b.entrant));
            cells.extend([first, format!("{} : {}", a.wins, b.wins), second, points, result]);
        }
        sides => {
            let side = |side: &Side| match group.over {
                true => format!("{} {}", tournament.name(side.entrant), side.points),
                false => tournament.name(side.entrant),
            };
            cells.extend(sides.iter().map(side));
            cells.extend((!group.over).then(|| "under way".to_string()));
        }
    }
    cells.push(group.notes.join(", "));
    cells
}

#[cfg(test)]
mod tests;
