//! Follows one run of a bot: its streams, its deadline and its end.

use super::input_watch::InputWatch;
use super::session::StderrReader;
use super::setup::ServerSetup;
use super::sweep;
use crate::level::Level;
use crate::report::{Activity, Ended, RunReport};
use crate::run_request::{DeadlineDecision, Input, Limits, Output, RunRequest, decide_at_deadline};
use crate::sys::{self, Child, Spawner};
use crate::wire::read_available;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long to wait at first, at most, for nothing but the bot's end. Most bots write their answer and exit at once,
/// and waking up for the answer as well would only take the processor from them. A bot that fills a pipe is delayed by
/// this once. (The alarm that ends this wait recurs at this interval. With a quarter of it, a small bot's move would
/// take one percent longer.)
const FIRST_WAIT: Duration = Duration::from_millis(20);

/// How many bytes can be written to a new pipe without blocking: the kernel's smallest pipe has one page.
const PIPE_HOLDS: usize = 4096;

/// How often to check on a bot that gets its input byte by byte.
const DRIBBLE: Duration = Duration::from_micros(50);

/// The next byte is sent after this time even if the bot has not read the one before.
const DRIBBLE_PATIENCE: Duration = Duration::from_millis(2);

/// How often to check a bot whose input was left open, and for how long it must be seen to wait for more input.
const INPUT_CHECK_EVERY: Duration = Duration::from_millis(20);
const MIN_INPUT_WAIT: Duration = Duration::from_millis(80);

/// Opens pipes for a bot's standard streams. Returns this process's ends, which do not block, and the bot's.
pub(super) fn open_streams() -> io::Result<([OwnedFd; 3], [OwnedFd; 3])> {
    let (bots_input, input) = pipe_with(PipeFlags::CLOEXEC)?;
    let (output, bots_output) = pipe_with(PipeFlags::CLOEXEC)?;
    let (errors, bots_errors) = pipe_with(PipeFlags::CLOEXEC)?;
    for ours in [&input, &output, &errors] {
        rustix::fs::fcntl_setfl(ours, OFlags::NONBLOCK)?;
    }
    Ok(([input, output, errors], [bots_input, bots_output, bots_errors]))
}

/// The server's ends of the bot's standard streams.
pub(super) struct Pipes {
    input: Option<File>,
    output: Option<File>,
    output_file: Option<File>,
    errors: File,
}

impl Pipes {
    /// Opens the streams, and returns the server's ends and the bot's.
    pub(super) fn open(request: &RunRequest, file: Option<&File>) -> io::Result<(Pipes, [OwnedFd; 3])> {
        let (errors, bots_errors) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::fs::fcntl_setfl(&errors, OFlags::NONBLOCK)?;
        let (output, output_file, bots_output) = match request.output {
            Output::Pipe => {
                let (ours, bots) = pipe_with(PipeFlags::CLOEXEC)?;
                rustix::fs::fcntl_setfl(&ours, OFlags::NONBLOCK)?;
                (Some(File::from(ours)), None, bots)
            }
            Output::Broken => (None, None, pipe_with(PipeFlags::CLOEXEC)?.1),
            Output::File => {
                let file = file.ok_or_else(|| io::Error::other("files in memory are not available here"))?;
                let mut file = file.try_clone()?;
                file.set_len(0)?;
                file.rewind()?;
                (None, Some(file.try_clone()?), file.into())
            }
        };
        // Make this pipe last, because one end of it is usually closed at once: then the other descriptors have
        // consecutive numbers.
        let (bots_input, input) = pipe_with(PipeFlags::CLOEXEC)?;
        let input = match &request.input {
            // Write the input before the bot starts, so that the bot need not wait for it. That saves two context
            // switches for each move.
            Input::Whole(bytes) if bytes.len() <= PIPE_HOLDS => {
                File::from(input).write_all(bytes)?;
                None
            }
            _ => {
                rustix::fs::fcntl_setfl(&input, OFlags::NONBLOCK)?;
                Some(File::from(input))
            }
        };
        let pipes = Pipes { input, output, output_file, errors: errors.into() };
        Ok((pipes, [bots_input, bots_output, bots_errors]))
    }
}

