//! The folders where bots can write, and how they are cleaned: scratch space of the sandbox's own, or the machine's
//! common folders.

use super::state;
use crate::level::Level;
use crate::report::{FileViolation, FileViolationKind};
use crate::tree::{permit, remove};
use crate::watch::HOME_PREFIX;
use rustix::fs::{Mode, OFlags, Timestamps, fstatfs};
use rustix::time::Timespec;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// A bot's `HOME` in a root of its own.
pub(super) const PRIVATE_HOME: &str = "/home/bot";

/// The folders of a private scratch space: each one's name there, and the path at which bots see it.
pub(super) const SCRATCH: [(&str, &str); 4] =
    [("tmp", "/tmp"), ("var-tmp", "/var/tmp"), ("shm", "/dev/shm"), ("home", PRIVATE_HOME)];

/// The mode of folders that bots can write to.
pub(super) const FOLDER_MODE: u32 = 0o755;

/// The places where bots can write.
pub(super) enum Scratch {
    /// The machine's common folders, and a temporary folder as `HOME`.
    Shared {
        /// Removed when the server ends.
        home: PathBuf,
    },
    /// A file system of the sandbox's own, which ends with it.
    Private {
        /// The file system's root.
        root: OwnedFd,
        /// How many files and folders could be created when it was new.
        empty: u64,
        /// How many files and folders could still be created when that was last checked.
        free: u64,
        /// The files and folders that the bot consists of, wherever they are.
        parts: Vec<PathBuf>,
        /// The bot's own folder, if it is a copy.
        copied: Option<PathBuf>,
        /// The folders in which every program can write.
        folders: Vec<Folder>,
    },
}

impl Scratch {
    /// The machine's common folders, and `home` as `HOME`.
    pub(super) fn shared(home: &Path) -> Scratch {
        Scratch::Shared { home: home.to_path_buf() }
    }

    /// Creates a folder for `HOME` in one game, if the scratch space is the machine's own. Dropping it removes it.
    pub(super) fn home_for(level: Level) -> io::Result<Option<tempfile::TempDir>> {
        level.shares_tmp().then(|| tempfile::Builder::new().prefix(HOME_PREFIX).tempdir()).transpose()
    }

    /// The file system with this `root`, for a bot that consists of `parts` and whose folder may be `copied` into
    /// it.
    pub(super) fn private(root: OwnedFd, parts: Vec<PathBuf>, copied: Option<PathBuf>) -> io::Result<Scratch> {
        let free = fstatfs(&root)?.f_ffree;
        let folders = SCRATCH.iter().map(|(name, _)| Folder::new(&root, name)).collect::<io::Result<_>>()?;
        Ok(Scratch::Private { root, empty: free, free, parts, copied, folders })
    }

    /// The bot's `HOME`.
    pub(super) fn home(&self) -> &Path {
        match self {
            Scratch::Shared { home } => home,
            Scratch::Private { .. } => Path::new(PRIVATE_HOME),
        }
    }

    /// Every folder in which the bot can write.
    pub(super) fn writable(&self) -> Vec<PathBuf> {
        let copied = match self {
            Scratch::Private { copied, .. } => copied.clone(),
            Scratch::Shared { .. } => None,
        };
        self.folders().into_iter().chain(copied).collect()
    }

    /// The folders in which any program can write.
    fn folders(&self) -> Vec<PathBuf> {
        ["/tmp", "/var/tmp", "/dev/shm"]
            .map(PathBuf::from)
            .into_iter()
            .chain([self.home().to_path_buf()])
            .collect()
    }

    /// The root of the sandbox's own file system, if it has one, and whether anything was ever done to its folders.
    pub(super) fn private_root(&self) -> Option<(BorrowedFd<'_>, bool)> {
        match self {
            Scratch::Shared { .. } => None,
            Scratch::Private { root, folders, .. } => {
                Some((root.as_fd(), folders.iter().any(|folder| folder.touched)))
            }
        }
    }

    /// Notes the present state as the expected one, after the sandbox itself wrote or removed something.
    pub(super) fn accept_present_state(&mut self) -> io::Result<()> {
        if let Scratch::Private { root, free, folders, .. } = self {
            *free = fstatfs(&*root)?.f_ffree;
            folders.iter_mut().try_for_each(Folder::reset)?;
        }
        Ok(())
    }

    /// Whether a state file of `mark` exists that only this sandbox can have made.
    pub(super) fn has_state(&self, mark: u8) -> bool {
        match self {
            Scratch::Shared { .. } => false,
            Scratch::Private { empty, free, .. } => free != empty && is_regular(&state::path(mark)),
        }
    }

