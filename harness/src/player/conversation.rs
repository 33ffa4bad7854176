//! A bot that plays a whole game in one process, spoken to in lines: its clock, faults and conduct, whatever its
//! protocol says (R6, G3, G5, G9).

use super::clock::{ClockStatus, GameClock, RunningClock};
use super::codec::{LineCodec, LineStatus};
use super::protocol::FaultRules;
use super::{Answer, Conduct, Fault, IdleCallback, Remark, Spent};
use crate::bot::Bot;
use crate::names;
use crate::sandbox::{
    AnswerCost, AnswerTimer, Conditions, Cpu, Ended, Isolation, Line, RunReport, RunRequest, Sandbox,
    SandboxError, Session, StartOutcome,
};
use cornerman::game::Reply;
use std::borrow::Cow;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Of a line, so many bytes are read; no answer is longer.
const LONGEST_LINE: usize = 4096;

/// So much garbage is read while one answer is awaited; more is a flood (G5).
const MOST_GARBAGE: usize = 1 << 20;

/// After a game nothing is waited for: the bot is ended (R7). Whether it ends by itself is a question of `check`'s.
const NO_GRACE: Duration = Duration::ZERO;

/// Of processor time, what a bot may seem to have used while it was stopped: the accounts of single processes are kept
/// by ticks.
const TICKS: Duration = Duration::from_millis(50);

/// A bot in its sandbox, between games or in one.
pub struct Conversation {
    name: String,
    rules: FaultRules,
    isolation: Isolation,
    place: Place,
    clock: Option<RunningClock>,
    /// The bot's processor time when it was last read.
    cpu_read: Duration,
    /// Since when it thinks about what it was told ahead of being asked.
    thinking: Option<AnswerTimer>,
    /// Whether it may think while it is not its turn.
    ponders: bool,
    /// On how many processors it may run at a time.
    cores: u32,
    conduct: Conduct,
    /// A failure before the first answer was asked for: it is given instead of that.
    early_answer: Option<Answer>,
}

/// How long an answer is waited for.
#[derive(Clone, Copy)]
enum Until {
    /// Until this moment.
    At(Instant),
    /// For this long from the question, and what the bot waits for a processor (R6).
    Within(Duration),
}

/// What ended a wait for an answer.
enum LineEnd {
    /// An answer, or the fault that the protocol reads in it.
    Answer(Result<Vec<u8>, Fault>),
    /// Something else: time, too long a line, the end of the output.
    None(Line),
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
    /// Opens a sandbox for `bot`, whose faults break `rules`. `ponders`: it may think while it is not its turn.
    ///
    /// # Errors
    /// When no sandbox can be opened under `conditions`.
    pub fn open(
        bot: &Bot,
        rules: FaultRules,
        ponders: bool,
        conditions: Conditions,
    ) -> Result<Conversation, SandboxError> {
        let sandbox = Sandbox::open(&bot.program, &bot.limits, conditions)?;
        Ok(Conversation {
            name: bot.name.clone(),
            isolation: sandbox.isolation().clone(),
            place: Place::Ready(sandbox),
            clock: None,
            cpu_read: Duration::ZERO,
            thinking: None,
            ponders,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            conduct: Conduct::default(),
            early_answer: None,
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

    /// Starts the bot with `args` for a game with this `clock`, if it has one; a game under way is ended first. If the
    /// bot cannot be started, that is its first answer.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn start(&mut self, args: &[OsString], clock: Option<GameClock>) -> Result<(), SandboxError> {
        self.stop(NO_GRACE)?;
        (self.early_answer, self.thinking, self.cpu_read) = (None, None, Duration::ZERO);
        self.conduct = Conduct { isolation: Some(self.isolation.clone()), ..Conduct::default() };
        self.clock = clock.map(RunningClock::new);
        let Place::Ready(sandbox) = std::mem::replace(&mut self.place, Place::Nowhere) else {
            return Err(SandboxError::Failed("a bot is under way already".to_string()));
        };
        let thinking = AnswerTimer::begin();
        match sandbox.start(&RunRequest::of_game(args.to_vec()))? {
            StartOutcome::Running(session) => self.place = Place::Playing(session),
            StartOutcome::CannotStart(report, sandbox) => {
                self.place = Place::Ready(sandbox);
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => format!("{other:?}"),
                };
                self.early_answer =
                    Some(self.answer(thinking, Err(Fault::CannotStart { why }), Duration::ZERO)?);
            }
        }
        Ok(())
    }

    /// Reads the name, which the bot gives unprompted within `limit` (R3).
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn greet(&mut self, limit: Duration) -> Result<(), SandboxError> {
        let mut thinking = AnswerTimer::begin();
        let Place::Playing(session) = &mut self.place else { return Ok(()) };
        match thinking.line_within(session, LONGEST_LINE, limit, &mut || Ok(false))? {
            Line::Read(name) => {
                self.conduct.called = Some(names::sanitized(String::from_utf8_lossy(&name).trim()))
            }
            other => {
                let fault = self.fault_of(other, limit)?;
                self.early_answer = Some(self.answer(thinking, Err(fault), Duration::ZERO)?);
            }
        }
        Ok(())
    }

    /// Tells the bot `view` ahead of [`Conversation::within`], where others are asked at the same time.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask_ahead(
        &mut self,
        view: &[u8],
        codec: &mut dyn LineCodec,
        hard: Duration,
    ) -> Result<(), SandboxError> {
        if self.early_answer.is_some() || self.thinking.is_some() {
            return Ok(());
        }
        self.wake()?;
        if let Place::Playing(session) = &mut self.place {
            // Whether it reads what it is told is its own affair: what counts is its answer.
            session.send(&codec.request_move(view, false), Instant::now() + hard).map_err(SandboxError::Lost)?;
            self.thinking = Some(AnswerTimer::begin());
        }
        Ok(())
    }

