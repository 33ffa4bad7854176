//! Records: their bytes, and values that the schema allows.

use cornerman_harness::contest_file::ContestFile;
use cornerman_harness::record::{GameRecord, Record};
use cornerman_harness::ruleset::{Rules, Ruleset};
use cornerman_report::bracket::Rounds;
use cornerman_report::crosstable::Crosstable;
use cornerman_report::html::{self, RatingRow, Source};
use cornerman_report::rating::ratings;
use cornerman_report::replay::{LineReplay, Replay, input_of};
use cornerman_report::sgf::{GoGame, sgf};
use cornerman_report::times::Times;
use cornerman_report::{Style, Tournament, conduct, export, remarks, standings};
use rusqlite::Connection;
use std::error::Error;
use std::fs;
use std::path::Path;

/// A folder for records that is in memory where there is one.
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

/// A record with other values: each line is `table.column=value`, for all rows or, with `#3` behind it,
/// for those that have what is in the fourth.
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
    for line in String::from_utf8_lossy(input).lines() {
        let Some((column, value)) = line.split_once('=') else { continue };
        let Some((table, column)) = column.split_once('.') else { continue };
        let (value, row) = value.split_once('#').unwrap_or((value, ""));
        let of = |row: u32| format!(" WHERE {column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {row})");
        let only = row.parse().map(of).unwrap_or_default();
        let quoted = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if quoted(table) && quoted(column) && !value.contains(';') && !value.contains('(') {
            db.execute_batch(&format!("UPDATE OR IGNORE {table} SET {column} = {value}{only}")).ok();
        }
    }
    drop(db);
    drop(read(&path));
}

/// Everything that the commands make of a record, in memory.
fn read(path: &Path) -> Result<(), Box<dyn Error>> {
    let record = Record::open(path).inspect_err(|error| drop(error.to_string()))?;
    let (header, entrants) = (record.header()?, record.entrants()?);
    record.each_whole(&mut |game| {
        export::json(&header, &entrants, &game);
        replay(&record, &game).ok();
        Ok::<(), Box<dyn Error>>(())
    })?;
    let file = ContestFile::recorded(&record)?;
    let contest = file.contest().map_err(|mistake| mistake.to_string())?;
    let (results, games, incidents) = (record.results()?, record.games()?, record.incidents()?);
    let tournament = Tournament::new(&header, &entrants, &contest, &results);
    let (manners, ratings) = (record.manners()?, ratings(&games, header.seed));
    let mut times = Times::default();
    record.each_timed(&mut |timed| times.add(&timed))?;
    let style = Style::coloured();
    drop((standings::json(&tournament), standings::markdown(&tournament), standings::text(&tournament, style)));
    drop((ratings.json(&tournament), ratings.text(&tournament, style), ratings.markdown(&tournament)));
    drop((remarks::json(&tournament, &incidents), remarks::text(&tournament, style)));
    drop((remarks::incidents_text(&tournament, &incidents, style), conduct::text(&tournament, &manners, style)));
    drop((conduct::json(&tournament, &manners), times.json(&tournament), times.text(&tournament, style)));
    for stage in 0..contest.stages().len() as u8 {
        let crosstable = Crosstable::of(&tournament, stage, &games);
        drop((
            crosstable.json(&tournament),
            crosstable.text(&tournament, style),
            crosstable.markdown(&tournament),
        ));
        if let Some(rounds) = Rounds::of(&tournament, stage, &games) {
            drop((rounds.json(&tournament), rounds.text(&tournament, style)));
        }
    }
    let rows = ratings.list.iter().map(|rating| RatingRow {
        name: tournament.name(rating.entrant),
        rating: rating.rating,
        low: rating.low,
        high: rating.high,
        games: rating.games,
        above_next: rating.above_next,
    });
    let rows: Vec<RatingRow> = rows.collect();
    html::page(&Source { tournament: &tournament, record: &record, ratings: &rows, live: None })?;
    Ok(())
}

/// Plays a game again as `replay` and `export --format sgf` do.
fn replay(record: &Record, game: &GameRecord) -> Result<(), Box<dyn Error>> {
    let (header, entrants) = (record.header()?, record.entrants()?);
    let ruleset = Ruleset::parse(Path::new("fuzz.toml"), &header.ruleset_text);
    let ruleset = ruleset.map_err(|mistake| mistake.to_string())?;
    if let Rules::Boxing(_) = ruleset.rules {
        let replay = Replay::of(game, &entrants)?;
        (0..=replay.len()).for_each(|step| drop(replay.text(step, Style::plain())));
        replay.json(None)?;
        input_of(game, 1, None)?;
        return Ok(());
    }
    let replay = LineReplay::of(game, &entrants, &ruleset)?;
    drop((replay.text(None, Style::plain())?, replay.json(None)?));
    if let Rules::Go(rules, _) = &ruleset.rules {
        sgf(&GoGame { header: &header, ruleset: &ruleset.title, rules, entrants: &entrants, record: game })?;
    }
    Ok(())
}
