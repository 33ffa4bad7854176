//! `standings DB`: prints a tournament's results so far, as text, JSON or Markdown: standings, who met whom, rounds,
//! ratings, remarks, games that could not be played, forfeits, conduct and times.
//!
//! `tournament` ends with the same output. It is made from the record alone, so the contest file and the entries may be
//! gone, and a run may still be writing the record.

use crate::options::PageFormat;
use crate::{CliError, Exit, Registry, show};
use clap::Args;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::Record;
use cornerman_report::Tournament;
use cornerman_report::facts::{self, Facts, document};
use cornerman_report::rating::ratings;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// The record of a tournament
    pub db: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Text)]
    pub format: PageFormat,
}

/// Prints the standings of a record.
pub(crate) fn run(args: StandingsArgs, games: &Registry) -> Result<Exit, CliError> {
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
    let results = record.results()?;
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let facts = Facts::from_record(record, &tournament)?;
    drop(frozen);
    let ratings = ratings(&facts.games, header.seed);
    let mut out = anstream::stdout();
    match format {
        PageFormat::Json => writeln!(out, "{}", show::json(facts::json(&tournament, &facts, &ratings)))?,
        PageFormat::Md => write!(out, "{}", document(&tournament, &facts, &ratings).markdown(&entrants))?,
        PageFormat::Text => {
            let text = document(&tournament, &facts, &ratings).text(&entrants, show::style());
            write!(out, "{}", show::folded_lines(&text))?;
        }
    }
    Ok(())
}
