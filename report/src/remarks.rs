//! Remarks (byes, lots, repeats, fillers, notes), and forfeits with reasons.

use crate::plain;
use crate::style::{count, lines, table};
use crate::{SCHEMA, Style, Tournament};
use cornerman::format::{EntrantId, GameId, Remark};
use cornerman_harness::record::Forfeit;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most games named for one fault of one entrant.
const GAMES_NAMED: usize = 3;

/// Byes, lots, repeats, fillers and notes, stage by stage; empty if there are none.
pub fn text(tournament: &Tournament, style: Style) -> String {
    let mut text = String::new();
    for (stage, progress) in tournament.stages() {
        let remarks = progress.remarks(tournament.results);
        if !remarks.is_empty() {
            text += &style.heading(&tournament.stage_title(stage));
            text.push('\n');
        }
        for remark in remarks {
            text += &format!(" {}\n", in_words(tournament, &remark));
        }
    }
    text
}

/// One remark, with the names of its entrants.
pub fn in_words(tournament: &Tournament, remark: &Remark) -> String {
    let name = |id: &EntrantId| tournament.name(*id);
    let round = |round: &u16| u32::from(*round) + 1;
    match remark {
        Remark::Bye { round: at, entrant } => format!("round {}: {} has a bye", round(at), name(entrant)),
        Remark::Repeat { round: at, pair: (a, b) } => {
            format!("round {}: {} and {} meet again: nothing else was possible", round(at), name(a), name(b))
        }
        Remark::Filler { round: at, entrant } => {
            format!("round {}: the organizer's {} fills an empty seat", round(at), name(entrant))
        }
        Remark::Lot { about, order } => {
            let order: Vec<String> = order.iter().map(name).collect();
            format!("lots drawn for {}: {}", plain(about), order.join(", "))
        }
        Remark::Note(note) => plain(note),
    }
}

/// Forfeits by entrant and kind, with the reason for the first and the games. Empty if there are none.
pub fn forfeits_text(tournament: &Tournament, forfeits: &[Forfeit], style: Style) -> String {
    if forfeits.is_empty() {
        return String::new();
    }
    let mut by_kind = BTreeMap::<_, Vec<&Forfeit>>::new();
    for forfeit in forfeits {
        by_kind.entry((forfeit.entrant, &forfeit.kind)).or_default().push(forfeit);
    }
    let row = |((id, kind), all): (&(EntrantId, &String), &Vec<&Forfeit>)| {
        let games = named(all.iter().map(|forfeit| forfeit.id));
        vec![tournament.name(*id), plain(kind), all.len().to_string(), games, plain(&all[0].detail)]
    };
    let header = ["name", "fault", "times", "games", "reason (for the first)"].map(String::from);
    let rows: Vec<Vec<String>> = by_kind.iter().map(row).collect();
    let heading = style.heading(&count(forfeits.len(), "forfeit"));
    format!("{heading}\n{}", lines(&table(&header, |at| at == 2, &rows), style))
}

/// Remarks with their stages; forfeits with their games.
pub fn json(tournament: &Tournament, forfeits: &[Forfeit]) -> Value {
    let mut remarks = Vec::new();
    for (stage, progress) in tournament.stages() {
        for remark in progress.remarks(tournament.results) {
            let mut value = remark_json(&remark);
            value["stage"] = json!(stage);
            value["words"] = json!(in_words(tournament, &remark));
            remarks.push(value);
        }
    }
    let forfeit_json = |forfeit: &Forfeit| {
        let mut value = tournament.entrant_json(forfeit.entrant);
        value["game"] = json!(forfeit.id.to_string());
        value["seat"] = json!(forfeit.seat.0);
        value["move"] = json!(forfeit.number);
        value["kind"] = json!(forfeit.kind);
        value["detail"] = json!(forfeit.detail);
        value
    };
    let forfeits: Vec<Value> = forfeits.iter().map(forfeit_json).collect();
    json!({ "schema": SCHEMA, "remarks": remarks, "forfeits": forfeits })
}

fn remark_json(remark: &Remark) -> Value {
    match remark {
        Remark::Bye { round, entrant } => json!({ "kind": "bye", "round": round, "entrants": [entrant.0] }),
        Remark::Repeat { round, pair: (a, b) } => {
            json!({ "kind": "repeat", "round": round, "entrants": [a.0, b.0] })
        }
        Remark::Filler { round, entrant } => json!({ "kind": "filler", "round": round, "entrants": [entrant.0] }),
        Remark::Lot { about, order } => {
            let order: Vec<u16> = order.iter().map(|id| id.0).collect();
            json!({ "kind": "lot", "about": about, "entrants": order })
        }
        Remark::Note(_) => json!({ "kind": "note" }),
    }
}

/// `s1/r1/m2/g1, s1/r2/m1/g1 and 4 more`.
pub(crate) fn named(games: impl ExactSizeIterator<Item = GameId>) -> String {
    let more = games.len().saturating_sub(GAMES_NAMED);
    let names: Vec<String> = games.take(GAMES_NAMED).map(|id| id.to_string()).collect();
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests;
