//! A bot in dialogue: what a script can say to it and hear of it.

use super::transcript::{Entry, LineEvent, Transcript, silence};
use crate::fault::Fault;
use crate::shared::SharedState;
use cornerman_harness::player::clock::{ClockStatus, GameClock, RunningClock};
use cornerman_harness::sandbox::{AnswerTimer, Limits, Line, SandboxError, SendStatus, Session, Tasks};
use std::io;
use std::time::{Duration, Instant};

/// Of a line, so many bytes are read; no answer is longer.
const LONGEST_LINE: usize = 4096;

/// More lines than this that nobody asked for are a flood.
const MOST_UNASKED: usize = 1000;

/// How a line came, or did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineRead {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// None in time; these bytes came without a line feed.
    TimedOut(Vec<u8>),
    /// The bot closed its output or is gone; these bytes came without a line feed.
    Ended(Vec<u8>),
    /// A line without end: its beginning.
    TooLong(Vec<u8>),
}

/// What came though nothing was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnsolicitedOutput {
    /// Lines without their line feeds.
    pub lines: Vec<Vec<u8>>,
    /// Bytes after them.
    pub unfinished: Vec<u8>,
    /// It went on and on.
    pub flood: bool,
    /// The bot closed its output or is gone.
    pub gone: bool,
}

impl UnsolicitedOutput {
    /// Whether it is nothing at all.
    pub fn is_nothing(&self) -> bool {
        self.lines.is_empty() && self.unfinished.is_empty() && !self.flood
    }
}

/// Talks to a bot and returns the first fault, if there is one. It may be called again, and must not remember.
pub type Script = Box<dyn Fn(&mut DialogueSession) -> io::Result<Option<Fault>> + Send + Sync>;

/// A bot in dialogue.
pub struct DialogueSession {
    pub(super) session: Session,
    /// All that was said.
    pub transcript: Transcript,
    /// What the bot may use.
    pub limits: Limits,
    /// Its clock, where the game has one (G3).
    pub clock: Option<GameClock>,
    /// Whether the bot's language has threads of its own that nobody can help.
    pub runtime_has_threads: bool,
    /// Whether it gets its input byte by byte.
    pub dribbled: bool,
    began: Instant,
    /// The slowest answer, in words where it was.
    pub slowest: Option<(String, Duration)>,
    /// How many answers there were.
    pub answers: u32,
    /// How long they took together.
    pub thought: Duration,
}

impl DialogueSession {
    pub(super) fn new(session: Session, shared: &SharedState, dribbled: bool, began: Instant) -> DialogueSession {
        let &SharedState { bot, clock, .. } = shared;
        let runtime_has_threads = shared.runtime_has_threads();
        let (transcript, limits) = (Transcript::default(), bot.limits.clone());
        let (slowest, answers, thought) = (None, 0, Duration::ZERO);
        DialogueSession {
            session,
            transcript,
            limits,
            clock,
            runtime_has_threads,
            dribbled,
            began,
            slowest,
            answers,
            thought,
        }
    }

    fn note(&mut self, said: LineEvent) {
        self.transcript.0.push(Entry { at: self.began.elapsed(), said });
    }

