//! `standings DB`: prints a tournament's results so far, as text, JSON or Markdown: standings, who met whom, rounds,
//! ratings, remarks, games that could not be played, forfeits, conduct and times.
//!
//! `tournament` ends with the same output. It is made from the record alone, so the contest file and the entries may be
//! gone, and a run may still be writing the record.

use crate::cli::{self, PageFormat};
use crate::exit::{CliError, Exit};
use crate::registry::Registry;
use crate::show::{self, plain_json};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{GameSummary, Record};
use cornerman_report::crosstable::Crosstable;
use cornerman_report::facts::{Facts, document};
use cornerman_report::rating::{Ratings, ratings};
use cornerman_report::{Tournament, conduct, remarks, rounds, standings};
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
    let frozen = record.snapshot()?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    let contest = ContestFile::recorded(record, &games.games)?.contest;
    let results = record.games()?.iter().map(GameSummary::result).collect();
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let facts = Facts::from_record(record, &tournament)?;
    drop(frozen);
    let ratings = ratings(&facts.games, header.seed);
    let mut out = anstream::stdout();
    match format {
        PageFormat::Json => writeln!(out, "{}", plain_json(page_json(&tournament, &facts, &ratings)))?,
        PageFormat::Md => write!(out, "{}", document(&tournament, &facts, &ratings).markdown(&entrants))?,
        PageFormat::Text => {
            let text = document(&tournament, &facts, &ratings).text(&entrants, show::style());
            write!(out, "{}", show::folded_lines(&text))?;
        }
    }
    Ok(())
}

fn page_json(tournament: &Tournament, facts: &Facts, ratings: &Ratings) -> Value {
    let stage = |stage: u8| {
        let crosstable = Crosstable::from_games(tournament, stage, &facts.games).json(tournament);
        let rounds = tournament.progress[usize::from(stage)].rounds(tournament.results);
        json!({ "stage": stage, "crosstable": crosstable, "rounds": rounds.map(|it| rounds::json(&it, tournament)) })
    };
    let begun = tournament.stages().filter(|(_, progress)| progress.has_begun()).map(|(number, _)| stage(number));
    let mut value = standings::json(tournament);
    value["meetings"] = begun.collect();
    value["ratings"] = ratings.json(tournament);
    value["remarks"] = remarks::json(tournament, &facts.forfeits);
    value["unplayed"] = remarks::unplayed_json(&facts.unplayed);
    value["seal"] = facts.seal.map(|seal| seal.to_string()).into();
    value["conduct"] = conduct::conduct_json(tournament, &facts.conduct);
    value["isolation"] = conduct::isolation_json(tournament, &facts.resources);
    value["machines"] = conduct::machines_json(&facts.games, &facts.machines);
    value["times"] = facts.times.json(tournament);
    value
}
