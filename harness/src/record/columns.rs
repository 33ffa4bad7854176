//! How bytes, times and texts are kept in columns.

use super::Used;
use rusqlite::Row;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use std::time::Duration;

/// Bytes that are kept as text where they are text, so that people can read them.
pub struct Shown<B: AsRef<[u8]>>(pub B);

impl<B: AsRef<[u8]>> ToSql for Shown<B> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let bytes = self.0.as_ref();
        let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
        Ok(ToSqlOutput::Borrowed(if is_text { ValueRef::Text(bytes) } else { ValueRef::Blob(bytes) }))
    }
}

/// What [`Shown`] wrote.
pub fn bytes(row: &Row, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(row.get_ref(column)?.as_bytes()?.to_vec())
}

/// Text, empty where there is none.
pub fn text(row: &Row, column: usize) -> rusqlite::Result<String> {
    Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
}

/// Wall, processor and lag time, in three columns.
pub fn used(row: &Row, from: usize) -> rusqlite::Result<Used> {
    Ok(Used { wall: duration(row, from)?, cpu: duration(row, from + 1)?, lag: duration(row, from + 2)? })
}

/// What [`micros`] wrote.
pub fn duration(row: &Row, column: usize) -> rusqlite::Result<Duration> {
    row.get(column).map(|micros: i64| Duration::from_micros(micros.cast_unsigned()))
}

/// A duration as the record keeps it.
pub fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// A move's times, as [`used`] reads them.
pub fn times(used: Used) -> [i64; 3] {
    [used.wall, used.cpu, used.lag].map(micros)
}

/// What [`text`] reads.
pub fn none_if_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
