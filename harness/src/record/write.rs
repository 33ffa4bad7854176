//! Writing: the one run that a record has at a time.

use super::columns::Shown;
use super::insert::{insert_game, insert_remark};
use super::lock::Lock;
use super::read::Record;
use super::schema::{self, Found};
use super::{EntrantRecord, GameRecord, Header, RecordError, changes};
use super::{files, verify};
use cornerman::format::{PairingId, Remark};
use rusqlite::{Connection, OpenFlags, Transaction, params};
use sha2::{Digest, Sha256};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a moment of readers' work may keep a game from being written.
const PATIENCE: Duration = Duration::from_secs(20);

/// A record that is being written. It can be read as any [`Record`].
///
/// Dropping it leaves a single file, which can be copied and read from anywhere.
#[derive(Debug)]
pub struct Writer {
    record: Record,
    resumed: bool,
    // After the record, so that it is let go of when all is written.
    _lock: Lock,
}

impl Deref for Writer {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Writer {
    /// Begins a record at `path`.
    ///
    /// # Errors
    /// When there is one ([`RecordError::Exists`]), or it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Writer, RecordError> {
        let writer = Writer::create_or_resume(path, header);
        match writer {
            Ok(writer) if !writer.resumed => Ok(writer),
            Ok(_) | Err(RecordError::Changed { .. }) => Err(RecordError::Exists { path: path.into() }),
            Err(other) => Err(other),
        }
    }

    /// Goes on with the record at `path`, which must have been begun with `header`, comments and the number of
    /// workers aside.
    ///
    /// # Errors
    /// When there is none, another run holds it, it is something else, the contest or its rules have changed, or
    /// it cannot be written.
    pub fn resume(path: &Path, header: &Header) -> Result<Writer, RecordError> {
        if !path.exists() {
            return Err(RecordError::Missing { path: path.into() });
        }
        Writer::create_or_resume(path, header)
    }

    /// Goes on with the record at `path`, or begins it if there is none.
    ///
    /// # Errors
    /// As [`Writer::resume`].
    pub fn create_or_resume(path: &Path, header: &Header) -> Result<Writer, RecordError> {
        verify::name(path, "the contest", &header.contest)?;
        header.stages.iter().try_for_each(|stage| verify::name(path, "a stage", &stage.name))?;
        let (lock, mut record, found) = open(path)?;
        let opening = |error| RecordError::of_opening(path, error);
        let resumed = matches!(found, Found::Record);
        if resumed {
            unchanged(&record, header)?;
        }
        let db = record.db_mut();
        // After the look: a file that is something else stays as it is.
        db.pragma_update(None, "journal_mode", "wal").map_err(opening)?;
        db.pragma_update(None, "synchronous", "full").map_err(opening)?;
        db.pragma_update(None, "foreign_keys", true).map_err(opening)?;
        if resumed { schema::complete(db) } else { begin(db, header) }.map_err(opening)?;
        Ok(Writer { record, resumed, _lock: lock })
    }

