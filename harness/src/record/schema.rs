//! The tables of a record, its version, and the values that each column may have.

use super::{RecordError, RecordErrorKind};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The version of the format, stored as `PRAGMA user_version`. From the first release on, changing a table, a
/// view or the meaning of a column requires a new version.
pub const VERSION: u32 = 1;

/// Marks an SQLite file as a record (`PRAGMA application_id`): `cnrm` in ASCII.
const APPLICATION: u32 = u32::from_be_bytes(*b"cnrm");

/// The tables with the [`Domain`]s of their columns, then views for people. The tables are not `STRICT`, so that older
/// `sqlite3` programs can read them.
const TABLES: &str = include_str!("schema.sql");

/// Whether `db`, opened from `path`, is a record that this kit can read; `false` if it is still empty. The schema is
/// compared with that of a new record before anything else is read, because SQLite would execute any views, triggers
/// and generated columns.
///
/// # Errors
/// If it is something else, a record of another version, or its schema differs from that of its version.
pub(super) fn identify(db: &Connection, path: &Path) -> Result<bool, RecordError> {
    let pragma = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u32>(0));
    let wrong = |error| RecordError::of_opening(path, error);
    let application = pragma("application_id").map_err(wrong)?;
    let version = pragma("user_version").map_err(wrong)?;
    match (application, version) {
        (APPLICATION, VERSION) => {
            let wanted = Connection::open_in_memory().and_then(|new| create(&new).and_then(|()| objects(&new)));
            match difference(&objects(db).map_err(wrong)?, &wanted.map_err(wrong)?) {
                None => Ok(true),
                Some(why) => Err(RecordErrorKind::NotARecord(why).at(path)),
            }
        }
        (APPLICATION, found) => {
            let kit = crate::version::get();
            let why = format!(
                "the record has format version {found}, and this kit ({kit}) reads and resumes version {VERSION}: use the \
                 kit that wrote it"
            );
            Err(RecordErrorKind::Refused(why).at(path))
        }
        (0, 0) if objects(db).map_err(wrong)?.is_empty() => Ok(false),
        _ => {
            let why = "it is the SQLite file of another program".to_string();
            Err(RecordErrorKind::NotARecord(why).at(path))
        }
    }
}

/// Tables, indexes, views and triggers by name: their type and definition, without comments and with normalized white
/// space.
type SchemaObjects = BTreeMap<String, (String, String)>;

/// The schema of a database.
fn objects(db: &Connection) -> rusqlite::Result<SchemaObjects> {
    let mut select = db.prepare("SELECT name, type, coalesce(sql, '') FROM sqlite_schema")?;
    let object = |row: &Row| {
        let (name, kind, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // The kit reads from no view, but people do.
        Ok((name, (kind, normalized(&sql))))
    };
    select.query_map([], object)?.collect()
}

fn normalized(sql: &str) -> String {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// How the schema `found` differs from `wanted`; `None` if it does not.
fn difference(found: &SchemaObjects, wanted: &SchemaObjects) -> Option<String> {
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

/// The values that a column, or a part of a document in a column, may have.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// Any value.
    Any,
    /// Whole numbers from the first to the second.
    Number(i64, i64),
    /// Text of at most this many bytes.
    Text(usize),
    /// Text of at most this many bytes that is JSON.
    Json(usize),
    /// Text or a blob of at most this many bytes.
    Bytes(usize),
    /// A blob of at most this many bytes.
    Blob(usize),
    /// A blob of 32 bytes.
    Hash,
    /// One of these texts.
    OneOf(&'static [&'static str]),
}

impl Domain {
    /// The SQL condition that the value of the expression `it` is allowed.
    pub(super) fn condition(&self, it: &str) -> String {
        let typed =
            |kinds: &str, most: &usize| format!("typeof({it}) IN ({kinds}) AND octet_length({it}) <= {most}");
        match self {
            Domain::Any => "true".to_string(),
            Domain::Number(from, to) => format!("typeof({it}) = 'integer' AND {it} BETWEEN {from} AND {to}"),
            Domain::Text(most) => typed("'text'", most),
            Domain::Json(most) => typed("'text'", most) + &format!(" AND json_valid({it})"),
            Domain::Bytes(most) => typed("'text', 'blob'", most),
            Domain::Blob(most) => typed("'blob'", most),
            Domain::Hash => format!("typeof({it}) = 'blob' AND octet_length({it}) = 32"),
            Domain::OneOf(texts) => format!("{it} IN ('{}')", texts.join("', '")),
        }
    }

    /// Parses the domain that stands in brackets at the start of a `comment` in [`TABLES`].
    fn parse(comment: &'static str) -> Option<Domain> {
        let (inside, _) = comment.trim_start().strip_prefix('[')?.split_once(']')?;
        let (first, rest) = inside.split_once(' ').unwrap_or((inside, ""));
        let most = rest.parse().ok();
        Some(match first {
            "any" => Domain::Any,
            "text" => Domain::Text(most?),
            "json" => Domain::Json(most?),
            "bytes" => Domain::Bytes(most?),
            "blob" => Domain::Blob(most?),
            "hash" => Domain::Hash,
            "played" => Domain::OneOf(&["played", "forfeited"]),
            _ => Domain::Number(first.parse().ok()?, rest.parse().ok()?),
        })
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Domain::Any => f.write_str("any value"),
            Domain::Number(from, to) => write!(f, "a whole number from {from} to {to}"),
            Domain::Text(most) => write!(f, "text of at most {most} bytes"),
            Domain::Json(most) => write!(f, "JSON of at most {most} bytes"),
            Domain::Bytes(most) => write!(f, "text or a blob of at most {most} bytes"),
            Domain::Blob(most) => write!(f, "a blob of at most {most} bytes"),
            Domain::Hash => f.write_str("a blob of 32 bytes"),
            Domain::OneOf(texts) => write!(f, "one of '{}'", texts.join("', '")),
        }
    }
}

/// A column of a table: its name, its values, and whether it may be null instead.
pub(super) struct ColumnDef {
    pub name: &'static str,
    pub domain: Domain,
    pub nullable: bool,
}

/// The tables, each with its columns.
pub(super) fn tables() -> Vec<(&'static str, Vec<ColumnDef>)> {
    let mut tables = Vec::new();
    for line in TABLES.lines() {
        if let Some(name) = line.strip_prefix("CREATE TABLE ") {
            tables.push((name.trim_end_matches(" ("), Vec::new()));
        }
        let Some((code, comment)) = line.split_once("-- ") else { continue };
        let Some(domain) = Domain::parse(comment) else { continue };
        let name = code.split_whitespace().next().unwrap_or_default();
        let nullable = !code.contains("NOT NULL") && !code.contains("PRIMARY KEY");
        if let Some((_, columns)) = tables.last_mut() {
            columns.push(ColumnDef { name, domain, nullable });
        }
    }
    tables
}

/// The value as which bytes are stored: text if they are UTF-8 without NUL, so that people can read them, and else a
/// blob.
pub(super) fn text_or_blob(bytes: &[u8]) -> ValueRef<'_> {
    if text_of(bytes).is_some() { ValueRef::Text(bytes) } else { ValueRef::Blob(bytes) }
}

/// Bytes as text, if they are UTF-8 without NUL.
pub(super) fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_its_values() {
        let db = Connection::open_in_memory().unwrap();
        create(&db).unwrap();
        for (table, columns) in tables() {
            let select = db.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let names: Vec<&str> = select.column_names().collect();
            assert_eq!(names, columns.iter().map(|column| column.name).collect::<Vec<_>>());
        }
        assert_eq!(tables().len(), 13);
    }
}
