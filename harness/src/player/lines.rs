//! A bot that plays a whole game in one process and speaks in lines (R3–R7, G3–G5).

use super::clock::{Next, Running};
use super::dialect::{Dialect, Time};
use super::{Answer, Conduct, Fault, Player, Remark, Spent};
use crate::bot::Bot;
use crate::host;
use crate::sandbox::{
    Conditions, Cpu, Ended, Isolation, Line, Order, RunReport, Sandbox, SandboxError, Sent, Session,
};
use cornerman::game::{Seat, Setup};
use std::time::{Duration, Instant};

/// Of a line, so many bytes are read; no answer is longer.
const LONGEST_LINE: usize = 4096;

/// So much garbage is read while one answer is awaited; more is a flood (G5).
const MOST_GARBAGE: usize = 1 << 20;

/// After a game a bot has so long to end by itself (R7).
const GRACE: Duration = Duration::from_millis(100);

/// An answer that came faster than this was not held up by the machine, nor is its processor time worth a reading.
const INSTANT: Duration = Duration::from_millis(2);

/// A bot of a line protocol in its seat.
pub struct Lines {
    name: String,
    dialect: Dialect,
    isolation: Isolation,
    place: Place,
    clock: Option<Running>,
    /// The bot's user processor time when it was last read.
    cpu_read: Duration,
    /// On how many processors it may run at a time.
    cores: u32,
    conduct: Conduct,
    /// A failure before the first answer was asked for: it is given instead of that.
    stillborn: Option<Answer>,
}

/// Where the bot is.
enum Place {
    /// Not started.
    Ready(Sandbox),
    /// Playing.
    Playing(Session),
    /// For the moment of a change only.
    Nowhere,
}

impl Lines {
    /// Seats `bot` in a sandbox of its own.
    ///
    /// # Errors
    /// When no sandbox can be opened under `conditions`.
    pub fn open(bot: &Bot, dialect: Dialect, conditions: Conditions) -> Result<Lines, SandboxError> {
        host::watch();
        let sandbox = Sandbox::open(&bot.program, &bot.limits, conditions)?;
        Ok(Lines {
            name: bot.name.clone(),
            isolation: sandbox.isolation().clone(),
            place: Place::Ready(sandbox),
            clock: None,
            cpu_read: Duration::ZERO,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            conduct: Conduct::default(),
            stillborn: None,
            dialect,
        })
    }

    /// Reads the name, which the bot gives unprompted (R3).
    fn greet(&mut self, limit: Duration) -> Result<(), SandboxError> {
        let began = Instant::now();
        let Place::Playing(session) = &mut self.place else { return Ok(()) };
        match session.line(LONGEST_LINE, began + limit).map_err(SandboxError::Lost)? {
            Line::Read(name) => self.conduct.called = Some(String::from_utf8_lossy(&name).trim().to_string()),
            other => {
                let fault = self.fault_of(other, limit)?;
                self.stillborn = Some(self.answer(began, Err(fault), Duration::ZERO));
            }
        }
        Ok(())
    }

    /// What it means that this came instead of an answer. A bot that has gone is waited for.
    fn fault_of(&mut self, line: Line, limit: Duration) -> Result<Fault, SandboxError> {
        let rules = self.dialect.rules;
        Ok(match line {
            Line::Read(_) => unreachable!("a line is an answer"),
            Line::TimedOut => Fault::TimedOut { limit, rule: rules.late },
            Line::TooLong(read) => Fault::TooMuch { read: read.len(), rule: rules.flood },
            Line::Ended(unfinished) => match self.leave(Duration::from_secs(1))?.map(|report| report.ended) {
                Some(Ended::Signalled(signal)) => Fault::Died { signal, rule: rules.left },
                Some(Ended::OutOfMemory) => Fault::OutOfMemory,
                Some(Ended::Exited(status)) => Fault::Left { status: Some(status), unfinished, rule: rules.left },
                _ => Fault::Left { status: None, unfinished, rule: rules.left },
            },
        })
    }

