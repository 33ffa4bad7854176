//! Converts bytes, times and texts to and from values of columns.

use super::TimeUsed;
use rusqlite::Row;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use std::time::Duration;

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
