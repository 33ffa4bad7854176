//! Opens a record for reading, and reads games and results from it.

use super::row::{COLUMNS, DocumentReferences, GameRow, LogRow, Wrong};
use super::{GameRecord, GameSummary, RecordError, RecordErrorKind, files, schema, verify, with_decisions};
use crate::sandbox::Level;
use crate::{machine, pool};
use cornerman::format::{GameId, Results};
use cornerman::journal::Journal;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a reader waits while the writing run has the database locked.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The order of the contest. It is that of an index, so SQLite need not sort.
const IN_ORDER: &str = "ORDER BY stage, round, tbl, game, attempt";

/// A record that is open for reading. Whatever reads from it fails if the file cannot be read or contains what a record
/// cannot.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    db: Connection,
}

impl Record {
    /// Opens the record at `path` for reading, even while a run writes to it. A record may come from a stranger, so all
    /// of it is checked first.
    ///
    /// # Errors
    /// If there is no file, it is not a valid record or only an extract of one, or it cannot be read.
    pub fn open(path: &Path) -> Result<Record, RecordError> {
        Record::open_any(path)?.whole()
    }

    /// Like [`Record::open`], but an extract is opened as well.
    ///
    /// # Errors
    /// If there is no file, it is not a valid record, or it cannot be read.
    pub fn open_any(path: &Path) -> Result<Record, RecordError> {
        match Record::open_any_if_begun(path)? {
            Some(record) => Ok(record),
            None if path.exists() => Err(RecordErrorKind::NotARecord("it is empty".to_string()).at(path)),
            None => Err(RecordErrorKind::Missing.at(path)),
        }
    }

    /// Like [`Record::open`], but `None` if there is no file at `path` or it is still empty, as after a run that was
    /// killed right after its start.
    ///
    /// # Errors
    /// If the file is not a valid record or only an extract of one, or cannot be read.
    pub fn open_if_begun(path: &Path) -> Result<Option<Record>, RecordError> {
        Record::open_any_if_begun(path)?.map(Record::whole).transpose()
    }

