//! A bot that plays a whole game in one process, spoken to in lines: its clock, faults and conduct, whatever its
//! protocol says (R6, G3, G5, G9).

use super::clock::{Next, Running};
use super::dialect::{FaultRules, Time};
use super::{Answer, Conduct, Fault, Remark, Spent};
use crate::bot::Bot;
use crate::host;
use crate::names;
use crate::sandbox::{
    Conditions, Cpu, Ended, Isolation, Line, Order, RunReport, Sandbox, SandboxError, Sent, Session,
};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Of a line, so many bytes are read; no answer is longer.
const LONGEST_LINE: usize = 4096;

/// So much garbage is read while one answer is awaited; more is a flood (G5).
const MOST_GARBAGE: usize = 1 << 20;

/// After a game nothing is waited for: the bot is ended (R7). Whether it ends by itself is a question of `check`'s.
const NO_GRACE: Duration = Duration::ZERO;

/// An answer that came faster than this was not held up by the machine, nor is its processor time worth a reading.
const INSTANT: Duration = Duration::from_millis(2);

/// What a protocol says and hears where a game has a clock.
pub trait Tongue {
    /// What asks for a move: `view` is what the bot has not been told yet; `time_is_up` when it is to be told with
    /// it that its budget is used up (G4).
    fn question(&mut self, view: &[u8], time_is_up: bool) -> Vec<u8>;

    /// What tells a bot that is thinking that its budget is used up (G4).
    fn time_is_up(&mut self) -> Vec<u8>;

    /// What a line of the bot's, without its line feed, means.
    fn hear(&mut self, line: Vec<u8>) -> Heard;
}

/// What a line means.
pub enum Heard {
    /// It ends the wait for an answer.
    Answer(Result<Vec<u8>, Fault>),
    /// It belongs to the protocol, and more is to come.
    Noted,
    /// It is ignored and counted (G5).
    Garbage,
}

/// A bot in its sandbox, between games or in one.
pub struct Conversation {
    name: String,
    rules: FaultRules,
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

impl Conversation {
    /// Opens a sandbox for `bot`, whose faults break `rules`.
    ///
    /// # Errors
    /// When no sandbox can be opened under `conditions`.
    pub fn open(bot: &Bot, rules: FaultRules, conditions: Conditions) -> Result<Conversation, SandboxError> {
        host::watch();
        let sandbox = Sandbox::open(&bot.program, &bot.limits, conditions)?;
        Ok(Conversation {
            name: bot.name.clone(),
            isolation: sandbox.isolation().clone(),
            place: Place::Ready(sandbox),
            clock: None,
            cpu_read: Duration::ZERO,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            conduct: Conduct::default(),
            stillborn: None,
            rules,
        })
    }

