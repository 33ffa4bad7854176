//! The folders where bots can write, and how they are cleaned: scratch space of the sandbox's own, or the machine's
//! common folders. Also the state file there, and the environment variables that name these folders.

use super::{PATH, c_string};
use crate::level::Level;
use crate::report::{FileViolation, FileViolationKind};
use crate::run_request::Environment;
use crate::tree::{permit, remove};
use crate::watch::HOME_PREFIX;
use rustix::fs::{Mode, OFlags, Timestamps, fstatfs};
use rustix::io::Errno;
use rustix::time::Timespec;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A bot's `HOME` in a root of its own.
pub(super) const PRIVATE_HOME: &str = "/home/bot";

/// The folders of a private scratch space: each one's name there, and the path at which bots see it.
pub(super) const SCRATCH: [(&str, &str); 4] =
    [("tmp", "/tmp"), ("var-tmp", "/var/tmp"), ("shm", "/dev/shm"), ("home", PRIVATE_HOME)];

/// The mode of folders that bots can write to.
pub(super) const FOLDER_MODE: u32 = 0o755;

/// The places where bots can write.
pub(super) struct Scratch {
    /// The bot's `HOME`: a temporary folder if the others are the machine's common ones.
    home: PathBuf,
    /// The file system of all these places, if it is the sandbox's own.
    private: Option<PrivateScratch>,
}

/// A file system of the sandbox's own, which ends with it.
struct PrivateScratch {
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
    folders: Vec<ScratchFolder>,
}

impl Scratch {
    /// The machine's common folders, and `home` as `HOME`.
    pub(super) fn shared(home: &Path) -> Scratch {
        Scratch { home: home.to_path_buf(), private: None }
    }

    /// Creates a folder for `HOME` in one game, if the scratch space is the machine's own. Dropping it removes it.
    pub(super) fn home_for(level: Level) -> io::Result<Option<tempfile::TempDir>> {
        level.shares_tmp().then(|| tempfile::Builder::new().prefix(HOME_PREFIX).tempdir()).transpose()
    }

    /// The file system with this `root`, for a bot that consists of `parts` and whose folder may be `copied` into
    /// it.
    pub(super) fn private(root: OwnedFd, parts: Vec<PathBuf>, copied: Option<PathBuf>) -> io::Result<Scratch> {
        let free = fstatfs(&root)?.f_ffree;
        let folders =
            SCRATCH.iter().map(|(name, _)| ScratchFolder::new(&root, name)).collect::<io::Result<_>>()?;
        let private = PrivateScratch { root, empty: free, free, parts, copied, folders };
        Ok(Scratch { home: PRIVATE_HOME.into(), private: Some(private) })
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Every folder in which the bot can write.
    pub(super) fn writable(&self) -> Vec<PathBuf> {
        let copied = self.private.as_ref().and_then(|private| private.copied.clone());
        self.folders().into_iter().chain(copied).collect()
    }

    /// The folders in which any program can write.
    fn folders(&self) -> Vec<PathBuf> {
        [Path::new("/tmp"), Path::new("/var/tmp"), Path::new("/dev/shm"), &self.home].map(PathBuf::from).into()
    }

    /// Notes the present state as the expected one, after the sandbox itself wrote or removed something.
    pub(super) fn accept_present_state(&mut self) -> io::Result<()> {
        let Some(private) = &mut self.private else { return Ok(()) };
        private.accept(fstatfs(&private.root)?.f_ffree)
    }

    /// Whether the state file at `path` exists and only this sandbox can have made it.
    pub(super) fn has_state(&self, path: &Path) -> bool {
        self.private.as_ref().is_some_and(|private| private.free != private.empty && is_regular(path))
    }

    /// After a run, removes everything from these places except the bot's parts, and state files that are its `own` or
    /// `kept`. Returns what was there, apart from files that Java makes by itself. Does nothing in the machine's common
    /// folders, where files may be someone else's. `own` is the bot's state file, `had_state` says whether it existed
    /// before the run, and `changed` whether other files are known to have been changed.
    ///
    /// This is fast in the usual cases. If the scratch space is empty, it takes one system call to find that out and
    /// one for each folder. If nothing changed, it takes a few more. Nothing counts as changed if the number of files
    /// is the same, or only the state file is new, and the state file was not removed.
    pub(super) fn wipe(
        &mut self,
        own: Option<&Path>,
        had_state: bool,
        changed: bool,
        kept: impl Fn(&Path) -> bool,
    ) -> io::Result<Vec<FileViolation>> {
        let mut found = Vec::new();
        let folders = self.folders();
        let Some(private) = &mut self.private else { return Ok(found) };
        let free = fstatfs(&private.root)?.f_ffree;
        let is_as_expected = || {
            let has_state = own.is_some_and(is_regular);
            let new_files = u64::from(has_state && !had_state);
            (has_state || !had_state) && free + new_files == private.free
        };
        if !changed && (free == private.empty || is_as_expected()) {
            private.accept(free)?;
            return Ok(found);
        }
        for folder in folders {
            private.wipe_folder(&folder, own, &kept, &mut found)?;
        }
        self.accept_present_state()?;
        Ok(found)
    }
}

impl PrivateScratch {
    /// Notes that `free` files and folders can be created, and that the folders are as they should be.
    fn accept(&mut self, free: u64) -> io::Result<()> {
        self.free = free;
        self.folders.iter_mut().try_for_each(ScratchFolder::reset)
    }