    /// After a run, removes everything except state files that are `kept`, and returns what it removed. Does nothing
    /// in the machine's common folders, where files may be someone else's. `had_state` says whether the state file of
    /// `own` existed before the run; `changed`, whether other files are known to have been changed.
    ///
    /// This is fast in the usual cases. If the scratch space is empty, it takes one system call for that and one for
    /// each folder. It takes a few more if nothing changed, that is, if the number of files is the same and the state
    /// file still exists or still does not.
    pub(super) fn wipe(
        &mut self,
        own: Option<u8>,
        had_state: bool,
        changed: bool,
        kept: impl Fn(&Path) -> bool,
    ) -> io::Result<Vec<FileViolation>> {
        let Scratch::Private { root, empty, free, folders, .. } = self else { return Ok(Vec::new()) };
        let now_free = fstatfs(&*root)?.f_ffree;
        if now_free == *empty && !changed {
            *free = now_free;
            folders.iter_mut().try_for_each(Folder::reset)?;
            return Ok(Vec::new());
        }
        let own = own.map(state::path);
        let has_state = own.as_ref().is_some_and(|path| is_regular(path));
        let as_before = has_state == had_state && now_free == *free;
        if !changed && (as_before || has_state && !had_state && now_free + 1 == *free) {
            *free = now_free;
            folders.iter_mut().try_for_each(Folder::reset)?;
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        let own = own.as_deref();
        for folder in self.folders() {
            self.wipe_folder(&folder, own, &kept, &mut found)?;
        }
        self.accept_present_state()?;
        Ok(found)
    }

    fn wipe_folder(
        &self,
        folder: &Path,
        own: Option<&Path>,
        kept: &impl Fn(&Path) -> bool,
        found: &mut Vec<FileViolation>,
    ) -> io::Result<()> {
        let Scratch::Private { parts, .. } = self else { return Ok(()) };
        permit(folder, FOLDER_MODE)?;
        // Lists all entries before the first is removed, because removing one moves others for a while.
        for entry in fs::read_dir(folder)?.flatten().collect::<Vec<_>>() {
            let path = entry.path();
            let is_own = Some(path.as_path()) == own;
            if is_own && is_regular(&path) || !is_own && kept(&path) || parts.contains(&path) {
                continue;
            }
            // This folder contains parts of the bot.
            if parts.iter().any(|part| part.starts_with(&path)) {
                self.wipe_folder(&path, own, kept, found)?;
                continue;
            }
            // Java leaves its counters there without the bot's doing.
            let is_noise = entry.file_name().to_string_lossy().starts_with("hsperfdata_");
            let kind = if is_own { FileViolationKind::NotAFile } else { FileViolationKind::Created };
            found.extend((!is_noise).then(|| FileViolation { path: path.clone(), kind }));
            remove(&path)?;
        }
        Ok(())
    }
}

/// A folder in which every program can write. It is reset so that it looks the same to each run.
pub(super) struct Folder {
    held: OwnedFd,
    /// Its mode and times when it was last reset.
    stamp: (u32, [i64; 6]),
    /// Whether anything was done to it since it was new.
    touched: bool,
}

impl Folder {
    /// The folder called `name` in `scratch`.
    fn new(scratch: &OwnedFd, name: &str) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let held = rustix::fs::openat(scratch, name, flags, Mode::empty())?;
        let mut folder = Folder { held, stamp: (0, [0; 6]), touched: false };
        folder.reset()?;
        folder.touched = false;
        Ok(folder)
    }

    /// Resets its mode and times if anything was done to it. (Its change time cannot be set.)
    fn reset(&mut self) -> io::Result<()> {
        const NEVER: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.read_stamp()? != self.stamp {
            rustix::fs::fchmod(&self.held, Mode::from_raw_mode(FOLDER_MODE))?;
            rustix::fs::futimens(&self.held, &Timestamps { last_access: NEVER, last_modification: NEVER })?;
            self.stamp = self.read_stamp()?;
            self.touched = true;
        }
        Ok(())
    }

    fn read_stamp(&self) -> io::Result<(u32, [i64; 6])> {
        let found = rustix::fs::fstat(&self.held)?;
        let nanoseconds = [found.st_atime_nsec, found.st_mtime_nsec, found.st_ctime_nsec].map(|part| part as i64);
        let [access, modification, change] = nanoseconds;
        Ok((found.st_mode, [found.st_atime, access, found.st_mtime, modification, found.st_ctime, change]))
    }
}

/// Whether `path` is a regular file, and not a link to one.
pub(super) fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Removes the state files of `marks` from the machine's common folder.
pub(super) fn remove_state_files(marks: impl IntoIterator<Item = u8>) {
    for mark in marks {
        state::write(&state::path(mark), None).ok();
    }
}
