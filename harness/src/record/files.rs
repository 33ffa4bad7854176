//! A record and what is beside it, as files.

use super::RecordError;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The largest record, in bytes: more than a hundred million moves.
const LARGEST_FILE: u64 = 16 << 30;

/// What ends a journal that names another file, which SQLite reads and which some versions of it (3.40) then remove.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// A record and the files that SQLite and the kit keep beside it.
const SUFFIXES: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// That `path` and what is beside it are files that can be opened: regular, and of a size that can be read. Nothing
/// is opened to find out, which would block on a pipe and start a device.
///
/// # Errors
/// What is there instead.
pub fn check(path: &Path) -> Result<(), RecordError> {
    let not = |why: String| Err(RecordError::NotARecord { path: path.into(), why });
    for suffix in SUFFIXES {
        let file = beside(path, suffix);
        let Ok(found) = fs::metadata(&file) else { continue };
        let it = if suffix.is_empty() { "it".to_string() } else { format!("{}, beside it,", file.display()) };
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
        true => not(format!("{}, beside it, names another file: move it away", journal.display())),
        false => Ok(()),
    }
}

/// The file beside `path` whose name ends with `suffix` as well.
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
