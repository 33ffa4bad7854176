//! Changes modes, times and owners of a build's own files at `scoped`, where the keeper makes these calls for the
//! build.
//!
//! Landlock has no rules about attributes of files, and a filter cannot read paths, so no process in the sandbox may
//! change any. But linkers, `install` and `touch` must. Therefore the filter of a build suspends the caller, and the
//! kernel notifies the keeper, which is under neither the filter nor Landlock's rules. The keeper reads the path from
//! the caller's memory once, opens the file beneath one of the build's folders, and changes the file that it opened.
//! Therefore no rename or link can redirect the change to another file. The keeper never searches outside these
//! folders.

use crate::level::Level;
use crate::sys::{Listener, Notification, SystemCall};
use crate::wire::{self, SandboxSpec};
use rustix::event::PollFlags;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Timestamps, fstat, openat2, utimensat};
use rustix::io::Errno;
use rustix::time::Timespec;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// What the keeper needs to make calls for a build.
pub(super) struct BuildCalls {
    source: NotificationSource,
    folders: Vec<OwnFolder>,
}

enum NotificationSource {
    /// The server will send the listener here, if it can install such a filter.
    Server(UnixStream),
    Listener(Listener),
    Nothing,
}

/// A folder whose content is the build's own.
struct OwnFolder {
    held: OwnedFd,
    /// Its path as the build knows it, and the same path without links.
    paths: [PathBuf; 2],
}

impl BuildCalls {
    /// What the keeper needs for a build with this `home`, and the socket on which the server sends the listener.
    /// `None` if the program is not a build, and at other levels.
    pub(super) fn for_spec(spec: &SandboxSpec, home: &Path) -> Option<(BuildCalls, UnixStream)> {
        if !spec.conditions.is_build || spec.level != Level::Scoped {
            return None;
        }
        let folders = [spec.program.folder.as_path(), home].into_iter().map(OwnFolder::open);
        // If a folder cannot be opened, the build has to do without these calls.
        let folders = folders.collect::<io::Result<_>>().ok()?;
        let (ours, servers) = UnixStream::pair().ok()?;
        Some((BuildCalls { source: NotificationSource::Server(ours), folders }, servers))
    }

    /// What to wait for; `None` if no more notifications can come.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        match &self.source {
            NotificationSource::Server(socket) => Some(socket.as_fd()),
            NotificationSource::Listener(listener) => Some(listener.as_fd()),
            NotificationSource::Nothing => None,
        }
    }

    /// Receives the listener or makes one call, after [`BuildCalls::source`] became `ready`.
    pub(super) fn attend(&mut self, ready: PollFlags) {
        if let NotificationSource::Server(socket) = &self.source {
            let received = wire::receive_descriptors(socket);
            self.source =
                received.map_or(NotificationSource::Nothing, |[fd]| NotificationSource::Listener(Listener(fd)));
            return;
        }
        let NotificationSource::Listener(listener) = &self.source else { return };
        if !ready.contains(PollFlags::IN) {
            // All processes under the filter have ended.
            self.source = NotificationSource::Nothing;
            return;
        }
        match listener.receive() {
            Ok(notification) => listener.reply(&notification, self.make_call(listener, &notification)),
            Err(Errno::NOENT | Errno::INTR) => {}
            Err(_) => self.source = NotificationSource::Nothing,
        }
    }

    /// Makes a call in its caller's place, if it is about one of the build's own files.
    fn make_call(&self, listener: &Listener, notification: &Notification) -> Result<(), Errno> {
        let (target, change) = read_call(&notification.call).ok_or(Errno::PERM)?;
        let caller = Caller { number: notification.thread };
        let times = match change {
            AttributeChange::Times(address) => Some(caller.times(address)?),
            AttributeChange::Mode(_) | AttributeChange::Owner(_) => None,
        };
        let file = self.find(&caller, &target)?;
        // If the caller was killed, another thread may have its number, and what was read may belong to that thread.
        if !listener.still_waits(notification) {
            return Err(Errno::SRCH);
        }
        change.apply(&file, times.as_ref())
    }

    /// Opens the file that a call is about, if it is one of the build's own.
    fn find(&self, caller: &Caller, target: &CallTarget) -> Result<OwnedFd, Errno> {
        let Some(address) = target.path else { return self.check_own(caller.descriptor(target.descriptor)?) };
        let mut path = caller.path(address)?;
        if path.as_os_str().is_empty() {
            let may_be_empty = target.flags & libc::AT_EMPTY_PATH != 0;
            return if may_be_empty { self.check_own(caller.base(target.descriptor)?) } else { Err(Errno::NOENT) };
        }
        // The C library uses such a path to change the mode of something that may be a link.
        if let Ok(number) = path.strip_prefix("/proc/self/fd") {
            let number = number.to_str().and_then(|number| number.parse().ok()).ok_or(Errno::PERM)?;
            return self.check_own(caller.descriptor(number)?);
        }
        if path.is_relative() {
            path = real_path(&caller.base(target.descriptor)?)?.join(path);
        }
        let follow = target.flags & libc::AT_SYMLINK_NOFOLLOW == 0;
        let opened = self.folders.iter().find_map(|folder| folder.open_beneath(&path, follow));
        opened.unwrap_or(Err(Errno::PERM))
    }

    /// Returns an open `file` of the caller if it is one of the build's own, and an error otherwise.
    fn check_own(&self, file: OwnedFd) -> Result<OwnedFd, Errno> {
        let path = real_path(&file)?;
        let is_own = self.folders.iter().any(|folder| path.starts_with(&folder.paths[1]));
        if is_own { Ok(file) } else { Err(Errno::PERM) }
    }
}