    /// Ends the bot, if it runs, and notes how it behaved.
    fn leave(&mut self, grace: Duration) -> Result<Option<RunReport>, SandboxError> {
        let mut session = match std::mem::replace(&mut self.place, Place::Nowhere) {
            Place::Playing(session) => session,
            other => {
                self.place = other;
                return Ok(None);
            }
        };
        self.conduct.tasks = session.usage()?.tasks;
        let (report, sandbox) = session.finish(grace)?;
        self.place = Place::Ready(sandbox);
        self.conduct.cpu = report.cpu;
        self.conduct.peak_memory = report.peak_memory;
        self.conduct.leftovers = report.leftovers;
        self.conduct.network = report.network;
        self.conduct.errors_tail = report.errors_tail(20);
        Ok(Some(report))
    }

    fn answer(&mut self, began: Instant, given: Result<Vec<u8>, Fault>, cpu: Duration) -> Answer {
        let wall = began.elapsed();
        self.conduct.moves += 1;
        self.conduct.slowest = self.conduct.slowest.max(wall);
        let host_lag = if wall > INSTANT { host::lag_since(began) } else { host::HostLag::default() };
        let soft = if let Time::EachAnswer { soft, .. } = self.dialect.time { soft } else { Duration::MAX };
        let slow = given.is_ok() && wall > soft;
        let cpu = Cpu { user: cpu, system: Duration::ZERO, lower_bound: true };
        let spent = Spent { wall, cpu, peak_memory: 0, host_lag };
        let remarks = if slow { vec![Remark::Slow] } else { Vec::new() };
        let errors = if given.is_err() { self.conduct.errors_tail.clone().into_bytes() } else { Vec::new() };
        Answer { given, spent, remarks, errors }
    }

    /// The answer that comes within `hard` of wall time.
    fn within(&mut self, view: &[u8], hard: Duration) -> Result<Answer, SandboxError> {
        let began = Instant::now();
        let deadline = began + hard;
        let Place::Playing(session) = &mut self.place else { return Ok(self.absent(began)) };
        let line = match session.send(view, deadline).map_err(SandboxError::Lost)? {
            Sent::TimedOut => Line::TimedOut,
            // It may have answered all the same.
            Sent::Whole | Sent::Gone => session.line(LONGEST_LINE, deadline).map_err(SandboxError::Lost)?,
        };
        let given = match line {
            Line::Read(answer) => Ok(answer),
            other => Err(self.fault_of(other, hard)?),
        };
        Ok(self.answer(began, given, Duration::ZERO))
    }

    /// A bot that is asked although it is gone.
    fn absent(&mut self, began: Instant) -> Answer {
        let fault = Fault::Left { status: None, unfinished: Vec::new(), rule: self.dialect.rules.left };
        self.answer(began, Err(fault), Duration::ZERO)
    }

    /// The answer that comes while the game's clock allows it (G3).
    fn by_the_clock(&mut self, view: &[u8], mut clock: Running) -> Result<Answer, SandboxError> {
        let began = Instant::now();
        let mut message: Vec<u8> = if clock.ask() { TIME.to_vec() } else { Vec::new() };
        message.extend_from_slice(view);
        let (mut wait, mut garbage) = (clock.unwatched(self.cores), 0);
        let line = loop {
            let Place::Playing(session) = &mut self.place else { return Ok(self.absent(began)) };
            let deadline = Instant::now() + wait;
            // Whether it reads what it is told is its own affair: what counts is its answer.
            session.send(&message, deadline).map_err(SandboxError::Lost)?;
            message.clear();
            let line = self.next_answer(deadline, &mut garbage)?;
            if line != Line::TimedOut {
                break line;
            }
            match clock.look(self.cpu_since_last_answer()?, began.elapsed(), self.cores) {
                Next::Wait(longer) => wait = longer,
                Next::Tell => {
                    message.extend_from_slice(TIME);
                    wait = Duration::ZERO;
                }
                Next::Late => break line,
            }
        };
        let wall = began.elapsed();
        // What is not read now is in the next reading.
        let cpu = if wall > INSTANT { self.cpu_since_last_answer()? } else { Duration::ZERO };
        self.cpu_read += cpu;
        clock.answered(cpu, wall);
        self.clock = Some(clock);
        let given = match line {
            Line::Read(answer) => Ok(answer),
            other => Err(self.fault_of(other, clock.minimum())?),
        };
        Ok(self.answer(began, given, cpu))
    }

