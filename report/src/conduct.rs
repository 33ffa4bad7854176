//! Conduct: what entrants did besides playing, for the organizer to look at; the isolation that they had; and the
//! machines that they played on. None of it affects the standings.

use crate::doc::{Cell, Column, Line, Listing, Section, words};
use crate::json::EntrantJson;
use crate::{Tournament, count, shown};
use cornerman::format::EntrantId;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{
    Behaviour, CalledName, ConductTotals, EntrantRecord, GameSummary, Occurrences, RemarkTotals,
};
use cornerman_harness::sandbox::Level;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of threads and processes that a bot needs. More are reported.
const NEEDED_TASKS: u32 = 1;

/// The best level of isolation. Games at a weaker one are still valid, but less of what a bot does is prevented or
/// seen.
const BEST: Level = Level::Namespaced;

/// A line for each thing worth noting, entrant by entrant; `None` if there is none.
pub(crate) fn conduct(tournament: &Tournament, all: &BTreeMap<EntrantId, Behaviour>) -> Option<Section> {
    let lines = all.iter().flat_map(|(id, it)| {
        of_note(tournament, *id, &it.conduct).into_iter().map(|line| Line::from(*id).then(": ").then(line))
    });
    list("conduct", "Conduct", lines.collect())
}

/// A section of these lines; `None` if there are none.
fn list(anchor: &str, title: &str, lines: Vec<Line>) -> Option<Section> {
    (!lines.is_empty()).then(|| Section::new(anchor, title).with(crate::doc::Block::List(lines)))
}

/// What an entrant did besides playing.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConductJson {
    /// The entrant.
    #[serde(flatten)]
    pub who: EntrantJson,
    /// Its conduct.
    #[serde(flatten)]
    pub totals: ConductTotals,
    /// What of this is worth noting, as people read it.
    pub words: Vec<String>,
}

/// The conduct of every entrant that has played.
pub(crate) fn conduct_json(tournament: &Tournament, all: &BTreeMap<EntrantId, Behaviour>) -> Vec<ConductJson> {
    let one = |(id, Behaviour { conduct, .. }): (&EntrantId, &Behaviour)| ConductJson {
        who: tournament.entrant_json(*id),
        totals: conduct.clone(),
        words: of_note(tournament, *id, conduct).iter().map(|line| words(line, tournament.entrants)).collect(),
    };
    all.iter().map(one).collect()
}

/// The lines about one entrant.
fn of_note(tournament: &Tournament, id: EntrantId, totals: &ConductTotals) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut note = |times: Occurrences, words: &dyn Fn(usize) -> String, rule: &str| {
        if times.all > 0 {
            let games = count(times.games, "game");
            lines.push(format!("{}, in {games}{rule}", words(times.all as usize)).into());
        }
    };
    note(totals.leftovers, &|n| format!("left {} running", count(n, "process")), "");
    note(totals.ignored, &|n| format!("{} that were not answers", count(n, "line")), " (G5)");
    if totals.tasks > NEEDED_TASKS {
        let most = totals.tasks;
        lines.push(format!("up to {most} threads and processes at a time; runtimes may need some (R8)").into());
    }
    for RemarkTotals { remark, moves, games } in &totals.remarks {
        let moves = count(*moves, "move");
        let games = count(*games, "game");
        lines.push(format!("{remark}: {moves}, in {games}").into());
    }
    lines.extend(names(tournament, id, totals));
    lines.extend(doubles(tournament, id));
    lines
}

/// The other entrants with the same source or, if one of the two has no source, with the same program. Engines are left
/// out, because the same program plays differently with other options, and so are entrants with the same BOT argument.
fn doubles(tournament: &Tournament, entrant: EntrantId) -> Option<Line> {
    /// The most entrants named; the others are only counted.
    const NAMED: usize = 3;
    let is_engine = |it: &EntrantRecord| it.spec.split('/').next().is_some_and(|start| start.contains(':'));
    let own = tournament.entrants.get(entrant.index()).filter(|own| !is_engine(own))?;
    let is_double = |other: &EntrantRecord| {
        let is_same = match (&own.source_sha256, &other.source_sha256) {
            (Some(own), Some(other)) => own == other,
            _ => own.program_sha256.is_some() && own.program_sha256 == other.program_sha256,
        };
        other.spec != own.spec && is_same && !is_engine(other)
    };
    let doubles = (0..).map(EntrantId).zip(tournament.entrants).filter(|(_, other)| is_double(other));
    let doubles: Vec<EntrantId> = doubles.map(|(id, _)| id).collect();
    let named = Line::first_of(doubles.iter().copied(), NAMED);
    let line = Line::from("the same program or source as ").then(named).then(", byte for byte");
    (!doubles.is_empty()).then_some(line)
}

