//! The server's side of a session: a bot whose input and output the client reads and writes directly.

use super::input_watch::InputWatch;
use super::{sweep, usage};
use crate::level::Level;
use crate::report::{Ended, RunReport, StderrPart, clock_time};
use crate::run_request::Limits;
use crate::sys::{self, Child, ChildExit};
use crate::wire::read_available;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use rustix::time::ClockId;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

/// A bot that runs for a whole game.
pub(super) struct ServedSession {
    pub child: Child,
    /// Becomes readable when the bot ends.
    pub handle: OwnedFd,
    pub started: Instant,
    pub level: Level,
    /// Detects that the bot waits for its input.
    pub input: InputWatch,
    pub errors: StderrReader,
    /// How the bot ended and after how long, if it has.
    pub exit: Option<(ChildExit, Duration)>,
}

/// Reads a bot's standard error up to a limit: keeps the end, notes when its parts came, and counts all bytes.
pub(super) struct StderrReader {
    pipe: Option<File>,
    /// How many bytes to keep.
    most: usize,
    /// The last bytes that were read: at least those to be kept.
    end: Vec<u8>,
    /// When each part of `end` was read, and how many bytes had been read before it.
    parts: VecDeque<(Duration, u64)>,
    /// How many bytes were read.
    pub total: u64,
}

impl StderrReader {
    /// A reader of `pipe` that keeps as much as `limits` allows.
    pub(super) fn new(pipe: File, limits: &Limits) -> StderrReader {
        StderrReader { pipe: Some(pipe), most: limits.stderr, end: Vec::new(), parts: VecDeque::new(), total: 0 }
    }

    /// The pipe, for as long as it is read.
    pub(super) fn pipe(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Stops reading, and returns the pipe.
    pub(super) fn take_pipe(&mut self) -> Option<File> {
        self.pipe.take()
    }

    /// Reads what is available now.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        /// After this many bytes the pipe is closed.
        const MOST: u64 = 64 << 20;
        /// At most this many parts are kept, in case a bot writes single bytes.
        const PARTS: usize = 16 << 10;
        let Some(pipe) = &self.pipe else { return Ok(()) };
        let mut content = Vec::new();
        let ended = read_available(pipe, &mut content, 1 << 20)?;
        if !content.is_empty() {
            if self.parts.len() == PARTS {
                self.parts.pop_front();
            }
            self.parts.push_back((clock_time(ClockId::Monotonic), self.total));
        }
        self.total += content.len() as u64;
        self.end.append(&mut content);
        // Do this only once twice as much was read, not after every read, so that each byte is moved at most once.
        if self.end.len() > 2 * self.most {
            self.forget();
        }
        if ended || self.total > MOST {
            self.pipe = None;
        }
        Ok(())
    }

    /// Removes all but the bytes to be kept, and the parts before them.
    fn forget(&mut self) {
        self.end.drain(..self.end.len().saturating_sub(self.most));
        let begin = self.total - self.end.len() as u64;
        while self.parts.get(1).is_some_and(|(_, at)| *at <= begin) {
            self.parts.pop_front();
        }
    }

    /// Takes out the bytes to be kept, and their parts.
    pub(super) fn take(&mut self) -> (Vec<u8>, Vec<StderrPart>) {
        self.forget();
        let begin = self.total - self.end.len() as u64;
        let part =
            |(read_at, at): (Duration, u64)| StderrPart { read_at, from: at.saturating_sub(begin) as usize };
        (std::mem::take(&mut self.end), self.parts.drain(..).map(part).collect())
    }
}

impl ServedSession {
    /// Reads standard error and notes the bot's end, until `client` sends a request or closes the channel.
    pub(super) fn attend(&mut self, client: BorrowedFd) -> io::Result<()> {
        while !self.wait(Some(client), None)? {}
        Ok(())
    }

    /// Waits for something to happen, until `deadline` if there is one. Returns whether `client` sent a request or
    /// closed the channel.
    fn wait(&mut self, client: Option<BorrowedFd>, deadline: Option<Instant>) -> io::Result<bool> {
        let mut fds: Vec<PollFd> = client.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
        let running = self.exit.is_none();
        fds.extend(running.then(|| PollFd::new(&self.handle, PollFlags::IN)));
        fds.extend(self.errors.pipe().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
        // In the order of `fds`, of which each is there only in some cases.
        let mut events = fds.iter().map(|fd| !fd.revents().is_empty());
        let asked = client.is_some() && events.next() == Some(true);
        let has_ended = running && events.next() == Some(true);
        let has_written = events.next() == Some(true);
        if has_written {
            self.errors.drain()?;
        }
        if has_ended && let Some(reaped) = sys::wait(self.child.pid, false)? {
            self.exit = Some((reaped, self.started.elapsed()));
        }
        Ok(asked)
    }

    /// Stops all processes of the bot that one call can reach at this level. Returns the processor time used by then.
    pub(super) fn stop(&self) -> Duration {
        /// How many times to try: a process that waits until its child has loaded a program stops only after that.
        const TRIES: u32 = 10;
        for _ in 0..TRIES {
            // Repeat the signal, because a process that has not stopped yet may wake one that has.
            sweep::signal_all(self.child.pid, self.level, Signal::STOP);
            if usage::all_are_stopped() {
                break;
            }
            thread::sleep(Duration::from_micros(200));
        }
        usage::read().0.total()
    }

    /// Resumes the bot. Returns the processor time used by then.
    pub(super) fn resume(&self) -> Duration {
        let used = usage::read().0.total();
        sweep::signal_all(self.child.pid, self.level, Signal::CONT);
        used
    }

    /// Ends the bot, by force after `grace`, and sweeps up after it. `is_alone` says that the bot had started nothing
    /// shortly before.
    pub(super) fn end(mut self, grace: Duration, is_alone: bool) -> io::Result<RunReport> {
        // First give it time to exit by itself, as many bots do when their input ends.
        let polite = Instant::now() + grace / 2;
        let patient = Instant::now() + grace;
        while self.exit.is_none() && Instant::now() < polite {
            self.wait(None, Some(polite))?;
        }
        let by_itself = self.exit.is_some();
        if !grace.is_zero()
            && let (None, Some(pid)) = (&self.exit, Pid::from_raw(self.child.pid))
        {
            kill_process(pid, Signal::TERM).ok();
        }
        while self.exit.is_none() && Instant::now() < patient {
            self.wait(None, Some(patient))?;
        }
        if self.exit.is_none() {
            if is_alone {
                // To kill all others, the kernel looks at every process of the machine. The sweep does that if there
                // are any by now.
                sweep::kill(self.child.pid);
            } else {
                sweep::kill_tree(self.child.pid, self.level);
            }
            let reaped = sys::wait(self.child.pid, true)?.ok_or(Errno::CHILD)?;
            self.exit = Some((reaped, self.started.elapsed()));
        }
        self.errors.drain()?;
        let swept = sweep::sweep(self.child.pid, self.level);
        // `exit` stays set, so that nothing is left to do when this is dropped.
        let Some((reaped, wall)) = &self.exit else { unreachable!("it was waited for above") };
        let ended = if by_itself { reaped.status.into() } else { Ended::Stopped };
        let (stderr, stderr_parts) = self.errors.take();
        Ok(RunReport {
            stderr,
            stderr_parts,
            stderr_total: self.errors.total,
            wall: *wall,
            ..swept.report(ended, reaped)
        })
    }
}

impl Drop for ServedSession {
    /// Leaves nothing running when the client is gone.
    fn drop(&mut self) {
        if self.exit.is_none() {
            sweep::end_all(self.child.pid, self.level);
        }
    }
}
