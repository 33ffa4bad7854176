//! `standings DB`: what came of a tournament so far, as text or as JSON: standings, who met whom, rounds, remarks,
//! forfeits.
//!
//! `tournament` ends with the same pages. All of it is made from the record alone: the contest file and the entries
//! may be gone, and a run may be playing meanwhile.

use crate::cli::{self, PlayFormat};
use crate::exit::{Exit, Failure};
use cornerman::format::Results;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{EntrantRecord, GameHead, Header, Incident, Record, RecordError};
use cornerman_report::bracket::Rounds;
use cornerman_report::crosstable::Crosstable;
use cornerman_report::rating::{Ratings, ratings};
use cornerman_report::{Style, Tournament, remarks, standings};
use serde_json::{Value, json};
use std::io::Write;

/// Shows the record that was asked for.
pub fn run(args: cli::Standings) -> Result<Exit, Failure> {
    let record = Record::open(&args.db).map_err(Failure::usage)?;
    tell(&record, args.format)?;
    Ok(Exit::Fine)
}

/// Prints the pages of `record`, in the colours that a terminal wants.
pub fn tell(record: &Record, format: PlayFormat) -> Result<(), Failure> {
    let read = record.at_one_moment(Read::of).map_err(|error| match error {
        RecordError::NoContest { .. } => Failure::usage(error),
        _ => Failure::Kit(error.into()),
    })?;
    let contest = read.file.contest().map_err(Failure::usage)?;
    let tournament = Tournament::new(&read.header, &read.entrants, &contest, &read.results);
    let mut print = anstream::stdout();
    match format {
        PlayFormat::Json => writeln!(print, "{}", page_json(&tournament, &read))?,
        PlayFormat::Text => write!(print, "{}", page_text(&tournament, &read, Style::coloured()))?,
    }
    Ok(())
}

/// All that the pages are made from.
struct Read {
    header: Header,
    entrants: Vec<EntrantRecord>,
    file: ContestFile,
    results: Results,
    games: Vec<GameHead>,
    incidents: Vec<Incident>,
}

impl Read {
    fn of(record: &Record) -> Result<Read, RecordError> {
        Ok(Read {
            header: record.header()?,
            entrants: record.entrants()?,
            file: ContestFile::recorded(record)?,
            results: record.results()?,
            games: record.games()?,
            incidents: record.incidents()?,
        })
    }

    fn ratings(&self) -> Ratings {
        ratings(&self.games, self.header.seed)
    }
}

/// The stages that have something to show, from 0.
fn begun<'a>(tournament: &'a Tournament) -> impl Iterator<Item = u8> + 'a {
    tournament.stages().filter(|(_, progress)| progress.has_begun()).map(|(stage, _)| stage)
}

fn page_json(tournament: &Tournament, read: &Read) -> Value {
    let stage = |stage: u8| {
        let crosstable = Crosstable::of(tournament, stage, &read.games).json(tournament);
        let rounds = Rounds::of(tournament, stage, &read.games).map(|rounds| rounds.json(tournament));
        json!({ "stage": stage, "crosstable": crosstable, "rounds": rounds })
    };
    let mut value = standings::json(tournament);
    value["meetings"] = begun(tournament).map(stage).collect();
    value["ratings"] = read.ratings().json(tournament);
    value["remarks"] = remarks::json(tournament, &read.incidents);
    value
}

fn page_text(tournament: &Tournament, read: &Read, style: Style) -> String {
    let mut text = standings::text(tournament, style) + "\n";
    for stage in begun(tournament) {
        let meetings = match Rounds::of(tournament, stage, &read.games) {
            Some(rounds) => rounds.text(tournament, style),
            None => Crosstable::of(tournament, stage, &read.games).text(tournament, style),
        };
        text += &format!("{}\n{meetings}\n", tournament.stage_title(stage));
    }
    for section in [read.ratings().text(tournament, style), remarks::text(tournament, style)] {
        text += &section;
        text += if section.is_empty() { "" } else { "\n" };
    }
    text + &remarks::incidents_text(tournament, &read.incidents, style)
}
