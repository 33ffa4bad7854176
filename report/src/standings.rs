//! Standings: the places of the entrants, and every figure that decided them.

use crate::style::{Grid, in_markdown};
use crate::{SCHEMA, Style, Tournament, plain, shown};
use cornerman::format::{Column, EntrantId, FigureKind, Ranking, Standing};
use cornerman_harness::record::Role;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// In place of the final order before the first game, when everyone shares first place.
pub(crate) const NOT_BEGUN: &str = "Not begun: no game has been played.\n";

/// Ratios are stored in millionths (S5).
const MILLION: i64 = 1_000_000;

/// The final order, the standings of every stage that has begun, and the entries that did not play.
pub fn text(tournament: &Tournament, style: Style) -> String {
    let mut text = style.heading(&shown(&tournament.header.contest)) + "\n";
    text += &origin(tournament).map_or_else(String::new, |origin| style.caption(&origin) + "\n");
    if tournament.progress.len() > 1 {
        let order =
            if tournament.results.is_empty() { NOT_BEGUN.to_string() } else { final_text(tournament, style) };
        text += &format!("\n{}\n{order}", style.heading(tournament.order_title()));
    }
    for (stage, progress) in tournament.stages() {
        text += &format!("\n{}\n", style.heading(&tournament.stage_title(stage)));
        if tournament.has_standings(stage, progress) {
            text += &stage_text(tournament, stage, style);
        }
    }
    let absent = absent(tournament);
    if !absent.is_empty() {
        text += &format!("\n{}\n", style.heading("Did not play"));
        for id in absent {
            text += &format!(" {}: {}\n", tournament.name(id), why_out(tournament, id).unwrap_or_default());
        }
    }
    text
}

/// The final order by the results so far.
pub fn final_text(tournament: &Tournament, style: Style) -> String {
    let columns = tournament.columns();
    grid(tournament, &columns, &tournament.standings()).text(style)
}

/// The standings of one stage, numbered from 0; empty if the contest has no such stage.
pub fn stage_text(tournament: &Tournament, stage: u8, style: Style) -> String {
    let Some(progress) = tournament.progress.get(usize::from(stage)) else { return String::new() };
    let mut text = grid(tournament, &progress.columns(), &progress.standings(tournament.results)).text(style);
    for further in progress.further_rankings(tournament.results) {
        text += &format!("\n{}\n", style.faint(&title(&further)));
        text += &grid(tournament, &further.columns, &further.standings).text(style);
    }
    text
}

/// The same as [`text`], in Markdown.
pub fn markdown(tournament: &Tournament) -> String {
    let mut text = format!("# {}\n", in_markdown(&shown(&tournament.header.contest)));
    text += &origin(tournament).map_or_else(String::new, |origin| format!("\n{}.\n", in_markdown(&origin)));
    if tournament.progress.len() > 1 {
        let order = if tournament.results.is_empty() {
            NOT_BEGUN.to_string()
        } else {
            grid(tournament, &tournament.columns(), &tournament.standings()).markdown()
        };
        text += &format!("\n## {}\n\n{order}", tournament.order_title());
    }
    for (stage, progress) in tournament.stages() {
        text += &format!("\n## {}\n", in_markdown(&tournament.stage_title(stage)));
        if !tournament.has_standings(stage, progress) {
            continue;
        }
        let standings = progress.standings(tournament.results);
        text += &format!("\n{}", grid(tournament, &progress.columns(), &standings).markdown());
        for further in progress.further_rankings(tournament.results) {
            let grid = grid(tournament, &further.columns, &further.standings);
            text += &format!("\n{}:\n\n{}", title(&further), grid.markdown());
        }
    }
    let absent = absent(tournament);
    text += if absent.is_empty() { "" } else { "\n## Did not play\n\n" };
    for id in absent {
        let why = why_out(tournament, id).unwrap_or_default();
        text += &format!("- {}: {}\n", in_markdown(&tournament.name(id)), in_markdown(&why));
    }
    text
}

/// Where the games come from, if they were not played for this record.
pub(crate) fn origin(tournament: &Tournament) -> Option<String> {
    tournament.header.origin.as_deref().map(plain)
}

/// The title of a further ranking.
pub(crate) fn title(further: &Ranking) -> String {
    let names: Vec<&str> = further.columns.iter().map(|column| column.name).collect();
    format!("By {}, for information only", names.join(", then "))
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
    let absent = absent(tournament).into_iter().map(|id| {
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

/// A row for each entrant: place, name, figures, notes.
fn grid(tournament: &Tournament, columns: &[Column], standings: &[Standing]) -> Grid {
    let notes: Vec<String> = standings.iter().map(|standing| note(tournament, standing.entrant)).collect();
    let noted = notes.iter().any(|note| !note.is_empty());
    let mut header = vec!["place".to_string(), "name".to_string()];
    header.extend(columns.iter().map(|column| column.name.to_string()));
    header.extend(noted.then(|| "notes".to_string()));
    let row = |(standing, note): (&Standing, String)| {
        let figures = columns.iter().zip(&standing.figures).map(|(column, figure)| figure_text(*column, *figure));
        let start = [standing.place.to_string(), tournament.name(standing.entrant)];
        start.into_iter().chain(figures).chain(noted.then_some(note)).collect()
    };
    let rows = standings.iter().zip(notes).map(row).collect();
    let texts = [1].into_iter().chain(noted.then_some(2 + columns.len())).collect();
    Grid { header, texts, rows }
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
pub(crate) fn note(tournament: &Tournament, id: EntrantId) -> String {
    let role = match tournament.role(id) {
        Role::Entry => None,
        role => Some(format!("the organizer's {}", role.name())),
    };
    let out = why_out(tournament, id).map(|why| format!("out: {why}"));
    role.into_iter().chain(out).collect::<Vec<_>>().join("; ")
}

/// Why an entrant is out of the contest, escaped; `None` if it competes.
pub(crate) fn why_out(tournament: &Tournament, id: EntrantId) -> Option<String> {
    let why = tournament.entrants.get(id.index())?.out.as_ref()?;
    Some(crate::plain(why))
}

/// The entries that are out and in no standings.
fn absent(tournament: &Tournament) -> Vec<EntrantId> {
    let ranked = tournament.standings();
    let ranked: BTreeSet<EntrantId> = ranked.into_iter().map(|standing| standing.entrant).collect();
    let ids = (0..=u16::MAX).map(EntrantId).zip(tournament.entrants);
    ids.filter(|(id, entrant)| entrant.out.is_some() && !ranked.contains(id)).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests;
