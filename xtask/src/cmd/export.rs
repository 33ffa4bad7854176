//! `export DB`: the games of a record in forms that other programs read: JSON lines, or a form of their game.
//!
//! Games are written as they are read, one at a time: memory does not grow with their number. A file is whole when it
//! appears under its name, and takes the place of nothing but an older export.

mod file;

use super::replay;
use crate::cli::{self, JSONL};
use crate::exit::{Exit, Failure};
use crate::registry::{GameEntry, Registry};
use crate::show::plain_json;
use cornerman_harness::nearest::did_you_mean;
use cornerman_harness::record::{GameRecord, Record};
use cornerman_report::export;
use cornerman_report::view::FileForm;
use file::{Folder, NewFile};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the games that were asked for.
pub fn run(args: cli::Export, games: &Registry) -> Result<Exit, Failure> {
    must_be_a_form(&args.format, games)?;
    let record = Record::open(&args.db)?;
    record.at_one_moment(|record| match args.format.as_str() {
        JSONL => jsonl(record, &args),
        _ => in_files(record, &args, games),
    })?;
    Ok(Exit::Fine)
}

/// # Errors
/// When games of no kind are written in this form, with the nearest.
fn must_be_a_form(form: &str, games: &Registry) -> Result<(), Failure> {
    let files = games.entries().iter().flat_map(|game| game.view.files()).map(|form| form.name);
    let forms: Vec<&str> = [JSONL].into_iter().chain(files).collect();
    if forms.contains(&form) {
        return Ok(());
    }
    let hint = did_you_mean(form, forms.iter().copied());
    Err(Failure::usage(format!("--format: there is no form `{form}`; the forms are {}{hint}", forms.join(", "))))
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
            let mut file = NewFile::at(path, &file::is_jsonl)?;
            write_to(&mut file, Some(path))?;
            file.put_in_place()
        }
    }
}

/// The games in a form of their own, a file each where there is a folder for them.
fn in_files(record: &Record, args: &cli::Export, games: &Registry) -> Result<(), Failure> {
    let (header, entrants) = (record.header()?, record.entrants()?);
    let ruleset = games.recorded(record, &header)?;
    let (game, form) = (games.of(&ruleset), args.format.as_str());
    let Some(FileForm { sign, .. }) = game.view.files().iter().find(|known| known.name == form) else {
        let has_form = |game: &&GameEntry| game.view.files().iter().any(|known| known.name == form);
        let of = games.entries().iter().find(has_form).map_or("another game", |game| game.kit.title());
        let (db, form, own) = (record.path().display(), form.to_uppercase(), game.id());
        return Err(Failure::usage(format!(
            "{db} has games of {own}, and {form} is for games of {of}: take `--format {JSONL}`"
        )));
    };
    let view = game.view.of(&ruleset);
    let written_as = |game: &GameRecord| view.write(form, &header, &entrants, game).map_err(Failure::usage);
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            each_game(record, &args.games, &mut |game| Ok(out.write_all(written_as(game)?.as_bytes())?))?;
            Ok(out.flush()?)
        }
        Some(path) => {
            let folder = Folder::at(path)?;
            each_game(record, &args.games, &mut |game| {
                let name = format!("{}.{form}", game.pairing.id.to_string().replace('/', "-"));
                let place = folder.path().join(name);
                let mut file = NewFile::at(&place, &|file| file::has_sign(sign, file))?;
                file.write_all(written_as(game)?.as_bytes()).map_err(|error| written(Some(&place), error))?;
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
