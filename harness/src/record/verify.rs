//! Checks every value in a record before anything else reads it, because a record may come from a stranger.
//!
//! After this check other code may allocate by the record's numbers and load its texts into memory. SQLite's own check
//! comes first, because pages that refer to each other in a circle would make any other query endless.

use super::RecordError;
use super::read::BUSY_TIMEOUT;
use cornerman::game::MAX_SEATS;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// The largest size of a value or a row, in bytes. The contest file of 65535 entrants is smaller.
pub(super) const LARGEST_VALUE: i32 = 16 << 20;

/// The longest name, in bytes.
pub(super) const NAME: u32 = 1024;

/// The longest text that is neither a name nor a file, in bytes.
pub(super) const TEXT: u32 = 1 << 16;

/// How many thousand steps SQLite may take to read a schema. The schema of a record takes one or two thousand.
const MAX_SCHEMA_STEPS: u32 = 100;

/// Sets limits on a connection through which a record is read or written.
///
/// # Errors
/// If SQLite refuses.
pub(super) fn set_limits(db: &Connection) -> rusqlite::Result<()> {
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE)?;
    db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    // Recording a game takes about twenty statements.
    db.set_prepared_statement_cache_capacity(64);
    // Otherwise statements are prepared again whenever their parameters change.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.query_row("PRAGMA mmap_size = 0", [], |_| Ok(())).optional().map(drop)
}

/// Calls `read_schema`, and interrupts it if the schema is far larger than that of a record.
///
/// # Errors
/// Those of `read_schema`, or if SQLite refuses. `path` is the record's.
pub(super) fn with_step_limit<T>(
    db: &mut Connection,
    path: &Path,
    read_schema: impl FnOnce(&Connection) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let left = AtomicU32::new(MAX_SCHEMA_STEPS);
    let is_over = move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err();
    db.progress_handler(1000, Some(is_over)).map_err(|error| RecordError::of_opening(path, error))?;
    let found = read_schema(db);
    db.progress_handler(0, None::<fn() -> bool>).map_err(|error| RecordError::of_opening(path, error))?;
    found
}

