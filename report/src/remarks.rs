//! What was notable about games: remarks (byes, lots, repeats, fillers, notes), forfeits with their reasons, and games
//! that could not be played because the kit or the machine failed.

use crate::doc::{At, Cell, Column, Line, Section, Table, row};
use crate::{SCHEMA, Tournament, count};
use cornerman::format::{EntrantId, Remark};
use cornerman_harness::record::{Forfeit, Unplayed};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most games named for one fault of one entrant, or for one reason.
const GAMES_NAMED: usize = 3;

/// A line for each remark of a stage, numbered from 0.
pub fn lines(tournament: &Tournament, stage: u8) -> Vec<Line> {
    let progress = tournament.progress.get(usize::from(stage));
    let remarks = progress.map_or(Vec::new(), |progress| progress.remarks(tournament.results));
    remarks.iter().map(line).collect()
}

/// One remark, with its entrants.
pub(crate) fn line(remark: &Remark) -> Line {
    let round = |round: &u16| Line::from(format!("round {}: ", u32::from(*round) + 1));
    match remark {
        Remark::Bye { round: at, entrant } => round(at).then(*entrant).then(" has a bye"),
        Remark::Repeat { round: at, pair: (a, b) } => {
            round(at).then(*a).then(" and ").then(*b).then(" meet again: nothing else was possible")
        }
        Remark::Filler { round: at, entrant } => {
            round(at).then("the organizer's ").then(*entrant).then(" fills an empty seat")
        }
        Remark::Lot { about, order } => {
            Line::from(format!("lots drawn for {about}: ")).then(Line::joined(order.iter().copied(), ", "))
        }
        Remark::Note(note) => note.as_str().into(),
    }
}

/// Forfeits by entrant and kind, with the reason for the first and the games; `None` if there were none.
pub fn forfeits(forfeits: &[Forfeit]) -> Option<Section> {
    let mut by_kind = BTreeMap::<_, Vec<&Forfeit>>::new();
    for forfeit in forfeits {
        by_kind.entry((forfeit.entrant, &forfeit.kind)).or_default().push(forfeit);
    }
    let row = |((id, kind), all): (&(EntrantId, &String), &Vec<&Forfeit>)| {
        let games = all.iter().map(|forfeit| Cell::Game(forfeit.id, Some(At::Forfeit(forfeit.number))));
        row![*id, kind.as_str(), all.len(), Line::first_of(games, GAMES_NAMED), all[0].detail.as_str()]
    };
    let columns = [
        Column::name("name"),
        Column::text("fault"),
        Column::number("times"),
        Column::text("games"),
        Column::wide("reason (for the first)"),
    ];
    let table = Table::new("", columns).rows(by_kind.iter().map(row));
    let section = Section::new("forfeits", count(forfeits.len(), "forfeit")).named("Forfeits");
    (!forfeits.is_empty()).then(|| section.with(table))
}

/// The games that could not be played, by reason; `None` if there were none.
pub fn unplayed(games: &[Unplayed]) -> Option<Section> {
    let mut by_reason = BTreeMap::<&str, Vec<&Unplayed>>::new();
    for game in games {
        by_reason.entry(&game.why).or_default().push(game);
    }
    let row = |(why, games): (&str, Vec<&Unplayed>)| {
        let attempts: u64 = games.iter().map(|game| u64::from(game.attempts)).sum();
        // They cannot be replayed.
        let games = games.iter().map(|game| game.id.to_string());
        row![Line::first_of(games, GAMES_NAMED), attempts, why]
    };
    let columns = [Column::name("games"), Column::number("attempts"), Column::wide("why (the last time)")];
    let table = Table::new("", columns).rows(by_reason.into_iter().map(row));
    let title = format!("{} could not be played", count(games.len(), "game"));
    (!games.is_empty()).then(|| Section::new("unplayed", title).named("Not played").with(table))
}

/// A list of the games that could not be played, each with its number of attempts and the reason.
pub fn unplayed_json(unplayed: &[Unplayed]) -> Value {
    let one = |game: &Unplayed| json!({ "game": game.id.to_string(), "attempts": game.attempts, "why": game.why });
    unplayed.iter().map(one).collect()
}

/// Remarks with their stages; forfeits with their games.
pub fn json(tournament: &Tournament, forfeits: &[Forfeit]) -> Value {
    let mut remarks = Vec::new();
    for (stage, progress) in tournament.stages() {
        for remark in progress.remarks(tournament.results) {
            let mut value = remark_json(&remark);
            value["stage"] = json!(stage);
            value["words"] = json!(crate::doc::words(&line(&remark), tournament.entrants));
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

#[cfg(test)]
mod tests;
