//! A bot that runs for a whole game and is spoken to in lines: one process, its streams in the referee's hands.

use super::client::{Sandbox, StreamsReply};
use super::error::SandboxError;
use super::report::{RunReport, Usage};
use super::run_request::RunRequest;
use super::wire::{Reply, Request, read_available, wait_until};
use rustix::buffer::spare_capacity;
use rustix::event::PollFlags;
use rustix::io::Errno;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Room for what is read at a time, in bytes; few protocols have longer lines.
const READ_AT_ONCE: usize = 512;

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
    /// While it is stopped: the processor time that it had used by then.
    frozen: Option<Duration>,
    /// What its control group's account of waiting was when it began to be measured.
    waited_before: Duration,
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

/// The same, where the bytes are put into the caller's own buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadStatus {
    /// As [`Line::Read`].
    Line,
    /// As [`Line::TimedOut`]; the buffer is empty.
    TimedOut,
    /// As [`Line::Ended`].
    Ended,
    /// As [`Line::TooLong`].
    TooLong,
}

/// What became of something sent to a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendStatus {
    /// It is on its way.
    Whole,
    /// The bot does not read, and the pipe was full until the deadline.
    TimedOut,
    /// The bot closed its input or ended.
    Gone,
}

/// The result of starting a bot for a whole game.
#[derive(Debug)]
pub enum StartOutcome {
    /// The bot runs.
    Running(Session),
    /// The bot cannot be started: the report says why, and the sandbox can be used again.
    CannotStart(Box<RunReport>, Sandbox),
}

impl StartOutcome {
    /// The running bot, or the report that says why it cannot be started.
    ///
    /// # Errors
    /// [`StartOutcome::CannotStart`], without its sandbox.
    pub fn running(self) -> Result<Session, Box<RunReport>> {
        match self {
            StartOutcome::Running(session) => Ok(session),
            StartOutcome::CannotStart(report, _) => Err(report),
        }
    }
}

impl Sandbox {
    /// Starts the bot for a whole game, in a sandbox that is as new: see [`Sandbox::renew`]. [`RunRequest::input`] and
    /// [`RunRequest::output`] are ignored. The sandbox comes back from [`Session::finish`], or at once with the report of a
    /// bot that cannot be started.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn start(mut self, request: &RunRequest) -> Result<StartOutcome, SandboxError> {
        self.renew()?;
        match self.ask_for_streams(&Request::Start(Cow::Borrowed(request)))? {
            StreamsReply::Streams([to, from]) => Ok(StartOutcome::Running(Session {
                sandbox: self,
                to: Some(to),
                from,
                unread: Vec::new(),
                ended: false,
                frozen: None,
                waited_before: Duration::ZERO,
            })),
            StreamsReply::Other(Reply::Ran(report, _)) => Ok(StartOutcome::CannotStart(Box::new(report), self)),
            StreamsReply::Other(other) => Err(SandboxError::unexpected(&other)),
        }
    }
}

