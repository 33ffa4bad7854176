//! The files of a record: checks them before SQLite opens them, lets one run at a time write, and notices when they are
//! disturbed meanwhile.

use super::{RecordError, RecordErrorKind, host_name};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The largest size of a record, in bytes. This is enough for more than a hundred million moves.
const LARGEST_FILE: u64 = 16 << 30;

/// The last bytes of a journal that names another file, which SQLite then reads and in some versions (3.40) deletes.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// The suffixes of the names of a record's files: its own, those of SQLite, and that of the lock.
const SUFFIXES: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// Checks that `path`, SQLite's files beside it and the lock are regular files of a size that can be read, if they
/// exist. None is opened before all are checked, because opening a pipe would block and opening a device could start
/// it.
///
/// # Errors
/// [`RecordErrorKind::NotARecord`], with the file that is of another kind, too large, or dangerous to open.
pub(super) fn check(path: &Path) -> Result<(), RecordError> {
    let not = |why: String| Err(RecordErrorKind::NotARecord(why).at(path));
    for suffix in SUFFIXES {
        let file = beside(path, suffix);
        let Ok(found) = fs::metadata(&file) else { continue };
        let it = if suffix.is_empty() { "it".to_string() } else { file.display().to_string() };
        if found.is_dir() {
            return not(format!("{it} is a folder"));
        }
        if !found.is_file() {
            return not(format!("{it} is not a regular file"));
        }
        if found.len() > LARGEST_FILE {
            return not(format!("{it} is larger than {} GiB", LARGEST_FILE >> 30));
        }
    }
    let journal = beside(path, "-journal");
    if names_another_file(&journal) {
        not(format!("{} names another file: move it away", journal.display()))
    } else {
        Ok(())
    }
}

/// The path of a record's file without symbolic links; `path` itself if there is no file yet.
///
/// # Errors
/// If `path` is a link to a file that does not exist, or the file has a second name (a hard link): a run that opens it
/// by that name would use another lock and another journal.
pub(super) fn resolved(path: &Path) -> Result<PathBuf, RecordError> {
    let Ok(file) = fs::canonicalize(path) else {
        return match fs::read_link(path) {
            Err(_) => Ok(path.to_path_buf()),
            Ok(to) => {
                let why = format!("it is a link to {}, which does not exist", to.display());
                Err(RecordErrorKind::NotARecord(why).at(path))
            }
        };
    };
    match fs::metadata(&file) {
        Ok(found) if found.nlink() > 1 => {
            let names = found.nlink();
            let why = format!(
                "the file has {names} names (hard links), through which several runs could write to it: copy it to a file \
                 of its own"
            );
            Err(RecordErrorKind::Refused(why).at(path))
        }
        _ => Ok(file),
    }
}

/// The right to write to a record, until it is dropped: a lock on the file `FILE.lock`, which names the process that
/// has it.
///
/// SQLite's own exclusive mode would lock readers out as well, and a lock by the mere presence of a file would outlive
/// a killed run. The kernel releases this one when the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    beside: PathBuf,
    file: File,
}

impl Lock {
    /// Takes the lock of the record at `path`. Symbolic links are followed, so that a record has one lock for all paths
    /// that lead to it.
    ///
    /// # Errors
    /// If another run has it ([`RecordErrorKind::InUse`]), or the lock file cannot be written.
    pub(super) fn take(path: &Path) -> Result<Lock, RecordError> {
        let beside = beside(&resolved(path)?, ".lock");
        loop {
            let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&beside);
            let mut file = open.map_err(|error| RecordError::of_system(path, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(RecordErrorKind::InUse(holder(&beside)).at(path));
                }
                Err(TryLockError::Error(error)) => return Err(RecordError::of_system(path, &error)),
            }
            // The previous holder may have removed the file after we opened it and before we locked it.
            if is_still_at(&file, &beside) {
                sign(&mut file).map_err(|error| RecordError::of_system(path, &error))?;
                return Ok(Lock { beside, file });
            }
        }
    }

    /// Whether the lock file is still at its path. If not, another run could make and lock a new one.
    pub(super) fn holds(&self) -> bool {
        is_still_at(&self.file, &self.beside)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock file that stays behind does no harm, and another one at its place is that of another run.
        if self.holds() {
            fs::remove_file(&self.beside).ok();
        }
    }
}

fn is_still_at(file: &File, path: &Path) -> bool {
    let there = fs::metadata(path).ok();
    let ours = file.metadata().ok();
    there.zip(ours).is_some_and(|(a, b)| (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// Writes into the lock file which process has the lock.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "{} {}", std::process::id(), host_name())
}

/// ` (process 12 on ring1)`, or nothing if the process that has the lock is unknown.
fn holder(beside: &Path) -> String {
    let text = fs::read_to_string(beside).unwrap_or_default();
    match text.trim_end().split_once(' ') {
        Some((pid, host)) if pid.parse::<u32>().is_ok() => format!(" (process {pid} on {host})"),
        _ => String::new(),
    }
}

/// Notices that the files of a record are deleted, replaced or cut off while they are open.
///
/// SQLite would not: it goes on writing to files that no path leads to any more, so that every game would be lost.
#[derive(Debug)]
pub(super) struct WatchedFiles(Vec<WatchedFile>);

#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    /// Its device, inode and size when it was last looked at; `None` if there was no such file.
    seen: Option<(u64, u64, u64)>,
    may_shrink: bool,
}

impl WatchedFiles {
    /// Watches the record at `path` and the files that SQLite has open beside it.
    pub(super) fn new(path: &Path) -> WatchedFiles {
        // SQLite may cut off its own files.
        let file =
            |suffix: &str| WatchedFile { path: beside(path, suffix), seen: None, may_shrink: !suffix.is_empty() };
        let mut files = WatchedFiles(["", "-wal", "-shm"].map(file).into());
        // Remembers what the files are now.
        files.problem();
        files
    }

    /// What has happened to the files since the last call, such as `c.db was deleted`; `None` if nothing has.
    pub(super) fn problem(&mut self) -> Option<String> {
        self.0.iter_mut().find_map(|file| {
            let now = fs::metadata(&file.path).ok().map(|found| (found.dev(), found.ino(), found.len()));
            let what = match (file.seen, now) {
                (Some(_), None) => "was deleted or renamed",
                (Some((device, inode, _)), Some(now)) if (device, inode) != (now.0, now.1) => "was replaced",
                (Some((.., size)), Some(now)) if now.2 < size && !file.may_shrink => "was cut off",
                _ => {
                    file.seen = now;
                    return None;
                }
            };
            Some(format!("{} {what}", file.path.display()))
        })
    }
}

/// The path of the file beside the record: `path` followed by `suffix`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn names_another_file(journal: &Path) -> bool {
    let mut end = [0; JOURNAL_MAGIC.len()];
    let read = File::open(journal).and_then(|mut file| {
        file.seek(SeekFrom::End(-(end.len() as i64)))?;
        file.read_exact(&mut end)
    });
    read.is_ok() && end == JOURNAL_MAGIC
}