impl OwnFolder {
    fn open(path: &Path) -> io::Result<OwnFolder> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let held = rustix::fs::open(path, flags, Mode::empty())?;
        let real = real_path(&held)?;
        Ok(OwnFolder { held, paths: [path.to_path_buf(), real] })
    }

    /// Opens what is at `path`, without any other effect. Returns `None` if the path is not below this folder.
    fn open_beneath(&self, path: &Path, follow: bool) -> Option<Result<OwnedFd, Errno>> {
        /// How many times to try: the kernel refuses to follow `..` while anything in the system is renamed.
        const TRIES: u32 = 16;
        let rest = self.paths.iter().find_map(|own| path.strip_prefix(own).ok())?;
        let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
        let mut flags = OFlags::PATH | OFlags::CLOEXEC;
        flags.set(OFlags::NOFOLLOW, !follow);
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let mut opened = Err(Errno::AGAIN);
        for _ in 0..TRIES {
            opened = openat2(&self.held, rest, flags, Mode::empty(), resolve);
            if !matches!(opened, Err(Errno::AGAIN | Errno::INTR)) {
                break;
            }
        }
        // The rest of the path may lead outside.
        Some(opened.map_err(|errno| if errno == Errno::XDEV { Errno::PERM } else { errno }))
    }
}

/// Which file a call is about: a path below an open folder or the working directory, or an open file.
struct CallTarget {
    /// `AT_FDCWD` for the working directory.
    descriptor: i32,
    /// The address of the path.
    path: Option<u64>,
    /// Whether the path may be empty, in which case the call is about the descriptor itself, and whether not to follow
    /// a link at its end.
    flags: i32,
}

/// How a build wants to change attributes of a file.
enum AttributeChange {
    Mode(u32),
    /// The address of both times; 0 for the present time.
    Times(u64),
    /// User and group.
    Owner([u32; 2]),
}

/// Reads the arguments of a call. `None` for calls that the filter does not leave to the keeper, and for unknown flags.
fn read_call(call: &SystemCall) -> Option<(CallTarget, AttributeChange)> {
    const WORKING_FOLDER: u64 = libc::AT_FDCWD as u64;
    const NOFOLLOW: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;
    let [a, b, c, d, e, _] = call.arguments;
    let mode = |mode: u64| AttributeChange::Mode(mode as u32);
    let owner = |user: u64, group: u64| AttributeChange::Owner([user as u32, group as u32]);
    let (descriptor, path, flags, change) = match i64::from(call.number) {
        libc::SYS_fchmod => (a, None, 0, mode(b)),
        libc::SYS_fchmodat => (a, Some(b), 0, mode(c)),
        libc::SYS_fchmodat2 => (a, Some(b), d, mode(c)),
        libc::SYS_fchown => (a, None, 0, owner(b, c)),
        libc::SYS_fchownat => (a, Some(b), e, owner(c, d)),
        libc::SYS_utimensat if b == 0 => (a, None, 0, AttributeChange::Times(c)),
        libc::SYS_utimensat => (a, Some(b), d, AttributeChange::Times(c)),
        libc::SYS_chmod => (WORKING_FOLDER, Some(a), 0, mode(b)),
        libc::SYS_chown => (WORKING_FOLDER, Some(a), 0, owner(b, c)),
        libc::SYS_lchown => (WORKING_FOLDER, Some(a), NOFOLLOW, owner(b, c)),
        _ => return None,
    };
    let target = CallTarget { descriptor: descriptor as i32, path, flags: flags as i32 };
    let known = libc::AT_EMPTY_PATH | libc::AT_SYMLINK_NOFOLLOW;
    (target.flags & !known == 0).then_some((target, change))
}

