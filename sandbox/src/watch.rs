//! Reports what a bot does to files (B9): in folders that it shares with other programs, and where no other program can
//! write.
//!
//! Common folders are compared before and after a run; inotify reports when another bot's state file is opened. A
//! sandbox's own folders, if they are watched, are watched in every run, because that costs only one system call if
//! nothing happens: the kernel names the files that were touched, and only those are compared with their earlier state.
//! A file that is created and removed there in the same run has a kind of its own in the report, because nothing is
//! kept in it.

use super::report::{FileViolation, FileViolationKind};
use super::sys::Pass;
use rustix::fs::inotify::{Event, ReadFlags, Reader, WatchFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr};
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
type Stamp = (u64, i64, i64, u64, u32);

/// The state of the file system before a run.
pub(crate) struct FileWatch {
    folders: Vec<PathBuf>,
    /// The bot's own state file.
    own: Option<PathBuf>,
    before: BTreeMap<PathBuf, Stamp>,
    /// The inotify instance that reports when a state file of another bot is opened.
    opened: OwnedFd,
    /// The other bots' state files, by the numbers of their watches.
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
        let mut found = BTreeSet::new();
        for path in self.before.keys().chain(after.keys()) {
            let kind = if Some(path) == self.own.as_ref() {
                wrong_state_file(path)
            } else {
                change(self.before.get(path).copied(), after.get(path).copied())
            };
            found.extend(kind.map(|kind| FileViolation { path: path.clone(), kind }));
        }
        for path in self.opened_by_bot()? {
            found.insert(FileViolation { path, kind: FileViolationKind::Opened });
        }
        Ok(found.into_iter().collect())
    }

    fn opened_by_bot(&self) -> io::Result<Vec<PathBuf>> {
        let mut opened = Vec::new();
        read_events(&self.opened, |event| {
            if event.events().contains(ReadFlags::OPEN) {
                opened.extend(self.opponents.get(&event.wd()).cloned());
            }
        })?;
        Ok(opened)
    }
}

