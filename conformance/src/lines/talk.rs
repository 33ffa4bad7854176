//! A bot in dialogue: what a script can say to it and hear of it.

use super::transcript::{Entry, Said, Transcript, silence};
use crate::fault::Fault;
use crate::shared::Shared;
use cornerman_harness::player::clock::{GameClock, Next, Running};
use cornerman_harness::sandbox::{Limits, Line, SandboxError, Sent, Session, Tasks, Thinking};
use std::io;
use std::time::{Duration, Instant};

/// Of a line, so many bytes are read; no answer is longer.
const LONGEST_LINE: usize = 4096;

/// More lines than this that nobody asked for are a flood.
const MOST_UNASKED: usize = 1000;

/// How a line came, or did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// None in time; these bytes came without a line feed.
    Late(Vec<u8>),
    /// The bot closed its output or is gone; these bytes came without a line feed.
    Gone(Vec<u8>),
    /// A line without end: its beginning.
    TooLong(Vec<u8>),
}

/// What came though nothing was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unasked {
    /// Lines without their line feeds.
    pub lines: Vec<Vec<u8>>,
    /// Bytes after them.
    pub unfinished: Vec<u8>,
    /// It went on and on.
    pub flood: bool,
    /// The bot closed its output or is gone.
    pub gone: bool,
}

impl Unasked {
    /// Whether it is nothing at all.
    pub fn is_nothing(&self) -> bool {
        self.lines.is_empty() && self.unfinished.is_empty() && !self.flood
    }
}

/// Talks to a bot and returns the first fault, if there is one. It may be called again, and must not remember.
pub type Script = Box<dyn Fn(&mut Talk) -> io::Result<Option<Fault>> + Send + Sync>;

/// A bot in dialogue.
pub struct Talk {
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

impl Talk {
    pub(super) fn new(session: Session, shared: &Shared, dribbled: bool, began: Instant) -> Talk {
        let &Shared { bot, clock, .. } = shared;
        let runtime_has_threads = shared.runtime_has_threads();
        let (transcript, limits) = (Transcript::default(), bot.limits.clone());
        let (slowest, answers, thought) = (None, 0, Duration::ZERO);
        Talk {
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

    fn note(&mut self, said: Said) {
        self.transcript.0.push(Entry { at: self.began.elapsed(), said });
    }

    /// Sends `bytes`. Whether the bot reads them is its own affair: what counts is its answer.
    ///
    /// # Errors
    /// When the system fails.
    pub fn tell(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.note(Said::Sent(bytes.to_vec()));
        let deadline = Instant::now() + self.limits.hard;
        let sent = if self.dribbled {
            self.session.dribble(bytes, deadline)?
        } else {
            self.session.send(bytes, deadline)?
        };
        if sent == Sent::TimedOut {
            self.note(Said::Event("it does not read".to_string()));
        }
        Ok(())
    }

    /// The next line, if it comes within `limit`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn hear(&mut self, limit: Duration) -> io::Result<Heard> {
        self.hear_timed(limit).map(|(heard, _)| heard)
    }

    /// The same, and how long the bot took, waiting for a processor apart.
    fn hear_timed(&mut self, limit: Duration) -> io::Result<(Heard, Duration)> {
        let mut thinking = Thinking::begin();
        let line = thinking.line_within(&mut self.session, LONGEST_LINE, limit, &mut || Ok(false));
        self.heard(line.map_err(io::Error::other)?, thinking, limit)
    }

    /// What it means that `line` came, or none within `limit`; how long the bot took.
    fn heard(&mut self, line: Line, thinking: Thinking, limit: Duration) -> io::Result<(Heard, Duration)> {
        let took = thinking.wall().saturating_sub(thinking.waited(&mut self.session).map_err(io::Error::other)?);
        let heard = match line {
            Line::Read(line) => Heard::Line(line),
            Line::TimedOut => Heard::Late(self.session.pending()?.to_vec()),
            Line::Ended(rest) => Heard::Gone(rest),
            Line::TooLong(start) => Heard::TooLong(start),
        };
        match &heard {
            Heard::Line(line) => self.note(Said::Heard([line.as_slice(), b"\n"].concat())),
            Heard::Late(rest) | Heard::Gone(rest) | Heard::TooLong(rest) if !rest.is_empty() => {
                self.note(Said::Heard(rest.clone()));
            }
            _ => {}
        }
        match &heard {
            Heard::Late(_) => self.note(silence(limit)),
            Heard::Gone(_) => self.note(Said::Event("its output ended".to_string())),
            _ => {}
        }
        Ok((heard, took))
    }

    /// The answer due to what was sent last, within the hard limit; how long it took is remembered as that of
    /// `place`.
    ///
    /// # Errors
    /// When the system fails.
    pub fn answer(&mut self, place: impl Fn() -> String) -> io::Result<Heard> {
        let (heard, took) = self.hear_timed(self.limits.hard)?;
        self.note_time(&heard, took, place);
        Ok(heard)
    }

    /// The same for a bot that was told that its time is up: it has what its clock gives it for each move then (G3).
    ///
    /// # Errors
    /// When the system fails.
    pub fn answer_by_clock(&mut self, place: impl Fn() -> String) -> io::Result<Heard> {
        let Some(clock) = self.clock else { return self.answer(place) };
        let (line, thinking) = self.line_by(clock).map_err(io::Error::other)?;
        let (heard, took) = self.heard(line, thinking, thinking.wall())?;
        self.note_time(&heard, took, place);
        Ok(heard)
    }

    /// The line that comes while `clock`, whose budget is used up, allows it.
    fn line_by(&mut self, clock: GameClock) -> Result<(Line, Thinking), SandboxError> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let mut running = Running::new(GameClock { budget: Duration::ZERO, ..clock });
        running.ask();
        let mut thinking = Thinking::begin();
        let before = self.session.usage()?.processor_time();
        let mut wait = running.unwatched(cores);
        loop {
            let deadline = Instant::now() + wait;
            match thinking.line_before(&mut self.session, LONGEST_LINE, deadline, &mut || Ok(false))? {
                Line::TimedOut => {}
                line => return Ok((line, thinking)),
            }
            let used = thinking.used(&mut self.session, before)?;
            match running.look(used.cpu, used.own_wall, cores) {
                Next::Wait(longer) => wait = longer,
                Next::Tell | Next::Late => return Ok((Line::TimedOut, thinking)),
            }
        }
    }

    fn note_time(&mut self, heard: &Heard, took: Duration, place: impl Fn() -> String) {
        if !matches!(heard, Heard::Line(_)) {
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
    pub fn listen(&mut self, time: Duration) -> io::Result<Unasked> {
        let deadline = Instant::now() + time;
        let mut unasked = Unasked::default();
        loop {
            match self.session.line(LONGEST_LINE, deadline)? {
                Line::Read(line) => {
                    self.note(Said::Heard([line.as_slice(), b"\n"].concat()));
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
                    self.note(Said::Heard(unasked.unfinished.clone()));
                }
                return Ok(unasked);
            }
        }
    }

    /// Ends the bot's input. What it writes then can still be heard.
    pub fn close_input(&mut self) {
        self.note(Said::Event("its input ended".to_string()));
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
