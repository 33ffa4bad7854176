//! Lets one run at a time write to a record, by a lock on the file `FILE.lock`, which names the process that has it.
//!
//! SQLite's own exclusive mode would lock readers out as well, and a lock by the mere presence of a file would outlive
//! a killed run. The kernel releases this one when the process ends.

use super::{RecordError, RecordErrorKind, files, host_name};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The right to write to a record, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    beside: PathBuf,
    file: File,
}

impl Lock {
    /// Takes the lock of the record at `path`. A symbolic link is followed, so that a record has one lock, whatever the
    /// path that leads to it.
    ///
    /// # Errors
    /// If another run has it ([`RecordErrorKind::InUse`]), or the lock file cannot be written.
    pub(super) fn take(path: &Path) -> Result<Lock, RecordError> {
        let beside = files::beside(&files::resolved(path)?, ".lock");
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

    /// Whether the lock file is still there, so that no other run can have the lock.
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