/// The thread that made a call.
struct Caller {
    number: u32,
}

impl Caller {
    /// Opens the file or folder that the thread has open under this number, without any other effect.
    fn descriptor(&self, number: i32) -> Result<OwnedFd, Errno> {
        open_path_only(&format!("/proc/{}/fd/{number}", self.number)).map_err(|_| Errno::BADF)
    }

    /// Where relative paths of the call begin.
    fn base(&self, descriptor: i32) -> Result<OwnedFd, Errno> {
        match descriptor {
            libc::AT_FDCWD => open_path_only(&format!("/proc/{}/cwd", self.number)),
            number => self.descriptor(number),
        }
    }

    /// The path at this address.
    fn path(&self, address: u64) -> Result<PathBuf, Errno> {
        let mut text = [0; libc::PATH_MAX as usize];
        let length = self.read(address, &mut text)?;
        let no_end = if length == text.len() { Errno::NAMETOOLONG } else { Errno::FAULT };
        let end = text[..length].iter().position(|&byte| byte == 0).ok_or(no_end)?;
        Ok(OsStr::from_bytes(&text[..end]).into())
    }

    /// The times of access and modification at this address; the present time if it is 0.
    fn times(&self, address: u64) -> Result<Timestamps, Errno> {
        const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: libc::UTIME_NOW };
        if address == 0 {
            return Ok(Timestamps { last_access: NOW, last_modification: NOW });
        }
        let mut bytes = [0; 32];
        if self.read(address, &mut bytes)? < bytes.len() {
            return Err(Errno::FAULT);
        }
        let number = |at: usize| bytes[at..].first_chunk().map_or(0, |eight| i64::from_ne_bytes(*eight));
        let time = |at: usize| Timespec { tv_sec: number(at), tv_nsec: number(at + 8) };
        Ok(Timestamps { last_access: time(0), last_modification: time(16) })
    }

    /// Reads memory at this address. Returns the number of bytes read, which is less than `into` takes if the mapping
    /// ends earlier.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<usize, Errno> {
        let memory = File::open(format!("/proc/{}/mem", self.number)).map_err(|_| Errno::PERM)?;
        memory.read_at(into, address).map_err(|_| Errno::FAULT)
    }
}

impl AttributeChange {
    /// Applies the change to `file`, which is one of the build's own.
    fn apply(&self, file: &OwnedFd, times: Option<&Timestamps>) -> Result<(), Errno> {
        let found = fstat(file)?;
        let kind = FileType::from_raw_mode(found.st_mode);
        let is_plain = matches!(kind, FileType::RegularFile | FileType::Directory | FileType::Symlink);
        if !is_plain || found.st_uid != rustix::process::geteuid().as_raw() {
            return Err(Errno::PERM);
        }
        // Calls that change attributes refuse such a descriptor, but accept its name in `/proc`.
        let name = format!("/proc/self/fd/{}", file.as_raw_fd());
        match *self {
            AttributeChange::Mode(_) if kind == FileType::Symlink => Err(Errno::OPNOTSUPP),
            // As the filter does for `mkdir`: a folder that its owner cannot use could not be removed.
            AttributeChange::Mode(mode) if kind == FileType::Directory && mode & 0o700 != 0o700 => {
                Err(Errno::PERM)
            }
            AttributeChange::Mode(mode) => rustix::fs::chmod(name, Mode::from_raw_mode(mode & 0o777)),
            AttributeChange::Times(_) => utimensat(CWD, name, times.ok_or(Errno::INVAL)?, AtFlags::empty()),
            // `install` and `tar` set the owner that the file already has. A real change is never allowed.
            AttributeChange::Owner([user, group]) => {
                let stays = |wanted: u32, present: u32| wanted == u32::MAX || wanted == present;
                let is_same = stays(user, found.st_uid) && stays(group, found.st_gid);
                if is_same { Ok(()) } else { Err(Errno::PERM) }
            }
        }
    }
}

/// Opens the file that a link in `/proc` leads to, without any other effect.
fn open_path_only(link: &str) -> Result<OwnedFd, Errno> {
    rustix::fs::open(link, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
}

/// The path of an open file, without links.
fn real_path(file: &OwnedFd) -> Result<PathBuf, Errno> {
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    fs::read_link(name).map_err(|failed| Errno::from_io_error(&failed).unwrap_or(Errno::IO))
}