/// The names that an entrant gave itself, unless it always used the name it is listed under.
fn names(tournament: &Tournament, id: EntrantId, totals: &ConductTotals) -> Option<Line> {
    let usual = &totals.called.first()?.name;
    let code = |name: &str| Cell::Code(shown(name));
    if totals.names > 1 {
        let one = |it: &CalledName| Line::from(code(&it.name)).then(format!(" ({})", count(it.games, "game")));
        let listed = Line::joined(totals.called.iter().map(one), ", ");
        let more = totals.names as usize - totals.called.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let line = Line::from("called itself by other names from game to game: ").then(listed);
        return Some(line.then(format!("{more} (R3)")));
    }
    let known = tournament.entrants.get(id.index())?;
    // A reference bot is listed under its id, whatever it calls itself.
    if known.is_reference_bot() {
        return None;
    }
    // A name that several entrants share is followed by something in brackets or a number.
    let is_it = known
        .name
        .strip_prefix(usual.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(" (") || rest.starts_with(" #"));
    (!is_it).then(|| Line::from("calls itself ").then(code(usual)))
}

/// An isolation that bots had.
#[derive(Debug, Serialize, JsonSchema)]
pub struct IsolationJson {
    /// Its level.
    pub level: &'static str,
    /// The steps to a better level that the machine refused.
    pub refused: Vec<String>,
    /// Whether there is no better one.
    pub is_best: bool,
    /// The number of seats in games.
    pub seats: u32,
    /// The entrants.
    pub entrants: Vec<EntrantJson>,
}

/// Every isolation that bots had, including the best, in the order in which they first occur.
pub(crate) fn isolations(tournament: &Tournament, all: &BTreeMap<EntrantId, Behaviour>) -> Vec<IsolationJson> {
    let mut found: Vec<IsolationJson> = Vec::new();
    let used = all.iter().flat_map(|(id, it)| it.resources.iter().map(|used| (*id, used)));
    for (id, one) in used {
        // Humans have none.
        let Some(level) = one.level else { continue };
        let is_best = level == BEST;
        let level = level.name();
        let refused: Vec<String> = one.refused.lines().map(str::to_string).collect();
        let is_it = |known: &IsolationJson| known.level == level && known.refused == refused;
        let at = found.iter().position(is_it).unwrap_or_else(|| {
            found.push(IsolationJson { level, refused, is_best, seats: 0, entrants: Vec::new() });
            found.len() - 1
        });
        found[at].seats += one.games;
        found[at].entrants.push(tournament.entrant_json(id));
    }
    found
}

/// A sentence for each isolation weaker than the best level; `None` if there is none.
pub(crate) fn isolation(all: &[IsolationJson]) -> Option<Section> {
    let sentence = |it: &IsolationJson| {
        let why = match &it.refused[..] {
            [] => "a better level was not requested".to_string(),
            refused => format!("the machine refused {}", refused.join("; ")),
        };
        let bots = count(it.entrants.len(), "bot");
        let times = count(it.seats, "time");
        let best = BEST.name();
        format!("{bots} played at {}, which is weaker than {best}, {times} in all: {why}", it.level).into()
    };
    list("isolation", "Isolation", all.iter().filter(|it| !it.is_best).map(sentence).collect())
}

/// A machine that games were played on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MachineJson {
    /// Its name.
    pub name: String,
    /// The number of games.
    pub games: usize,
    /// Its processor, if it was noted.
    pub processor: Option<String>,
    /// The number of its processors.
    pub cores: Option<u32>,
    /// Its kernel.
    pub kernel: Option<String>,
}

/// The machines that the games were played on; `known` are those that were noted.
pub(crate) fn machines(games: &[GameSummary], known: &[Machine]) -> Vec<MachineJson> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for game in games {
        *counts.entry(&game.host).or_default() += 1;
    }
    let one = |(name, games): (&str, usize)| {
        let machine = known.iter().find(|machine| machine.name == name);
        MachineJson {
            name: name.to_string(),
            games,
            processor: machine.map(|machine| machine.processor.clone()),
            cores: machine.map(|machine| machine.cores),
            kernel: machine.map(|machine| machine.kernel.clone()),
        }
    };
    counts.into_iter().map(one).collect()
}

/// A table of the machines; `None` unless games were played on several.
pub(crate) fn machines_section(machines: &[MachineJson]) -> Option<Section> {
    let table = Listing(machines).columns(&[
        (Column::name("name"), &|it| it.name.as_str().into()),
        (Column::number("games"), &|it| it.games.into()),
        (Column::text("processor"), &|it| Cell::or_empty(it.processor.as_deref())),
        (Column::text("kernel"), &|it| Cell::or_empty(it.kernel.as_deref())),
    ]);
    (machines.len() > 1).then(|| Section::new("machines", "Machines").with(table))
}

#[cfg(test)]
mod tests;
