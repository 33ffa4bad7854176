//! Standings: the places of the entrants, and the figures that decided them.

use crate::Tournament;
use crate::decisions::since;
use crate::doc::{Block, Cell, Column, Line, Section, Table};
use crate::json::EntrantJson;
use cornerman::contest::{Decision, StageState};
use cornerman::format::{EntrantId, FigureKind, Standing, StandingsColumn};
use cornerman_harness::record::Role;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// Shown before the first game in place of the final order, in which all would share first place.
const NOT_BEGUN: &str = "Not begun: no game has been played";

/// Ratios are stored in millionths (S5).
const MILLION: i64 = 1_000_000;

/// How many rows a page shows of one stage of several before it is asked for the others.
const SHOWN: usize = 16;

/// The most names in the title of a contest with several winners.
const WINNERS_NAMED: usize = 6;

/// The final order so far under the winner's name, and the entries that did not play. `summary` says how an entrant's
/// games went, for the podium, where there are no figures to show.
pub(crate) fn order(tournament: &Tournament, summary: &dyn Fn(EntrantId) -> String) -> Section {
    let over = tournament.is_over();
    let standings = tournament.standings();
    let title = if over {
        winner(&standings)
    } else if tournament.header.is_improvised() {
        // `compare` and `spar` play until they know enough, and `play` what it is asked for: there is no winner.
        "The games so far".into()
    } else {
        "No winner yet".into()
    };
    let mut section = Section::new("standings", title).named("Standings");
    if tournament.results.is_empty() {
        section = section.with(Block::Note(NOT_BEGUN.into()));
    } else {
        if over {
            section = section.with(podium(tournament, &standings, summary));
        }
        let caption = if over { "Final order" } else { "Order so far" };
        section = section.with(table(tournament, caption, &tournament.columns(), &standings));
    }
    let absent = absent(tournament, &standings);
    if !absent.is_empty() {
        let line = |id: EntrantId| {
            let author = tournament.author(id).map(|author| format!(" ({author})")).unwrap_or_default();
            Line::from(id).then(author).then(": ").then(why_out(tournament, id).unwrap_or_default())
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

/// The first three places, with all entrants that share them, and the figures of the last stage. Entrants that did not
/// reach it have their `summary` instead, and so have all if the figures are words.
fn podium(tournament: &Tournament, standings: &[Standing], summary: &dyn Fn(EntrantId) -> String) -> Block {
    let last = tournament.progress.last().filter(|_| tournament.progress.len() > 1);
    let (columns, decided) = match last {
        Some(last) => (last.columns(), last.standings(tournament.results)),
        None => (tournament.columns(), standings.to_vec()),
    };
    let is_number = columns.first().is_some_and(|column| !matches!(column.kind, FigureKind::Words(_)));
    let steps = standings.chunk_by(|a, b| a.place == b.place).take_while(|step| step[0].place <= 3);
    let one = |standing: &Standing| {
        let named = |(column, figure): (&StandingsColumn, &i64)| {
            Line::from(column.name).then(" ").then(Cell::Figure(figure_text(*column, *figure)))
        };
        let own = decided.iter().find(|own| is_number && own.entrant == standing.entrant);
        let words = match own {
            Some(own) => Line::joined(columns.iter().zip(&own.figures).map(named), " · "),
            None => summary(standing.entrant).into(),
        };
        Line::from(Cell::from(standing.entrant).strong()).then(" ").then(words)
    };
    Block::Podium(steps.map(|step| (step[0].place, step.iter().map(one).collect())).collect())
}

/// The standings of a stage, numbered from 0, and its further rankings. If there is only one stage, its standings are
/// the final order, and not repeated here.
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
        let table = table(tournament, "", &progress.columns(), &standings);
        blocks.push(Table { first: Some(SHOWN), ..table }.into());
    }
    for further in progress.further_rankings(tournament.results) {
        let names: Vec<&str> = further.columns.iter().map(|column| column.name).collect();
        let caption = format!("By {}, for information only", names.join(", then "));
        blocks.push(table(tournament, &caption, &further.columns, &further.standings).into());
    }
    blocks
}

/// A row for each entrant: place, name, figures, notes. A figure that is the same for all is left out, unless all share
/// a place.
fn table(tournament: &Tournament, caption: &str, columns: &[StandingsColumn], standings: &[Standing]) -> Table {
    let figures = columns.iter().map(|column| Column::number(column.name));
    let columns_shown = [Column::number("place"), Column::name("name")].into_iter().chain(figures);
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
    let all = Table::new(caption, columns_shown.chain([Column::text("notes")])).rows(standings.iter().map(row));
    let all = all.without_empty(notes);
    if all.is_same(0) { all } else { (2..notes).rev().fold(all, Table::without_same) }
}

/// An order of entrants.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderJson {
    /// The names of the figures, in the order in which they decide.
    pub columns: Vec<ColumnJson>,
    /// The entrants, the best first.
    pub standings: Vec<StandingJson>,
}