    /// Sends `bytes`. Whether the bot reads them is its own affair: what counts is its answer.
    ///
    /// # Errors
    /// When the system fails.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.note(LineEvent::Sent(bytes.to_vec()));
        let deadline = Instant::now() + self.limits.hard;
        let sent = if self.dribbled {
            self.session.dribble(bytes, deadline)?
        } else {
            self.session.send(bytes, deadline)?
        };
        if sent == SendStatus::TimedOut {
            self.note(LineEvent::Note("it does not read".to_string()));
        }
        Ok(())
    }

    /// The next line, if it comes within `limit`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn read_line(&mut self, limit: Duration) -> io::Result<LineRead> {
        self.read_line_timed(limit).map(|(heard, _)| heard)
    }

    /// The same, and how long the bot took, waiting for a processor apart.
    fn read_line_timed(&mut self, limit: Duration) -> io::Result<(LineRead, Duration)> {
        let mut thinking = AnswerTimer::begin();
        let line = thinking.line_within(&mut self.session, LONGEST_LINE, limit, &mut || Ok(false));
        self.heard(line.map_err(io::Error::other)?, thinking, limit)
    }

    /// What it means that `line` came, or none within `limit`; how long the bot took.
    fn heard(&mut self, line: Line, thinking: AnswerTimer, limit: Duration) -> io::Result<(LineRead, Duration)> {
        let took = thinking.wall().saturating_sub(thinking.waited(&mut self.session).map_err(io::Error::other)?);
        let heard = match line {
            Line::Read(line) => LineRead::Line(line),
            Line::TimedOut => LineRead::TimedOut(self.session.pending()?.to_vec()),
            Line::Ended(rest) => LineRead::Ended(rest),
            Line::TooLong(start) => LineRead::TooLong(start),
        };
        match &heard {
            LineRead::Line(line) => self.note(LineEvent::Received([line.as_slice(), b"\n"].concat())),
            LineRead::TimedOut(rest) | LineRead::Ended(rest) | LineRead::TooLong(rest) if !rest.is_empty() => {
                self.note(LineEvent::Received(rest.clone()));
            }
            _ => {}
        }
        match &heard {
            LineRead::TimedOut(_) => self.note(silence(limit)),
            LineRead::Ended(_) => self.note(LineEvent::Note("its output ended".to_string())),
            _ => {}
        }
        Ok((heard, took))
    }

    /// The answer due to what was sent last, within the hard limit; how long it took is remembered as that of
    /// `place`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn answer(&mut self, place: impl Fn() -> String) -> io::Result<LineRead> {
        let (heard, took) = self.read_line_timed(self.limits.hard)?;
        self.note_time(&heard, took, place);
        Ok(heard)
    }

    /// The same for a bot that was told that its time is up: it has what its clock gives it for each move then (G3).
    ///
    /// # Errors
    /// When the system fails.
    pub fn answer_by_clock(&mut self, place: impl Fn() -> String) -> io::Result<LineRead> {
        let Some(clock) = self.clock else { return self.answer(place) };
        let (line, thinking) = self.line_by(clock).map_err(io::Error::other)?;
        let (heard, took) = self.heard(line, thinking, thinking.wall())?;
        self.note_time(&heard, took, place);
        Ok(heard)
    }

    /// The line that comes while `clock`, whose budget is used up, allows it.
    fn line_by(&mut self, clock: GameClock) -> Result<(Line, AnswerTimer), SandboxError> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let mut running = RunningClock::new(GameClock { budget: Duration::ZERO, ..clock });
        running.start_move();
        let mut thinking = AnswerTimer::begin();
        let before = self.session.usage()?.processor_time();
        let mut wait = running.first_check(cores);
        loop {
            let deadline = Instant::now() + wait;
            match thinking.line_before(&mut self.session, LONGEST_LINE, deadline, &mut || Ok(false))? {
                Line::TimedOut => {}
                line => return Ok((line, thinking)),
            }
            let used = thinking.used(&mut self.session, before)?;
            match running.check(used.cpu, used.own_wall, cores) {
                ClockStatus::Wait(longer) => wait = longer,
                ClockStatus::BudgetSpent | ClockStatus::Exhausted => return Ok((Line::TimedOut, thinking)),
            }
        }
    }

    fn note_time(&mut self, heard: &LineRead, took: Duration, place: impl Fn() -> String) {
        if !matches!(heard, LineRead::Line(_)) {
            return;
        }
        self.answers += 1;
        self.thought += took;
        if self.slowest.as_ref().is_none_or(|(_, slowest)| took > *slowest) {
            self.slowest = Some((place(), took));
        }
    }

    /// What comes within `time` though nothing is asked.
    ///
    /// # Errors
    /// When the system fails.
    pub fn read_unsolicited(&mut self, time: Duration) -> io::Result<UnsolicitedOutput> {
        let deadline = Instant::now() + time;
        let mut unasked = UnsolicitedOutput::default();
        loop {
            match self.session.line(LONGEST_LINE, deadline)? {
                Line::Read(line) => {
                    self.note(LineEvent::Received([line.as_slice(), b"\n"].concat()));
                    unasked.lines.push(line);
                }
                Line::TimedOut => unasked.unfinished = self.session.pending()?.to_vec(),
                Line::Ended(rest) => (unasked.unfinished, unasked.gone) = (rest, true),
                Line::TooLong(_) => unasked.flood = true,
            }
            let over = Instant::now() >= deadline || unasked.gone || !unasked.unfinished.is_empty();
            unasked.flood |= unasked.lines.len() > MOST_UNASKED;
            if over || unasked.flood {
                if !unasked.unfinished.is_empty() {
                    self.note(LineEvent::Received(unasked.unfinished.clone()));
                }
                return Ok(unasked);
            }
        }
    }

    /// Ends the bot's input. What it writes then can still be heard.
    pub fn close_input(&mut self) {
        self.note(LineEvent::Note("its input ended".to_string()));
        self.session.close_input();
    }

    /// Processor time in the bot's own program so far, to the kernel's tick.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn user_time(&mut self) -> io::Result<Duration> {
        self.session.usage().map(|usage| usage.cpu.user).map_err(io::Error::other)
    }

    /// Processes and threads of the bot now.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn tasks(&mut self) -> io::Result<Tasks> {
        self.session.usage().map(|usage| usage.tasks).map_err(io::Error::other)
    }
}
