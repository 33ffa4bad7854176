//! Standings: the places of the entrants, and every figure that decided them.

use crate::doc::{Block, Cell, Column as Head, Line, Section, Table};
use crate::{SCHEMA, Tournament};
use cornerman::contest::StageState;
use cornerman::format::{Column, EntrantId, FigureKind, Ranking, Standing};
use cornerman_harness::record::Role;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// In place of the final order before the first game, when everyone shares first place.
const NOT_BEGUN: &str = "Not begun: no game has been played";

/// Ratios are stored in millionths (S5).
const MILLION: i64 = 1_000_000;

/// The most names in the title of a contest with several winners.
const WINNERS_NAMED: usize = 6;

/// The final order so far under the winner's name, and the entries that did not play. `words` says a little about an
/// entrant, for the podium.
pub fn order(tournament: &Tournament, words: &dyn Fn(EntrantId) -> Line) -> Section {
    let over = tournament.is_over();
    let standings = tournament.standings();
    let title = if over { winner(&standings) } else { "No winner yet".into() };
    let mut section = Section::new("standings", title).named("Standings");
    if tournament.results.is_empty() {
        section = section.with(Block::Note(NOT_BEGUN.into()));
    } else {
        if over {
            section = section.with(podium(&standings, words));
        }
        let caption = if over { "Final order" } else { "Order so far" };
        section = section.with(table(tournament, caption, &tournament.columns(), &standings));
    }
    let absent = absent(tournament, &standings);
    if !absent.is_empty() {
        let line = |id: EntrantId| {
            Line::from(Cell::from(id)).then(": ").then(why_out(tournament, id).unwrap_or_default())
        };
        let list = Block::List(absent.into_iter().map(line).collect());
        section = section.with(Section::new("", "Did not play").with(list));
    }
    section
}

/// `Winner: gull`, or all entrants that share first place.
fn winner(standings: &[Standing]) -> Line {
    let first: Vec<EntrantId> =
        standings.iter().take_while(|standing| standing.place == 1).map(|standing| standing.entrant).collect();
    match &first[..] {
        [one] => Line::from("Winner: ").then(*one),
        [all @ .., last] if all.len() < WINNERS_NAMED => {
            let all = Line::joined(all.iter().copied(), ", ");
            Line::from("First place is shared: ").then(all).then(" and ").then(*last)
        }
        all => format!("{} share first place", all.len()).into(),
    }
}

/// The first three places, with all entrants that share them.
fn podium(standings: &[Standing], words: &dyn Fn(EntrantId) -> Line) -> Block {
    let steps = standings.chunk_by(|a, b| a.place == b.place).take_while(|step| step[0].place <= 3);
    let one = |standing: &Standing| {
        Line::from(Cell::from(standing.entrant).strong()).then(" ").then(words(standing.entrant))
    };
    Block::Podium(steps.map(|step| (step[0].place, step.iter().map(one).collect())).collect())
}

/// The standings of a stage, numbered from 0, and its further rankings. Those of the only stage are the final order.
pub(crate) fn of_stage(tournament: &Tournament, stage: u8) -> Vec<Block> {
    let Some(progress) = tournament.progress.get(usize::from(stage)) else { return Vec::new() };
    let mut blocks = Vec::new();
    if let StageState::Refused(error) = &progress.state {
        blocks.push(Block::Note(error.to_string().into()));
    }
    if !tournament.has_standings(stage, progress) {
        return blocks;
    }
    if tournament.progress.len() > 1 {
        let standings = progress.standings(tournament.results);
        blocks.push(table(tournament, "", &progress.columns(), &standings).into());
    }
    for further in progress.further_rankings(tournament.results) {
        let names: Vec<&str> = further.columns.iter().map(|column| column.name).collect();
        let caption = format!("By {}, for information only", names.join(", then "));
        blocks.push(table(tournament, &caption, &further.columns, &further.standings).into());
    }
    blocks
}

/// A row for each entrant: place, name, figures, notes.
fn table(tournament: &Tournament, caption: &str, columns: &[Column], standings: &[Standing]) -> Table {
    let figures = columns.iter().map(|column| Head::number(column.name));
    let columns_shown = [Head::number("place"), Head::name("name")].into_iter().chain(figures);
    let row = |standing: &Standing| {
        let figures = columns.iter().zip(&standing.figures).map(|(column, figure)| figure_text(*column, *figure));
        let start = [standing.place.into(), standing.entrant.into()];
        start
            .into_iter()
            .chain(figures.map(Cell::Figure))
            .chain([note(tournament, standing.entrant).into()])
            .collect()
    };
    let notes = columns.len() + 2;
    let all = Table::new(caption, columns_shown.chain([Head::text("notes")])).rows(standings.iter().map(row));
    all.without_empty(notes)
}