/// The values that are allowed in a column.
enum ColumnType {
    /// Whole numbers from the first to the second.
    Number(i64, i64),
    /// Text of at most this many bytes.
    Text(u32),
    /// Text or a blob of at most this many bytes.
    Bytes(u32),
    /// One of these texts.
    OneOf(&'static str),
    /// Such a value, or null.
    Maybe(&'static ColumnType),
}
use ColumnType::{Bytes, Maybe, Number, OneOf, Text};

impl ColumnType {
    /// The SQL condition that the value of the expression `it` is allowed.
    fn condition(&self, it: &str) -> String {
        match self {
            Number(from, to) => format!("(typeof({it}) = 'integer' AND {it} BETWEEN {from} AND {to})"),
            Text(most) => format!("(typeof({it}) = 'text' AND octet_length({it}) <= {most})"),
            Bytes(most) => format!("(typeof({it}) IN ('text', 'blob') AND octet_length({it}) <= {most})"),
            OneOf(texts) => format!("({it} IN ({texts}))"),
            Maybe(holds) => format!("({it} IS NULL OR {})", holds.condition(it)),
        }
    }

    /// The description of the allowed values, for messages.
    fn description(&self) -> String {
        match self {
            Number(from, to) => format!("a whole number from {from} to {to}"),
            Text(most) => format!("text of at most {most} bytes"),
            Bytes(most) => format!("text or a blob of at most {most} bytes"),
            OneOf(texts) => format!("one of {texts}"),
            Maybe(holds) => format!("{}, or null", holds.description()),
        }
    }
}

const STAGE: ColumnType = Number(0, u8::MAX as i64);
const U16: ColumnType = Number(0, u16::MAX as i64);
const U32: ColumnType = Number(0, u32::MAX as i64);
/// A count in one game, small enough that sums over all games fit.
const COUNT: ColumnType = Number(0, 1 << 30);
const SEAT: ColumnType = Number(0, MAX_SEATS as i64 - 1);
/// Points in one game, small enough that sums over all games fit.
const POINTS: ColumnType = Number(-(1 << 40), 1 << 40);
/// Three years in microseconds.
const MICROS: ColumnType = Number(0, 100_000_000_000_000);
const MILLIS: ColumnType = Number(0, 253_402_300_799_999);
const ANY: ColumnType = Number(i64::MIN, i64::MAX);
const SHORT: ColumnType = Text(NAME);
const LONG: ColumnType = Text(TEXT);
const MAYBE_SHORT: ColumnType = Maybe(&SHORT);
const MAYBE_LONG: ColumnType = Maybe(&LONG);
const FILE: ColumnType = Text(LARGEST_VALUE as u32);
const BLOB: ColumnType = Bytes(LARGEST_VALUE as u32);

/// The allowed values of each column of each table. Those of `meta` differ by row: see [`META`].
const TABLES: &[(&str, &[(&str, ColumnType)])] = &[
    ("stages", &[("number", STAGE), ("name", SHORT), ("kind", SHORT)]),
    ("seed_programs", &[("stage", STAGE), ("nth", U16), ("entrant", U16)]),
    (
        "entrants",
        &[
            ("number", U16),
            ("name", SHORT),
            ("author", MAYBE_SHORT),
            ("spec", LONG),
            ("role", SHORT),
            ("grp", MAYBE_SHORT),
            ("entered", Maybe(&U32)),
            ("source_sha256", MAYBE_SHORT),
            ("program_sha256", MAYBE_SHORT),
            ("toolchain", MAYBE_LONG),
            ("verdict", MAYBE_LONG),
            ("out", MAYBE_LONG),
        ],
    ),
    ("boards", &[("number", U32), ("text", BLOB)]),
    (
        "games",
        &[
            ("stage", STAGE),
            ("round", U16),
            ("tbl", U32),
            ("game", U16),
            ("board", U32),
            ("seed", ANY),
            ("ending", OneOf("'played', 'forfeited'")),
            ("moves", COUNT),
            ("host", SHORT),
            ("started_ms", MILLIS),
            ("wall_us", MICROS),
        ],
    ),
    ("isolations", &[("level", SHORT), ("refused", LONG)]),
    (
        "seats",
        &[
            ("seat", SEAT),
            ("entrant", U16),
            ("mark", Maybe(&Bytes(1))),
            ("place", Number(1, MAX_SEATS as i64)),
            ("points", POINTS),
            ("territory", U32),
            ("asked", COUNT),
            ("slowest_us", MICROS),
            ("cpu_us", MICROS),
            ("peak_memory", Number(0, 1 << 50)),
            ("leftovers", COUNT),
            ("stderr", MAYBE_LONG),
            ("called", MAYBE_LONG),
            ("ignored", COUNT),
            ("tasks", COUNT),
        ],
    ),
    (
        "moves",
        &[
            ("number", COUNT),
            ("seat", SEAT),
            ("notation", LONG),
            ("wall_us", MICROS),
            ("cpu_us", MICROS),
            ("lag_us", MICROS),
            ("remarks", MAYBE_LONG),
        ],
    ),
    (
        "faults",
        &[
            ("nth", U32),
            ("seat", SEAT),
            ("number", COUNT),
            ("kind", SHORT),
            ("detail", LONG),
            ("view", BLOB),
            ("answer", BLOB),
            ("wall_us", MICROS),
            ("cpu_us", MICROS),
            ("lag_us", MICROS),
            ("stderr", MAYBE_LONG),
        ],
    ),
    ("remarks", &[("stage", STAGE), ("nth", U32), ("kind", SHORT), ("round", Maybe(&U16)), ("text", MAYBE_LONG)]),
    ("remark_entrants", &[("stage", STAGE), ("nth", U32), ("place", U32), ("entrant", U16)]),
    (
        "unplayed",
        &[("stage", STAGE), ("round", U16), ("tbl", U32), ("game", U16), ("attempts", COUNT), ("why", LONG)],
    ),
    ("seals", &[("game", Number(0, i64::MAX)), ("link", Text(64))]),
    ("machines", &[("host", SHORT), ("processor", SHORT), ("cores", U32), ("kernel", SHORT)]),
    ("builds", &[("host", SHORT), ("entrant", U16), ("toolchain", MAYBE_LONG), ("program_sha256", MAYBE_SHORT)]),
];

/// The keys of `meta` that are read, with their allowed values.
const META: &[(&str, ColumnType)] = &[
    ("kit", SHORT),
    ("contest", SHORT),
    ("contest_file", FILE),
    ("contest_json", FILE),
    ("game", SHORT),
    ("ruleset", SHORT),
    ("ruleset_file", FILE),
    ("seed", ANY),
    ("boards", U32),
];

/// The keys of `meta` that a record may lack, with their allowed values.
const OPTIONAL_META: &[(&str, ColumnType)] = &[("origin", LONG)];

/// Relations between rows: the place, what is expected there, and a query that finds a row which violates it.
const RELATIONS: &[(&str, &str, &str)] = &[
    (
        "stages.number",
        "from 0 without gaps",
        "SELECT 1 FROM (SELECT max(number) AS last, count(*) AS n FROM stages) WHERE last <> n - 1",
    ),
    (
        "entrants.number",
        "from 0 without gaps",
        "SELECT 1 FROM (SELECT max(number) AS last, count(*) AS n FROM entrants) WHERE last <> n - 1",
    ),
    (
        "meta.boards",
        "the number of boards that the contest file gives, which are in the table boards",
        "SELECT 1 FROM meta WHERE key = 'boards' AND value > (SELECT count(*) FROM boards)",
    ),
    (
        "seats.seat",
        "from 0 without gaps in each game",
        "SELECT 1 FROM seats GROUP BY game HAVING max(seat) <> count(*) - 1",
    ),
    (
        "games.id",
        "a game with seats",
        "SELECT 1 FROM games WHERE NOT EXISTS (SELECT 1 FROM seats WHERE seats.game = games.id)",
    ),
    (
        "games.moves",
        "the number of rows that the game has in the table moves",
        "SELECT 1 FROM games WHERE moves <> (SELECT count(*) FROM moves WHERE moves.game = games.id)",
    ),
    ("moves.seat", "a seat of the game", OF_A_SEAT[0]),
    ("faults.seat", "a seat of the game", OF_A_SEAT[1]),
];

/// Queries that find moves and faults of seats that their games do not have.
const OF_A_SEAT: [&str; 2] = [
    "SELECT 1 FROM (SELECT game, max(seat) AS last FROM moves GROUP BY game) AS it \
     WHERE last >= (SELECT count(*) FROM seats WHERE seats.game = it.game)",
    "SELECT 1 FROM (SELECT game, max(seat) AS last FROM faults GROUP BY game) AS it \
     WHERE last >= (SELECT count(*) FROM seats WHERE seats.game = it.game)",
];

/// Checks that the file is intact and that every value in it is allowed. The schema must have been checked before.
///
/// # Errors
/// [`RecordError::Damaged`], with the table and column.
pub(super) fn check_content(db: &Connection, path: &Path) -> Result<(), RecordError> {
    let asked = |error| RecordError::new(path, "checking the record", error);
    let pages: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(asked)?;
    if pages != "ok" {
        let why = pages.lines().last().unwrap_or_default().to_string();
        return Err(RecordError::Damaged { path: path.into(), why });
    }
    // Checking the values takes half of the time.
    thread::scope(|scope| {
        let values = scope.spawn(|| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let db = Connection::open_with_flags(path, flags).map_err(asked)?;
            db.busy_timeout(BUSY_TIMEOUT).and_then(|()| set_limits(&db)).map_err(asked)?;
            TABLES.iter().try_for_each(|table| values(&db, path, table))
        });
        let relations = check_relations(db, path);
        values.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).and(relations)
    })
}