    /// Whether the record was there already.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// Names who takes part, and behind them who does not, in the order of their numbers, before the first game. When they are named already,
    /// as in a resumed run, they must be the same.
    ///
    /// # Errors
    /// When they are others than before ([`RecordError::Changed`]) or their programs are
    /// ([`RecordError::OtherPrograms`]: a source that makes the same program is the same); when it cannot be written.
    pub fn add_entrants(&mut self, entrants: &[EntrantRecord]) -> Result<(), RecordError> {
        for who in entrants {
            let path = self.record.path();
            verify::name(path, "an entrant", &who.name)?;
            verify::name(path, "an author", who.author.as_deref().unwrap_or_default())?;
            verify::name(path, "a group", who.group.as_deref().unwrap_or_default())?;
        }
        let before = self.record.entrants()?;
        if before.is_empty() {
            return self.transaction("recording the entrants", |db| {
                let mut insert =
                    db.prepare_cached("INSERT INTO entrants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
                for (number, who) in entrants.iter().enumerate() {
                    insert.execute(params![
                        number as i64,
                        who.name,
                        who.author,
                        who.spec,
                        who.role.name(),
                        who.group,
                        who.entered,
                        who.source_sha256,
                        who.program_sha256,
                        who.toolchain,
                        who.verdict,
                        who.out
                    ])?;
                }
                Ok(())
            });
        }
        let (then, now) = (identities(&before), identities(entrants));
        let path = self.record.path().to_path_buf();
        if then != now {
            return Err(RecordError::Changed { path, what: "who takes part", diff: changes::diff(&then, &now) });
        }
        let others = before.iter().zip(entrants).filter(|(then, now)| then.program_sha256 != now.program_sha256);
        let names: Vec<String> = others.map(|(_, now)| now.name.clone()).collect();
        if names.is_empty() { Ok(()) } else { Err(RecordError::OtherPrograms { path, names }) }
    }

    /// Adds a game, whole, in one transaction: it is on the disk when this returns.
    ///
    /// # Errors
    /// When it is there already, its board is not the one the record has by that number, or it cannot be written;
    /// the record is then as before.
    pub fn add_game(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        let board = &game.setup.board;
        match self.record.board(game.pairing.board)? {
            Some(known) if known != *board => {
                let (path, number) = (self.record.path().into(), game.pairing.board);
                return Err(RecordError::BoardChanged { path, number });
            }
            known => self.transaction("recording a game", |db| {
                if known.is_none() {
                    db.prepare_cached("INSERT INTO boards VALUES (?, ?)")?
                        .execute(params![game.pairing.board, Shown(board)])?;
                }
                insert_game(db, game)
            }),
        }
        .map_err(|error| match error {
            RecordError::Sqlite { path, source, .. } if is_twice(&source) => {
                RecordError::Twice { path, game: game.pairing.id.to_string() }
            }
            other => other,
        })
    }

    /// Notes that a game could not be played in so many further attempts, the last of which failed for the reason `why`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_unplayed(&mut self, id: PairingId, attempts: u32, why: &str) -> Result<(), RecordError> {
        self.transaction("recording a game that could not be played", |db| {
            let insert = "INSERT INTO unplayed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE \
                          SET attempts = attempts + excluded.attempts, why = excluded.why";
            db.execute(insert, params![id.stage, id.round, id.table, id.game, attempts, why]).map(drop)
        })
    }

    /// Notes byes, lots and the like of a stage (0-based), in place of what was noted of it before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_remarks(&mut self, stage: u8, remarks: &[Remark]) -> Result<(), RecordError> {
        self.transaction("recording remarks", |db| {
            db.execute("DELETE FROM remark_entrants WHERE stage = ?", [stage])?;
            db.execute("DELETE FROM remarks WHERE stage = ?", [stage])?;
            remarks.iter().enumerate().try_for_each(|(nth, remark)| insert_remark(db, stage, nth as i64, remark))
        })
    }

    /// Whether each game is forced to the disk before [`Writer::add_game`] returns, as it is unless this says
    /// otherwise. Without, a power failure may cost the last games; a kill never does.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn set_durable(&mut self, durable: bool) -> Result<(), RecordError> {
        let mode = if durable { "full" } else { "off" };
        let set = self.record.db().pragma_update(None, "synchronous", mode);
        set.map_err(|error| RecordError::of(self.record.path(), "setting durability", error))
    }

    /// Renames the record at `path`, so that another can be begun there, and says to what:
    /// `mini.db` becomes `mini.old-1.db`.
    ///
    /// # Errors
    /// When another run holds it, it is no record, or it cannot be renamed.
    pub fn set_aside(path: &Path) -> Result<PathBuf, RecordError> {
        if !path.exists() {
            return Err(RecordError::Missing { path: path.into() });
        }
        let (_lock, record, _) = open(path)?;
        single_file(record.db()).map_err(|error| RecordError::of(path, "closing the record", error))?;
        drop(record);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let free = (1..).map(|n| path.with_file_name(format!("{stem}.old-{n}.db"))).find(|to| !to.exists());
        let to = free.expect("some number is free");
        fs::rename(path, &to).map_err(|error| RecordError::of_system(path, &error))?;
        Ok(to)
    }

    fn transaction(
        &mut self,
        doing: &'static str,
        write: impl FnOnce(&Transaction) -> rusqlite::Result<()>,
    ) -> Result<(), RecordError> {
        let run = || {
            let transaction = self.record.db_mut().transaction()?;
            write(&transaction)?;
            transaction.commit()
        };
        run().map_err(|error| RecordError::of(self.record.path(), doing, error))
    }

    /// For tests of a full disk: no more pages than there are and `spare` more.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, spare: u32) {
        let db = self.record.db();
        let pages: u32 = db.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        db.pragma_update(None, "max_page_count", pages + spare).unwrap();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Readers may prevent it; what is beside the file is then as good a part of the record.
        single_file(self.record.db()).ok();
    }
}

