//! Copies a record while a run may be writing to it.

use super::{Record, RecordError, RecordErrorKind, files};
use cornerman::format::EntrantId;
use rusqlite::limits::Limit;
use std::fs::File;
use std::path::Path;

impl Record {
    /// Writes all games that are in the record now into `to`, which must be empty or not exist, as one file.
    ///
    /// # Errors
    /// [`RecordErrorKind::NotCopied`], for example if the disk is full.
    pub fn copy_to(&self, to: &Path) -> Result<(), RecordError> {
        let not = |why: String| RecordErrorKind::NotCopied { to: to.into(), why }.at(self.path());
        let file = to.to_str().ok_or_else(|| not("its path is not UTF-8".to_string()))?;
        let db = self.db();
        // SQLite attaches the new file for as long as it writes it.
        let copied = db
            .set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)
            .and_then(|_| db.execute("VACUUM INTO ?", [file]))
            .and(db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0));
        copied.map_err(|error| match RecordError::new(to, "copying", error).kind {
            RecordErrorKind::Full => not("the disk is full".to_string()),
            RecordErrorKind::CannotWrite(why) => not(why),
            RecordErrorKind::Sqlite(_, source) => not(source.to_string()),
            damaged => damaged.at(to),
        })?;
        File::open(to).and_then(|file| file.sync_all()).map_err(|error| not(error.to_string()))
    }

    /// Checks that a copy of this record, or an extract for the author of `bot`, may replace the file at `to`: it must be an older
    /// one that no run is using.
    ///
    /// # Errors
    /// [`RecordErrorKind::NotCopied`], with what is there instead.
    pub fn may_replace(&self, to: &Path, bot: Option<EntrantId>) -> Result<(), RecordError> {
        let not = |why: String| Err(RecordErrorKind::NotCopied { to: to.into(), why }.at(self.path()));
        let other = match Record::open_any_if_begun(to) {
            Ok(None) => return Ok(()),
            Ok(Some(other)) => other,
            Err(_) => return not("it exists and is not a copy of this record: name another file".to_string()),
        };
        let resolved = |path: &Path| std::fs::canonicalize(path).ok();
        if resolved(to) == resolved(self.path()) {
            return not("it is the record itself".to_string());
        }
        if ["-wal", "-journal", ".lock"].iter().any(|suffix| files::beside(to, suffix).exists()) {
            return not("a run is writing to it, or it was not closed: name another file".to_string());
        }
        if other.identity()? != self.identity()? {
            return not("it exists and is a copy of another record: name another file".to_string());
        }
        if other.extract()?.map(|it| it.bot) != bot {
            return not("it exists and has other games of this record: name another file".to_string());
        }
        match (other.games_played()?, self.games_played()?) {
            (there, here) if there > here => {
                not(format!("it exists and has {there} games, and this record only {here}: name another file"))
            }
            _ => Ok(()),
        }
    }

    /// What only copies of a record have in common: the contest's seed, and when the record was begun, in milliseconds
    /// since 1970.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn identity(&self) -> Result<Vec<i64>, RecordError> {
        let sql = "SELECT value FROM meta WHERE key IN ('started_ms', 'seed') ORDER BY key";
        self.list(sql, |row| row.get(0))
    }
}
