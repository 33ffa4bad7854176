//! What a page shows of each entrant: its identity, its results against each other entrant, and details that help its
//! author.

use crate::Tournament;
use crate::decisions::since;
use crate::doc::links::anchor;
use crate::doc::{Block, Cell, Column, ColumnKind, GameStep, Line, Listing, Section, Table, row};
use crate::facts::{Facts, ScoreTally};
use crate::html::{Logs, PageDetail};
use crate::played::result_of;
use crate::rating::percent;
use cornerman::contest::Replace;
use cornerman::format::{EntrantId, FigureKind, GameId};
use cornerman_harness::record::{FaultRecord, GameSummary, Record, RecordError, ResourceUse};
use cornerman_harness::text::{count, duration};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// How many of an entrant's losses on time are shown at most, and how many of its other forfeits.
const MOST_SHOWN: usize = 5;

/// How many games of each entrant the final order shows the results of, the latest ones.
const LATEST: usize = 5;

/// What a record has of each entrant.
pub(crate) struct Entrants {
    /// All entrants: those in the final order first, then the others. In an extract, its bot comes before all of them.
    pub order: Vec<EntrantId>,
    own: Vec<Own>,
}

/// What a record has of one entrant.
#[derive(Debug, Default)]
struct Own {
    /// Its games that count, against each other entrant.
    met: BTreeMap<EntrantId, Met>,
    /// The number of its forfeits.
    forfeits: usize,
    /// Its longest losses on time, the longest first.
    late: Vec<(GameId, FaultRecord)>,
    /// A few of its other forfeits, of as many kinds as possible.
    violations: Vec<(GameId, FaultRecord)>,
    /// The last game in which it wrote to standard error: when that ended (milliseconds since 1970), the game, and the
    /// end of what the bot wrote.
    stderr: Option<(u64, GameId, String)>,
}

/// The games of an entrant against another.
#[derive(Debug, Default)]
struct Met {
    /// The entrant's points in these games.
    points: i64,
    /// The opponent's points in these games.
    against: i64,
    /// These games, as indices into [`Facts::games`], with the entrant's result.
    games: Vec<(u32, &'static str)>,
}

impl Met {
    /// In how many games it had this `result`: the better place (`won`), an equal or a worse one.
    fn count(&self, result: &str) -> usize {
        self.games.iter().filter(|(_, other)| *other == result).count()
    }

    /// The share of the games that it won; a tie is half of one.
    fn rate(&self) -> f64 {
        (self.count("won") as f64 + self.count("tied") as f64 / 2.0) / self.games.len().max(1) as f64
    }
}

impl Entrants {
    /// Collects what a record has of each entrant. It has the standard error only of bots whose `logs` are shown.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn from_record(
        record: &Record,
        tournament: &Tournament,
        facts: &Facts,
        logs: Logs,
    ) -> Result<Entrants, RecordError> {
        let entrants = tournament.entrants.len();
        let ranked = tournament.standings().into_iter().map(|standing| standing.entrant);
        let mut order: Vec<EntrantId> = ranked.filter(|id| id.index() < entrants).collect();
        let known: BTreeSet<EntrantId> = order.iter().copied().collect();
        order.extend((0..entrants as u16).map(EntrantId).filter(|id| !known.contains(id)));
        if let Some(extract) = facts.extract {
            order.sort_by_key(|id| *id != extract.bot);
        }
        let mut own: Vec<Own> = Vec::new();
        own.resize_with(entrants, Own::default);
        for (at, game) in facts.games.iter().enumerate() {
            meet(&mut own, at as u32, game);
        }
        record.each_full_game::<RecordError>(&mut |game| {
            let id = game.pairing.id;
            for mut fault in game.faults {
                let bot = game.pairing.seats[fault.seat.index()];
                if !logs.have(bot) {
                    fault.stderr.clear();
                }
                if let Some(own) = own.get_mut(bot.index()) {
                    own.add_fault(id, fault);
                }
            }
            let ended = game.started_ms.saturating_add(game.wall.as_millis() as u64);
            for (entrant, seat) in game.pairing.seats.iter().zip(game.seats) {
                let Some(own) = own.get_mut(entrant.index()) else { continue };
                let is_last = own.stderr.as_ref().is_none_or(|(last, ..)| *last <= ended);
                if is_last && logs.have(*entrant) && !seat.stderr.is_empty() {
                    own.stderr = Some((ended, id, seat.stderr));
                }
            }
            Ok(())
        })?;
        Ok(Entrants { order, own })
    }