    /// The bot's name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How well it is shut in.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Starts the bot with `args` for a game in which it has `time`; one that is under way is ended first. If it
    /// cannot be started, it is told so when it is asked.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn start(&mut self, args: &[OsString], time: Time) -> Result<(), SandboxError> {
        self.leave(NO_GRACE)?;
        (self.conduct, self.stillborn, self.cpu_read) = (Conduct::default(), None, Duration::ZERO);
        self.conduct.isolation = Some(self.isolation.clone());
        self.clock = match time {
            Time::WholeGame(clock) => Some(Running::new(clock)),
            Time::EachAnswer { .. } => None,
        };
        let Place::Ready(sandbox) = std::mem::replace(&mut self.place, Place::Nowhere) else {
            return Err(SandboxError::Failed("a bot is under way already".to_string()));
        };
        let began = Instant::now();
        match sandbox.start(&Order::of_game(args.to_vec()))? {
            Ok(session) => self.place = Place::Playing(session),
            Err((report, sandbox)) => {
                self.place = Place::Ready(sandbox);
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => format!("{other:?}"),
                };
                self.stillborn = Some(self.answer(began, Err(Fault::CannotStart { why }), Duration::ZERO));
            }
        }
        Ok(())
    }

    /// Reads the name, which the bot gives unprompted within `limit` (R3).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn greet(&mut self, limit: Duration) -> Result<(), SandboxError> {
        let began = Instant::now();
        let Place::Playing(session) = &mut self.place else { return Ok(()) };
        match session.line(LONGEST_LINE, began + limit).map_err(SandboxError::Lost)? {
            Line::Read(name) => self.conduct.called = Some(names::tidy(String::from_utf8_lossy(&name).trim())),
            other => {
                let fault = self.fault_of(other, limit)?;
                self.stillborn = Some(self.answer(began, Err(fault), Duration::ZERO));
            }
        }
        Ok(())
    }

    /// The line that comes within `hard` of wall time after `view` was sent (R6); later than `soft` is remarked.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn within(&mut self, view: &[u8], soft: Duration, hard: Duration) -> Result<Answer, SandboxError> {
        if let Some(answer) = self.stillborn.take() {
            return Ok(answer);
        }
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
        let mut answer = self.answer(began, given, Duration::ZERO);
        if answer.given.is_ok() && answer.spent.wall > soft {
            answer.remarks.push(Remark::Slow);
        }
        Ok(answer)
    }

    /// The answer that comes while the game's clock allows it (G3), to what `tongue` says.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn by_the_clock(&mut self, view: &[u8], tongue: &mut dyn Tongue) -> Result<Answer, SandboxError> {
        if let Some(answer) = self.stillborn.take() {
            return Ok(answer);
        }
        let began = Instant::now();
        let Some(mut clock) = self.clock else { return Ok(self.absent(began)) };
        let told = clock.ask();
        let mut message = tongue.question(view, told);
        let (mut wait, mut garbage) = (clock.unwatched(self.cores), 0);
        let came = loop {
            let Place::Playing(session) = &mut self.place else { return Ok(self.absent(began)) };
            let deadline = Instant::now() + wait;
            // Whether it reads what it is told is its own affair: what counts is its answer.
            session.send(&message, deadline).map_err(SandboxError::Lost)?;
            message.clear();
            match self.next_answer(tongue, deadline, &mut garbage)? {
                Err(Line::TimedOut) => {}
                came => break came,
            }
            match clock.look(self.cpu_since_last_answer()?, began.elapsed(), self.cores) {
                Next::Wait(longer) => wait = longer,
                Next::Tell => {
                    message = tongue.time_is_up();
                    wait = Duration::ZERO;
                }
                Next::Late => break Err(Line::TimedOut),
            }
        };
        let wall = began.elapsed();
        // What is not read now is in the next reading.
        let cpu = if wall > INSTANT { self.cpu_since_last_answer()? } else { Duration::ZERO };
        self.cpu_read += cpu;
        clock.answered(cpu, wall);
        self.clock = Some(clock);
        let given = match came {
            Ok(given) => given,
            Err(line) => Err(self.fault_of(line, clock.minimum())?),
        };
        Ok(self.answer(began, given, cpu))
    }

    /// Sends what needs no answer. Whether the bot still reads is its own affair.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn tell(&mut self, words: &[u8]) -> Result<(), SandboxError> {
        if let Place::Playing(session) = &mut self.place {
            session.send(words, Instant::now()).map_err(SandboxError::Lost)?;
        }
        Ok(())
    }

    /// Ends the bot: how it behaved over the game.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.leave(NO_GRACE)?;
        Ok(self.conduct.clone())
    }

    /// The next answer, or the line that came instead; `garbage` counts the bytes that were ignored (G5).
    fn next_answer(
        &mut self,
        tongue: &mut dyn Tongue,
        deadline: Instant,
        garbage: &mut usize,
    ) -> Result<Result<Result<Vec<u8>, Fault>, Line>, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(Err(Line::Ended(Vec::new()))) };
        loop {
            let (bytes, heard) = match session.line(LONGEST_LINE, deadline).map_err(SandboxError::Lost)? {
                Line::Read(line) => (line.len() + 1, tongue.hear(line)),
                Line::TooLong(line) => (line.len(), Heard::Garbage),
                other => return Ok(Err(other)),
            };
            match heard {
                Heard::Answer(given) => return Ok(Ok(given)),
                Heard::Noted => {}
                Heard::Garbage => self.conduct.garbage += 1,
            }
            // Even what the protocol allows ends some time.
            *garbage += bytes;
            if *garbage > MOST_GARBAGE {
                return Ok(Err(Line::TooLong(vec![0; *garbage])));
            }
        }
    }

    /// User processor time that was in no reading yet.
    fn cpu_since_last_answer(&mut self) -> Result<Duration, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(Duration::ZERO) };
        Ok(session.usage()?.cpu.user.saturating_sub(self.cpu_read))
    }

    /// What it means that this came instead of an answer. A bot that has gone is waited for.
    fn fault_of(&mut self, line: Line, limit: Duration) -> Result<Fault, SandboxError> {
        let rules = self.rules;
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

    /// A bot that is asked although it is gone.
    fn absent(&mut self, began: Instant) -> Answer {
        let fault = Fault::Left { status: None, unfinished: Vec::new(), rule: self.rules.left };
        self.answer(began, Err(fault), Duration::ZERO)
    }

    fn answer(&mut self, began: Instant, given: Result<Vec<u8>, Fault>, cpu: Duration) -> Answer {
        let wall = began.elapsed();
        self.conduct.moves += 1;
        self.conduct.slowest = self.conduct.slowest.max(wall);
        let host_lag = if wall > INSTANT { host::lag_since(began) } else { host::HostLag::default() };
        let cpu = Cpu { user: cpu, system: Duration::ZERO, lower_bound: true };
        let spent = Spent { wall, cpu, peak_memory: 0, host_lag };
        let errors = if given.is_err() { self.conduct.errors_tail.clone().into_bytes() } else { Vec::new() };
        Answer { given, spent, remarks: Vec::new(), errors }
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
        let tasks = session.usage()?.tasks;
        self.conduct.tasks = tasks.threads + tasks.had_children;
        let (report, sandbox) = session.finish(grace)?;
        self.place = Place::Ready(sandbox);
        self.conduct.cpu = report.cpu;
        self.conduct.peak_memory = report.peak_memory;
        self.conduct.leftovers = report.leftovers;
        self.conduct.network = report.network;
        self.conduct.errors_tail = report.errors_tail(20);
        Ok(Some(report))
    }
}
