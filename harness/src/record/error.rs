//! Errors when reading or writing a record.

use crate::text::plural;
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a record cannot be used.
#[derive(Debug)]
pub struct RecordError {
    /// The record.
    pub path: PathBuf,
    /// What is wrong.
    pub kind: RecordErrorKind,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// The file does not exist.
    #[error("no such record")]
    Missing,
    /// A new record would overwrite an existing one.
    #[error("a record exists already: resume it, or name another file")]
    Exists,
    /// Another run is writing to it: ` (process 12 on ring1)`, or empty if the process is unknown.
    #[error("another run is writing to it{0}: wait for it or stop it first")]
    InUse(String),
    /// The record was deleted, replaced or cut off while a run was writing to it; what happened to which file, such as
    /// `c.db was replaced`.
    #[error(
        "the run was stopped, because {0} while it was writing to it: put the original file back and resume, or begin \
         another record; games that are not in the original are played again"
    )]
    Disturbed(String),
    /// A copy of the record cannot be made.
    #[error("cannot be copied to {}: {why}", to.display())]
    NotCopied {
        /// The file that the copy was written to.
        to: PathBuf,
        /// The reason.
        why: String,
    },
    /// The file is something else: what it is, or how it differs from a record.
    #[error("not the record of a tournament: {0}")]
    NotARecord(String),
    /// The file is corrupt, or contains values that a record cannot have: what is wrong, with table and column if
    /// known.
    #[error("the record is damaged, or not written by this kit: {0}")]
    Damaged(String),
    /// The record, or what is to be recorded, does not allow what was asked: why, and what would help.
    #[error("{0}")]
    Refused(String),
    /// The contest, its rules or its entrants are not those that the record was created with.
    #[error("{what} has changed since the record was begun:\n  {}\nundo this, or begin another record", changes.join("\n  "))]
    Changed {
        /// What has changed: `the contest file`, `the ruleset`, `the list of entrants`.
        what: &'static str,
        /// Each change: `seed was 7, and is 8 now`.
        changes: Vec<String>,
    },
    /// The contest has changed in what may be amended: each change.
    #[error("the contest file has changed since the record was begun:\n  {}\nrecord that with `decide … amend`, or undo it", .0.join("\n  "))]
    NotAmended(Vec<String>),
    /// The programs of these entrants are not those that the record was created with.
    #[error("since the record was begun the {} of {} has changed: restore the original, or begin another record", plural(.0.len(), "program"), .0.join(", "))]
    ProgramsChanged(Vec<String>),
    /// The contest cannot be restored from the record, for this reason.
    #[error("the contest in the record is invalid: {0}")]
    InvalidContest(String),
    /// The contest cannot be played by another ruleset.
    #[error("the contest in the record cannot be played by {ruleset}: {why}")]
    OtherRules {
        /// The ruleset's id.
        ruleset: String,
        /// What does not fit.
        why: String,
    },
    /// The board of this number, from 0, differs from the one in the record.
    #[error("board {} is not the board of this number in the record", .0 + 1)]
    BoardChanged(u32),
    /// The disk is full.
    #[error("the disk is full: make room, then resume; all games finished so far are safe")]
    Full,
    /// The file or its folder is not writable: the system's message.
    #[error("cannot write the record: {0}: its file and its folder must be writable")]
    CannotWrite(String),
    /// Any other error from SQLite at what was attempted, such as `recording a game`.
    #[error("{0} failed: {1}")]
    Sqlite(&'static str, #[source] rusqlite::Error),
}

impl RecordErrorKind {
    /// The error of the record at `path`.
    pub fn at(self, path: &Path) -> RecordError {
        RecordError { path: path.into(), kind: self }
    }
}

impl Error for RecordError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.kind.source()
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            RecordErrorKind::Missing => {
                write!(f, "no such record: {path}{}", crate::nearest::did_you_mean_file(&self.path))
            }
            kind => write!(f, "{path}: {kind}"),
        }
    }
}

impl RecordError {
    /// Whether the kit or the machine failed, as opposed to a wrong or unsuitable file.
    pub fn is_failure(&self) -> bool {
        use RecordErrorKind::{CannotWrite, Disturbed, Full, NotCopied, Sqlite};
        matches!(self.kind, Full | CannotWrite(_) | Disturbed(_) | NotCopied { .. } | Sqlite(..))
    }

    /// Whether the record belongs to a contest with other settings, rules, boards or programs.
    pub fn is_other_contest(&self) -> bool {
        use RecordErrorKind::{BoardChanged, Changed, ProgramsChanged};
        matches!(self.kind, Changed { .. } | ProgramsChanged(_) | BoardChanged(_))
    }

    /// The error for an SQLite error while `doing` something to the record at `path`.
    pub(super) fn new(path: &Path, doing: &'static str, source: rusqlite::Error) -> RecordError {
        let kind = match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => RecordErrorKind::Full,
            // SQLite has a code of its own for a file in shared memory that cannot grow.
            _ if source.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) => {
                RecordErrorKind::Full
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                RecordErrorKind::CannotWrite(source.to_string())
            }
            Some(ErrorCode::NotADatabase) => RecordErrorKind::NotARecord("it is not an SQLite file".to_string()),
            // An error without a code means that a value is not of the type expected in its column.
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig | ErrorCode::OperationInterrupted) => {
                RecordErrorKind::Damaged(format!("{doing} failed: {source}"))
            }
            _ => RecordErrorKind::Sqlite(doing, source),
        };
        kind.at(path)
    }

    /// The error for an SQLite error while opening the record at `path`.
    pub(super) fn of_opening(path: &Path, source: rusqlite::Error) -> RecordError {
        RecordError::new(path, "opening the record", source)
    }

    /// Explains SQLite's "unable to open". The usual cause is that a killed run left a `-wal` file, which SQLite can
    /// only merge in a writable folder.
    pub(super) fn explained(self, path: &Path) -> RecordError {
        let RecordErrorKind::Sqlite(_, source) = &self.kind else { return self };
        if source.sqlite_error_code() != Some(ErrorCode::CannotOpen) {
            return self;
        }
        let beside = super::files::beside(path, "-wal");
        let why = if beside.exists() {
            format!(
                "it was not closed ({} remains), and its folder is not writable: copy both files elsewhere",
                beside.display()
            )
        } else {
            source.to_string()
        };
        RecordErrorKind::Refused(format!("cannot read the record: {why}")).at(path)
    }

    /// The error for an I/O error when writing at or beside `path`.
    pub(super) fn of_system(path: &Path, error: &io::Error) -> RecordError {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull => RecordErrorKind::Full,
            _ => RecordErrorKind::CannotWrite(error.to_string()),
        };
        kind.at(path)
    }
}
