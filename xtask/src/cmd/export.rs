//! `export DB`: the games of a record in forms that other programs read: JSON lines, or SGF for games of Go.
//!
//! Games are written as they are read, one at a time: memory does not grow with their number. A file is whole when it
//! appears under its name, and takes the place of nothing but an older export.

mod file;

use super::replay;
use crate::cli::{self, ExportFormat};
use crate::exit::{Exit, Failure};
use crate::show::plain_json;
use cornerman::games::go::Go;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{EntrantRecord, GameRecord, Header, Record};
use cornerman_harness::ruleset::Rules;
use cornerman_report::export;
use cornerman_report::sgf::{GoGame, sgf};
use file::{Folder, NewFile};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the games that were asked for.
pub fn run(args: cli::Export) -> Result<Exit, Failure> {
    let record = Record::open(&args.db)?;
    record.at_one_moment(|record| match args.format {
        ExportFormat::Jsonl => jsonl(record, &args),
        ExportFormat::Sgf => all_sgf(record, &args),
    })?;
    Ok(Exit::Fine)
}

/// Shows `each` the games that were asked for: all, in the order of the contest, if none are named.
fn each_game(
    record: &Record,
    names: &[String],
    each: &mut dyn FnMut(&GameRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if names.is_empty() {
        return record.each_whole(&mut |game| each(&game));
    }
    // A wrong name is found before anything is written.
    names.iter().try_for_each(|name| replay::find(record, name).map(drop))?;
    names.iter().try_for_each(|name| each(&replay::find(record, name)?))
}

fn jsonl(record: &Record, args: &cli::Export) -> Result<(), Failure> {
    let (header, entrants) = (record.header()?, record.entrants()?);
    let write_to = |out: &mut dyn Write, path: Option<&Path>| {
        each_game(record, &args.games, &mut |game| {
            writeln!(out, "{}", plain_json(export::json(&header, &entrants, game)))
                .map_err(|error| written(path, error))
        })
    };
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write_to(&mut out, None)?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let mut file = NewFile::at(path, file::is_jsonl)?;
            write_to(&mut file, Some(path))?;
            file.put_in_place()
        }
    }
}

fn all_sgf(record: &Record, args: &cli::Export) -> Result<(), Failure> {
    let club = Club::of(record)?;
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            each_game(record, &args.games, &mut |game| Ok(out.write_all(club.sgf(game)?.as_bytes())?))?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let folder = Folder::at(path)?;
            each_game(record, &args.games, &mut |game| {
                let name = format!("{}.sgf", game.pairing.id.to_string().replace('/', "-"));
                let place = folder.path().join(name);
                let mut file = NewFile::at(&place, file::is_sgf)?;
                file.write_all(club.sgf(game)?.as_bytes()).map_err(|error| written(Some(&place), error))?;
                file.put_in_place()
            })
        }
    }
}

/// A failure to write: to a file of this name, or to standard output, which somebody may have stopped to read.
fn written(path: Option<&Path>, error: io::Error) -> Failure {
    match path {
        None => error.into(),
        Some(path) => Failure::Kit(anyhow::Error::from(error).context(format!("writing {}", path.display()))),
    }
}

/// What games of Go in one record share.
struct Club {
    header: Header,
    entrants: Vec<EntrantRecord>,
    title: String,
    rules: Go,
}

impl Club {
    fn of(record: &Record) -> Result<Club, Failure> {
        let header = record.header()?;
        let file = ContestFile::recorded(record)?;
        let Rules::Go(rules, _) = file.ruleset.rules else {
            return Err(Failure::usage(format!(
                "{} has games of {}, and SGF is for games of Go: take `--format jsonl`",
                record.path().display(),
                header.game
            )));
        };
        Ok(Club { header, entrants: record.entrants()?, title: file.ruleset.title, rules })
    }

    fn sgf(&self, record: &GameRecord) -> Result<String, Failure> {
        let (header, entrants) = (&self.header, &self.entrants[..]);
        sgf(&GoGame { header, ruleset: &self.title, rules: &self.rules, entrants, record }).map_err(Failure::usage)
    }
}