    /// The answer that comes within `hard` after `view` was sent (R6); later than `soft` is remarked. The time that the
    /// bot waited for a processor does not count. When it thinks for some milliseconds, `idle` is called.
    ///
    /// # Errors
    /// When the sandbox failed, or the machine is too busy.
    pub fn answer_within(
        &mut self,
        view: &[u8],
        codec: &mut dyn LineCodec,
        soft: Duration,
        hard: Duration,
        idle: IdleCallback,
    ) -> Result<Answer, SandboxError> {
        self.ask_ahead(view, codec, hard)?;
        if let Some(answer) = self.early_answer.take() {
            return Ok(answer);
        }
        let Some(mut thinking) = self.thinking.take() else { return self.answer_if_gone() };
        let given = match self.next_answer(codec, &mut thinking, Until::Within(hard), &mut 0, idle)? {
            LineEnd::Answer(given) => given,
            LineEnd::None(line) => Err(self.fault_of(line, hard)?),
        };
        let mut answer = self.answer(thinking, given, Duration::ZERO)?;
        if answer.reply.is_ok() && answer.spent.own_wall() > soft {
            answer.remarks.push(Remark::Slow(self.rules.slow));
        }
        Ok(answer)
    }

    /// The answer that comes while the game's clock allows it (G3), to what `codec` asks. When the bot thinks for some
    /// milliseconds, `idle` is called.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn answer_by_clock(
        &mut self,
        view: &[u8],
        codec: &mut dyn LineCodec,
        idle: IdleCallback,
    ) -> Result<Answer, SandboxError> {
        self.wake()?;
        if let Some(answer) = self.early_answer.take() {
            return Ok(answer);
        }
        let mut thinking = AnswerTimer::begin();
        let Some(mut clock) = self.clock else { return self.answer_if_gone() };
        let told = clock.ask();
        let mut message = codec.request_move(view, told);
        let (mut wait, mut garbage) = (clock.unwatched(self.cores), 0);
        let came = loop {
            let Place::Playing(session) = &mut self.place else { return self.answer_if_gone() };
            let deadline = Instant::now() + wait;
            // Whether it reads what it is told is its own affair: what counts is its answer.
            session.send(&message, deadline).map_err(SandboxError::Lost)?;
            message = Cow::Borrowed(&[]);
            match self.next_answer(codec, &mut thinking, Until::At(deadline), &mut garbage, idle)? {
                LineEnd::None(Line::TimedOut) => {}
                came => break came,
            }
            let used = self.used(&thinking)?;
            match clock.look(used.cpu, used.own_wall, self.cores) {
                ClockStatus::Wait(longer) => wait = longer,
                ClockStatus::BudgetSpent => {
                    message = codec.announce_time_up().into();
                    wait = Duration::ZERO;
                }
                ClockStatus::Exhausted => break LineEnd::None(Line::TimedOut),
            }
        };
        // What is not read now is in the next reading.
        let used = match thinking.was_brief() {
            true => AnswerCost { own_wall: thinking.wall(), ..AnswerCost::default() },
            false => self.used(&thinking)?,
        };
        self.cpu_read += used.cpu;
        clock.answered(used.cpu, used.own_wall);
        self.clock = Some(clock);
        let given = match came {
            LineEnd::Answer(given) => given,
            LineEnd::None(line) => Err(self.fault_of(line, clock.minimum())?),
        };
        let mut answer = self.answer(thinking, given, used.cpu)?;
        if used.is_estimated {
            answer.remarks.push(Remark::Estimated(self.rules.late));
        }
        Ok(answer)
    }

    /// It is not this bot's turn, and another one thinks: unless it may do so as well, it is stopped. One that was told
    /// something already goes on until its answer is there. Whether it is to be looked at again.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn pause(&mut self) -> Result<bool, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(false) };
        if let Some(thinking) = &mut self.thinking
            && !thinking.has_arrived(session)?
        {
            return Ok(true);
        }
        if !self.ponders {
            session.freeze()?;
        }
        Ok(false)
    }

    /// Lets a bot that was stopped go on. One that ran all the same forfeits.
    fn wake(&mut self) -> Result<(), SandboxError> {
        if let Place::Playing(session) = &mut self.place {
            let used = session.thaw()?;
            if used > TICKS && self.early_answer.is_none() {
                let fault = Fault::Pondered { used };
                self.early_answer = Some(self.answer(AnswerTimer::begin(), Err(fault), used)?);
            }
        }
        Ok(())
    }

    /// Sends what needs no answer. Whether the bot still reads is its own affair.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn send(&mut self, words: &[u8]) -> Result<(), SandboxError> {
        self.wake()?;
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
        self.stop(NO_GRACE)?;
        Ok(self.conduct.clone())
    }

    /// The next answer, or what came instead; `garbage` counts the bytes that were ignored (G5).
    fn next_answer(
        &mut self,
        codec: &mut dyn LineCodec,
        thinking: &mut AnswerTimer,
        until: Until,
        garbage: &mut usize,
        idle: IdleCallback,
    ) -> Result<LineEnd, SandboxError> {
        let Place::Playing(session) = &mut self.place else { return Ok(LineEnd::None(Line::Ended(Vec::new()))) };
        loop {
            let line = match until {
                Until::At(deadline) => thinking.line_before(session, LONGEST_LINE, deadline, idle)?,
                Until::Within(hard) => thinking.line_within(session, LONGEST_LINE, hard, idle)?,
            };
            let (bytes, status) = match (line, until) {
                (Line::Read(line), _) => (line.len() + 1, codec.receive(line)),
                (Line::TooLong(line), Until::At(_)) => (line.len(), LineStatus::Garbage),
                (other, _) => return Ok(LineEnd::None(other)),
            };
            match status {
                LineStatus::Answer(given) => return Ok(LineEnd::Answer(given)),
                LineStatus::Continue => {}
                LineStatus::Garbage => self.conduct.garbage += 1,
            }
            // Even what the protocol allows ends some time.
            *garbage += bytes;
            if *garbage > MOST_GARBAGE {
                return Ok(LineEnd::None(Line::TooLong(vec![0; *garbage])));
            }
        }
    }

    /// What an answer has cost since processor time was last read (G3).
    fn used(&mut self, thinking: &AnswerTimer) -> Result<AnswerCost, SandboxError> {
        match &mut self.place {
            Place::Playing(session) => thinking.used(session, self.cpu_read),
            _ => Ok(AnswerCost { own_wall: thinking.wall(), ..AnswerCost::default() }),
        }
    }

    /// What it means that this came instead of an answer. A bot that has gone is waited for.
    fn fault_of(&mut self, line: Line, limit: Duration) -> Result<Fault, SandboxError> {
        let rules = self.rules;
        Ok(match line {
            Line::Read(_) => unreachable!("a line is an answer"),
            Line::TimedOut => Fault::TimedOut { limit, rule: rules.late },
            Line::TooLong(read) => Fault::TooMuchOutput { read: read.len(), rule: rules.flood },
            Line::Ended(unfinished) => match self.stop(Duration::from_secs(1))?.map(|report| report.ended) {
                Some(Ended::Signalled(signal)) => Fault::Died { signal, rule: rules.died },
                Some(Ended::OutOfMemory) => Fault::OutOfMemory,
                Some(Ended::Exited(status)) => Fault::Quit { status: Some(status), unfinished, rule: rules.left },
                _ => Fault::Quit { status: None, unfinished, rule: rules.left },
            },
        })
    }

    /// A bot that is asked although it is gone.
    fn answer_if_gone(&mut self) -> Result<Answer, SandboxError> {
        let fault = Fault::Quit { status: None, unfinished: Vec::new(), rule: self.rules.left };
        self.answer(AnswerTimer::begin(), Err(fault), Duration::ZERO)
    }

    fn answer(
        &mut self,
        thinking: AnswerTimer,
        given: Result<Vec<u8>, Fault>,
        cpu: Duration,
    ) -> Result<Answer, SandboxError> {
        let wall = thinking.wall();
        let waited = match &mut self.place {
            Place::Playing(session) => thinking.waited(session)?,
            _ => Duration::ZERO,
        };
        self.conduct.moves += 1;
        self.conduct.slowest = self.conduct.slowest.max(wall);
        self.conduct.waited += waited;
        let cpu = Cpu { user: cpu, system: Duration::ZERO, lower_bound: true };
        let spent = Spent { wall, waited, cpu, peak_memory: 0 };
        let errors = if given.is_err() { self.conduct.errors_tail.clone().into_bytes() } else { Vec::new() };
        Ok(Answer { reply: given.map(Reply::Answer), spent, remarks: Vec::new(), errors })
    }

    /// Ends the bot, if it runs, and notes how it behaved.
    fn stop(&mut self, grace: Duration) -> Result<Option<RunReport>, SandboxError> {
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