/// Takes everything into the one file, as far as nobody reads at the moment.
fn single_file(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(Duration::ZERO)?;
    db.query_row("PRAGMA journal_mode = delete", [], |_| Ok(()))
}

fn open(path: &Path) -> Result<(Lock, Record, Found), RecordError> {
    files::check(path)?;
    let lock = Lock::take(path)?;
    let mut db = connect(path)?;
    let looked = verify::bounded(&mut db, |db| schema::look(db, path));
    let found = looked.map_err(|error| RecordError::of_opening(path, error))??;
    if matches!(found, Found::Record) {
        verify::content(&db, path)?;
    }
    Ok((lock, Record::of(db, path), found))
}

fn connect(path: &Path) -> Result<Connection, RecordError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|error| RecordError::of_opening(path, error))?;
    let set = db.busy_timeout(PATIENCE).and_then(|()| verify::limit(&db));
    set.map_err(|error| RecordError::of_opening(path, error))?;
    Ok(db)
}

fn begin(db: &mut Connection, header: &Header) -> rusqlite::Result<()> {
    let sha256 = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let begin = db.transaction()?;
    schema::make(&begin)?;
    {
        let mut put = begin.prepare("INSERT INTO meta VALUES (?, ?)")?;
        put.execute(params!["schema", schema::VERSION])?;
        put.execute(params!["kit", header.kit])?;
        put.execute(params!["contest", header.contest])?;
        put.execute(params!["contest_file", header.contest_text])?;
        if let Some(json) = &header.contest_json {
            put.execute(params!["contest_json", json])?;
        }
        put.execute(params!["contest_sha256", sha256(&header.contest_text)])?;
        put.execute(params!["game", header.game])?;
        put.execute(params!["ruleset", header.ruleset])?;
        put.execute(params!["ruleset_file", header.ruleset_text])?;
        put.execute(params!["ruleset_sha256", sha256(&header.ruleset_text)])?;
        put.execute(params!["seed", header.seed.cast_signed()])?;
        put.execute(params!["started_ms", now.as_millis() as i64])?;
        put.execute(params!["boards", header.boards.len() as i64])?;
        let mut put = begin.prepare("INSERT INTO boards VALUES (?, ?)")?;
        for (number, board) in header.boards.iter().enumerate() {
            put.execute(params![number as i64, Shown(board)])?;
        }
        let mut put = begin.prepare("INSERT INTO stages VALUES (?, ?, ?)")?;
        let mut put_program = begin.prepare("INSERT INTO seed_programs VALUES (?, ?, ?)")?;
        for (number, stage) in header.stages.iter().enumerate() {
            put.execute(params![number as i64, stage.name, stage.kind])?;
            for (nth, program) in stage.programs.iter().enumerate() {
                put_program.execute(params![number as i64, nth as i64, program.0])?;
            }
        }
    }
    begin.commit()
}

/// # Errors
/// When the contest or the rules are not those of `header`.
fn unchanged(record: &Record, header: &Header) -> Result<(), RecordError> {
    let then = record.header()?;
    let files = [
        ("the contest file", &then.contest_text, &header.contest_text),
        ("the ruleset", &then.ruleset_text, &header.ruleset_text),
    ];
    let changed = |what, diff| Err(RecordError::Changed { path: record.path().into(), what, diff });
    for (what, then, now) in files {
        if let Some(diff) = changes::of_files(then, now) {
            return changed(what, diff);
        }
    }
    // Another kit may make something else of the same file.
    if let (Some(then), Some(now)) = (&then.contest_json, &header.contest_json)
        && then != now
    {
        return changed("what this kit makes of the contest file", changes::diff(then, now));
    }
    match (0..).zip(then.boards.iter().zip(&header.boards)).find(|(_, (then, now))| then != now) {
        Some((number, _)) => Err(RecordError::BoardChanged { path: record.path().into(), number }),
        None => Ok(()),
    }
}

/// What must not change about who takes part: a line each.
fn identities(entrants: &[EntrantRecord]) -> String {
    let line = |(number, who): (usize, &EntrantRecord)| {
        let author = who.author.as_deref().unwrap_or("-");
        let (name, spec, role) = (&who.name, &who.spec, who.role.name());
        let out = if who.out.is_some() { ", out" } else { "" };
        format!("{} {name} by {author} from {spec} ({role}{out})\n", number + 1)
    };
    entrants.iter().enumerate().map(line).collect()
}

fn is_twice(error: &rusqlite::Error) -> bool {
    let rusqlite::Error::SqliteFailure(error, _) = error else { return false };
    error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
}