    /// A part for each entrant in [`order`](Self::order), as far as `detail` allows. Before the first game, also a list
    /// of entrants and authors, which the final order has later. `None` if there is nothing to show.
    pub(crate) fn section(&self, tournament: &Tournament, facts: &Facts, detail: PageDetail) -> Option<Section> {
        let mut section = Section::new("entrants", "Entrants");
        if facts.games.is_empty() {
            let list = Listing(&self.order)
                .columns(&[
                    (Column::name("name"), &|id| (**id).into()),
                    (Column::text("author"), &|id| Cell::or_empty(tournament.author(**id))),
                ])
                .captioned("List of entrants");
            section = section.with(list.without_empty(1));
        }
        let part = |&id: &EntrantId| {
            let title = Line::from(Cell::from(tournament.raw_name(id)).strong());
            let title = title.then(format!(" {}", facts.summary(tournament, id)));
            let blocks = self.of_entrant(tournament, facts, id, detail == PageDetail::All);
            Section { folded: true, blocks, ..Section::new(anchor(id), title) }
        };
        let parts = self.order.iter().filter(|_| detail <= PageDetail::NoGames).map(part);
        parts.fold(section, Section::with).filled()
    }

    /// The final order with the author of each entrant, its games won, tied and lost, and the results of its latest
    /// games.
    pub(crate) fn with_results(&self, tournament: &Tournament, facts: &Facts, order: Section) -> Section {
        // The columns are then: place, name, author, won-tied-lost, the figures, latest games, and perhaps notes. Those
        // that say nothing are left out.
        let widened = |mut table: Table| {
            let has_notes = table.columns.last().is_some_and(|column| column.kind == ColumnKind::Text);
            let last = table.columns.len() + 2 - usize::from(has_notes);
            table.columns.splice(2..2, [Column::text("author"), Column::number("won-tied-lost")]);
            table.columns.insert(last, Column::text("latest games"));
            for row in &mut table.rows {
                let Cell::Entrant(id) = row[1] else { continue };
                let ScoreTally { won, tied, lost } = facts.tallies[id.index()];
                row.splice(2..2, row![tournament.author(id).unwrap_or_default(), format!("{won}-{tied}-{lost}")]);
                row.insert(last, self.latest(facts, id).into());
            }
            let table = table.without_empty(last);
            let table = if table.is_same(0) { table } else { table.without_same(3).without_same(2) };
            with_changes(tournament, table.without_empty(2))
        };
        let block = |block| match block {
            Block::Table(table) => Block::Table(widened(table)),
            other => other,
        };
        Section { blocks: order.blocks.into_iter().map(block).collect(), ..order }
    }

    /// Its latest games, the last one at the end, on one line: `L W W T W`.
    fn latest(&self, facts: &Facts, id: EntrantId) -> String {
        let games: Vec<u32> = self.games_of(id).into_iter().collect();
        let letter = |at: &u32| match result_of(&facts.games[*at as usize], id) {
            Some("won") => "W",
            Some("tied") => "T",
            _ => "L",
        };
        games[games.len().saturating_sub(LATEST)..].iter().map(letter).collect::<Vec<_>>().join("\u{a0}")
    }

