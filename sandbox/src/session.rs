//! Runs a bot for a whole game, as one process that exchanges lines with its caller.

use super::client::Sandbox;
use super::error::{SandboxError, expect_reply};
use super::report::{Activity, Moment, RunReport, Usage, clock_time};
use super::run_request::RunRequest;
use super::wire::{ServerReply, ServerRequest, read_available, wait_until};
use rustix::buffer::spare_capacity;
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::time::ClockId;
use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The least room for each read, in bytes. Few protocols have longer lines.
const READ_AT_ONCE: usize = 512;

/// How long to sleep at first before checking again whether the bot has read a byte. Each further sleep is twice as
/// long.
const DRIBBLE_PAUSE: Duration = Duration::from_micros(20);

/// The longest of these sleeps.
const MAX_DRIBBLE_PAUSE: Duration = Duration::from_millis(2);

/// A running bot, from its start until [`Session::finish`]. It owns its sandbox meanwhile: dropping it ends both.
#[derive(Debug)]
pub struct Session {
    sandbox: Sandbox,
    /// The bot's standard input, until it is closed.
    input: Option<File>,
    /// The bot's standard output.
    output: File,
    /// The end of its standard error into which the bot writes, kept only to see how many bytes the server has not
    /// read.
    errors: File,
    /// What was read from the bot and not yet returned.
    unread: Vec<u8>,
    output_ended: bool,
    /// For how many of the next lines to wait before reading, because a read without waiting found nothing.
    waits_first: u32,
    /// The processor time that the bot had used when it was frozen; `None` while it runs.
    frozen: Option<Duration>,
    /// The counters at the moment from which waiting is measured.
    wait_start: WaitStart,
    /// The bot's processor time when it was last read.
    last_cpu_time: Duration,
    /// The wall time of the bot's answers since then, added up.
    since_reading: Duration,
}

/// The counters at the moment from which waiting is measured.
#[derive(Debug)]
struct WaitStart {
    at: Instant,
    /// The time for which the control group has waited for a processor.
    group_waited: Duration,
    bot_cpu_time: Duration,
    server_cpu: Duration,
}

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadLine {
    /// A line, without its line feed.
    Read(Vec<u8>),
    /// No whole line came before the deadline.
    TimedOut,
    /// The bot's output ended. These bytes came last, without a line feed.
    Ended(Vec<u8>),
    /// The line is longer than allowed. This is its beginning, or all of it.
    TooLong(Vec<u8>),
}

