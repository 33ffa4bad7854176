//! `standings DB`: prints a tournament's results so far, as text, JSON or Markdown: standings, who met whom, rounds,
//! ratings, remarks, games that could not be played, forfeits, conduct and times.
//!
//! `tournament` ends with the same output. It is made from the record alone, so the contest file and the entries may be
//! gone, and a run may still be writing the record.

use crate::cli::{self, PageFormat};
use crate::exit::{CliError, Exit};
use crate::registry::Registry;
use crate::show::{self, plain_json};
use cornerman::contest::Contest;
use cornerman::format::{Results, Rounds};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{
    ConductTotals, EntrantRecord, Forfeit, GameSummary, Header, Record, RecordError, ResourceUse, Seal, Unplayed,
};
use cornerman_report::crosstable::Crosstable;
use cornerman_report::rating::{Ratings, ratings};
use cornerman_report::times::Times;
use cornerman_report::{Style, Tournament, bracket, conduct, isolation, machines, remarks, standings, unplayed};
use serde_json::{Value, json};
use std::io::Write;

/// Prints the standings of a record.
pub(crate) fn run(args: cli::Standings, games: &Registry) -> Result<Exit, CliError> {
    let record = games.open(&args.db)?;
    print(&record, games, args.format)?;
    Ok(Exit::Fine)
}

/// Prints the standings of `record` and all that goes with them to standard output.
///
/// # Errors
/// When the record cannot be read or the output cannot be written.
pub(crate) fn print(record: &Record, games: &Registry, format: PageFormat) -> Result<(), CliError> {
    let mut data = record.with_snapshot(|record| StandingsData::from_record(record, games))?;
    let tournament = Tournament::new(&data.header, &data.entrants, &data.contest, &data.results);
    data.games = tournament.counted(data.games);
    let mut out = anstream::stdout();
    match format {
        PageFormat::Json => writeln!(out, "{}", plain_json(page_json(&tournament, &data)))?,
        PageFormat::Md => write!(out, "{}", page_markdown(&tournament, &data))?,
        PageFormat::Text => write!(out, "{}", show::folded_lines(&page_text(&tournament, &data, show::style())))?,
    }
    Ok(())
}

/// What is read from the record.
struct StandingsData {
    header: Header,
    entrants: Vec<EntrantRecord>,
    contest: Contest,
    results: Results,
    /// With the places and points that count.
    games: Vec<GameSummary>,
    forfeits: Vec<Forfeit>,
    unplayed: Vec<Unplayed>,
    conduct: Vec<ConductTotals>,
    resources: Vec<ResourceUse>,
    times: Times,
    machines: Vec<Machine>,
    seal: Option<Seal>,
}

impl StandingsData {
    fn from_record(record: &Record, registry: &Registry) -> Result<StandingsData, RecordError> {
        let mut times = Times::default();
        record.each_move_time(&mut |timed| times.add(&timed))?;
        let games = record.games()?;
        Ok(StandingsData {
            header: record.header()?,
            entrants: record.entrants()?,
            contest: ContestFile::recorded(record, &registry.games)?.contest,
            results: games.iter().map(GameSummary::result).collect(),
            games,
            forfeits: record.forfeits()?,
            unplayed: record.unplayed()?,
            conduct: record.conduct_totals()?,
            resources: record.resource_use()?,
            times,
            machines: record.machines()?,
            seal: record.seal()?,
        })
    }

    fn ratings(&self) -> Ratings {
        ratings(&self.games, self.header.seed)
    }
}

/// The indices of the stages that have begun.
fn begun<'a>(tournament: &'a Tournament) -> impl Iterator<Item = u8> + 'a {
    tournament.stages().filter(|(_, progress)| progress.has_begun()).map(|(stage, _)| stage)
}

fn rounds(tournament: &Tournament, stage: u8) -> Option<Rounds> {
    tournament.progress[usize::from(stage)].rounds(tournament.results)
}

fn page_json(tournament: &Tournament, data: &StandingsData) -> Value {
    let stage = |stage: u8| {
        let crosstable = Crosstable::from_games(tournament, stage, &data.games).json(tournament);
        let rounds = rounds(tournament, stage).map(|rounds| bracket::json(&rounds, tournament));
        json!({ "stage": stage, "crosstable": crosstable, "rounds": rounds })
    };
    let mut value = standings::json(tournament);
    value["meetings"] = begun(tournament).map(stage).collect();
    value["ratings"] = data.ratings().json(tournament);
    value["remarks"] = remarks::json(tournament, &data.forfeits);
    value["unplayed"] = unplayed::json(&data.unplayed);
    value["seal"] = data.seal.map(|seal| seal.to_string()).into();
    value["conduct"] = conduct::json(tournament, &data.conduct);
    value["isolation"] = isolation::json(tournament, &data.resources);
    value["machines"] = machines::json(&data.games, &data.machines);
    value["times"] = data.times.json(tournament);
    value
}

fn page_markdown(tournament: &Tournament, data: &StandingsData) -> String {
    let mut text = standings::markdown(tournament);
    for stage in begun(tournament) {
        text += &format!("\n## Stage {}: who met whom\n\n", u16::from(stage) + 1);
        text += &match rounds(tournament, stage) {
            // Brackets are drawn with characters. Markdown leaves lines unchanged that are indented by four spaces.
            Some(rounds) => {
                let drawn = bracket::text(&rounds, tournament, Style::plain());
                drawn.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect()
            }
            None => Crosstable::from_games(tournament, stage, &data.games).markdown(tournament),
        };
    }
    if !data.unplayed.is_empty() {
        text += &format!("\n## Games that could not be played\n\n{}", unplayed::markdown(&data.unplayed));
    }
    let sections = [
        ("Ratings", data.ratings().markdown(tournament)),
        ("Conduct", conduct::markdown(tournament, &data.conduct)),
        ("Isolation", isolation::markdown(&data.resources)),
        ("Machines", machines::markdown(&data.games, &data.machines)),
    ];
    for (title, section) in sections.iter().filter(|(_, section)| !section.is_empty()) {
        text += &format!("\n## {title}\n\n{section}");
    }
    text
}

fn page_text(tournament: &Tournament, data: &StandingsData, style: Style) -> String {
    let mut text = standings::text(tournament, style) + "\n";
    for stage in begun(tournament) {
        let meetings = match rounds(tournament, stage) {
            Some(rounds) => bracket::text(&rounds, tournament, style),
            None => Crosstable::from_games(tournament, stage, &data.games).text(tournament, style),
        };
        let title = format!("Stage {}: who met whom", u16::from(stage) + 1);
        text += &format!("{}\n{meetings}\n", style.heading(&title));
    }
    let sections = [
        data.ratings().text(tournament, style),
        remarks::text(tournament, style),
        unplayed::text(&data.unplayed, style),
        remarks::forfeits_text(tournament, &data.forfeits, style),
        conduct::text(tournament, &data.conduct, style),
        isolation::text(&data.resources, style),
        machines::text(&data.games, &data.machines, style),
        data.times.text(tournament, style),
        data.seal.map_or(String::new(), |seal| format!("{}\n{seal}\n", style.heading("Seal"))),
    ];
    let sections = sections.into_iter().filter(|section| !section.is_empty());
    text + &sections.collect::<Vec<_>>().join("\n")
}