/// A bot that was started for one run.
pub(super) struct RunningBot<'a> {
    child: Child,
    started: Instant,
    input: Option<File>,
    output_pipe: Option<File>,
    output_file: Option<File>,
    limits: &'a Limits,
    left_to_write: &'a [u8],
    dribbling: bool,
    leave_open: bool,
    /// When a byte was last written, if the input is sent byte by byte.
    last_byte: Instant,
    /// Detects that the bot waits for more input, if its input is left open.
    watch: Option<InputWatch>,
    output: Vec<u8>,
    errors: StderrReader,
}

impl<'a> RunningBot<'a> {
    /// The run of `child`, which was just started with the other ends of `pipes`.
    pub(super) fn new(
        child: Child,
        started: Instant,
        pipes: Pipes,
        request: &'a RunRequest,
        limits: &'a Limits,
    ) -> RunningBot<'a> {
        let Pipes { input, output: output_pipe, output_file, errors } = pipes;
        let (Input::Whole(bytes) | Input::Dribbled(bytes) | Input::LeftOpen(bytes)) = &request.input;
        RunningBot {
            child,
            started,
            errors: StderrReader::new(errors, limits),
            left_to_write: if input.is_some() { bytes } else { &[] },
            input,
            output_pipe,
            output_file,
            limits,
            dribbling: matches!(request.input, Input::Dribbled(_)),
            leave_open: matches!(request.input, Input::LeftOpen(_)),
            last_byte: started,
            watch: None,
            output: Vec::with_capacity(1024),
        }
    }

    /// Writes the bot's input and reads its output until it ends or must be ended, and sweeps up after it. If
    /// `client`, the channel to the client, is closed meanwhile, kills the bot at once and fails with a broken pipe.
    ///
    /// `bot_ends` are the bot's ends of its streams. They stay open for as long as that makes no difference, because
    /// all ends can be closed with one call at the end of a short run.
    pub(super) fn follow(
        mut self,
        bot_ends: [OwnedFd; 3],
        spawner: &mut Spawner,
        client: BorrowedFd,
        level: Level,
        setup: &mut ServerSetup,
    ) -> io::Result<RunReport> {
        let mut bot_ends = Some(bot_ends).filter(|_| self.input.is_none());
        self.feed()?;
        let mut exit = match self.left_to_write {
            [] => spawner.wait_for(&self.child, FIRST_WAIT.min(self.limits.hard / 10))?,
            _ => None,
        };
        bot_ends = bot_ends.filter(|_| exit.is_some());
        // Making a handle takes too long for a short run.
        let handle = if exit.is_none() { Some(setup.pass.open_process(self.child.pid)?) } else { None };
        if exit.is_none() {
            setup.waits.restart();
        }
        let watched = self.input.as_ref().filter(|_| self.leave_open);
        self.watch = watched.map(|input| InputWatch::new(input, level, self.started));
        let mut granted = Duration::ZERO;
        let mut waits_for_input = false;
        let mut rested = false;
        let verdict = loop {
            let Some(handle) = &handle else { break None };
            self.feed()?;
            match self.await_something(handle.as_fd(), client, granted)? {
                Wakeup::Ended => break None,
                Wakeup::ClientGone => {
                    sweep::end_all(self.child.pid, level);
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                Wakeup::Streams => {}
            }
            self.read_output()?;
            if self.output.len() > self.limits.output {
                break Some(Ended::TooMuchOutput);
            }
            waits_for_input = self.waits_for_input(granted)?;
            if waits_for_input {
                break Some(Ended::TimedOut);
            }
            let elapsed = self.started.elapsed();
            if elapsed >= self.limits.hard + granted {
                // Waiting for a processor extends the deadline (B10).
                match decide_at_deadline(self.limits.hard, elapsed, granted, setup.waits.waited()) {
                    DeadlineDecision::Extend(longer) => granted = longer,
                    DeadlineDecision::TimedOut => match setup.waits.watch_activity() {
                        Activity::Waits(longer) => granted += longer,
                        activity => {
                            rested = activity == Activity::Rests;
                            break Some(Ended::TimedOut);
                        }
                    },
                    DeadlineDecision::Starved => break Some(Ended::Starved),
                }
            }
        };
        let wall = self.started.elapsed();
        // The bot has waited for at least as long as its extension, even if its tasks are gone by now.
        let waited = if handle.is_some() { setup.waits.waited().max(granted) } else { Duration::ZERO };
        if verdict.is_some() {
            sweep::kill_tree(self.child.pid, level);
        }
        if exit.is_none() {
            exit = sys::wait(self.child.pid, true)?;
        }
        let reaped = exit.ok_or(Errno::CHILD)?;
        self.read_output()?;
        self.read_output_file()?;
        let swept = sweep::sweep(self.child.pid, level);
        if let (Some([input, output, errors]), Some(stdout), Some(stderr)) =
            (bot_ends, self.output_pipe.take(), self.errors.take_pipe())
        {
            sys::close_together([input, output, errors, stdout.into(), stderr.into()]);
        }
        let ended = match verdict {
            None if self.output.len() > self.limits.output => Ended::TooMuchOutput,
            None => reaped.status.into(),
            Some(verdict) => verdict,
        };
        Ok(RunReport {
            output: self.output,
            stderr: self.errors.take().0,
            stderr_total: self.errors.total,
            wall,
            waited,
            waits_for_input,
            rested,
            ..swept.report(ended, &reaped)
        })
    }

    /// Writes as much input as the bot can take now.
    fn feed(&mut self) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Ok(()) };
        while !self.left_to_write.is_empty() {
            if self.dribbling {
                let unread = rustix::io::ioctl_fionread(&*input)? > 0;
                if unread && self.last_byte.elapsed() < DRIBBLE_PATIENCE {
                    return Ok(());
                }
                self.last_byte = Instant::now();
            }
            let chunk = if self.dribbling { &self.left_to_write[..1] } else { self.left_to_write };
            match input.write(chunk) {
                Ok(n) => self.left_to_write = &self.left_to_write[n..],
                Err(full) if full.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
                // A bot may close its input without reading it.
                Err(closed) if closed.kind() == io::ErrorKind::BrokenPipe => self.left_to_write = &[],
                Err(failed) => return Err(failed),
            }
        }
        if !self.leave_open {
            self.input = None;
        }
        Ok(())
    }

    /// Checks whether the bot has all of its input and waits for more.
    fn waits_for_input(&mut self, granted: Duration) -> io::Result<bool> {
        let left = (self.limits.hard + granted).saturating_sub(self.started.elapsed());
        let (Some(watch), Some(input), []) = (&mut self.watch, &self.input, self.left_to_write) else {
            return Ok(false);
        };
        let is_empty = rustix::io::ioctl_fionread(input)? == 0;
        Ok(is_empty && watch.look(left) >= MIN_INPUT_WAIT)
    }

    /// Waits until the bot ends, a stream is ready, or it is time to check again.
    fn await_something(&self, bot: BorrowedFd, client: BorrowedFd, granted: Duration) -> io::Result<Wakeup> {
        let feeding = !self.left_to_write.is_empty();
        let left = (self.limits.hard + granted).saturating_sub(self.started.elapsed());
        let until = if feeding && self.dribbling {
            DRIBBLE
        } else if self.watch.is_some() {
            left.min(INPUT_CHECK_EVERY)
        } else {
            left
        };
        let mut fds = vec![
            PollFd::from_borrowed_fd(bot, PollFlags::IN),
            PollFd::from_borrowed_fd(client, PollFlags::empty()),
        ];
        let output = self.output_pipe.as_ref().map(AsFd::as_fd);
        let streams = output.into_iter().chain(self.errors.pipe());
        fds.extend(streams.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        if feeding && !self.dribbling {
            fds.extend(self.input.iter().map(|fd| PollFd::new(fd, PollFlags::OUT)));
        }
        match poll(&mut fds, Timespec::try_from(until).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(failed) => return Err(failed.into()),
        }
        Ok(match (fds[0].revents(), fds[1].revents()) {
            (ended, _) if ended.contains(PollFlags::IN) => Wakeup::Ended,
            (_, client) if client.contains(PollFlags::HUP) => Wakeup::ClientGone,
            _ => Wakeup::Streams,
        })
    }

    /// Reads what the bot has written so far.
    fn read_output(&mut self) -> io::Result<()> {
        if let Some(output) = &self.output_pipe
            && read_available(output, &mut self.output, self.limits.output + 1)?
        {
            self.output_pipe = None;
        }
        self.errors.drain()
    }

    fn read_output_file(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.output_file {
            file.rewind()?;
            file.take(self.limits.output as u64 + 1).read_to_end(&mut self.output)?;
        }
        Ok(())
    }
}

/// Why a wait ended.
enum Wakeup {
    Ended,
    ClientGone,
    Streams,
}