/// Calls `on_event` for each event that has come.
fn read_events(events: &OwnedFd, mut on_event: impl FnMut(Event)) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut events = Reader::new(events, &mut buffer);
    loop {
        match events.next() {
            Ok(event) => on_event(event),
            Err(rustix::io::Errno::AGAIN) => return Ok(()),
            Err(failed) => return Err(failed.into()),
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
fn stamp(found: &fs::Metadata) -> Stamp {
    if found.is_dir() {
        (0, 0, 0, found.ino(), found.mode())
    } else {
        (found.len(), found.mtime(), found.mtime_nsec(), found.ino(), found.mode())
    }
}

/// Whether `path` is the state file of another bot than the one whose state file is `own`: only the last bytes of such
/// paths differ.
fn is_anothers_state(path: &Path, own: &Path) -> bool {
    let [path, own] = [path, own].map(|path| path.as_os_str().as_bytes().split_last());
    let (Some((last, rest)), Some((own_last, own_rest))) = (path, own) else { return false };
    last != own_last && rest == own_rest
}

/// What was done to a file between two of its stamps.
fn change(before: Option<Stamp>, now: Option<Stamp>) -> Option<FileViolationKind> {
    match (before, now) {
        (None, Some(_)) => Some(FileViolationKind::Created),
        (Some(_), None) => Some(FileViolationKind::Removed),
        (before, now) => (before != now).then_some(FileViolationKind::Changed),
    }
}

/// What is wrong with the bot's own state file: something else may be in its place.
fn wrong_state_file(path: &Path) -> Option<FileViolationKind> {
    let is_other = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file());
    is_other.then_some(FileViolationKind::NotAFile)
}

/// No more files than this are reported for one run in a sandbox's own folders.
const MAX_REPORTED: usize = 64;

/// The last accepted state of everything that a bot can write to.
pub(crate) struct PrivateWatch {
    roots: Vec<PathBuf>,
    events: OwnedFd,
    /// The watched folders, which are the roots and those below them, by the numbers of their watches.
    folders: BTreeMap<i32, PathBuf>,
    /// Whether the kernel watches all folders. Otherwise everything is compared after each run.
    complete: bool,
    known: BTreeMap<PathBuf, Stamp>,
}

/// What was touched since the events were last read.
#[derive(Default)]
struct Touched {
    paths: BTreeSet<PathBuf>,
    /// Those that were created, or moved to their place.
    created: BTreeSet<PathBuf>,
    /// Files in `/tmp` that were opened.
    opened: BTreeSet<PathBuf>,
    /// Whether the kernel could not name everything.
    is_partial: bool,
}

impl PrivateWatch {
    /// Accepts the present state of `roots` and everything below them. Bots must not use the system calls of inotify,
    /// so the server makes them with its `pass`.
    pub(crate) fn begin(roots: Vec<PathBuf>, pass: Pass) -> io::Result<PrivateWatch> {
        let events = pass.watch_files()?;
        let known = stamp_below(&roots);
        let is_folder = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
        let mut folders = BTreeMap::new();
        let mut complete = true;
        for folder in roots.iter().chain(known.keys().filter(|path| is_folder(path))) {
            let name = CString::new(folder.as_os_str().as_bytes())?;
            let mut events_wanted = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVE
                | WatchFlags::MODIFY
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::ATTRIB;
            if folder == Path::new("/tmp") {
                events_wanted |= WatchFlags::OPEN;
            }
            match pass.watch_file(&events, &name, events_wanted) {
                Ok(watched) => _ = folders.insert(watched, folder.clone()),
                Err(_) => complete = false,
            }
        }
        Ok(PrivateWatch { roots, events, folders, complete, known })
    }

    /// Accepts the present state, because the sandbox itself may have changed something.
    pub(crate) fn accept(&mut self) -> io::Result<()> {
        let touched = self.read_events()?;
        for path in &touched.paths {
            _ = self.update(path, false);
        }
        Ok(())
    }

    /// Returns what was done to files since a state was last accepted, sorted by path, and accepts the present state.
    /// `own` is the bot's own state file.
    pub(crate) fn file_violations(&mut self, own: Option<&Path>) -> io::Result<Vec<FileViolation>> {
        let touched = self.read_events()?;
        let mut found = BTreeSet::new();
        let opened = touched.opened.iter().filter(|path| own.is_some_and(|own| is_anothers_state(path, own)));
        // A file that did not exist before is reported as created.
        let opened = opened.filter(|path| self.known.contains_key(*path)).cloned().collect::<Vec<_>>();
        found.extend(opened.into_iter().map(|path| FileViolation { path, kind: FileViolationKind::Opened }));
        for path in &touched.paths {
            let kind = self.update(path, touched.created.contains(path));
            if Some(path.as_path()) == own {
                found.extend(wrong_state_file(path).map(|kind| FileViolation { path: path.clone(), kind }));
                continue;
            }
            // Changes beyond the most that are reported are still accepted: `update` has done that.
            let Some(kind) = kind.filter(|_| found.len() < MAX_REPORTED) else { continue };
            // For a new folder, report its content, which says more than its name.
            let mut inside: Vec<PathBuf> = vec![path.clone()];
            if kind == FileViolationKind::Created {
                inside.extend(stamp_below(std::slice::from_ref(path)).into_keys());
            }
            // Paths are sorted, so the content of a folder follows it.
            let is_leaf = |at: usize| inside.get(at + 1).is_none_or(|next| !next.starts_with(&inside[at]));
            let leaves = (0..inside.len()).filter(|at| is_leaf(*at)).map(|at| inside[at].clone());
            found.extend(leaves.map(|path| FileViolation { path, kind }));
        }
        Ok(found.into_iter().take(MAX_REPORTED).collect())
    }

    /// Accepts the state of `path`, and returns what was done to it. `was_created` says whether it was created
    /// meanwhile.
    fn update(&mut self, path: &Path, was_created: bool) -> Option<FileViolationKind> {
        let now = fs::symlink_metadata(path).ok().map(|found| stamp(&found));
        let before = match now {
            Some(now) => self.known.insert(path.to_path_buf(), now),
            None => self.known.remove(path),
        };
        if was_created && before.is_none() && now.is_none() {
            return Some(FileViolationKind::Transient);
        }
        change(before, now)
    }

    /// Reads what was touched since the last time. If the kernel could not name everything, every path that is known or
    /// exists counts as touched.
    fn read_events(&mut self) -> io::Result<Touched> {
        let mut touched = Touched { is_partial: !self.complete, ..Touched::default() };
        read_events(&self.events, |event| {
            touched.is_partial |= event.events().contains(ReadFlags::QUEUE_OVERFLOW);
            let (Some(folder), Some(name)) = (self.folders.get(&event.wd()), event.file_name()) else { return };
            let path = folder.join(OsStr::from_bytes(name.to_bytes()));
            if event.events().contains(ReadFlags::OPEN) {
                touched.opened.insert(path);
                return;
            }
            if event.events().intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                touched.created.insert(path.clone());
            }
            touched.paths.insert(path);
        })?;
        if touched.is_partial {
            touched.paths.extend(stamp_below(&self.roots).into_keys().chain(self.known.keys().cloned()));
        }
        Ok(touched)
    }
}

/// The stamps of everything below `folders`, at any depth.
fn stamp_below(folders: &[PathBuf]) -> BTreeMap<PathBuf, Stamp> {
    let mut seen = BTreeMap::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                open.push(entry.path());
            }
            seen.insert(entry.path(), stamp(&found));
        }
    }
    seen
}