    /// Everything about an entrant; its games against each opponent only if they are `listed`.
    pub(crate) fn of_entrant(
        &self,
        tournament: &Tournament,
        facts: &Facts,
        id: EntrantId,
        listed: bool,
    ) -> Vec<Block> {
        let own = &self.own[id.index()];
        let mut blocks = vec![identity(tournament, facts, id)];
        if !own.met.is_empty() {
            blocks.push(opponents(facts, id, own, listed).into());
        }
        if let Some(times) = facts.times.of_entrant(id) {
            let [median, most, worst] = times.figures().map(duration);
            let figures = format!("median {median}, 95 % at most {most}, the worst {worst} ");
            let line = Line::from(figures).then(facts.times.drawing(times));
            let slowest = Listing(&times.slowest)
                .columns(&[
                    (Column::name("game"), &|it| Cell::Game(it.id, Some(GameStep::Move(it.number)))),
                    (Column::number("move"), &|it| it.number.into()),
                    (Column::number("wall"), &|it| it.used.wall.into()),
                    (Column::number("processor"), &|it| it.used.cpu.into()),
                    (Column::number("waiting"), &|it| it.used.lag.into()),
                ])
                .captioned("Slowest moves");
            blocks.push(Section::new("", "Times").with(Block::List(vec![line])).with(slowest).into());
        }
        blocks.extend(lost_on_time(own));
        blocks.extend(violations(own));
        if let Some((_, game, text)) = &own.stderr {
            let note = Line::from("The end of what it last wrote, in game ").then(*game);
            let section = Section::new("", "Standard error").with(Block::List(vec![note]));
            blocks.push(section.with(Block::Written(text.clone())).into());
        }
        blocks
    }

    /// All games of an entrant that count, as indices into [`Facts::games`].
    pub(crate) fn games_of(&self, id: EntrantId) -> BTreeSet<u32> {
        self.own[id.index()].met.values().flat_map(|met| met.games.iter().map(|(at, _)| *at)).collect()
    }
}

/// The final order with a column that says how the places changed in the latest round, if any did.
fn with_changes(tournament: &Tournament, mut table: Table) -> Table {
    let before = places_before_latest_round(tournament);
    table.columns.insert(1, Column::text("change"));
    for row in &mut table.rows {
        let change = match row[..] {
            [Cell::Count(now), Cell::Entrant(id), ..] => before.get(&id).map(|old| change(*old, now)),
            _ => None,
        };
        row.insert(1, change.unwrap_or_default().into());
    }
    table.without_empty(1)
}

/// How many places up or down: `▲2`, `▼1`; empty if it is the same place.
fn change(old: u64, now: u64) -> String {
    match old.cmp(&now) {
        Ordering::Greater => format!("▲{}", old - now),
        Ordering::Less => format!("▼{}", now - old),
        Ordering::Equal => String::new(),
    }
}

/// The places before the latest round of the latest stage. Empty without games, if that is the first round, if the
/// rounds of the stage do not follow from each other, or if words such as `out` decide in place of figures.
fn places_before_latest_round(tournament: &Tournament) -> BTreeMap<EntrantId, u64> {
    let results = tournament.results;
    let latest = tournament.stages().filter(|(stage, _)| results.has_stage(*stage)).last();
    let latest = latest.filter(|(_, progress)| progress.rounds(results).is_some());
    let by_words = tournament.columns().first().is_some_and(|column| matches!(column.kind, FigureKind::Words(_)));
    let round = latest.map(|(stage, _)| (stage, results.next_round(stage))).filter(|_| !by_words);
    let Some((stage, Some(round @ 1..))) = round.map(|(stage, next)| (stage, next.checked_sub(1))) else {
        return BTreeMap::new();
    };
    let before = tournament.contest.standings(&results.before_round(stage, round as u16));
    before.into_iter().map(|standing| (standing.entrant, standing.place.into())).collect()
}

/// Adds a game to what is known of its entrants.
fn meet(own: &mut [Own], at: u32, game: &GameSummary) {
    let seats = &game.pairing.seats;
    let outcome = &game.outcome;
    for (seat, id) in seats.iter().enumerate() {
        let Some(own) = own.get_mut(id.index()) else { continue };
        for (other, opponent) in seats.iter().enumerate().filter(|&(other, _)| other != seat) {
            let met = own.met.entry(*opponent).or_default();
            let result = match outcome.places[seat].cmp(&outcome.places[other]) {
                Ordering::Less => "won",
                Ordering::Equal => "tied",
                Ordering::Greater => "lost",
            };
            met.points = met.points.saturating_add(outcome.points[seat]);
            met.against = met.against.saturating_add(outcome.points[other]);
            met.games.push((at, result));
        }
    }
}