    /// Removes from `folder` what [`Scratch::wipe`] removes, and adds it to `found`.
    fn wipe_folder(
        &self,
        folder: &Path,
        own: Option<&Path>,
        kept: &impl Fn(&Path) -> bool,
        found: &mut Vec<FileViolation>,
    ) -> io::Result<()> {
        let parts = &self.parts;
        permit(folder, FOLDER_MODE)?;
        // List all entries before the first is removed, because [`remove`] moves nested folders here for a while.
        for entry in fs::read_dir(folder)?.flatten().collect::<Vec<_>>() {
            let path = entry.path();
            let is_own = Some(path.as_path()) == own;
            let may_stay = if is_own { is_regular(&path) } else { kept(&path) };
            if may_stay || parts.contains(&path) {
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
pub(super) struct ScratchFolder {
    held: OwnedFd,
    /// When it was last reset, its mode, and its times of access, modification and change: each in seconds, and the
    /// nanoseconds beyond.
    stamp: (u32, [i64; 6]),
}

impl ScratchFolder {
    /// The folder called `name` in `scratch`.
    fn new(scratch: &OwnedFd, name: &str) -> io::Result<ScratchFolder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let held = rustix::fs::openat(scratch, name, flags, Mode::empty())?;
        let mut folder = ScratchFolder { held, stamp: (0, [0; 6]) };
        folder.reset()?;
        Ok(folder)
    }

    /// Resets its mode and times if anything was done to it. (Its change time cannot be set.)
    fn reset(&mut self) -> io::Result<()> {
        const NEVER: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.read_stamp()? != self.stamp {
            rustix::fs::fchmod(&self.held, Mode::from_raw_mode(FOLDER_MODE))?;
            rustix::fs::futimens(&self.held, &Timestamps { last_access: NEVER, last_modification: NEVER })?;
            self.stamp = self.read_stamp()?;
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

/// Variables without which the sandbox's limits would harm a program. By default, glibc reserves 64 MiB of the limited
/// address space for nearly every thread, so that a Java virtual machine sometimes cannot get more memory.
///
/// A program with a sanitizer also needs the others: it must not search for leaks at its end, because that search uses
/// tracing, which the filter of system calls refuses.
const COMMON: [&[u8]; 3] = [b"MALLOC_ARENA_MAX=2", b"ASAN_OPTIONS=detect_leaks=0", b"LSAN_OPTIONS=detect_leaks=0"];

/// The variables that every environment of a program contains.
fn common_variables(is_sanitized: bool) -> &'static [&'static [u8]] {
    if is_sanitized { &COMMON } else { &COMMON[..1] }
}

/// The variables of all environments, in one list: `PATH`, the common ones, three more of the usual environment, then
/// five of the varied one and the common ones again. [`variables`] returns the part that belongs to an environment.
pub(super) fn environment(scratch: &Scratch, is_sanitized: bool) -> io::Result<Vec<CString>> {
    let path = format!("PATH={PATH}");
    let home = [b"HOME=", scratch.home().as_os_str().as_bytes()].concat();
    // The same folders and encoding, spelled differently, so that only a bot that looks at the spelling can tell.
    let same_home = [home.as_slice(), b"/."].concat();
    let usual = [home.as_slice(), b"TMPDIR=/tmp", b"LANG=C.UTF-8"];
    let varied = [b"TZ=UTC-5".as_slice(), b"LANG=C.utf8", b"TMPDIR=/tmp/.", &same_home, path.as_bytes()];
    let common = common_variables(is_sanitized);
    let all = [&[path.as_bytes()], common, &usual, &varied, common].concat();
    all.into_iter().map(|variable| c_string(OsStr::from_bytes(variable))).collect()
}

/// Which of the variables in the list of [`environment`] belong to this environment.
pub(super) fn variables(environment: Environment, is_sanitized: bool) -> Range<usize> {
    let common = common_variables(is_sanitized).len();
    match environment {
        Environment::Usual => 0..4 + common,
        Environment::Minimal => 0..1 + common,
        Environment::Varied => 4 + common..9 + 2 * common,
    }
}

/// Reads a regular file. Returns `None` if there is no regular file at `path`. Never follows a link, and never waits
/// for the other end of a pipe.
pub(super) fn read_state(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => fs::File::from(opened),
        // It is missing, a link or a socket, or the bot has removed its permissions. `NOTDIR` is for a
        // path that has a file in place of a folder.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO | Errno::ACCESS) => return Ok(None),
        Err(failed) => return Err(failed.into()),
    };
    let mut content = Vec::new();
    let is_regular = file.metadata()?.is_file();
    if is_regular {
        file.read_to_end(&mut content)?;
    }
    Ok(is_regular.then_some(content))
}

/// Replaces anything at `path` with a regular file with this content. If `content` is `None`, only removes it.
pub(super) fn write_state(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    if let Err(failed) = remove(path)
        && !matches!(failed.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    {
        return Err(failed);
    }
    // Fails if anything is there again by now, so that a link is never followed.
    content.map_or(Ok(()), |content| fs::File::create_new(path)?.write_all(content))
}
