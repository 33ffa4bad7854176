//! What can keep a record from being read or written.

use rusqlite::ErrorCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is none.
    #[error("no such record: {}{}", path.display(), crate::nearest::did_you_mean_file(path))]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A new one would replace it.
    #[error("{}: there is a record already: resume it, or name another file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another run writes to it.
    #[error("{}: another run is writing to it{holder}: wait for it or stop it first", path.display())]
    Held {
        /// The file.
        path: PathBuf,
        /// Who, as far as it is known.
        holder: Holder,
    },
    /// The file is something else.
    #[error("{}: not the record of a tournament: {why}", path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// What it is.
        why: String,
    },
    /// What it holds is not what a record holds.
    #[error("{}: the record is damaged, or not written by this kit: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, with table and column.
        why: String,
    },
    /// A name is too long to be recorded.
    #[error("{}: the name of {what}, `{begins}…`, is {length} bytes long: give it one of at most {most} bytes", path.display())]
    LongName {
        /// The record.
        path: PathBuf,
        /// Whose.
        what: String,
        /// How it begins.
        begins: String,
        /// Its length in bytes.
        length: usize,
        /// The most that are possible.
        most: u32,
    },
    /// The tables are those of another version of the kit.
    #[error("{}: the record has format version {found}, this kit reads version {}: use the version of the kit that wrote it", path.display(), super::VERSION)]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// What the record began with is no longer so.
    #[error("{}: {what} has changed since the record was begun:\n{diff}put it back, or begin another record", path.display())]
    Changed {
        /// The record.
        path: PathBuf,
        /// Of what: `the contest file`, `the ruleset`, `the entrants`.
        what: &'static str,
        /// A unified diff from then to now, each line ended by a line feed.
        diff: String,
    },
    /// Entrants are built from something else than when the record was begun.
    #[error("{}: since the record was begun {} has changed: put back what was entered, or begin another record", path.display(), programs(names))]
    OtherPrograms {
        /// The record.
        path: PathBuf,
        /// The entrants' names.
        names: Vec<String>,
    },
    /// The contest cannot be made again from what is kept of it.
    #[error("{}: the contest that it keeps makes no sense: {why}", path.display())]
    NoContest {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A board that the record knows by this number is another one now.
    #[error("{}: board {} is not the one that the record has by this number", path.display(), number + 1)]
    BoardChanged {
        /// The record.
        path: PathBuf,
        /// Its number, from 0.
        number: u32,
    },
    /// The game has a result already.
    #[error("{}: game {game} is in the record already", path.display())]
    Twice {
        /// The record.
        path: PathBuf,
        /// Which one.
        game: String,
    },
    /// No room is left.
    #[error("{}: the disk is full: make room, then resume; all games finished so far are safe", path.display())]
    Full {
        /// The record.
        path: PathBuf,
    },
    /// It cannot be written where it is.
    #[error("{}: cannot write there: {why}: a record needs a folder and a file that can be written", path.display())]
    CannotWrite {
        /// The record.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
    /// It cannot be read.
    #[error("{}: cannot read the record: {why}", path.display())]
    CannotRead {
        /// The record.
        path: PathBuf,
        /// The system's words, and what would help.
        why: String,
    },
    /// Anything else that SQLite finds wrong.
    #[error("{}: {doing} failed: {source}", path.display())]
    Sqlite {
        /// The record.
        path: PathBuf,
        /// What was attempted.
        doing: &'static str,
        /// SQLite's words.
        source: rusqlite::Error,
    },
}

/// `the program of gull`, `the programs of gull, tern`.
fn programs(names: &[String]) -> String {
    format!("the program{} of {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

impl RecordError {
    /// Whether the kit or the machine failed, rather than that the record is not what was asked for.
    pub fn is_failure(&self) -> bool {
        use RecordError::{CannotWrite, Full, Sqlite};
        matches!(self, Full { .. } | CannotWrite { .. } | Sqlite { .. })
    }

    /// Of a SQLite error while `doing` something to the record at `path`.
    pub(super) fn of(path: &Path, doing: &'static str, source: rusqlite::Error) -> RecordError {
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => RecordError::Full { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                RecordError::CannotWrite { path, why: source.to_string() }
            }
            Some(ErrorCode::NotADatabase) => {
                RecordError::NotARecord { path, why: "it is no SQLite file".to_string() }
            }
            // Without a code the value that was read is not of the column's kind.
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig | ErrorCode::OperationInterrupted) => {
                RecordError::Damaged { path, why: format!("{doing} failed: {source}") }
            }
            _ => RecordError::Sqlite { path, doing, source },
        }
    }

    /// Of a SQLite error while the record at `path` is opened.
    pub(super) fn of_opening(path: &Path, source: rusqlite::Error) -> RecordError {
        RecordError::of(path, "opening the record", source)
    }

    /// Of a SQLite error while the record at `path` is opened to be read only.
    pub(super) fn of_reading(path: &Path, source: rusqlite::Error) -> RecordError {
        RecordError::of_opening(path, source).explained(path)
    }

    /// SQLite's "unable to open" says little: what is in the way is mostly a folder that cannot be written to, in
    /// which what a killed run left beside the file cannot be taken in.
    pub(super) fn explained(self, path: &Path) -> RecordError {
        let RecordError::Sqlite { source, .. } = &self else { return self };
        if source.sqlite_error_code() != Some(ErrorCode::CannotOpen) {
            return self;
        }
        let beside = super::files::beside(path, "-wal");
        let why = match beside.exists() {
            true => format!(
                "it was not closed ({} is beside it), and its folder cannot be written to: copy both elsewhere",
                beside.display()
            ),
            false => source.to_string(),
        };
        RecordError::CannotRead { path: path.into(), why }
    }

    /// Of the system's refusal to write at or beside `path`.
    pub(super) fn of_system(path: &Path, error: &io::Error) -> RecordError {
        match error.kind() {
            io::ErrorKind::StorageFull => RecordError::Full { path: path.into() },
            _ => RecordError::CannotWrite { path: path.into(), why: error.to_string() },
        }
    }
}

/// Who writes to a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The process, if it has said so.
    pub pid: Option<u32>,
    /// Its machine.
    pub host: String,
}

impl fmt::Display for Holder {
    /// ` (process 12 on ring1)`, or nothing if nothing is known.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.pid {
            Some(pid) if self.host.is_empty() => write!(f, " (process {pid})"),
            Some(pid) => write!(f, " (process {pid} on {})", self.host),
            None => Ok(()),
        }
    }
}
