//! Decides whether a sandbox is still like new after a game, so that the next game needs no new server.
//!
//! If a bot starts no other process and writes no file, its game leaves nothing in the server's namespaces, and
//! setting up new ones takes longer than many a short game. So the server checks everything that could carry
//! something to the next game. If anything has changed since the server was new, a new server is started.

use super::scratch::SCRATCH;
use crate::report::{Ended, RunReport};
use rustix::fs::{Mode, OFlags, fchmod, fstat, openat};
use rustix::time::{ClockId, clock_gettime};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

/// A new server is started after this many games in any case, which removes anything that these checks miss.
const MAX_GAMES: u32 = 100;

/// What a server remembers of its initial state, and what it has seen since.
pub(super) struct Witness {
    /// Whether anything happened after which the sandbox is no longer like new.
    spoiled: bool,
    games: u32,
    /// The number of the last file that was created in the scratch space. The file system counts all files, including
    /// those that were removed and those that never had a name.
    last_file: u64,
}

impl Witness {
    /// A witness for the scratch space with this `root`, which bots cannot reach. No bot has run in it yet.
    ///
    /// Before Linux 6.13, files get the time of the kernel's last tick. If a bot changed something in the same tick
    /// as the server, that would not show, so this waits for the next tick, which takes some milliseconds.
    pub(super) fn new(root: BorrowedFd) -> io::Result<Witness> {
        let file = new_file(root)?;
        let change = || -> io::Result<_> {
            fchmod(&file, Mode::RUSR)?;
            let found = fstat(&file)?;
            Ok((found.st_ctime, found.st_ctime_nsec as i64))
        };
        // Equal times show such a kernel.
        let times = [change()?, change()?, change()?];
        if times[0] == times[1] || times[1] == times[2] {
            await_tick_after(times[2]);
        }
        Ok(Witness { spoiled: false, games: 0, last_file: fstat(&file)?.st_ino })
    }

    /// Notes that something happened that these checks cannot detect.
    pub(super) fn spoil(&mut self) {
        self.spoiled = true;
    }

    /// Notes a run that is over, in which `made` processes and threads were started.
    pub(super) fn note_run(&mut self, report: &RunReport, made: Option<u32>) {
        // A bot that was stopped at the end of its game counts, too. After `SIGKILL`, the kernel may have killed the
        // bot for its memory.
        let by_itself = match report.ended {
            Ended::Signalled(signal) => signal != libc::SIGKILL,
            Ended::Stopped | Ended::Exited(_) => true,
            _ => false,
        };
        let alone = made == Some(1) && report.leftovers == 0;
        self.spoiled |= !by_itself || !alone || !report.file_violations.is_empty();
    }

    /// Whether [`Witness::note_run`] or [`Witness::spoil`] noted anything after which the sandbox is no longer like
    /// new.
    pub(super) fn is_spoiled(&self) -> bool {
        self.spoiled
    }

    /// Whether the sandbox is like new after a game. `root` is the root of the scratch space, and `touched` says
    /// whether anything was done to its folders.
    pub(super) fn is_like_new(&mut self, root: BorrowedFd, touched: bool) -> io::Result<bool> {
        self.games += 1;
        if self.spoiled || touched || self.games >= MAX_GAMES {
            return Ok(false);
        }
        let expected = self.last_file + 1;
        self.last_file = fstat(new_file(root)?)?.st_ino;
        Ok(self.last_file == expected)
    }
}

/// Waits until the kernel would give files a later time than this one, in seconds and nanoseconds.
fn await_tick_after(time: (i64, i64)) {
    const LONGEST: Duration = Duration::from_millis(100);
    let began = Instant::now();
    loop {
        let now = clock_gettime(ClockId::RealtimeCoarse);
        // The clock may have been set back.
        if (now.tv_sec, now.tv_nsec as i64) > time || began.elapsed() > LONGEST {
            return;
        }
        thread::sleep(Duration::from_micros(500));
    }
}

/// Creates a file without a name in the file system of `root`, which changes no folder. (Landlock allows new files only
/// where bots can write.)
fn new_file(root: BorrowedFd) -> io::Result<OwnedFd> {
    let (folder, _) = SCRATCH[0];
    Ok(openat(root, folder, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::RUSR)?)
}