    /// The next line that is an answer, or what came instead; `garbage` counts the bytes that were ignored (G5).
    fn next_answer(&mut self, deadline: Instant, garbage: &mut usize) -> Result<Line, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(Line::Ended(Vec::new())) };
        loop {
            let line = session.line(LONGEST_LINE, deadline).map_err(SandboxError::Lost)?;
            match &line {
                Line::Read(read) if self.dialect.is_answer.as_ref().is_none_or(|is| is(read)) => return Ok(line),
                Line::Read(ignored) | Line::TooLong(ignored) => {
                    *garbage += ignored.len() + 1;
                    self.conduct.garbage += 1;
                    if *garbage > MOST_GARBAGE {
                        return Ok(Line::TooLong(vec![0; *garbage]));
                    }
                }
                Line::TimedOut | Line::Ended(_) => return Ok(line),
            }
        }
    }

    /// User processor time that was in no reading yet.
    fn cpu_since_last_answer(&mut self) -> Result<Duration, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(Duration::ZERO) };
        Ok(session.usage()?.cpu.user.saturating_sub(self.cpu_read))
    }
}

/// What a bot is told when its budget is used up (G4).
const TIME: &[u8] = b"time\n";

impl Player for Lines {
    fn name(&self) -> &str {
        &self.name
    }

    fn isolation(&self) -> Option<&Isolation> {
        Some(&self.isolation)
    }

    fn start(&mut self, _setup: &Setup, _seat: Seat) -> Result<(), SandboxError> {
        self.leave(GRACE)?;
        (self.conduct, self.stillborn, self.cpu_read) = (Conduct::default(), None, Duration::ZERO);
        self.conduct.isolation = Some(self.isolation.clone());
        self.clock = match self.dialect.time {
            Time::WholeGame(clock) => Some(Running::new(clock)),
            Time::EachAnswer { .. } => None,
        };
        let Place::Ready(sandbox) = std::mem::replace(&mut self.place, Place::Nowhere) else {
            return Err(SandboxError::Failed("a bot is under way already".to_string()));
        };
        let began = Instant::now();
        match sandbox.start(&Order::of_game(self.dialect.args.clone()))? {
            Ok(session) => {
                self.place = Place::Playing(session);
                self.dialect.greeting.map_or(Ok(()), |limit| self.greet(limit))
            }
            Err((report, sandbox)) => {
                self.place = Place::Ready(sandbox);
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => format!("{other:?}"),
                };
                self.stillborn = Some(self.answer(began, Err(Fault::CannotStart { why }), Duration::ZERO));
                Ok(())
            }
        }
    }

    fn ask(&mut self, view: &[u8]) -> Result<Answer, SandboxError> {
        if let Some(answer) = self.stillborn.take() {
            return Ok(answer);
        }
        match (self.dialect.time, self.clock) {
            (Time::EachAnswer { hard, .. }, _) => self.within(view, hard),
            (Time::WholeGame(clock), running) => self.by_the_clock(view, running.unwrap_or(Running::new(clock))),
        }
    }

    fn tell(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        if let Place::Playing(session) = &mut self.place {
            // Whether it still reads is its own affair.
            session.send(view, Instant::now()).map_err(SandboxError::Lost)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.leave(GRACE)?;
        Ok(self.conduct.clone())
    }
}
