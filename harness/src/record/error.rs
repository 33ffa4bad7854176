//! Errors when reading or writing a record.

use crate::text::plural;
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file does not exist.
    #[error("no such record: {}{}", path.display(), crate::nearest::did_you_mean_file(path))]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A new record would overwrite an existing one.
    #[error("{}: a record exists already: resume it, or name another file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another run writes to it.
    #[error("{}: another run is writing to it{holder}: wait for it or stop it first", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// The process that is writing, as far as it is known.
        holder: RecordHolder,
    },
    /// The file has several names (hard links). Each would have a lock and a journal of its own.
    #[error("{}: the file has {names} names (hard links), through which several runs could write to it: copy it to a file of its own", path.display())]
    SeveralNames {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// The record was deleted, replaced or cut off while a run was writing to it.
    #[error("{}: the run was stopped, because {what} while it was writing to it: put the original file back and resume, or begin another record; games that are not in the original are played again", path.display())]
    Disturbed {
        /// The record.
        path: PathBuf,
        /// What happened to which file, such as `c.db was replaced`.
        what: String,
    },
    /// A copy of the record cannot be made.
    #[error("{}: cannot be copied to {}: {why}", path.display(), to.display())]
    NotCopied {
        /// The record.
        path: PathBuf,
        /// The file that the copy was written to.
        to: PathBuf,
        /// The reason.
        why: String,
    },
    /// The record is an extract, and the whole one is needed.
    #[error("{}: it is an extract with {games} of {all} games, for the author of {bot}; this needs the whole record", path.display())]
    Extract {
        /// The file.
        path: PathBuf,
        /// The number of games in it.
        games: u64,
        /// The number of games in the record that it is of.
        all: u64,
        /// The name of the bot whose games it has.
        bot: String,
    },
    /// The file is something else.
    #[error("{}: not the record of a tournament: {why}", path.display())]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// What it is, or how it differs from a record.
        why: String,
    },
    /// The file is corrupt, or contains values that a record cannot have.
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
        /// What it names, such as `an entrant`.
        what: String,
        /// Its first characters.
        begins: String,
        /// Its length in bytes.
        length: usize,
        /// The greatest allowed length in bytes.
        most: u32,
    },
    /// The tables are those of another version of the format.
    #[error("{}: the record has format version {found}, and this kit ({}) reads and resumes version {}: use the kit that wrote it", path.display(), crate::version::get(), super::VERSION)]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// The contest, its rules or its entrants are not those that the record was created with.
    #[error("{}: {what} has changed since the record was begun:\n  {}\nundo this, or begin another record", path.display(), changes.join("\n  "))]
    Changed {
        /// The record.
        path: PathBuf,
        /// What has changed: `the contest file`, `the ruleset`, `the list of entrants`.
        what: &'static str,
        /// Each change: `seed was 7, and is 8 now`.
        changes: Vec<String>,
    },
    /// The contest has changed in what may be amended.
    #[error("{}: the contest file has changed since the record was begun:\n  {}\nrecord that with `decide … amend`, or undo it", path.display(), changes.join("\n  "))]
    NotAmended {
        /// The record.
        path: PathBuf,
        /// Each change: `name was "Cup", and is "Club cup" now`.
        changes: Vec<String>,
    },
    /// The programs of entrants are not those that the record was created with.
    #[error("{}: since the record was begun {} has changed: restore the original, or begin another record", path.display(), programs(names))]
    ProgramsChanged {
        /// The record.
        path: PathBuf,
        /// The entrants' names.
        names: Vec<String>,
    },
    /// The contest cannot be restored from the record.
    #[error("{}: the contest in the record is invalid: {why}", path.display())]
    InvalidContest {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The contest cannot be played by another ruleset.
    #[error("{}: the contest in the record cannot be played by {ruleset}: {why}", path.display())]
    OtherRules {
        /// The record.
        path: PathBuf,
        /// The ruleset's id.
        ruleset: String,
        /// What does not fit.
        why: String,
    },
    /// Games count in another contest although they were played on other boards than it gives them.
    #[error("{}: {games} of the games that count were played on other boards than this contest gives them: give it the same `seed` and `boards`", path.display())]
    OtherBoards {
        /// The record that was to be made.
        path: PathBuf,
        /// How many games.
        games: usize,
    },
    /// A board differs from the one that the record has under its number.
    #[error("{}: board {} is not the board of this number in the record", path.display(), number + 1)]
    BoardChanged {
        /// The record.
        path: PathBuf,
        /// The number of the board, from 0.
        number: u32,
    },
    /// The game has a result already.
    #[error("{}: game {game} is in the record already", path.display())]
    DuplicateGame {
        /// The record.
        path: PathBuf,
        /// The game, such as `s1/r2/m3/g1`.
        game: String,
    },
    /// The disk is full.
    #[error("{}: the disk is full: make room, then resume; all games finished so far are safe", path.display())]
    Full {
        /// The record.
        path: PathBuf,
    },
    /// The file or its folder is not writable.
    #[error("{}: cannot write the record: {why}: its file and its folder must be writable", path.display())]
    CannotWrite {
        /// The record.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// It cannot be read.
    #[error("{}: cannot read the record: {why}", path.display())]
    CannotRead {
        /// The record.
        path: PathBuf,
        /// The cause, and what would help.
        why: String,
    },
    /// Any other error from SQLite.
    #[error("{}: {doing} failed: {source}", path.display())]
    Sqlite {
        /// The record.
        path: PathBuf,
        /// What was attempted, such as `recording a game`.
        doing: &'static str,
        /// SQLite's error.
        source: rusqlite::Error,
    },
}

/// `the program of gull`, `the programs of gull, tern`.
fn programs(names: &[String]) -> String {
    format!("the {} of {}", plural(names.len(), "program"), names.join(", "))
}

impl RecordError {
    /// Whether the kit or the machine failed, as opposed to a wrong or unsuitable file.
    pub fn is_failure(&self) -> bool {
        use RecordError::{CannotWrite, Disturbed, Full, NotCopied, Sqlite};
        matches!(self, Full { .. } | CannotWrite { .. } | Disturbed { .. } | NotCopied { .. } | Sqlite { .. })
    }

    /// The error for an SQLite error while `doing` something to the record at `path`.
    pub(super) fn new(path: &Path, doing: &'static str, source: rusqlite::Error) -> RecordError {
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => RecordError::Full { path },
            // SQLite has a code of its own for a file in shared memory that cannot grow.
            _ if source.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) => {
                RecordError::Full { path }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                RecordError::CannotWrite { path, why: source.to_string() }
            }
            Some(ErrorCode::NotADatabase) => {
                RecordError::NotARecord { path, why: "it is not an SQLite file".to_string() }
            }
            // An error without a code means that a value is not of the type expected in its column.
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::TooBig | ErrorCode::OperationInterrupted) => {
                RecordError::Damaged { path, why: format!("{doing} failed: {source}") }
            }
            _ => RecordError::Sqlite { path, doing, source },
        }
    }

    /// The error for an SQLite error while opening the record at `path`.
    pub(super) fn of_opening(path: &Path, source: rusqlite::Error) -> RecordError {
        RecordError::new(path, "opening the record", source)
    }

    /// The error for an SQLite error while opening the record at `path` read-only.
    pub(super) fn of_reading(path: &Path, source: rusqlite::Error) -> RecordError {
        RecordError::of_opening(path, source).explained(path)
    }

    /// Explains SQLite's "unable to open". The usual cause is that a killed run left a `-wal` file, which SQLite can
    /// only merge in a writable folder.
    pub(super) fn explained(self, path: &Path) -> RecordError {
        let RecordError::Sqlite { source, .. } = &self else { return self };
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
        RecordError::CannotRead { path: path.into(), why }
    }

    /// The error for an I/O error when writing at or beside `path`.
    pub(super) fn of_system(path: &Path, error: &io::Error) -> RecordError {
        match error.kind() {
            io::ErrorKind::StorageFull => RecordError::Full { path: path.into() },
            _ => RecordError::CannotWrite { path: path.into(), why: error.to_string() },
        }
    }
}

/// The process that is writing to a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordHolder {
    /// Its process id; `None` if it is unknown.
    pub pid: Option<u32>,
    /// The name of its machine; empty if it is unknown.
    pub host: String,
}

impl fmt::Display for RecordHolder {
    /// Writes ` (process 12 on ring1)`, or nothing if the process is unknown.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.pid {
            Some(pid) if self.host.is_empty() => write!(f, " (process {pid})"),
            Some(pid) => write!(f, " (process {pid} on {})", self.host),
            None => Ok(()),
        }
    }
}
