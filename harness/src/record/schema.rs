//! The tables of a record and its version.

use super::RecordError;
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;
use std::path::Path;

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
