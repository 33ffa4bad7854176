//! Checks the files of a record before SQLite opens them.

use super::RecordError;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The largest size of a record, in bytes. This is enough for more than a hundred million moves.
const LARGEST_FILE: u64 = 16 << 30;

/// The last bytes of a journal that names another file. SQLite reads that file, and some versions (3.40) delete it.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// What follows the path of a record in the names of its files: those of SQLite and the lock.
const SUFFIXES: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// Checks that `path` and SQLite's files beside it are regular files of a size that can be read. It does so without
/// opening them, because opening a pipe would block and opening a device could start it.
///
/// # Errors
/// [`RecordError::NotARecord`], with the file that is of another kind, too large, or dangerous to open.
pub fn check(path: &Path) -> Result<(), RecordError> {
    let not = |why: String| Err(RecordError::NotARecord { path: path.into(), why });
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
    match names_another_file(&journal) {
        true => not(format!("{} names another file: move it away", journal.display())),
        false => Ok(()),
    }
}

/// The path of the file beside the record: `path` followed by `suffix`.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
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