/// Checks the table `meta` and the relations between rows.
fn check_relations(db: &Connection, path: &Path) -> Result<(), RecordError> {
    let asked = |error| RecordError::new(path, "checking the record", error);
    let wrong = |place: &str, expected: &str| {
        let why = format!("{place} should be {expected}");
        Err(RecordError::Damaged { path: path.into(), why })
    };
    for (key, holds) in META {
        let sql = format!("SELECT 1 FROM meta WHERE key = '{key}' AND {}", holds.condition("value"));
        if !finds(db, &sql).map_err(asked)? {
            return wrong(&format!("meta.{key}"), &holds.description());
        }
    }
    for (key, holds) in OPTIONAL_META {
        let wrong_one = format!("SELECT 1 FROM meta WHERE key = '{key}' AND NOT {}", holds.condition("value"));
        if finds(db, &wrong_one).map_err(asked)? {
            return wrong(&format!("meta.{key}"), &holds.description());
        }
    }
    let stray = db.query_row("PRAGMA foreign_key_check", [], |row| Ok((row.get(0)?, row.get(2)?)));
    if let Some((table, parent)) = stray.optional().map_err(asked)? {
        let (table, parent): (String, String) = (table, parent);
        return wrong(&format!("every row of {table}"), &format!("of a row that {parent} has"));
    }
    for (place, expected, sql) in RELATIONS {
        if finds(db, sql).map_err(asked)? {
            return wrong(place, expected);
        }
    }
    Ok(())
}

/// Checks that a name, the name of `what`, is short enough to be read back from the record at `path`.
///
/// # Errors
/// [`RecordError::LongName`].
pub(super) fn check_name(path: &Path, what: &str, name: &str) -> Result<(), RecordError> {
    if name.len() <= NAME as usize {
        return Ok(());
    }
    let begins = name.chars().take(20).collect();
    Err(RecordError::LongName {
        path: path.into(),
        what: what.to_string(),
        begins,
        length: name.len(),
        most: NAME,
    })
}

fn values(db: &Connection, path: &Path, table: &(&str, &[(&str, ColumnType)])) -> Result<(), RecordError> {
    let (name, columns) = table;
    let case = |(at, (column, holds)): (usize, &(&str, ColumnType))| {
        format!("WHEN NOT {} THEN {at} ", holds.condition(column))
    };
    let cases: String = columns.iter().enumerate().map(case).collect();
    let sql = format!("SELECT CASE {cases}END AS bad FROM {name} WHERE bad IS NOT NULL LIMIT 1");
    let found = db.query_row(&sql, [], |row| row.get::<_, u32>(0)).optional();
    let found = found.map_err(|error| RecordError::new(path, "checking the record", error))?;
    match found.and_then(|at| columns.get(at as usize)) {
        None => Ok(()),
        Some((column, holds)) => {
            let why = format!("{name}.{column} should be {}", holds.description());
            Err(RecordError::Damaged { path: path.into(), why })
        }
    }
}

fn finds(db: &Connection, sql: &str) -> rusqlite::Result<bool> {
    Ok(db.query_row(sql, [], |_| Ok(())).optional()?.is_some())
}