impl Session {
    /// Sends `bytes`, waiting until `deadline` for a bot that does not read.
    ///
    /// # Errors
    /// When the system fails.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<SendStatus> {
        let Some(to) = &mut self.to else { return Ok(SendStatus::Gone) };
        while !bytes.is_empty() {
            match to.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(full) if full.kind() == io::ErrorKind::WouldBlock => {
                    if !wait_until(to, PollFlags::OUT, deadline)? {
                        return Ok(SendStatus::TimedOut);
                    }
                }
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                Err(gone) if gone.kind() == io::ErrorKind::BrokenPipe => return Ok(SendStatus::Gone),
                Err(failed) => return Err(failed),
            }
        }
        Ok(SendStatus::Whole)
    }

    /// Sends `bytes` one after another, each only when the one before has been read, or at the `deadline`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn dribble(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<SendStatus> {
        for byte in bytes {
            match self.send(&[*byte], deadline)? {
                SendStatus::Whole => {}
                other => return Ok(other),
            }
            let mut rest = DRIBBLE;
            while self.unread_by_bot()? > 0 && Instant::now() < deadline {
                std::thread::sleep(rest);
                rest = (rest * 2).min(LONGEST_REST);
            }
        }
        Ok(SendStatus::Whole)
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
        let mut line = Vec::new();
        Ok(match self.line_into(&mut line, longest, deadline)? {
            ReadStatus::Line => Line::Read(line),
            ReadStatus::TimedOut => Line::TimedOut,
            ReadStatus::Ended => Line::Ended(line),
            ReadStatus::TooLong => Line::TooLong(line),
        })
    }

    /// The same, with the bytes in `line` instead of what was there: a referee with a buffer for each bot needs no
    /// new memory for a line.
    ///
    /// # Errors
    /// When the system fails.
    pub fn line_into(&mut self, line: &mut Vec<u8>, longest: usize, deadline: Instant) -> io::Result<ReadStatus> {
        line.clear();
        let mut searched = 0;
        loop {
            if let Some(at) = self.unread[searched..].iter().position(|&b| b == b'\n') {
                line.extend_from_slice(&self.unread[..searched + at]);
                self.unread.drain(..=searched + at);
                return Ok(if line.len() > longest { ReadStatus::TooLong } else { ReadStatus::Line });
            }
            searched = self.unread.len();
            if searched > longest || self.ended {
                line.append(&mut self.unread);
                return Ok(if searched > longest { ReadStatus::TooLong } else { ReadStatus::Ended });
            }
            // On one processor the bot cannot have answered before this thread waits: to read first would be in vain.
            if !wait_until(&self.from, PollFlags::IN, deadline)? {
                return Ok(ReadStatus::TimedOut);
            }
            self.unread.reserve(READ_AT_ONCE);
            match rustix::io::read(&self.from, spare_capacity(&mut self.unread)) {
                Ok(n) => self.ended = n == 0,
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(failed) => return Err(failed.into()),
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
            self.ended = read_available(&self.from, &mut self.unread, most)?;
        }
        Ok(&self.unread)
    }

    /// What the bot has used and started so far.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn usage(&mut self) -> Result<Usage, SandboxError> {
        match self.sandbox.ask(&Request::Usage)? {
            Reply::Usage(usage) => {
                let account = self.sandbox.keeper().and_then(|keeper| keeper.used(usage.servers_own));
                Ok(Usage { account, ..usage })
            }
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// From now on the bot's waiting for a processor is measured.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn begin_waiting(&mut self) -> Result<(), SandboxError> {
        self.waited_before = self.sandbox.keeper().and_then(|keeper| keeper.waited()).unwrap_or_default();
        self.sandbox.ask(&Request::BeginWaiting).map(drop)
    }

    /// How long the bot has waited, since then, for a processor that others had; by a quick look, where there is a control
    /// group, which may show too little. [`Usage::waited`] has it in full.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn waited(&mut self) -> Result<Duration, SandboxError> {
        match self.sandbox.keeper().and_then(|keeper| keeper.waited()) {
            Some(waited) => Ok(waited.saturating_sub(self.waited_before)),
            None => Ok(self.usage()?.waited),
        }
    }

    /// For how long, looked at from now on, the bot waits for a processor that others have: nothing, or some
    /// milliseconds.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn waits_right_now(&mut self) -> Result<Duration, SandboxError> {
        match self.sandbox.ask(&Request::IsWaiting)? {
            Reply::Waited(waited) => Ok(waited),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Stops the bot and everything it started, until [`Session::thaw`]: it is not its turn.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn freeze(&mut self) -> Result<(), SandboxError> {
        if self.frozen.is_none() {
            self.frozen = Some(self.stop(true)?);
        }
        Ok(())
    }

    /// Lets a bot that was stopped go on: the processor time that it used meanwhile all the same.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn thaw(&mut self) -> Result<Duration, SandboxError> {
        let Some(before) = self.frozen.take() else { return Ok(Duration::ZERO) };
        Ok(self.stop(false)?.saturating_sub(before))
    }

    /// Has the control group, or else the server, stop or resume the bot: the processor time used by then.
    fn stop(&mut self, freeze: bool) -> Result<Duration, SandboxError> {
        let by_group = self.sandbox.keeper().map_or(Ok(None), |keeper| keeper.freeze_group(freeze))?;
        if let Some(used) = by_group {
            return Ok(used);
        }
        match self.sandbox.ask(&Request::Freeze(freeze))? {
            Reply::Frozen(used) => Ok(used),
            other => Err(SandboxError::unexpected(&other)),
        }
    }

    /// Ends the bot and everything it started: its input is closed and it is asked to end, and killed if it has
    /// not after `grace` (R7). Without grace it is killed at once, with its input still open: many bots that see the end
    /// of it would only spin. The report's end is how it ended, or [`Ended::Stopped`](super::Ended::Stopped). The
    /// sandbox is free for the bot's next game.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn finish(self, grace: Duration) -> Result<(RunReport, Sandbox), SandboxError> {
        let Session { mut sandbox, to, from, .. } = self;
        let held = Some(to).filter(|_| grace.is_zero());
        let report = sandbox.ask(&Request::Finish(grace))?;
        drop((held, from));
        match report {
            Reply::Ran(report, servers_own) => Ok((sandbox.account(report, servers_own), sandbox)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}
