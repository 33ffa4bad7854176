//! The tables of a record and its version.

use super::RecordError;
use rusqlite::Connection;
use std::path::Path;

/// The version of the tables, kept as `PRAGMA user_version`. Any change of a table or of what a column means is
/// a new one; a further table is not, if a record can do without it.
pub const VERSION: u32 = 2;

/// What marks a SQLite file as a record (`PRAGMA application_id`): `cnrm` in ASCII.
const APPLICATION: u32 = u32::from_be_bytes(*b"cnrm");

/// Tables, then views for people. No `STRICT`, so that older `sqlite3` programs can read it.
const TABLES: &str = include_str!("schema.sql");

/// Tables that records of this version may lack: kits that do not know them read the rest all the same.
const ADDED: &str = include_str!("added.sql");

/// What a SQLite file turns out to be.
pub enum Found {
    /// Nothing is in it yet.
    Empty,
    /// A record of this version.
    Record,
}

/// Whether `db`, opened from `path`, is a record that this kit can read.
///
/// # Errors
/// When it is something else or a record of another version.
pub fn look(db: &Connection, path: &Path) -> Result<Found, RecordError> {
    let pragma = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u32>(0));
    let wrong = |error| RecordError::of_opening(path, error);
    let application = pragma("application_id").map_err(wrong)?;
    let version = pragma("user_version").map_err(wrong)?;
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(wrong)?;
    match (application, version) {
        (APPLICATION, VERSION) => Ok(Found::Record),
        (APPLICATION, found) => Err(RecordError::OtherVersion { path: path.into(), found }),
        (0, 0) if tables == 0 => Ok(Found::Empty),
        _ => {
            let why = "it is the SQLite file of another program".to_string();
            Err(RecordError::NotARecord { path: path.into(), why })
        }
    }
}

/// Makes the tables that a record lacks because an earlier kit began it.
pub fn complete(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(ADDED)
}

/// Makes the tables, inside the caller's transaction.
pub fn make(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(TABLES)?;
    complete(db)?;
    db.pragma_update(None, "application_id", APPLICATION)?;
    db.pragma_update(None, "user_version", VERSION)
}
