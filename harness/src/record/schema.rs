//! The tables of a record, its version, and how bytes, times and texts become values of columns.

use super::{RecordError, TimeUsed};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The version of the format, stored as `PRAGMA user_version`. From the first release on, changing a table or the
/// meaning of a column requires a new version.
pub const VERSION: u32 = 1;

/// Marks an SQLite file as a record (`PRAGMA application_id`): `cnrm` in ASCII.
const APPLICATION: u32 = u32::from_be_bytes(*b"cnrm");

/// The tables, then views for people. They are not `STRICT`, so that older `sqlite3` programs can read them.
const TABLES: &str = include_str!("schema.sql");

/// What an SQLite file contains.
pub(super) enum Contents {
    /// Nothing yet.
    Empty,
    /// A record of this version.
    Record,
}

/// Finds out whether `db`, opened from `path`, is a record that this kit can read. Compares its schema with that of a
/// new record before reading anything else, because SQLite would execute any views, triggers and generated columns.
///
/// # Errors
/// If it is something else, a record of another version, or its schema differs from that of its version.
pub(super) fn identify(db: &Connection, path: &Path) -> Result<Contents, RecordError> {
    let pragma = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u32>(0));
    let wrong = |error| RecordError::of_opening(path, error);
    let application = pragma("application_id").map_err(wrong)?;
    let version = pragma("user_version").map_err(wrong)?;
    match (application, version) {
        (APPLICATION, VERSION) => {
            let made = Connection::open_in_memory().and_then(|new| create(&new).and_then(|()| objects(&new)));
            match difference(&objects(db).map_err(wrong)?, &made.map_err(wrong)?) {
                None => Ok(Contents::Record),
                Some(why) => Err(RecordError::NotARecord { path: path.into(), why }),
            }
        }
        (APPLICATION, found) => Err(RecordError::OtherVersion { path: path.into(), found }),
        (0, 0) if objects(db).map_err(wrong)?.is_empty() => Ok(Contents::Empty),
        _ => {
            let why = "it is the SQLite file of another program".to_string();
            Err(RecordError::NotARecord { path: path.into(), why })
        }
    }
}

/// Tables, indexes, views and triggers by name: their type, and except for views their definition without comments and
/// with normalized white space.
type Objects = BTreeMap<String, (String, String)>;

fn objects(db: &Connection) -> rusqlite::Result<Objects> {
    let mut select = db.prepare("SELECT name, type, coalesce(sql, '') FROM sqlite_schema")?;
    let object = |row: &Row| {
        let (name, kind, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // The kit never reads from a view, so its definition does not matter.
        let sql = if kind == "view" { String::new() } else { normalized(&sql) };
        Ok((name, (kind, sql)))
    };
    select.query_map([], object)?.collect()
}

fn normalized(sql: &str) -> String {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// How the schema `found` differs from `wanted`; `None` if it does not.
fn difference(found: &Objects, wanted: &Objects) -> Option<String> {
    let strange = found.iter().find(|(name, object)| wanted.get(*name) != Some(object));
    if let Some((name, (kind, _))) = strange {
        return Some(match wanted.get(name) {
            None => format!("it has the {kind} `{name}`, which a record does not have"),
            Some((wanted, _)) => format!("its {kind} `{name}` differs from the {wanted} `{name}` of a record"),
        });
    }
    let missing = wanted.iter().find(|(name, _)| !found.contains_key(*name));
    missing.map(|(name, (kind, _))| format!("it has no {kind} `{name}`"))
}

/// Creates the tables, inside the caller's transaction.
pub(super) fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(TABLES)?;
    db.pragma_update(None, "application_id", APPLICATION)?;
    db.pragma_update(None, "user_version", VERSION)
}

/// Bytes that are stored as text if they are UTF-8 without NUL, so that people can read them, and else as a blob.
pub(super) struct TextOrBlob<B: AsRef<[u8]>>(pub B);

impl<B: AsRef<[u8]>> ToSql for TextOrBlob<B> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let bytes = self.0.as_ref();
        let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
        Ok(ToSqlOutput::Borrowed(if is_text { ValueRef::Text(bytes) } else { ValueRef::Blob(bytes) }))
    }
}

/// Reads what [`TextOrBlob`] wrote.
pub(super) fn bytes(row: &Row, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(row.get_ref(column)?.as_bytes()?.to_vec())
}

/// Reads a text; null is read as an empty one.
pub(super) fn text(row: &Row, column: usize) -> rusqlite::Result<String> {
    Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
}

/// Reads wall, processor and lag time from three columns.
pub(super) fn used(row: &Row, from: usize) -> rusqlite::Result<TimeUsed> {
    Ok(TimeUsed { wall: duration(row, from)?, cpu: duration(row, from + 1)?, lag: duration(row, from + 2)? })
}

/// Reads a duration that [`micros`] wrote.
pub(super) fn duration(row: &Row, column: usize) -> rusqlite::Result<Duration> {
    row.get(column).map(|micros: i64| Duration::from_micros(micros.cast_unsigned()))
}

/// A duration in whole microseconds, as the record stores it.
pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The times of a move, in the order in which [`used`] reads them.
pub(super) fn times(used: TimeUsed) -> [i64; 3] {
    [used.wall, used.cpu, used.lag].map(micros)
}

/// A text to be stored as null if it is empty; the inverse of [`text`].
pub(super) fn none_if_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
