//! Fuzzes records: their bytes, and the values that the schema allows.

use super::text::games;
use crate::unpacked;
use cornerman::contest::Versions;
use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{GameRecord, Record};
use cornerman_harness::ruleset::Ruleset;
use cornerman_report::facts::{self, Facts, document};
use cornerman_report::html::{self, Logs, PageSource};
use cornerman_report::rating::ratings;
use cornerman_report::replay::Replay;
use cornerman_report::view::{GameView, RecordedGame};
use cornerman_report::{Style, Tournament, export};
use rusqlite::Connection;
use std::error::Error;
use std::fs;
use std::path::Path;

/// A folder for records, in memory if the machine has such a folder.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder")
}

/// A record with changed bytes.
pub fn bytes(input: &[u8]) {
    let folder = folder();
    let path = folder.path().join("c.db");
    fs::write(&path, input).expect("it can be written");
    drop(read(&path));
}

/// A record with other values. Each line is `table.column=value`, for all rows, or with a suffix `#3` for the rows
/// whose value is that of the row with index 3.
pub fn values(input: &[u8]) {
    const BASES: [&[u8]; 3] = [
        include_bytes!("corpus/record/boxing.db"),
        include_bytes!("corpus/record/go.db"),
        include_bytes!("corpus/record/rps.db"),
    ];
    let folder = folder();
    let path = folder.path().join("c.db");
    fs::write(&path, BASES[input.len() % BASES.len()]).expect("it can be written");
    let db = Connection::open(&path).expect("it is a database");
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        .expect("set");
    let mut changes = String::new();
    for line in String::from_utf8_lossy(input).lines() {
        let Some((column, value)) = line.split_once('=') else { continue };
        let Some((table, column)) = column.split_once('.') else { continue };
        let (value, row) = value.split_once('#').unwrap_or((value, ""));
        let of = |row: u32| format!(" WHERE {column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {row})");
        let only = row.parse().map(of).unwrap_or_default();
        let quoted = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if quoted(table) && quoted(column) && !value.contains(';') && !value.contains('(') {
            changes += &format!("UPDATE OR IGNORE {table} SET {column} = {value}{only};");
        }
    }
    // Each change is made by itself, because one that is not possible ends a whole batch.
    for change in changes.split_inclusive(';') {
        drop(unpacked::change(&db, change));
    }
    drop(db);
    drop(read(&path));
}

/// Makes everything that the commands make from a record, in memory.
fn read(path: &Path) -> Result<(), Box<dyn Error>> {
    let record = Record::open(path).inspect_err(|error| drop(error.to_string()))?;
    let header = record.header()?;
    let entrants = record.entrants()?;
    record.each_full_game(&mut |game| {
        export::json(&header, &entrants, &Versions::default(), &game, true, None);
        replay(&record, &game).ok();
        Ok::<(), Box<dyn Error>>(())
    })?;
    let recorded = ContestFile::recorded(&record, &games())?;
    let ruleset = &recorded.ruleset;
    let contest = &recorded.contest;
    let results = record.results()?;
    let tournament = Tournament::new(&header, &entrants, contest, &results);
    let facts = Facts::from_record(&record, &tournament)?;
    let ratings = ratings(&facts.games, header.seed);
    let document = document(&tournament, &facts, &ratings);
    drop((document.text(&entrants, Style::coloured()), document.markdown(&entrants)));
    drop(serde_json::to_string(&facts::json(&tournament, &facts, &ratings))?);
    let source = PageSource {
        tournament: &tournament,
        record: &record,
        ruleset,
        view: view_of(ruleset),
        ratings: &ratings,
        logs: Logs::All,
        live: None,
        why: None,
        command: "cornerman",
    };
    html::page(&source, html::MOST_BYTES)?;
    Ok(())
}

fn view_of(ruleset: &Ruleset) -> &'static dyn GameView {
    let of_game = cornerman_cli::games::all().into_iter().find(|game| game.kit.id() == ruleset.game());
    of_game.expect("a built-in game").view
}

/// Plays a game again as `replay` and `export` do.
fn replay(record: &Record, game: &GameRecord) -> Result<(), Box<dyn Error>> {
    let header = record.header()?;
    let entrants = record.entrants()?;
    let ruleset = games().parse(Path::new("fuzz.toml"), &header.ruleset_text);
    let ruleset = ruleset.map_err(|mistake| mistake.to_string())?;
    let view = view_of(&ruleset);
    for form in view.files() {
        let game = RecordedGame {
            header: &header,
            title: &ruleset.title,
            rules: &ruleset,
            entrants: &entrants,
            record: game,
            uncounted: None,
        };
        view.write(form.name, &game).ok();
    }
    let replay = Replay::new(game, &entrants, &ruleset, view)?;
    drop((replay.text(None, Style::plain())?, replay.json(None)?));
    Ok(())
}
