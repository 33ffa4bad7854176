//! Writes a record. Only one run at a time may do so.

use super::changes::{MORE_ENTRANTS, same_entrants, unchanged};
use super::files::{Lock, WatchedFiles};
use super::read::Record;
use super::row::{self, Documents, LogRow};
use super::schema::{self, text_or_blob};
use super::seal::{self, SealChain};
use super::{EntrantRecord, GameRecord, Header, RecordError, RecordErrorKind, added, columns_of_remark};
use super::{files, verify};
use crate::text::sha256;
use cornerman::format::{EntrantId, GameId, StageRemark};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params, params_from_iter};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a write waits while a reader has the database locked.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// A record that is open for writing. It can be read like any [`Record`]. Whatever writes into it fails if the file
/// cannot be written; the record is then unchanged.
///
/// Unless someone is reading it, dropping it merges everything into a single file, which can be copied elsewhere and
/// read there.
#[derive(Debug)]
pub struct Writer {
    record: Record,
    resumed: bool,
    files: WatchedFiles,
    // Declared after the record, so that the lock is released once everything is written.
    lock: Lock,
}

impl Deref for Writer {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Writer {
    /// Creates a record at `path` and lets `fill` fill it. After an error there is no record.
    ///
    /// # Errors
    /// If something exists there, the errors of `fill`, or it cannot be written.
    pub(crate) fn create_whole(
        path: &Path,
        header: &Header,
        fill: &mut dyn FnMut(&mut Writer) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        if path.exists() {
            return Err(RecordErrorKind::Exists.at(path));
        }
        let failed = |error: io::Error| RecordErrorKind::CannotWrite(error.to_string()).at(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let made = tempfile::Builder::new().prefix(".record-").tempdir_in(folder).map_err(failed)?;
        let unfinished = made.path().join(path.file_name().unwrap_or_default());
        let mut writer = Writer::create_or_resume(&unfinished, header)?;
        writer.set_durable(false)?;
        fill(&mut writer)?;
        drop(writer);
        fs::hard_link(&unfinished, path).map_err(failed)
    }

    /// Resumes the record at `path`, whose contest and rules must be those of `header`. Only comments, white space and
    /// the number of workers may differ, and a stage may allow more entrants (B12): the record then has the new
    /// contest file.
    ///
    /// # Errors
    /// If there is no record, another run is writing to it, the file is something else, the contest or its rules have
    /// changed, or it cannot be written.
    pub fn resume(path: &Path, header: &Header) -> Result<Writer, RecordError> {
        if !path.exists() {
            return Err(RecordErrorKind::Missing.at(path));
        }
        Writer::create_or_resume(path, header)
    }

    /// Resumes the record at `path`, or creates it if there is none.
    ///
    /// # Errors
    /// As for [`Writer::resume`], except that the record may be missing.
    pub fn create_or_resume(path: &Path, header: &Header) -> Result<Writer, RecordError> {
        verify::check_name(path, "the contest", &header.contest)?;
        header.stages.iter().try_for_each(|stage| verify::check_name(path, "a stage", &stage.name))?;
        let (lock, mut record, resumed) = open(path)?;
        let opening = |error| RecordError::of_opening(path, error);
        let allows_more = resumed && unchanged(&record, header)?;
        if allows_more && record.is_amended()? {
            return Err(RecordErrorKind::NotAmended(vec![MORE_ENTRANTS.to_string()]).at(path));
        }
        let db = record.db_mut();
        // Only now is it certain that the file is a record or empty. Any other file must stay as it is.
        db.pragma_update(None, "journal_mode", "wal").map_err(opening)?;
        db.pragma_update(None, "synchronous", "full").map_err(opening)?;
        db.pragma_update(None, "foreign_keys", true).map_err(opening)?;
        if !resumed {
            begin(db, header).map_err(opening)?;
        } else if allows_more {
            replace_contest_file(db, header).map_err(opening)?;
        }
        let files = WatchedFiles::new(&files::resolved(path)?);
        Ok(Writer { record, resumed, files, lock })
    }

    /// Whether the record existed before.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// Adds the entrants in the order of their numbers, followed by the entries that do not play. Must be called before
    /// the first game. In a resumed run the record has entrants already: they must be the same, apart from those that
    /// decisions added.
    ///
    /// # Errors
    /// If the entrants ([`RecordErrorKind::Changed`]) or their programs ([`RecordErrorKind::ProgramsChanged`]) differ
    /// from those in the record, or it cannot be written. A source may differ if the same program is built from it.
    pub fn add_entrants(&mut self, entrants: &[EntrantRecord]) -> Result<(), RecordError> {
        entrants.iter().try_for_each(|who| verify::check_names(self.path(), who))?;
        let mut before = self.record.entrants()?;
        if before.is_empty() {
            return self.transaction("recording the entrants", |db| {
                entrants.iter().enumerate().try_for_each(|(number, who)| insert_entrant(db, number, who))
            });
        }
        let added = added(&self.record.decisions()?).count();
        before.truncate(before.len() - added);
        same_entrants(&self.record, &before, entrants)?;
        let others = before.iter().zip(entrants).filter(|(then, now)| then.program_sha256 != now.program_sha256);
        let names: Vec<String> = others.map(|(_, now)| now.name.clone()).collect();
        if names.is_empty() { Ok(()) } else { Err(RecordErrorKind::ProgramsChanged(names).at(self.path())) }
    }

    /// Adds a whole game in one transaction. It is on the disk when this returns.
    ///
    /// # Errors
    /// If the record has the game already, has another board under its board's number, or cannot be written. The record
    /// is then unchanged.
    pub fn add_game(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        self.add_games(std::slice::from_ref(game))
    }

    /// Adds whole games in one transaction. They are on the disk when this returns.
    ///
    /// # Errors
    /// Those of [`Writer::add_game`]; the record then has none of them.
    pub fn add_games(&mut self, games: &[GameRecord]) -> Result<(), RecordError> {
        let mut new_boards: BTreeMap<u32, &Vec<u8>> = BTreeMap::new();
        for game in games {
            let number = game.pairing.board;
            let board = &game.setup.board;
            let is_same = match (new_boards.get(&number), self.record.board(number)?) {
                (Some(new), _) => *new == board,
                (None, Some(recorded)) => recorded == *board,
                (None, None) => new_boards.insert(number, board).is_none(),
            };
            if !is_same {
                return Err(RecordErrorKind::BoardChanged(number).at(self.path()));
            }
        }
        let mut current = None;
        let added = self.transaction("recording a game", |db| {
            for (number, board) in new_boards {
                db.prepare_cached("INSERT INTO boards VALUES (?, ?)")?
                    .execute(params![number, ToSqlOutput::Borrowed(text_or_blob(board))])?;
            }
            let mut chain = SealChain::end_of(db)?;
            for game in games {
                current = Some(game.pairing.id);
                insert_game(db, game, &mut chain)?;
            }
            Ok(())
        });
        added.map_err(|error| match (error, current) {
            (RecordError { path, kind: RecordErrorKind::Sqlite(_, source) }, Some(id))
                if is_duplicate(&source) =>
            {
                RecordErrorKind::Refused(format!("game {id} is in the record already")).at(&path)
            }
            (other, _) => other,
        })
    }

    /// Records that a game could not be played in this number of further `attempts`; `why` says how the last one
    /// failed.
    pub(crate) fn add_unplayed(&mut self, id: GameId, attempts: u32, why: &str) -> Result<(), RecordError> {
        self.transaction("recording a game that could not be played", |db| {
            let insert = "INSERT INTO unplayed VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE \
                          SET attempts = attempts + excluded.attempts, why = excluded.why";
            db.execute(insert, params![id.stage, id.round, id.table, id.game, id.attempt, attempts, why]).map(drop)
        })
    }

    /// Replaces all remarks, each of which has its stage: byes, repeated pairings, fillers, lots and notes. After a
    /// decision a stage may have fewer, or none.
    pub fn set_remarks(&mut self, remarks: &[(u8, StageRemark)]) -> Result<(), RecordError> {
        self.transaction("recording remarks", |db| {
            db.execute("DELETE FROM remarks", [])?;
            let mut insert = db.prepare_cached("INSERT INTO remarks VALUES (?, ?, ?, ?, ?, ?)")?;
            let of_stages = remarks.chunk_by(|(stage, _), (other, _)| stage == other);
            for (nth, (stage, remark)) in of_stages.flat_map(|of_stage| of_stage.iter().enumerate()) {
                let (kind, round, text, entrants) = columns_of_remark(remark);
                insert.execute(params![stage, nth as i64, kind, round, text, numbers(&entrants)])?;
            }
            Ok(())
        })
    }

    /// Sets whether each game is synced to the disk before [`Writer::add_game`] returns, which is the default. If not,
    /// a power failure may lose the last games; killing the process never does.
    pub fn set_durable(&mut self, durable: bool) -> Result<(), RecordError> {
        let mode = if durable { "full" } else { "off" };
        let set = self.record.db().pragma_update(None, "synchronous", mode);
        set.map_err(|error| RecordError::new(self.record.path(), "setting durability", error))
    }

    /// Renames the record at `path`, so that a new one can be created there: `mini.db` becomes `mini.old-1.db`, or has
    /// the next number that is free. Returns the new path.
    ///
    /// # Errors
    /// If another run is writing to it, someone is reading it, it is not a whole record, or it cannot be renamed.
    pub fn set_aside(path: &Path) -> Result<PathBuf, RecordError> {
        if !path.exists() {
            return Err(RecordErrorKind::Missing.at(path));
        }
        let (_lock, record, _) = open(path)?;
        single_file(record.db()).map_err(|error| RecordError::new(path, "closing the record", error))?;
        drop(record);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut names = (1..).map(|n| path.with_file_name(format!("{stem}.old-{n}.db")));
        let to = names.find(|to| !to.exists()).expect("some number is free");
        fs::rename(path, &to).map_err(|error| RecordError::of_system(path, &error))?;
        Ok(to)
    }

    /// Lets `write` write in one transaction, if the record's files are undisturbed. `doing` is for errors.
    pub(super) fn transaction(
        &mut self,
        doing: &'static str,
        write: impl FnOnce(&Transaction) -> rusqlite::Result<()>,
    ) -> Result<(), RecordError> {
        self.check_undisturbed()?;
        let run = || {
            let transaction = self.record.db_mut().transaction()?;
            write(&transaction)?;
            transaction.commit()
        };
        run().map_err(|error| RecordError::new(self.record.path(), doing, error))
    }

    /// Checks that the files of the record are still those that the run opened.
    ///
    /// # Errors
    /// [`RecordErrorKind::Disturbed`].
    fn check_undisturbed(&mut self) -> Result<(), RecordError> {
        let what = match self.files.problem() {
            Some(what) => what,
            None if self.lock.holds() => return Ok(()),
            None => "its lock file was deleted or replaced".to_string(),
        };
        Err(RecordErrorKind::Disturbed(what).at(self.path()))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Other files that have taken the record's names may belong to another run.
        if self.check_undisturbed().is_ok() {
            // Readers may prevent this. The `-wal` file then stays a valid part of the record.
            single_file(self.record.db()).ok();
        }
    }
}

/// Merges everything into the one file. Fails while anyone is reading.
fn single_file(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(Duration::ZERO)?;
    db.query_row("PRAGMA journal_mode = delete", [], |_| Ok(()))
}

/// Opens the record at `path` for writing. Returns its lock, the record, and whether there was one already.
fn open(path: &Path) -> Result<(Lock, Record, bool), RecordError> {
    files::check(path)?;
    let lock = Lock::take(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let (record, is_begun) = Record::connect(path, flags, BUSY_TIMEOUT)?;
    let record = if is_begun { record.whole()? } else { record };
    Ok((lock, record, is_begun))
}

/// Replaces the contest file in the record by that of `header`.
fn replace_contest_file(db: &mut Connection, header: &Header) -> rusqlite::Result<()> {
    let replacement = db.transaction()?;
    {
        let mut put = replacement.prepare("UPDATE meta SET value = ? WHERE key = ?")?;
        put.execute(params![header.contest_text, "contest_file"])?;
        put.execute(params![header.contest_json, "contest_json"])?;
        put.execute(params![sha256(&header.contest_text), "contest_sha256"])?;
    }
    replacement.commit()
}

/// Creates the tables and records the contest of `header`.
fn begin(db: &mut Connection, header: &Header) -> rusqlite::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let begin = db.transaction()?;
    schema::create(&begin)?;
    {
        let mut put = begin.prepare("INSERT INTO meta VALUES (?, ?)")?;
        put.execute(params!["schema", schema::VERSION])?;
        put.execute(params!["kit", header.kit])?;
        put.execute(params!["contest", header.contest])?;
        put.execute(params!["contest_file", header.contest_text])?;
        put.execute(params!["contest_json", header.contest_json])?;
        if let Some(origin) = &header.origin {
            put.execute(params!["origin", origin])?;
        }
        if !header.journal.is_empty() {
            let journal = serde_json::to_string(&header.journal).expect("all keys are texts");
            put.execute(params!["journal", journal])?;
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
            put.execute(params![number as i64, ToSqlOutput::Borrowed(text_or_blob(board))])?;
        }
        let mut put = begin.prepare("INSERT INTO stages VALUES (?, ?, ?, ?)")?;
        for (number, stage) in header.stages.iter().enumerate() {
            put.execute(params![number as i64, stage.name, stage.kind, numbers(&stage.programs)])?;
        }
    }
    begin.commit()
}

/// Numbers of entrants as a list in JSON.
fn numbers(entrants: &[EntrantId]) -> String {
    serde_json::to_string(entrants).expect("numbers are JSON")
}

pub(super) fn insert_entrant(db: &Transaction, number: usize, who: &EntrantRecord) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached("INSERT INTO entrants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    let row = params![
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
    ];
    insert.execute(row).map(drop)
}

/// Adds a game and its link.
fn insert_game(db: &Transaction, game: &GameRecord, chain: &mut SealChain) -> rusqlite::Result<()> {
    let mut find = db.prepare_cached("SELECT id FROM isolations WHERE level = ? AND refused = ?")?;
    let mut put = db.prepare_cached("INSERT INTO isolations VALUES (NULL, ?, ?)")?;
    let mut isolations = Vec::with_capacity(game.seats.len());
    for seat in &game.seats {
        isolations.push(match seat.level {
            None => None,
            // The bots of a run usually share an isolation, so it is written once.
            Some(level) => match find.query_row([level.name(), &seat.refused], |row| row.get(0)).optional()? {
                Some(id) => Some(id),
                None => {
                    put.execute(params![level.name(), seat.refused])?;
                    Some(db.last_insert_rowid())
                }
            },
        });
    }
    let mut documents = Documents::from_game(game, &isolations);
    let logs = std::mem::take(&mut documents.logs);
    let columns = row::values(game, documents);
    let sealed: Vec<ValueRef> = columns.iter().map(ValueRef::from).collect();
    let link = chain.add(seal::hash_of_game(db, text_or_blob(&game.setup.board), &sealed)?);
    let all = [Value::Integer(chain.place)].into_iter().chain(columns).chain([Value::Blob(link.to_vec())]);
    let insert = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    db.prepare_cached(insert)?.execute(params_from_iter(all))?;
    let mut insert = db.prepare_cached("INSERT INTO logs VALUES (?, ?, ?, ?)")?;
    for LogRow { seat, size, log } in logs {
        insert.execute(params![chain.place, seat, size as i64, log])?;
    }
    Ok(())
}

fn is_duplicate(error: &rusqlite::Error) -> bool {
    let rusqlite::Error::SqliteFailure(error, _) = error else { return false };
    error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
}