/// The result of sending bytes to a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendStatus {
    /// All bytes were written to the bot's input.
    Whole,
    /// The bot does not read its input, which stayed full until the deadline.
    TimedOut,
    /// The bot closed its input or ended, or [`Session::close_input`] was called.
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
    /// Starts the bot for a whole game, in a renewed sandbox (see [`Sandbox::renew`]). [`RunRequest::input`]
    /// and [`RunRequest::output`] are ignored. [`Session::finish`] gives the sandbox back.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn start(mut self, request: &RunRequest) -> Result<StartOutcome, SandboxError> {
        match self.start_renewed(request)? {
            ServerReply::Started => {
                let [input, output, errors] = self.receive_files()?;
                Ok(StartOutcome::Running(Session {
                    errors,
                    sandbox: self,
                    input: Some(input),
                    output,
                    unread: Vec::new(),
                    output_ended: false,
                    waits_first: 0,
                    frozen: None,
                    wait_start: WaitStart {
                        at: Instant::now(),
                        group_waited: Duration::ZERO,
                        bot_cpu_time: Duration::ZERO,
                        server_cpu: Duration::ZERO,
                    },
                    last_cpu_time: Duration::ZERO,
                    since_reading: Duration::ZERO,
                }))
            }
            ServerReply::Ran(report, _) => Ok(StartOutcome::CannotStart(Box::new(report), self)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}

impl Session {
    /// Sends `bytes`. If the bot does not read them, waits until `deadline`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<SendStatus> {
        let Some(input) = &mut self.input else { return Ok(SendStatus::Gone) };
        while !bytes.is_empty() {
            match input.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(full) if full.kind() == io::ErrorKind::WouldBlock => {
                    if !wait_until(input, PollFlags::OUT, deadline)? {
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

    /// Sends `bytes` one by one, each when the bot has read the one before, or at `deadline` at the latest.
    ///
    /// # Errors
    /// When the system fails.
    pub fn dribble(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<SendStatus> {
        for byte in bytes {
            match self.send(&[*byte], deadline)? {
                SendStatus::Whole => {}
                other => return Ok(other),
            }
            let mut pause = DRIBBLE_PAUSE;
            while self.unread_by_bot()? > 0 && Instant::now() < deadline {
                std::thread::sleep(pause);
                pause = (pause * 2).min(MAX_DRIBBLE_PAUSE);
            }
        }
        Ok(SendStatus::Whole)
    }

    /// The present moment, and how much standard error the bot has written that the server has not read yet.
    ///
    /// # Errors
    /// When the system fails.
    pub fn moment(&self) -> io::Result<Moment> {
        loop {
            let unread = rustix::io::ioctl_fionread(&self.errors)?;
            let at = clock_time(ClockId::Monotonic);
            // Otherwise the server has read something in between, or the bot has written more.
            if unread == 0 || rustix::io::ioctl_fionread(&self.errors)? == unread {
                return Ok(Moment { at, unread });
            }
        }
    }

    fn unread_by_bot(&self) -> io::Result<u64> {
        Ok(self.input.as_ref().map_or(Ok(0), rustix::io::ioctl_fionread)?)
    }

    /// Ends the bot's input. Its output can still be read.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads the next line, of at most `longest` bytes. The whole line must arrive before `deadline`, however
    /// slowly its bytes come.
    ///
    /// # Errors
    /// When the system fails.
    pub fn line(&mut self, longest: usize, deadline: Instant) -> io::Result<ReadLine> {
        /// Bots that are asked at the same time, or have just been woken, have often answered already, so the first
        /// read does not wait. If it finds nothing, the reads of this many of the next lines wait first.
        const LINES_BETWEEN_TRIES: u32 = 4;
        let mut searched = 0;
        let mut waits = self.waits_first > 0;
        self.waits_first = self.waits_first.saturating_sub(1);
        loop {
            if let Some(at) = self.unread[searched..].iter().position(|&b| b == b'\n') {
                let mut line: Vec<u8> = self.unread.drain(..=searched + at).collect();
                line.pop();
                return Ok(if line.len() > longest { ReadLine::TooLong(line) } else { ReadLine::Read(line) });
            }
            searched = self.unread.len();
            if searched > longest || self.output_ended {
                let rest = std::mem::take(&mut self.unread);
                return Ok(if searched > longest { ReadLine::TooLong(rest) } else { ReadLine::Ended(rest) });
            }
            if waits && !wait_until(&self.output, PollFlags::IN, deadline)? {
                return Ok(ReadLine::TimedOut);
            }
            self.unread.reserve(READ_AT_ONCE);
            match rustix::io::read(&self.output, spare_capacity(&mut self.unread)) {
                Ok(n) => self.output_ended = n == 0,
                Err(Errno::AGAIN) if !waits => self.waits_first = LINES_BETWEEN_TRIES,
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(failed) => return Err(failed.into()),
            }
            waits = true;
        }
    }

    /// Whether bytes beyond the last line were read together with that line.
    pub fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// What the bot has written beyond the lines read so far, without waiting for more; each call reads at most 4096
    /// new bytes. Shows whether a bot writes too early.
    ///
    /// # Errors
    /// When the system fails.
    pub fn pending(&mut self) -> io::Result<&[u8]> {
        if !self.output_ended {
            let most = self.unread.len() + 4096;
            self.output_ended = read_available(&self.output, &mut self.unread, most)?;
        }
        Ok(&self.unread)
    }

    /// Whether a whole line has come that was not read yet, or the bot's output has ended.
    ///
    /// # Errors
    /// When the system fails.
    pub(super) fn has_line_or_end(&mut self) -> io::Result<bool> {
        Ok(self.pending()?.contains(&b'\n') || self.output_ended)
    }

    /// What the bot has used and started so far.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn usage(&mut self) -> Result<Usage, SandboxError> {
        self.ask_usage(&ServerRequest::Usage)
    }

    /// Sends `request`, which is answered with the usage, and adds what the control group counts.
    fn ask_usage(&mut self, request: &ServerRequest) -> Result<Usage, SandboxError> {
        let usage = expect_reply!(self.sandbox.ask(request)?, Usage)?;
        let group_cpu = self.sandbox.keeper().and_then(|keeper| keeper.bot_cpu_time(usage.server_cpu));
        let usage = Usage { group_cpu, ..usage };
        self.last_cpu_time = usage.processor_time();
        self.since_reading = Duration::ZERO;
        Ok(usage)
    }

    /// Notes an answer that took `wall`. Reads the bot's processor time from time to time, so that the time of many
    /// brief answers is not attributed to the next one.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn answered(&mut self, wall: Duration) -> Result<(), SandboxError> {
        /// Reading the counters takes less than a thousandth of this.
        const READ_EVERY: Duration = Duration::from_millis(50);
        self.since_reading += wall;
        // Asking for the usage would resume a bot that is frozen while another one thinks.
        if self.since_reading > READ_EVERY && self.frozen.is_none() {
            self.usage()?;
        }
        Ok(())
    }

    /// Begins to measure how long the bot waits for a processor. Returns the longest that it can have run since its
    /// processor time was last read.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn begin_waiting(&mut self) -> Result<Duration, SandboxError> {
        let last_cpu_time = self.last_cpu_time;
        let usage = self.ask_usage(&ServerRequest::BeginWaiting)?;
        let at = Instant::now();
        let group_waited = self.group_waited().unwrap_or_default();
        let bot_cpu_time = usage.processor_time();
        self.wait_start = WaitStart { at, group_waited, bot_cpu_time, server_cpu: usage.server_cpu };
        Ok(if usage.is_lower_bound() { Duration::MAX } else { bot_cpu_time.saturating_sub(last_cpu_time) })
    }

    /// The processor time that the bot has used since [`Session::begin_waiting`].
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ran(&mut self) -> Result<Duration, SandboxError> {
        Ok(self.usage()?.processor_time().saturating_sub(self.wait_start.bot_cpu_time))
    }

    /// How long the bot has waited since [`Session::begin_waiting`] for a processor that other programs used. If its
    /// control group counts that, this reads only the group's counts, which can be too low; [`Session::waited_in_full`]
    /// looks closer and takes longer.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn waited(&mut self) -> Result<Duration, SandboxError> {
        let Some(waited) = self.group_waited() else { return self.waited_in_full() };
        Ok(waited.saturating_sub(self.wait_start.group_waited).min(self.wait_bound()))
    }

    /// An upper bound on the waiting since [`Session::begin_waiting`]: the elapsed time, less the bot's processor time
    /// if a control group counts that. It is needed because a group can seem to wait while one of its tasks runs, and
    /// because the server began to measure before its reply arrived.
    fn wait_bound(&mut self) -> Duration {
        let WaitStart { at, bot_cpu_time: before, server_cpu, .. } = self.wait_start;
        let bot_cpu_time = self.sandbox.keeper().and_then(|keeper| keeper.bot_cpu_time(server_cpu));
        let ran = bot_cpu_time.map_or(Duration::ZERO, |now| now.saturating_sub(before));
        at.elapsed().saturating_sub(ran)
    }

    /// The time for which the control group has waited, if it counts that.
    fn group_waited(&mut self) -> Option<Duration> {
        self.sandbox.keeper()?.waited()
    }

    /// How long the bot has waited since [`Session::begin_waiting`] for a processor that other programs used.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn waited_in_full(&mut self) -> Result<Duration, SandboxError> {
        let waited = expect_reply!(self.sandbox.ask(&ServerRequest::Waited)?, Waited)?;
        Ok(waited.min(self.wait_bound()))
    }

    /// Watches the bot for some milliseconds.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn activity(&mut self) -> Result<Activity, SandboxError> {
        expect_reply!(self.sandbox.ask(&ServerRequest::Activity)?, Activity)
    }

    /// Checks whether the bot waits for its input. Returns for how long all checks have found it waiting. The result is
    /// zero at the first check, and whenever the bot may write something without further input within the time
    /// `horizon`, or this cannot be determined. Once the result is more than zero, and [`Session::pending`] shows
    /// nothing new, the bot has written its whole answer to what it was sent.
    ///
    /// # Errors
    /// When the system or the sandbox failed.
    pub fn waits_for_input(&mut self, horizon: Duration) -> Result<Duration, SandboxError> {
        if self.input.is_none() || self.unread_by_bot().map_err(SandboxError::Lost)? > 0 {
            return Ok(Duration::ZERO);
        }
        expect_reply!(self.sandbox.ask(&ServerRequest::WaitsForInput(horizon))?, Waited)
    }

    /// Stops the bot and everything it started until [`Session::thaw`], because it is not its turn.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn freeze(&mut self) -> Result<(), SandboxError> {
        if self.frozen.is_none() {
            self.frozen = Some(self.set_frozen(true)?);
        }
        Ok(())
    }

    /// Resumes a frozen bot. Returns the processor time that it used although it was frozen.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn thaw(&mut self) -> Result<Duration, SandboxError> {
        let Some(before) = self.frozen.take() else { return Ok(Duration::ZERO) };
        Ok(self.set_frozen(false)?.saturating_sub(before))
    }

    /// Stops or resumes the bot, through its control group or else through the server. Returns the processor time
    /// that it had used by then.
    fn set_frozen(&mut self, freeze: bool) -> Result<Duration, SandboxError> {
        let by_group = self.sandbox.keeper().map_or(Ok(None), |keeper| keeper.freeze_group(freeze))?;
        if let Some(cpu_time) = by_group {
            return Ok(cpu_time);
        }
        expect_reply!(self.sandbox.ask(&ServerRequest::Freeze(freeze))?, Frozen)
    }

    /// Ends the bot and everything it started (R7): closes its input, asks it to end, and kills it after `grace`.
    /// If `grace` is zero, it is killed at once with its input still open, because many bots spin at the end of their
    /// input. [`RunReport::ended`] is how the bot ended by itself, or
    /// [`Ended::Stopped`](super::Ended::Stopped). Also returns the sandbox, for the bot's next game.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn finish(self, grace: Duration) -> Result<(RunReport, Sandbox), SandboxError> {
        let Session { mut sandbox, mut input, output, .. } = self;
        if !grace.is_zero() {
            input = None;
        }
        let report = sandbox.ask(&ServerRequest::Finish(grace))?;
        drop((input, output));
        match report {
            ServerReply::Ran(report, server_cpu) => Ok((sandbox.add_group_usage(report, server_cpu), sandbox)),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}
