//! `standings DB`: what came of a tournament so far, as text, JSON or Markdown: standings, who met whom, rounds,
//! ratings, remarks, games that could not be played, forfeits, conduct, times.
//!
//! `tournament` ends with the same pages. All of it is made from the record alone: the contest file and the entries
//! may be gone, and a run may be playing meanwhile.

use crate::cli::{self, PageFormat};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::show::plain_json;
use cornerman::contest::Contest;
use cornerman::format::{Results, Rounds};
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{
    EntrantRecord, GameHead, Header, Incident, Manners, Record, RecordError, Unplayed,
};
use cornerman_report::crosstable::Crosstable;
use cornerman_report::rating::{Ratings, ratings};
use cornerman_report::times::Times;
use cornerman_report::{Style, Tournament, bracket, conduct, remarks, standings, unplayed};
use serde_json::{Value, json};
use std::io::Write;

/// Shows the record that was asked for.
pub fn run(args: cli::Standings, games: &Registry) -> Result<Exit, Failure> {
    let record = Record::open(&args.db)?;
    tell(&record, games, args.format)?;
    Ok(Exit::Fine)
}

/// Prints the pages of `record`, in the colours that a terminal wants.
pub fn tell(record: &Record, games: &Registry, format: PageFormat) -> Result<(), Failure> {
    let read = record.at_one_moment(|record| Read::of(record, games))?;
    let tournament = Tournament::new(&read.header, &read.entrants, &read.contest, &read.results);
    let mut print = anstream::stdout();
    match format {
        PageFormat::Json => writeln!(print, "{}", plain_json(page_json(&tournament, &read)))?,
        PageFormat::Md => write!(print, "{}", page_markdown(&tournament, &read))?,
        PageFormat::Text => write!(print, "{}", page_text(&tournament, &read, Style::coloured()))?,
    }
    Ok(())
}

/// All that the pages are made from.
struct Read {
    header: Header,
    entrants: Vec<EntrantRecord>,
    contest: Contest,
    results: Results,
    games: Vec<GameHead>,
    incidents: Vec<Incident>,
    unplayed: Vec<Unplayed>,
    manners: Vec<Manners>,
    times: Times,
}

impl Read {
    fn of(record: &Record, games: &Registry) -> Result<Read, RecordError> {
        let mut times = Times::default();
        record.each_timed(&mut |timed| times.add(&timed))?;
        Ok(Read {
            header: record.header()?,
            entrants: record.entrants()?,
            contest: ContestFile::recorded(record, &games.games)?.contest,
            results: record.results()?,
            games: record.games()?,
            incidents: record.incidents()?,
            unplayed: record.unplayed()?,
            manners: record.manners()?,
            times,
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

fn rounds(tournament: &Tournament, stage: u8) -> Option<Rounds> {
    tournament.progress[usize::from(stage)].rounds(tournament.results)
}

fn page_json(tournament: &Tournament, read: &Read) -> Value {
    let stage = |stage: u8| {
        let crosstable = Crosstable::of(tournament, stage, &read.games).json(tournament);
        let rounds = rounds(tournament, stage).map(|rounds| bracket::json(&rounds, tournament));
        json!({ "stage": stage, "crosstable": crosstable, "rounds": rounds })
    };
    let mut value = standings::json(tournament);
    value["meetings"] = begun(tournament).map(stage).collect();
    value["ratings"] = read.ratings().json(tournament);
    value["remarks"] = remarks::json(tournament, &read.incidents);
    value["unplayed"] = unplayed::json(&read.unplayed);
    value["conduct"] = conduct::json(tournament, &read.manners);
    value["times"] = read.times.json(tournament);
    value
}

fn page_markdown(tournament: &Tournament, read: &Read) -> String {
    let mut text = standings::markdown(tournament);
    for stage in begun(tournament) {
        text += &format!("\n## Stage {}: who met whom\n\n", u16::from(stage) + 1);
        text += &match rounds(tournament, stage) {
            // Brackets are drawn: Markdown shows them as they are if each line begins with four blanks.
            Some(rounds) => {
                let drawn = bracket::text(&rounds, tournament, Style::plain());
                drawn.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect()
            }
            None => Crosstable::of(tournament, stage, &read.games).markdown(tournament),
        };
    }
    if !read.unplayed.is_empty() {
        text += &format!("\n## Games that could not be played\n\n{}", unplayed::markdown(&read.unplayed));
    }
    match read.ratings().markdown(tournament) {
        none if none.is_empty() => text,
        ratings => format!("{text}\n## Ratings\n\n{ratings}"),
    }
}

fn page_text(tournament: &Tournament, read: &Read, style: Style) -> String {
    let mut text = standings::text(tournament, style) + "\n";
    for stage in begun(tournament) {
        let meetings = match rounds(tournament, stage) {
            Some(rounds) => bracket::text(&rounds, tournament, style),
            None => Crosstable::of(tournament, stage, &read.games).text(tournament, style),
        };
        text += &format!("{}\n{meetings}\n", tournament.stage_title(stage));
    }
    let sections = [
        read.ratings().text(tournament, style),
        remarks::text(tournament, style),
        unplayed::text(&read.unplayed, style),
        remarks::incidents_text(tournament, &read.incidents, style),
        conduct::text(tournament, &read.manners, style),
        read.times.text(tournament, style),
    ];
    let sections = sections.into_iter().filter(|section| !section.is_empty());
    text + &sections.collect::<Vec<_>>().join("\n")
}