    /// Like [`Record::open_if_begun`], but an extract is opened as well.
    pub(super) fn open_any_if_begun(path: &Path) -> Result<Option<Record>, RecordError> {
        if !path.exists() {
            return Ok(None);
        }
        files::check(path)?;
        let open = || Record::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, BUSY_TIMEOUT);
        let opened = match open() {
            // A run was killed while SQLite switched the journal mode, which only a writer can roll back: so open the
            // file once for writing, and read from it.
            Err(RecordError { kind: RecordErrorKind::CannotWrite(_), .. }) => {
                let writable = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
                writable
                    .and_then(|db| db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())))
                    .map_err(|error| RecordError::of_opening(path, error))
                    .and_then(|()| open())
            }
            opened => opened,
        };
        let (record, is_begun) = opened.map_err(|error| error.explained(path))?;
        Ok(is_begun.then_some(record))
    }

    /// Opens the file at `path` and checks everything in it. Returns whether it is a record, rather than still empty.
    pub(super) fn connect(
        path: &Path,
        flags: OpenFlags,
        busy_timeout: Duration,
    ) -> Result<(Record, bool), RecordError> {
        let opening = |error| RecordError::of_opening(path, error);
        // Only one thread at a time uses it (it is not `Sync`), so SQLite need not lock it for every value.
        let db = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let mut db = db.map_err(opening)?;
        db.busy_timeout(busy_timeout).and_then(|()| verify::set_limits(&db)).map_err(opening)?;
        let is_begun = verify::with_step_limit(&mut db, path, |db| schema::identify(db, path))?;
        let record = Record { path: path.into(), db };
        if is_begun {
            verify::check_content(&record)?;
        }
        Ok((record, is_begun))
    }

    /// The path of the record's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The outcomes that count: of games that were not annulled, and of awards. Plans and standings follow from them.
    pub fn results(&self) -> Result<Results, RecordError> {
        let journal = with_decisions(&Journal::new(), &self.decisions()?);
        Ok(journal.results(self.games()?.iter().map(GameSummary::result)))
    }

    /// All games without their moves, in the order of the contest. Those that were annulled are among them.
    pub fn games(&self) -> Result<Vec<GameSummary>, RecordError> {
        // A summary has neither the log nor the text of the board.
        let columns = COLUMNS.replace("log", "NULL, NULL");
        let sql = format!("SELECT {columns} FROM games {IN_ORDER}");
        let known = self.references()?;
        let mut games = Vec::new();
        self.map_rows(&sql, GameRow::read, &|row| row.into_summary(&known), &mut |game| {
            games.push(game);
            Ok::<_, RecordError>(())
        })?;
        Ok(games)
    }

    /// The number of games in the record.
    pub fn games_played(&self) -> Result<u64, RecordError> {
        self.query("counting games", |db| {
            db.query_row("SELECT count(*) FROM games", [], |row| row.get(0).map(i64::cast_unsigned))
        })
    }

    /// A game with all its moves; `None` if it has not been played.
    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, RecordError> {
        let sql = format!(
            "SELECT {COLUMNS}, text, id FROM games JOIN boards ON number = board \
             WHERE stage = ? AND round = ? AND tbl = ? AND game = ? AND attempt = ?"
        );
        let GameId { stage, round, table, game, attempt } = id;
        let key = [stage.into(), round.into(), i64::from(table), game.into(), attempt.into()];
        let found = self.query("reading games", |db| {
            db.prepare_cached(&sql)?.query_row(key, |row| read_with_logs(db, row)).optional()
        })?;
        let known = self.references()?;
        let game = found.map(|row| row.into_game(&known)).transpose();
        game.map_err(|why| RecordErrorKind::Damaged(why).at(&self.path))
    }

    /// Calls `each` with every game and its moves, in the order of the contest, until it fails.
    ///
    /// # Errors
    /// If the record cannot be read, or the error of `each`.
    pub fn each_full_game<E: From<RecordError>>(
        &self,
        each: &mut dyn FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        self.map_games(&|game| game, each)
    }

    /// Does `work` for every game and its moves, on all processors, and calls `take` with the results in the order of
    /// the contest, until it fails.
    ///
    /// # Errors
    /// If the record cannot be read, or the error of `take`.
    pub fn map_games<R: Send, E: From<RecordError>>(
        &self,
        work: &(dyn Fn(GameRecord) -> R + Sync),
        take: &mut dyn FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let known = self.references()?;
        let sql = format!("SELECT {COLUMNS}, text, id FROM games JOIN boards ON number = board {IN_ORDER}");
        let read = |row: &Row| read_with_logs(&self.db, row);
        self.map_rows(&sql, read, &|row| Ok(work(row.into_game(&known)?)), take)
    }

    /// Does `work` for every game of a query, on all processors, and calls `take` with the results in the order of the
    /// rows, each of which is read by `read`.
    fn map_rows<R: Send, E: From<RecordError>>(
        &self,
        sql: &str,
        read: impl FnMut(&Row) -> rusqlite::Result<GameRow>,
        work: &(dyn Fn(GameRow) -> Result<R, Wrong> + Sync),
        take: &mut dyn FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        /// About how many bytes of documents a processor gets at a time.
        const AT_ONCE: usize = 1 << 16;
        let path = &self.path;
        let not_read = |error| RecordError::new(path, "reading games", error);
        let mut select = self.db.prepare_cached(sql).map_err(not_read)?;
        let mut rows = select.query_map([], read).map_err(not_read)?;
        let batches = std::iter::from_fn(|| {
            let mut size = 0;
            let mut batch = Vec::new();
            while size < AT_ONCE
                && let Some(row) = rows.next()
            {
                size += row.as_ref().map_or(AT_ONCE, GameRow::len);
                batch.push(row);
            }
            (!batch.is_empty()).then_some(batch)
        });
        let work = |batch: Vec<rusqlite::Result<GameRow>>| -> Vec<Result<R, RecordError>> {
            let done = |row: rusqlite::Result<GameRow>| match row.map(work) {
                Ok(Ok(done)) => Ok(done),
                Ok(Err(why)) => Err(RecordErrorKind::Damaged(why).at(path)),
                Err(error) => Err(not_read(error)),
            };
            batch.into_iter().map(done).collect()
        };
        pool::in_order(batches, machine::cores(), work, &mut |batch| {
            batch.into_iter().try_for_each(|done| take(done?))
        })
    }

    /// What the documents of games refer to by number.
    pub(super) fn references(&self) -> Result<DocumentReferences, RecordError> {
        self.query("reading the record", |db| {
            let entrants = db.query_row("SELECT count(*) FROM entrants", [], |row| row.get::<_, u32>(0))? as usize;
            let mut select = db.prepare_cached("SELECT id, level, refused FROM isolations")?;
            let isolation = |row: &Row| Ok((row.get(0)?, (Level::named(row.get_ref(1)?.as_str()?), row.get(2)?)));
            Ok(DocumentReferences {
                entrants,
                isolations: select.query_map([], isolation)?.collect::<Result<_, _>>()?,
            })
        })
    }

    /// The board of this number (from 0) in its game's text form; `None` if the record does not have it yet.
    pub fn board(&self, number: u32) -> Result<Option<Vec<u8>>, RecordError> {
        self.query("reading a board", |db| {
            let mut select = db.prepare_cached("SELECT text FROM boards WHERE number = ?")?;
            select.query_row([number], |row| Ok(row.get_ref(0)?.as_bytes()?.to_vec())).optional()
        })
    }

    /// Makes all reads until the result is dropped see the same state, that of the first read, so that they agree with
    /// each other.
    pub fn snapshot(&self) -> Result<impl Drop, RecordError> {
        self.db.unchecked_transaction().map_err(|error| RecordError::new(&self.path, "reading the record", error))
    }

    /// All rows of a query without parameters, each as `read` reads it.
    pub(super) fn list<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, RecordError> {
        self.query("reading the record", |db| db.prepare_cached(sql)?.query_map([], read)?.collect())
    }

    /// What `ask` reads from the database. `doing` is for errors.
    pub(super) fn query<T>(
        &self,
        doing: &'static str,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, RecordError> {
        ask(&self.db).map_err(|error| RecordError::new(&self.path, doing, error))
    }

    pub(super) fn db(&self) -> &Connection {
        &self.db
    }

    pub(super) fn db_mut(&mut self) -> &mut Connection {
        &mut self.db
    }
}

/// Reads a game with its logs.
fn read_with_logs(db: &Connection, row: &Row) -> rusqlite::Result<GameRow> {
    let mut game = GameRow::read(row)?;
    let mut select = db.prepare_cached("SELECT seat, size, log FROM logs WHERE game = ?")?;
    let logs = select.query_map([row.get_ref(17)?.as_i64()?], |log| LogRow::read(log, 0))?;
    game.documents.logs = logs.collect::<Result<_, _>>()?;
    Ok(game)
}
