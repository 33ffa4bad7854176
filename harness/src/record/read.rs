//! Opens a record for reading, and reads games and results from it.

use super::schema::{self, Contents};
use super::schema::{bytes, duration, text, used};
use super::{FaultRecord, GameRecord, GameSummary, MoveRecord, RecordError, SeatRecord, files, verify};
use crate::sandbox::Level;
use cornerman::format::{EntrantId, GameId, Pairing, Results};
use cornerman::game::{End, Outcome, Seat, Setup};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a reader waits while the writing run has the database locked.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The columns of a game, then those of one seat.
const GAME: &str = "SELECT g.id, g.stage, g.round, g.tbl, g.game, g.board, g.seed, g.ending, g.moves, g.host, \
                    g.started_ms, g.wall_us, s.entrant, s.place, s.points, s.territory, s.mark \
                    FROM games g JOIN seats s ON s.game = g.id";

/// A record that is open for reading.
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
    /// If there is no file, it is not a valid record, or it cannot be read.
    pub fn open(path: &Path) -> Result<Record, RecordError> {
        if !path.exists() {
            return Err(RecordError::Missing { path: path.into() });
        }
        let empty = || RecordError::NotARecord { path: path.into(), why: "it is empty".to_string() };
        Record::open_if_begun(path)?.ok_or_else(empty)
    }

    /// Like [`Record::open`], but `None` if there is no file at `path` or it is still empty, as after a run that was
    /// killed right after its start.
    ///
    /// # Errors
    /// If the file is not a valid record, or cannot be read.
    pub fn open_if_begun(path: &Path) -> Result<Option<Record>, RecordError> {
        if !path.exists() {
            return Ok(None);
        }
        files::check(path)?;
        match Record::open_read_only(path) {
            // A run was killed while SQLite switched the journal mode, which only a writer can roll back: so open the
            // file once for writing. Where that is not permitted, report the reader's error.
            Err(RecordError::CannotWrite { .. }) => {
                let undone = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
                let schema =
                    undone.and_then(|db| db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())));
                schema.map_err(|error| RecordError::of_reading(path, error))?;
                Record::open_read_only(path)
            }
            opened => opened,
        }
    }

    fn open_read_only(path: &Path) -> Result<Option<Record>, RecordError> {
        // Only one thread at a time uses it (it is not `Sync`), so SQLite need not lock it for every value.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags);
        let mut db = db.map_err(|error| RecordError::of_reading(path, error))?;
        db.busy_timeout(BUSY_TIMEOUT).map_err(|error| RecordError::of_opening(path, error))?;
        verify::set_limits(&db).map_err(|error| RecordError::of_reading(path, error))?;
        let contents = verify::with_step_limit(&mut db, path, |db| schema::identify(db, path));
        match contents.map_err(|error| error.explained(path))? {
            Contents::Record => {
                verify::check_content(&db, path)?;
                Ok(Some(Record::new(db, path)))
            }
            Contents::Empty => Ok(None),
        }
    }

    pub(super) fn new(db: Connection, path: &Path) -> Record {
        Record { path: path.into(), db }
    }

    /// The path of the record's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The outcomes of all games, from which plans and standings are computed.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn results(&self) -> Result<Results, RecordError> {
        let mut results = Results::new();
        self.each(&format!("{GAME} ORDER BY g.id, s.seat"), [], &mut |game| {
            results.insert(game.head.pairing.id, game.head.outcome);
        })?;
        Ok(results)
    }

    /// All games without their moves, in the order of the contest.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn games(&self) -> Result<Vec<GameSummary>, RecordError> {
        let mut games = Vec::new();
        self.each_game(&mut |head| games.push(head))?;
        Ok(games)
    }

    /// Calls `each` with every game without its moves, in the order of the contest, with one at a time in memory.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn each_game(&self, each: &mut dyn FnMut(GameSummary)) -> Result<(), RecordError> {
        let sql = format!("{GAME} ORDER BY g.stage, g.round, g.tbl, g.game, s.seat");
        self.each(&sql, [], &mut |game| each(game.head))
    }

    /// The number of games in the record.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn games_played(&self) -> Result<u64, RecordError> {
        self.query("counting games", |db| {
            db.query_row("SELECT count(*) FROM games", [], |row| row.get(0).map(i64::cast_unsigned))
        })
    }

    /// A game with all its moves; `None` if it has not been played.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, RecordError> {
        let sql = format!("{GAME} WHERE g.stage = ? AND g.round = ? AND g.tbl = ? AND g.game = ? ORDER BY s.seat");
        let key = [i64::from(id.stage), i64::from(id.round), i64::from(id.table), i64::from(id.game)];
        let mut found = None;
        self.each(&sql, key, &mut |game| found = Some(game))?;
        let Some(PartialGame { row, head, marks, seed }) = found else { return Ok(None) };
        let setup = Setup {
            seats: head.pairing.seats.len() as u8,
            board: self.board(head.pairing.board)?.unwrap_or_default(),
            marks,
            seed,
        };
        Ok(Some(GameRecord {
            setup,
            outcome: head.outcome,
            started_ms: head.started_ms,
            wall: head.wall,
            host: head.host,
            moves: self.moves(row)?,
            faults: self.faults(row)?,
            seats: self.seats(row)?,
            pairing: head.pairing,
        }))
    }

    /// The board of this number (from 0) in its game's text form; `None` if the record does not have it yet.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn board(&self, number: u32) -> Result<Option<Vec<u8>>, RecordError> {
        self.query("reading a board", |db| {
            let mut select = db.prepare_cached("SELECT text FROM boards WHERE number = ?")?;
            select.query_row([number], |row| bytes(row, 0)).optional()
        })
    }

    /// Calls `read` with the record as it is now, without the games that a run adds meanwhile.
    ///
    /// # Errors
    /// Those of `read`, and of [`Record::snapshot`].
    pub fn with_snapshot<T, E: From<RecordError>>(
        &self,
        read: impl FnOnce(&Record) -> Result<T, E>,
    ) -> Result<T, E> {
        let _snapshot = self.snapshot()?;
        read(self)
    }

    fn moves(&self, game: i64) -> Result<Vec<MoveRecord>, RecordError> {
        let sql = "SELECT number, seat, notation, wall_us, cpu_us, lag_us, remarks FROM moves WHERE game = ? \
                   ORDER BY number";
        self.list_of(sql, game, |row| {
            Ok(MoveRecord {
                number: row.get(0)?,
                seat: Seat(row.get(1)?),
                notation: row.get(2)?,
                used: used(row, 3)?,
                remarks: text(row, 6)?,
            })
        })
    }

    fn faults(&self, game: i64) -> Result<Vec<FaultRecord>, RecordError> {
        let sql = "SELECT number, seat, kind, detail, view, answer, wall_us, cpu_us, lag_us, stderr FROM faults \
                   WHERE game = ? ORDER BY nth";
        self.list_of(sql, game, |row| {
            Ok(FaultRecord {
                number: row.get(0)?,
                seat: Seat(row.get(1)?),
                kind: row.get(2)?,
                detail: row.get(3)?,
                view: bytes(row, 4)?,
                answer: bytes(row, 5)?,
                used: used(row, 6)?,
                stderr: text(row, 9)?,
            })
        })
    }

    fn seats(&self, game: i64) -> Result<Vec<SeatRecord>, RecordError> {
        let sql = "SELECT level, refused, asked, slowest_us, cpu_us, peak_memory, leftovers, stderr, called, ignored, \
                   tasks FROM seats LEFT JOIN isolations ON id = isolation WHERE game = ? ORDER BY seat";
        self.list_of(sql, game, |row| {
            let level: Option<String> = row.get(0)?;
            Ok(SeatRecord {
                level: level.as_deref().and_then(Level::named),
                refused: text(row, 1)?,
                asked: row.get(2)?,
                slowest: duration(row, 3)?,
                cpu: duration(row, 4)?,
                peak_memory: row.get::<_, i64>(5)?.cast_unsigned(),
                leftovers: row.get(6)?,
                stderr: text(row, 7)?,
                called: row.get(8)?,
                ignored: row.get(9)?,
                tasks: row.get(10)?,
            })
        })
    }

    /// Calls `each` with the games that a query for [`GAME`] yields. Its rows must come game by game, and seat by seat.
    fn each(&self, sql: &str, key: impl Params, each: &mut dyn FnMut(PartialGame)) -> Result<(), RecordError> {
        self.query("reading games", |db| {
            let mut select = db.prepare_cached(sql)?;
            let mut rows = select.query(key)?;
            let mut game: Option<PartialGame> = None;
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                if game.as_ref().is_none_or(|game| game.row != id) {
                    game.take().into_iter().for_each(&mut *each);
                    game = Some(PartialGame::read(row)?);
                }
                game.as_mut().expect("just read").seat(row)?;
            }
            game.into_iter().for_each(each);
            Ok(())
        })
    }

    pub(super) fn list<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, RecordError> {
        self.query("reading the record", |db| db.prepare_cached(sql)?.query_map([], read)?.collect())
    }

    pub(super) fn list_of<T>(
        &self,
        sql: &str,
        game: i64,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, RecordError> {
        self.query("reading a game", |db| db.prepare_cached(sql)?.query_map([game], read)?.collect())
    }

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

/// A game that is being put together from rows: its id in the table, and what [`GameSummary`] does not have.
struct PartialGame {
    row: i64,
    head: GameSummary,
    marks: Vec<u8>,
    seed: u64,
}

impl PartialGame {
    /// The game of a row of [`GAME`], still without its seats.
    fn read(row: &Row) -> rusqlite::Result<PartialGame> {
        let id = GameId { stage: row.get(1)?, round: row.get(2)?, table: row.get(3)?, game: row.get(4)? };
        let end = if row.get_ref(7)?.as_bytes()? == b"forfeited" { End::Forfeited } else { End::Played };
        let outcome = Outcome { places: Vec::new(), points: Vec::new(), territory: Vec::new(), end };
        let head = GameSummary {
            pairing: Pairing { id, seats: Vec::new(), board: row.get(5)? },
            outcome,
            moves: row.get(8)?,
            started_ms: row.get::<_, i64>(10)?.cast_unsigned(),
            wall: duration(row, 11)?,
            host: row.get(9)?,
        };
        Ok(PartialGame { row: row.get(0)?, head, marks: Vec::new(), seed: row.get::<_, i64>(6)?.cast_unsigned() })
    }

    /// Adds the seat of a row.
    fn seat(&mut self, row: &Row) -> rusqlite::Result<()> {
        self.head.pairing.seats.push(EntrantId(row.get(12)?));
        let outcome = &mut self.head.outcome;
        outcome.places.push(row.get(13)?);
        outcome.points.push(row.get(14)?);
        outcome.territory.push(row.get(15)?);
        if row.get_ref(16)? != ValueRef::Null {
            self.marks.extend(bytes(row, 16)?);
        }
        Ok(())
    }
}

impl Record {
    /// Calls `each` with every game and its moves, in the order of the contest, until it fails.
    ///
    /// # Errors
    /// If the record cannot be read, or the error of `each`.
    pub fn each_full_game<E: From<RecordError>>(
        &self,
        each: &mut dyn FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrong = |error| RecordError::new(self.path(), "reading games", error);
        // This is the order of an index, so SQLite need not sort.
        let sql = "SELECT stage, round, tbl, game FROM games ORDER BY stage, round, tbl, game";
        let mut select = self.db().prepare(sql).map_err(wrong)?;
        let mut rows = select.query([]).map_err(wrong)?;
        while let Some(row) = rows.next().map_err(wrong)? {
            let id = || -> rusqlite::Result<GameId> {
                Ok(GameId { stage: row.get(0)?, round: row.get(1)?, table: row.get(2)?, game: row.get(3)? })
            };
            if let Some(game) = self.game(id().map_err(wrong)?)? {
                each(game)?;
            }
        }
        Ok(())
    }
}