/// What a figure is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ColumnJson {
    /// Its name.
    pub name: &'static str,
    /// A figure divided by this is in the column's own unit.
    pub scale: i64,
}

/// An entrant's place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StandingJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Its place; equal ones are shared.
    pub place: u32,
    /// One for each column.
    pub figures: Vec<i64>,
    /// What it is to the contest, such as `entry`.
    pub role: &'static str,
    /// Why it is out, if it is.
    pub out: Option<String>,
}

/// An entry that does not play.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AbsentJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Why.
    pub out: Option<String>,
}

impl OrderJson {
    pub(crate) fn new(tournament: &Tournament, columns: &[StandingsColumn], standings: &[Standing]) -> OrderJson {
        let out = |id: EntrantId| why_out(tournament, id).map(str::to_string);
        let standing = |standing: &Standing| StandingJson {
            who: tournament.entrant_json(standing.entrant),
            place: standing.place,
            figures: standing.figures.clone(),
            role: tournament.role(standing.entrant).name(),
            out: out(standing.entrant),
        };
        let column = |column: &StandingsColumn| ColumnJson {
            name: column.name,
            scale: if column.kind == FigureKind::Millionths { MILLION } else { 1 },
        };
        OrderJson {
            columns: columns.iter().map(column).collect(),
            standings: standings.iter().map(standing).collect(),
        }
    }
}

/// The entries that do not play.
pub(crate) fn absent_json(tournament: &Tournament) -> Vec<AbsentJson> {
    let one = |id| {
        let out = why_out(tournament, id).map(str::to_string);
        AbsentJson { who: tournament.entrant_json(id), out }
    };
    absent(tournament, &tournament.standings()).into_iter().map(one).collect()
}

/// A figure in words or in its column's unit.
pub(crate) fn figure_text(column: StandingsColumn, figure: i64) -> String {
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

/// An entrant's role, why it is out or gone, and since when other versions play for it; empty for most entries.
fn note(tournament: &Tournament, id: EntrantId) -> String {
    let leaves = |decision: &Decision| matches!(decision, Decision::Leave(leave) if leave.entrant == id);
    let is_gone = tournament.contest.journal().decisions.iter().any(leaves);
    let gone = is_gone.then(|| "has withdrawn".to_string());
    let role = match tournament.role(id) {
        Role::Entry | Role::Version => None,
        role => Some(format!("the organizer's {}", role.name())),
    };
    let out = why_out(tournament, id).map(|why| format!("out: {why}"));
    let versions = tournament.contest.journal().versions();
    let versions = versions.replacing(id).map(|it| format!("another version {}", since(it)));
    role.into_iter().chain(out).chain(gone).chain(versions).collect::<Vec<_>>().join("; ")
}

/// Why an entrant is out of the contest; `None` if it competes.
fn why_out<'a>(tournament: &'a Tournament, id: EntrantId) -> Option<&'a str> {
    tournament.entrants.get(id.index())?.out.as_deref()
}

/// The entrants that are out and not in the standings `ranked`.
fn absent(tournament: &Tournament, ranked: &[Standing]) -> Vec<EntrantId> {
    let ranked: BTreeSet<EntrantId> = ranked.iter().map(|standing| standing.entrant).collect();
    let ids = (0..=u16::MAX).map(EntrantId).zip(tournament.entrants);
    ids.filter(|(id, entrant)| entrant.out.is_some() && !ranked.contains(id)).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests;