impl Own {
    /// Adds a forfeit: the slowest losses on time are kept, and of the others a few of as many kinds as possible.
    fn add_fault(&mut self, id: GameId, fault: FaultRecord) {
        self.forfeits += 1;
        if fault.kind == "timeout" {
            let at = self.late.partition_point(|(_, other)| other.used.wall >= fault.used.wall);
            self.late.insert(at, (id, fault));
            self.late.truncate(MOST_SHOWN);
        } else if self.violations.len() < MOST_SHOWN {
            self.violations.push((id, fault));
        } else if !self.violations.iter().any(|(_, known)| known.kind == fault.kind)
            && let Some(twice) = second_of_a_kind(&self.violations)
        {
            self.violations[twice] = (id, fault);
        }
    }
}

/// The index of the last fault that is of the same kind as an earlier one.
fn second_of_a_kind(faults: &[(GameId, FaultRecord)]) -> Option<usize> {
    let known = |at: &usize| faults[..*at].iter().any(|(_, other)| other.kind == faults[*at].1.kind);
    (0..faults.len()).rev().find(known)
}

/// What the record says of the bot itself, the versions that replaced it, and its resources.
fn identity(tournament: &Tournament, facts: &Facts, id: EntrantId) -> Block {
    let entrant = &tournament.entrants[id.index()];
    let known = [
        ("Author", &entrant.author),
        ("Toolchain", &entrant.toolchain),
        ("Source SHA-256", &entrant.source_sha256),
        ("Program SHA-256", &entrant.program_sha256),
        ("Check", &entrant.verdict),
        ("Out", &entrant.out),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((name.to_string(), value.as_deref()?.into())));
    let replaced = tournament.contest.journal().versions();
    let version =
        |it: &Replace| ("Replaced by".to_string(), Line::from(it.version).then(format!(", {}", since(it))));
    let versions = replaced.replacing(id).map(version);
    let known = known.chain(versions);
    let used = facts.behaviour.get(&id).into_iter().flat_map(|it| &it.resources).flat_map(resources);
    Block::Facts(known.chain(used).collect())
}

/// The isolation level it ran at, and the resources it used there.
fn resources(used: &ResourceUse) -> Vec<(String, Line)> {
    let level = used.level.map_or("none (a human)", |level| level.name());
    let refused = match used.refused.as_str() {
        "" => String::new(),
        refused => format!(" (refused: {})", refused.replace('\n', "; ")),
    };
    let mut all = vec![
        ("Isolation", format!("{level} in {}{refused}", count(used.games, "game"))),
        ("Processor time", format!("{} in all", duration(used.cpu))),
    ];
    if used.peak_memory > 0 {
        all.push(("Peak memory", format!("{:.1} MiB", used.peak_memory as f64 / 1_048_576.0)));
    }
    if used.leftovers > 0 {
        all.push(("Left running", count(used.leftovers, "process")));
    }
    all.into_iter().map(|(name, value)| (name.to_string(), value.into())).collect()
}

/// A row for each opponent, the hardest first. The games against it, if `listed`, link to their replays, the lost ones
/// first.
fn opponents(facts: &Facts, id: EntrantId, own: &Own, listed: bool) -> Table {
    let games = |met: &Met| {
        let game = |(at, result): &(u32, &'static str)| {
            Line::from(facts.games[*at as usize].pairing.id).then(format!(" {result}"))
        };
        let mut games: Vec<_> = met.games.iter().filter(|_| listed).collect();
        games.sort_by_key(|(_, result)| *result != "lost");
        Line::joined(games.into_iter().map(game), ", ")
    };
    let mut met: Vec<(&EntrantId, &Met)> = own.met.iter().collect();
    met.sort_by(|(_, a), (_, b)| a.rate().total_cmp(&b.rate()));
    let table = Listing(met)
        .columns(&[
            (Column::name("opponent"), &|(opponent, _)| Cell::Opponent([id, **opponent])),
            (Column::number("rate"), &|(_, met)| percent(met.rate()).into()),
            (Column::number("won"), &|(_, met)| met.count("won").into()),
            (Column::number("tied"), &|(_, met)| met.count("tied").into()),
            (Column::number("lost"), &|(_, met)| met.count("lost").into()),
            (Column::number("points"), &|(_, met)| Cell::Figure(met.points.to_string())),
            (Column::number("against"), &|(_, met)| Cell::Figure(met.against.to_string())),
            (Column::wide("games"), &|(_, met)| games(met).into()),
        ])
        .captioned("Against each opponent");
    table.without_empty(7)
}

