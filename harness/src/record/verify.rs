//! Checks every value in a record before anything else reads it, because a record may come from a stranger.
//!
//! After this check other code may allocate by the record's numbers and load its texts into memory. SQLite's own check
//! comes first, because pages that refer to each other in a circle would make any other query endless.

use super::row::{LARGEST_VALUE, NAME, TEXT, Wrong, should_be};
use super::schema::{ColumnDef, Domain, tables};
use super::{EntrantRecord, Record, RecordError, RecordErrorKind};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many thousand steps SQLite may take to read a schema. The schema of a record takes one or two thousand.
const MAX_SCHEMA_STEPS: u32 = 100;

/// Sets limits on a connection through which a record is read or written.
pub(super) fn set_limits(db: &Connection) -> rusqlite::Result<()> {
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE as i32)?;
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

const SHORT: Domain = Domain::Text(NAME);
const LONG: Domain = Domain::Text(TEXT);
const FILE: Domain = Domain::Text(LARGEST_VALUE);

/// The keys of `meta` that are checked, with their allowed values, and whether a record may lack them.
const META: &[(&str, Domain, bool)] = &[
    ("kit", SHORT, false),
    ("contest", SHORT, false),
    ("contest_file", FILE, false),
    ("contest_json", FILE, false),
    ("game", SHORT, false),
    ("ruleset", SHORT, false),
    ("ruleset_file", FILE, false),
    ("seed", Domain::Number(i64::MIN, i64::MAX), false),
    ("boards", Domain::Number(0, u32::MAX as i64), false),
    ("origin", LONG, true),
    ("journal", FILE, true),
    ("link", Domain::Text(64), true),
    ("extract", Domain::Number(0, u16::MAX as i64), true),
];

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
    ("decisions.id", "a number that no game has", "SELECT 1 FROM decisions JOIN games USING (id)"),
    (
        "left_out.id",
        "a number that no game and no decision has, in an extract",
        "SELECT 1 FROM left_out WHERE id IN (SELECT id FROM games UNION ALL SELECT id FROM decisions) \
         OR NOT EXISTS (SELECT 1 FROM meta WHERE key = 'extract')",
    ),
    (
        "meta.extract",
        "a number that entrants has",
        "SELECT 1 FROM meta WHERE key = 'extract' AND value NOT IN (SELECT number FROM entrants)",
    ),
    (
        "meta.boards",
        "the number of boards that the contest file gives, which are in the table boards",
        "SELECT 1 FROM meta WHERE key = 'boards' AND value > (SELECT count(*) FROM boards)",
    ),
    (
        "stages.programs",
        "a list of numbers of entrants",
        "SELECT 1 FROM stages, json_each(programs) WHERE type <> 'integer' OR value NOT BETWEEN 0 AND 65535",
    ),
    (
        "remarks.entrants",
        "a list of numbers that entrants has",
        "SELECT 1 FROM remarks, json_each(entrants) WHERE type <> 'integer' OR value NOT IN (SELECT number FROM entrants)",
    ),
];

/// Checks that the file is intact and that every value in it is allowed. The schema must have been checked before.
///
/// # Errors
/// [`RecordErrorKind::Damaged`], with the table and column.
pub(super) fn check_content(record: &Record) -> Result<(), RecordError> {
    if let Some(wrong) = record.query("checking the record", wrong_content)? {
        return Err(RecordErrorKind::Damaged(wrong).at(record.path()));
    }
    // Reading the decisions and the documents of games also checks them.
    record.decisions()?;
    record.map_games::<(), RecordError>(&drop, &mut |()| Ok(()))
}

/// What is wrong with the pages of the file, with a value in a table, or with rows that belong together; `None` if
/// nothing is.
fn wrong_content(db: &Connection) -> rusqlite::Result<Option<Wrong>> {
    let pages: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if pages != "ok" {
        return Ok(Some(pages.lines().last().unwrap_or_default().to_string()));
    }
    for (table, columns) in tables() {
        if let Some(wrong) = wrong_value(db, table, &columns)? {
            return Ok(Some(wrong));
        }
    }
    for (key, domain, is_optional) in META {
        let of_key = format!(
            "SELECT coalesce(max({}), {is_optional}) FROM meta WHERE key = '{key}'",
            domain.condition("value")
        );
        if !db.query_row(&of_key, [], |row| row.get::<_, bool>(0))? {
            return Ok(Some(should_be(&format!("meta.{key}"), domain)));
        }
    }
    let tables = |row: &Row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(2)?));
    if let Some((table, parent)) = db.query_row("PRAGMA foreign_key_check", [], tables).optional()? {
        let what = format!("of a row that {parent} has");
        return Ok(Some(should_be(&format!("every row of {table}"), what)));
    }
    for (place, expected, sql) in RELATIONS {
        if db.prepare(sql)?.exists([])? {
            return Ok(Some(should_be(place, expected)));
        }
    }
    Ok(None)
}

/// What is wrong with a value in one of these `columns` of a table; `None` if all are allowed.
fn wrong_value(db: &Connection, table: &str, columns: &[ColumnDef]) -> rusqlite::Result<Option<Wrong>> {
    let case = |(at, column): (usize, &ColumnDef)| {
        let null = if column.nullable { format!("{} IS NULL OR ", column.name) } else { String::new() };
        format!("WHEN NOT ({null}{}) THEN {at} ", column.domain.condition(column.name))
    };
    let cases: String = columns.iter().enumerate().map(case).collect();
    let sql = format!("SELECT CASE {cases}END AS bad FROM {table} WHERE bad IS NOT NULL LIMIT 1");
    let found: Option<u32> = db.query_row(&sql, [], |row| row.get(0)).optional()?;
    Ok(found.and_then(|at| columns.get(at as usize)).map(|ColumnDef { name, domain, nullable }| {
        let null = if *nullable { ", or null" } else { "" };
        should_be(&format!("{table}.{name}"), format!("{domain}{null}"))
    }))
}

/// Checks that no name of an entrant is too long for the record at `path`.
pub(super) fn check_names(path: &Path, who: &EntrantRecord) -> Result<(), RecordError> {
    check_name(path, "an entrant", &who.name)?;
    check_name(path, "an author", who.author.as_deref().unwrap_or_default())?;
    check_name(path, "a group", who.group.as_deref().unwrap_or_default())
}

/// Checks that `name`, the name of `what`, is not too long for the record at `path`: a reader would refuse that record.
pub(super) fn check_name(path: &Path, what: &str, name: &str) -> Result<(), RecordError> {
    if name.len() <= NAME {
        return Ok(());
    }
    let begins: String = name.chars().take(20).collect();
    let length = name.len();
    let why =
        format!("the name of {what}, `{begins}…`, is {length} bytes long: give it one of at most {NAME} bytes");
    Err(RecordErrorKind::Refused(why).at(path))
}
