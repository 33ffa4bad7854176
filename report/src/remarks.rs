//! Remarks (byes, lots, repeats, fillers, notes) and incidents (forfeits with reasons, void attempts).

use crate::plain;
use crate::style::{count, lines, table};
use crate::{SCHEMA, Style, Tournament};
use cornerman::format::{EntrantId, GameId, Remark};
use cornerman_harness::record::{Incident, IncidentKind};
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

/// Forfeits by entrant and kind, with the reason for the first and the games; then void attempts. Empty if there are
/// none.
pub fn incidents_text(tournament: &Tournament, incidents: &[Incident], style: Style) -> String {
    let mut forfeits = BTreeMap::<_, Vec<&Incident>>::new();
    let mut voids = BTreeMap::<_, Vec<&Incident>>::new();
    for incident in incidents {
        match &incident.what {
            IncidentKind::Forfeit { kind, .. } => {
                forfeits.entry((incident.entrant, kind)).or_default().push(incident);
            }
            IncidentKind::Void { .. } => voids.entry(incident.entrant).or_default().push(incident),
        }
    }
    let mut text = String::new();
    if !forfeits.is_empty() {
        let all = forfeits.values().map(Vec::len).sum();
        text += &format!("{}\n", style.heading(&count(all, "forfeit")));
        let row = |((id, kind), all): (&(EntrantId, &String), &Vec<&Incident>)| {
            let reason = match &all[0].what {
                IncidentKind::Forfeit { detail, .. } => plain(detail),
                IncidentKind::Void { .. } => String::new(),
            };
            vec![tournament.name(*id), plain(kind), all.len().to_string(), named(ids(all)), reason]
        };
        let header = ["name", "fault", "times", "games", "reason (for the first)"].map(String::from);
        text += &lines(&table(&header, |at| at == 2, &forfeits.iter().map(row).collect::<Vec<_>>()), style);
    }
    if !voids.is_empty() {
        let all = voids.values().map(Vec::len).sum();
        text += &format!("{}\n", style.heading(&count(all, "void attempt")));
        let row = |(id, all): (&EntrantId, &Vec<&Incident>)| {
            vec![
                tournament.name(*id),
                all.len().to_string(),
                named(ids(all)),
                "the machine was held up".to_string(),
            ]
        };
        let header = ["late", "times", "games", "why it did not count (B10)"].map(String::from);
        text += &lines(&table(&header, |at| at == 1, &voids.iter().map(row).collect::<Vec<_>>()), style);
    }
    text
}

/// Remarks with their stages; forfeits and void attempts with their games.
pub fn json(tournament: &Tournament, incidents: &[Incident]) -> Value {
    let mut remarks = Vec::new();
    for (stage, progress) in tournament.stages() {
        for remark in progress.remarks(tournament.results) {
            let mut value = remark_json(&remark);
            value["stage"] = json!(stage);
            value["words"] = json!(in_words(tournament, &remark));
            remarks.push(value);
        }
    }
    let mut forfeits = Vec::new();
    let mut voids = Vec::new();
    for incident in incidents {
        let mut value = tournament.entrant_json(incident.entrant);
        value["game"] = json!(incident.id.to_string());
        value["seat"] = json!(incident.seat.0);
        value["move"] = json!(incident.number);
        match &incident.what {
            IncidentKind::Forfeit { kind, detail } => {
                value["kind"] = json!(kind);
                value["detail"] = json!(detail);
                forfeits.push(value);
            }
            IncidentKind::Void { used } => {
                value["wall_us"] = json!(used.wall.as_micros() as u64);
                value["lag_us"] = json!(used.lag.as_micros() as u64);
                voids.push(value);
            }
        }
    }
    json!({ "schema": SCHEMA, "remarks": remarks, "forfeits": forfeits, "voids": voids })
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

fn ids(incidents: &[&Incident]) -> impl ExactSizeIterator<Item = GameId> {
    incidents.iter().map(|incident| incident.id)
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
