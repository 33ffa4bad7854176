//! Detects whether a bot kept anything outside its own state file, or opened another bot's (B9), where it shares its
//! folders with other programs.
//!
//! Folders are compared before and after a run; inotify reports when another bot's state file is opened.

use super::report::{FileViolation, FileViolationKind};
use super::sys::Pass;
use rustix::fs::inotify::{self, ReadFlags, WatchFlags};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The prefix of the names of the sandboxes' own folders, which are not reported.
pub(crate) const HOME_PREFIX: &str = "cornerman-";

/// Folders in which every program can write.
const SHARED_FOLDERS: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// The attributes of a file that are compared: size, modification time, inode and mode.
pub(crate) type Stamp = (u64, i64, i64, u64, u32);

/// The state of the file system before a run.
pub(crate) struct FileWatch {
    folders: Vec<PathBuf>,
    own: Option<PathBuf>,
    before: BTreeMap<PathBuf, Stamp>,
    opened: OwnedFd,
    opponents: BTreeMap<i32, PathBuf>,
}

impl FileWatch {
    /// Records the state of `private` folders and of those common to all. `own` is the bot's own state file. The
    /// system calls of inotify are forbidden to bots, so the server makes them with its `pass`.
    pub(crate) fn begin(private: &[&Path], own: Option<PathBuf>, pass: Pass) -> io::Result<FileWatch> {
        let mut folders: Vec<PathBuf> = private.iter().map(PathBuf::from).collect();
        folders.extend(SHARED_FOLDERS.map(PathBuf::from));
        folders.sort();
        folders.dedup();
        let before = stamp_entries(&folders);
        let opened = pass.watch_files()?;
        let mut opponents = BTreeMap::new();
        for path in before.keys().filter(|path| own.as_ref().is_some_and(|own| is_anothers_state(path, own))) {
            let name = CString::new(path.as_os_str().as_bytes())?;
            if let Ok(watched) = pass.watch_file(&opened, &name, WatchFlags::OPEN | WatchFlags::MODIFY) {
                opponents.insert(watched, path.clone());
            }
        }
        Ok(FileWatch { folders, own, before, opened, opponents })
    }

    /// What was done to files since [`FileWatch::begin`], sorted by path.
    pub(crate) fn file_violations(self) -> io::Result<Vec<FileViolation>> {
        let after = stamp_entries(&self.folders);
        let mut found = Vec::new();
        let mut note = |path: &PathBuf, kind| found.push(FileViolation { path: path.clone(), kind });
        for (path, stamp) in &after {
            match self.before.get(path) {
                _ if Some(path) == self.own.as_ref() => {
                    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
                        note(path, FileViolationKind::NotAFile);
                    }
                }
                None => note(path, FileViolationKind::Created),
                Some(before) if before != stamp => note(path, FileViolationKind::Changed),
                Some(_) => {}
            }
        }
        let own = self.own.as_ref();
        for path in self.before.keys().filter(|path| !after.contains_key(*path) && Some(*path) != own) {
            note(path, FileViolationKind::Removed);
        }
        for path in self.opened_by_bot()? {
            note(&path, FileViolationKind::Opened);
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn opened_by_bot(&self) -> io::Result<Vec<PathBuf>> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(&self.opened, &mut buffer);
        let mut opened = Vec::new();
        loop {
            match events.next() {
                Ok(event) if event.events().contains(ReadFlags::OPEN) => {
                    opened.extend(self.opponents.get(&event.wd()).cloned());
                }
                Ok(_) => {}
                Err(rustix::io::Errno::AGAIN) => return Ok(opened),
                Err(failed) => return Err(failed.into()),
            }
        }
    }
}

/// The stamp of every entry of `folders`, except the sandboxes' own.
fn stamp_entries(folders: &[PathBuf]) -> BTreeMap<PathBuf, Stamp> {
    let mut seen = BTreeMap::new();
    for folder in folders {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(HOME_PREFIX) {
                continue;
            }
            if let Ok(found) = entry.metadata() {
                seen.insert(entry.path(), stamp(&found));
            }
        }
    }
    seen
}

/// The stamp of a file. Of a folder only the inode and mode count, because other programs change its times as well.
pub(crate) fn stamp(found: &fs::Metadata) -> Stamp {
    if found.is_dir() {
        (0, 0, 0, found.ino(), found.mode())
    } else {
        (found.len(), found.mtime(), found.mtime_nsec(), found.ino(), found.mode())
    }
}

/// Whether `path` is the state file of another bot than the one whose state file is `own`.
pub(crate) fn is_anothers_state(path: &Path, own: &Path) -> bool {
    let split = |path: &Path| path.as_os_str().as_bytes().split_last().map(|(last, rest)| (*last, rest.to_vec()));
    split(path)
        .zip(split(own))
        .is_some_and(|((last, rest), (own_last, own_rest))| last != own_last && rest == own_rest)
}