/// The longest losses on time, with the standard error at each; `None` if there are none.
fn lost_on_time(own: &Own) -> Option<Block> {
    let line = |(game, fault): &(GameId, FaultRecord)| {
        let used = fault.used;
        let [wall, cpu, lag] = [used.wall, used.cpu, used.lag].map(duration);
        place_of(*game, fault).then(format!(
            ": {}; it had run for {wall}, {cpu} of them on a processor, and it waited for a processor for {lag}",
            fault.detail
        ))
    };
    let mut section = Section::new("", "Lost on time");
    for late in &own.late {
        let (_, fault) = late;
        section = with_stderr(section.with(Block::List(vec![line(late)])), fault);
    }
    section.filled().map(Block::Part)
}

/// Some other forfeits, with what was shown and answered, and how many more there are, losses on time included; `None`
/// if there are none.
fn violations(own: &Own) -> Option<Block> {
    let more = own.forfeits.saturating_sub(own.late.len() + own.violations.len());
    let mut section = Section::new("", "Forfeits");
    for (game, fault) in &own.violations {
        let words = place_of(*game, fault).then(": ").then(Cell::from(fault.kind.as_str()).strong());
        let words = words.then(format!(", {}", fault.detail));
        let answer = Block::Answer { shown: fault.view.clone(), answered: fault.answer.clone() };
        section = with_stderr(section.with(Block::List(vec![words])).with(answer), fault);
    }
    if more > 0 {
        section = section.with(Block::List(vec![format!("and {} more", count(more, "forfeit")).into()]));
    }
    section.filled().map(Block::Part)
}

/// Names the game and the move of a forfeit.
fn place_of(game: GameId, fault: &FaultRecord) -> Line {
    let game = Cell::Game(game, Some(GameStep::Forfeit(fault.number)));
    Line::from("Game ").then(game).then(format!(", move {}", fault.number))
}

/// The section with the end of the standard error at this fault, if there is any.
fn with_stderr(section: Section, fault: &FaultRecord) -> Section {
    if fault.stderr.is_empty() {
        return section;
    }
    let note = Block::List(vec!["Its standard error ended with:".into()]);
    section.with(note).with(Block::Written(fault.stderr.clone()))
}

/// A table of games, which names the machine of each if the games of the tournament had several.
pub(crate) fn games_table<'a>(
    tournament: &Tournament,
    facts: &Facts,
    games: impl Iterator<Item = &'a GameSummary>,
) -> Table {
    let hosts: BTreeSet<&str> = facts.games.iter().map(|game| game.host.as_str()).collect();
    let seats = |game: &GameSummary| {
        let seat = |(seat, id): (usize, &EntrantId)| {
            let name = match game.outcome.places[seat] {
                1 => Line::from(Cell::from(*id).strong()).then(" ✓"),
                _ => Line::from(*id),
            };
            name.then(format!(" {}", game.outcome.points[seat]))
        };
        Line::joined(game.pairing.seats.iter().enumerate().map(seat), ", ")
    };
    let host = |game: &'a GameSummary| Cell::from(if hosts.len() > 1 { game.host.as_str() } else { "" });
    let table = Listing(games)
        .columns(&[
            (Column::name("game"), &|game| game.pairing.id.into()),
            (Column::text("seats, with points"), &|game| seats(game).into()),
            (Column::number("moves"), &|game| game.moves.into()),
            (Column::number("took"), &|game| game.wall.into()),
            (Column::text("played on"), &|game| host(game)),
            (Column::text("does not count"), &|game| Cell::or_empty(tournament.uncounted(&game.pairing))),
        ])
        .captioned("Games");
    table.without_empty(5).without_empty(4)
}

/// When the first game began and the last one ended, in milliseconds since 1970; `None` without games.
pub(crate) fn span(games: &[GameSummary]) -> Option<(u64, u64)> {
    let ends = |game: &GameSummary| {
        let end = game.started_ms.saturating_add(game.wall.as_millis() as u64);
        (game.started_ms, end)
    };
    games.iter().map(ends).reduce(|(from, to), (start, end)| (from.min(start), to.max(end)))
}
