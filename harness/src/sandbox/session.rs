//! A bot that runs for a whole game and is spoken to in lines: one process, its streams in the referee's hands.

use super::client::{Sandbox, SandboxError};
use super::order::Order;
use super::report::{Cpu, RunReport, Tasks};
use super::wire::{Reply, Request, read_available};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How long to rest before looking again whether a byte has been read: at first, and at most.
const DRIBBLE: Duration = Duration::from_micros(20);
const LONGEST_REST: Duration = Duration::from_millis(2);

/// A bot under way, from its start until [`Session::finish`]. It has its sandbox for that long; dropping it ends both.
#[derive(Debug)]
pub struct Session {
    sandbox: Sandbox,
    /// The bot's standard input, until it is closed.
    to: Option<File>,
    /// The bot's standard output.
    from: File,
    /// What was read and not yet asked for.
    unread: Vec<u8>,
    ended: bool,
}

/// What came when a line was due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its line feed.
    Read(Vec<u8>),
    /// No whole line in time.
    TimedOut,
    /// The bot's output ended; these bytes had no line feed.
    Ended(Vec<u8>),
    /// A line longer than was wanted: the beginning of it.
    TooLong(Vec<u8>),
}

/// What became of something sent to a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is on its way.
    Whole,
    /// The bot does not read, and the pipe was full until the deadline.
    TimedOut,
    /// The bot closed its input or ended.
    Gone,
}

impl Sandbox {
    /// Starts the bot for a whole game. [`Order::input`] and [`Order::output`] are of no account. The sandbox
    /// comes back from [`Session::finish`], or at once with the report of a bot that cannot be started.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn start(mut self, order: &Order) -> Result<Result<Session, (Box<RunReport>, Sandbox)>, SandboxError> {
        match self.ask_for_streams(&Request::Start(Cow::Borrowed(order)))? {
            Ok([to, from]) => {
                Ok(Ok(Session { sandbox: self, to: Some(to), from, unread: Vec::new(), ended: false }))
            }
            Err(Reply::Ran(report, _)) => Ok(Err((Box::new(report), self))),
            Err(other) => Err(SandboxError::unexpected(&other)),
        }
    }
}

impl Session {
    /// Sends `bytes`, waiting until `deadline` for a bot that does not read.
    ///
    /// # Errors
    /// When the system fails.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<Sent> {
        let Some(to) = &mut self.to else { return Ok(Sent::Gone) };
        while !bytes.is_empty() {
            match to.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(full) if full.kind() == io::ErrorKind::WouldBlock => {
                    if !wait_for(to, PollFlags::OUT, deadline)? {
                        return Ok(Sent::TimedOut);
                    }
                }
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                Err(gone) if gone.kind() == io::ErrorKind::BrokenPipe => return Ok(Sent::Gone),
                Err(failed) => return Err(failed),
            }
        }
        Ok(Sent::Whole)
    }

    /// Sends `bytes` one after another, each only when the one before has been read, or at the `deadline`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn dribble(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<Sent> {
        for byte in bytes {
            match self.send(&[*byte], deadline)? {
                Sent::Whole => {}
                other => return Ok(other),
            }
            let mut rest = DRIBBLE;
            while self.unread_by_bot()? > 0 && Instant::now() < deadline {
                std::thread::sleep(rest);
                rest = (rest * 2).min(LONGEST_REST);
            }
        }
        Ok(Sent::Whole)
    }

    fn unread_by_bot(&self) -> io::Result<u64> {
        Ok(self.to.as_ref().map_or(Ok(0), rustix::io::ioctl_fionread)?)
    }

    /// Ends the bot's input. What it writes then can still be read.
    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// The next line, of at most `longest` bytes, if it comes before `deadline`: a deadline for the whole
    /// line, however slowly its bytes come.
    ///
    /// # Errors
    /// When the system fails.
    pub fn line(&mut self, longest: usize, deadline: Instant) -> io::Result<Line> {
        let mut searched = 0;
        loop {
            if let Some(at) = self.unread[searched..].iter().position(|&b| b == b'\n') {
                let rest = self.unread.split_off(searched + at + 1);
                let mut line = std::mem::replace(&mut self.unread, rest);
                line.pop();
                return Ok(if line.len() > longest { Line::TooLong(line) } else { Line::Read(line) });
            }
            searched = self.unread.len();
            if searched > longest {
                return Ok(Line::TooLong(std::mem::take(&mut self.unread)));
            }
            if self.ended {
                return Ok(Line::Ended(std::mem::take(&mut self.unread)));
            }
            // Mostly the answer is there already, or the bot is still to think: read first, wait then.
            self.ended = read_available(&mut self.from, &mut self.unread, longest + 2)?;
            let nothing_new = self.unread.len() == searched && !self.ended;
            if nothing_new && !wait_for(&self.from, PollFlags::IN, deadline)? {
                return Ok(Line::TimedOut);
            }
        }
    }

    /// What the bot has written that no line asked for; for finding bots that run ahead.
    ///
    /// # Errors
    /// When the system fails.
    pub fn pending(&mut self) -> io::Result<&[u8]> {
        if !self.ended {
            let most = self.unread.len() + 4096;
            self.ended = read_available(&mut self.from, &mut self.unread, most)?;
        }
        Ok(&self.unread)
    }

    /// The processor time that the bot and what it started have used so far, to the kernel's tick.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn cpu(&mut self) -> Result<Cpu, SandboxError> {
        match self.sandbox.ask(&Request::Usage)? {
            Reply::Usage(cpu) => Ok(cpu),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// The processes and threads of the bot and what it started, now.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn tasks(&mut self) -> Result<Tasks, SandboxError> {
        match self.sandbox.ask(&Request::Tasks)? {
            Reply::Tasks(tasks) => Ok(tasks),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Ends the bot and everything it started: its input is closed and it is asked to end, and killed if it has
    /// not after `grace` (R7). The report's end is how it ended, or [`Ended::Stopped`](super::Ended::Stopped). The
    /// sandbox is free for the bot's next game.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn finish(self, grace: Duration) -> Result<(RunReport, Sandbox), SandboxError> {
        let Session { mut sandbox, to, from, .. } = self;
        drop(to);
        let report = sandbox.ask(&Request::Finish(grace))?;
        drop(from);
        match report {
            Reply::Ran(report, servers_own) => Ok((sandbox.account(report, servers_own), sandbox)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}

/// Whether `file` is ready, or closed, before `deadline`.
fn wait_for(file: &File, wanted: PollFlags, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(file, wanted)], Some(&timeout)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
    }
}