/// The final order, the standings of every stage, and the entries that did not play. `columns` names the figures in
/// their order; a figure divided by its column's `scale` is in the column's unit.
pub fn json(tournament: &Tournament) -> Value {
    let results = tournament.results;
    let stages = tournament.stages().map(|(stage, progress)| {
        let mut value = tournament.stage_json(stage);
        let standings = if progress.has_begun() { progress.standings(results) } else { Vec::new() };
        value["columns"] = columns_json(&progress.columns());
        value["standings"] = standings_json(tournament, &standings);
        let table = |table: Ranking| {
            let standings = standings_json(tournament, &table.standings);
            json!({ "columns": columns_json(&table.columns), "standings": standings })
        };
        value["tables"] = progress.further_rankings(results).into_iter().map(table).collect();
        value
    });
    let absent = absent(tournament, &tournament.standings()).into_iter().map(|id| {
        let mut who = tournament.entrant_json(id);
        who["out"] = json!(tournament.entrants[id.index()].out);
        who
    });
    let mut value = json!({
        "schema": SCHEMA,
        "contest": tournament.header.contest,
        "games": results.len(),
        "over": tournament.is_over(),
        "final": {
            "columns": columns_json(&tournament.columns()),
            "standings": standings_json(tournament, &tournament.standings()),
        },
        "stages": stages.collect::<Vec<_>>(),
        "did_not_play": absent.collect::<Vec<_>>(),
    });
    if let Some(origin) = &tournament.header.origin {
        value["origin"] = json!(origin);
    }
    value
}

/// A figure in words or in its column's unit.
pub(crate) fn figure_text(column: Column, figure: i64) -> String {
    match column.kind {
        FigureKind::Count => figure.to_string(),
        FigureKind::Words(words) => {
            let found = words.iter().find(|(of, _)| *of == figure);
            found.map_or_else(|| figure.to_string(), |(_, word)| word.to_string())
        }
        FigureKind::Millionths => {
            let sign = if figure < 0 { "-" } else { "" };
            let whole = figure.unsigned_abs() / MILLION as u64;
            let part = figure.unsigned_abs() % MILLION as u64;
            format!("{sign}{whole}.{part:06}")
        }
    }
}

/// How many of a figure make one unit of its column.
fn scale(column: Column) -> i64 {
    if column.kind == FigureKind::Millionths { MILLION } else { 1 }
}

fn columns_json(columns: &[Column]) -> Value {
    columns.iter().map(|column| json!({ "name": column.name, "scale": scale(*column) })).collect()
}

fn standings_json(tournament: &Tournament, standings: &[Standing]) -> Value {
    let standing = |standing: &Standing| {
        let mut value = tournament.entrant_json(standing.entrant);
        value["place"] = json!(standing.place);
        value["figures"] = json!(standing.figures);
        value["role"] = json!(tournament.role(standing.entrant).name());
        value["out"] = json!(tournament.entrants.get(standing.entrant.index()).and_then(|it| it.out.as_ref()));
        value
    };
    standings.iter().map(standing).collect()
}

/// An entrant's role, and why it is out; empty for an entry that competes.
fn note(tournament: &Tournament, id: EntrantId) -> String {
    let role = match tournament.role(id) {
        Role::Entry => None,
        role => Some(format!("the organizer's {}", role.name())),
    };
    let out = why_out(tournament, id).map(|why| format!("out: {why}"));
    role.into_iter().chain(out).collect::<Vec<_>>().join("; ")
}

/// Why an entrant is out of the contest; `None` if it competes.
fn why_out<'a>(tournament: &'a Tournament, id: EntrantId) -> Option<&'a str> {
    tournament.entrants.get(id.index())?.out.as_deref()
}

/// The entries that are out and in no standings.
fn absent(tournament: &Tournament, ranked: &[Standing]) -> Vec<EntrantId> {
    let ranked: BTreeSet<EntrantId> = ranked.iter().map(|standing| standing.entrant).collect();
    let ids = (0..=u16::MAX).map(EntrantId).zip(tournament.entrants);
    ids.filter(|(id, entrant)| entrant.out.is_some() && !ranked.contains(id)).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests;
