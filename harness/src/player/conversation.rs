//! The conversation with a bot that plays a whole game in one process and speaks in lines: its clock, faults and
//! conduct. The lines themselves are for a [`LineCodec`] (R6, G3, G5, G9).

use super::clock::{ClockStatus, GameClock, RunningClock};
use super::codec::{LineCodec, LineStatus};
use super::pipe::is_of_a_runtime;
use super::protocol::FaultRules;
use super::{Answer, Conduct, Fault, IdleCallback, Remark, Said, Spent};
use crate::bot::Bot;
use crate::machine;
use crate::names;
use crate::sandbox::{
    AnswerCost, AnswerTimer, Cpu, Ended, FileViolation, FileViolationKind, Isolation, Moment, ReadLine, RunReport,
    RunRequest, Sandbox, SandboxError, Session, StartOutcome,
};
use cornerman::game::Reply;
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The most bytes of garbage that are read while waiting for one answer; more is a fault (G5).
const MAX_GARBAGE: usize = 1 << 20;

/// How long a bot whose answer is due must be seen to wait for its input before the answer is given up. Half of its
/// time is enough if that is less.
const STILL: Duration = Duration::from_secs(1);

/// After a game the bot is killed at once (R7). Whether it would exit by itself is a question for `check`.
const NO_GRACE: Duration = Duration::ZERO;

/// The number of processors that bots may use at the same time. Finding it out reads several files.
static PROCESSORS: LazyLock<u32> = LazyLock::new(|| machine::cores() as u32);

/// The processor time that a bot may seem to have used while it was stopped, as the kernel counts the time of single
/// processes in ticks.
const TICKS: Duration = Duration::from_millis(50);

/// A bot in its sandbox, before, during or between games.
pub(super) struct Conversation {
    name: String,
    rules: FaultRules,
    isolation: Isolation,
    state: BotState,
    clock: Option<RunningClock>,
    /// The bot's processor time when it was last read.
    cpu_read: Duration,
    /// The moments at which it was asked for its moves.
    asked: Vec<Moment>,
    /// Runs from when the bot was asked ahead until its answer is collected.
    timer: Option<AnswerTimer>,
    /// Whether it may think while it is not its turn.
    ponders: bool,
    /// The number of processors that it may use at the same time.
    cores: u32,
    /// The most bytes that are read of a line.
    longest_line: usize,
    conduct: Conduct,
    /// The answer to the next request that is known before asking, because the bot has already failed.
    early_answer: Option<Answer>,
}

/// How long to wait for an answer.
#[derive(Clone, Copy)]
enum WaitUntil {
    /// Until this moment.
    At(Instant),
    /// For this long from the request, without the time that the bot waits for a processor (R6).
    Within(Duration),
}

/// How the wait for an answer ended.
enum LineEnd {
    /// With an answer, or with a fault that the codec recognised.
    Answer(Result<Vec<u8>, Fault>),
    /// Without one: the time was up, a line was too long, or the output ended.
    NoAnswer(ReadLine),
}

/// The timer of an answer that is awaited for `limit` at most, or until the bot is seen to wait for input instead.
fn timer_within(limit: Duration) -> AnswerTimer {
    AnswerTimer::begin().watching(STILL.min(limit / 2), limit)
}

/// Whether the bot runs.
enum BotState {
    /// It is not running.
    Ready(Sandbox),
    /// It is running, for a game.
    Playing(Session),
    /// The content is moved out while the bot starts or ends. It stays so only if that fails.
    Changing,
}

impl Conversation {
    /// A conversation with `bot` in its `sandbox`; `rules` are the numbers of the rules that its faults break. With
    /// `ponders` it may think while it is not its turn.
    pub(super) fn new(bot: &Bot, rules: FaultRules, ponders: bool, sandbox: Sandbox) -> Conversation {
        Conversation {
            name: bot.name.clone(),
            isolation: sandbox.isolation().clone(),
            state: BotState::Ready(sandbox),
            clock: None,
            cpu_read: Duration::ZERO,
            asked: Vec::new(),
            timer: None,
            ponders,
            cores: *PROCESSORS,
            longest_line: bot.limits.output,
            conduct: Conduct::default(),
            early_answer: None,
            rules,
        }
    }

    /// The sandbox, if the bot does not run in it.
    pub(super) fn into_sandbox(self) -> Option<Sandbox> {
        match self.state {
            BotState::Ready(sandbox) => Some(sandbox),
            BotState::Playing(_) | BotState::Changing => None,
        }
    }

    /// The bot's display name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The isolation that its sandbox reached.
    pub(super) fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Starts the bot with `args` for a game with this `clock`, if it has one, after ending the game before it. A bot
    /// that cannot be started forfeits when it is first asked.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn start(&mut self, args: &[OsString], clock: Option<GameClock>) -> Result<(), SandboxError> {
        self.stop(NO_GRACE)?;
        (self.early_answer, self.timer, self.cpu_read) = (None, None, Duration::ZERO);
        self.conduct = Conduct { isolation: Some(self.isolation.clone()), ..Conduct::default() };
        self.asked.clear();
        self.clock = clock.map(RunningClock::new);
        let BotState::Ready(sandbox) = std::mem::replace(&mut self.state, BotState::Changing) else {
            return Err(SandboxError::Failed("the bot is already running".to_string()));
        };
        let timer = AnswerTimer::begin();
        match sandbox.start(&RunRequest::for_game(args.to_vec()))? {
            StartOutcome::Running(session) => self.state = BotState::Playing(session),
            StartOutcome::CannotStart(report, sandbox) => {
                self.state = BotState::Ready(sandbox);
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => other.to_string(),
                };
                self.early_answer = Some(self.answer(timer, Err(Fault::CannotStart { why }), Duration::ZERO)?);
            }
        }
        Ok(())
    }

    /// Reads the name that the bot prints unprompted within `limit` (R3). A bot that prints none forfeits when it is
    /// first asked.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn read_name(&mut self, limit: Duration) -> Result<(), SandboxError> {
        let mut timer = timer_within(limit);
        let BotState::Playing(session) = &mut self.state else { return Ok(()) };
        match timer.line_within(session, self.longest_line, limit, &mut || Ok(false))? {
            ReadLine::Read(name) => {
                self.conduct.called = Some(names::sanitized(String::from_utf8_lossy(&name).trim()));
            }
            other => {
                let fault = self.fault_of(other, &timer, limit)?;
                self.early_answer = Some(self.answer(timer, Err(fault), Duration::ZERO)?);
            }
        }
        Ok(())
    }

    /// Sends the bot `view` ahead of [`Conversation::answer_within`], so that all bots whose turn it is can think at
    /// the same time.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn ask_ahead(
        &mut self,
        view: &[u8],
        codec: &mut dyn LineCodec,
        hard: Duration,
    ) -> Result<(), SandboxError> {
        if self.early_answer.is_some() || self.timer.is_some() {
            return Ok(());
        }
        self.wake()?;
        if let BotState::Playing(session) = &mut self.state {
            self.asked.push(session.moment().map_err(SandboxError::Lost)?);
            // A bot that does not read its input is not at fault yet: only its answer counts.
            session.send(&codec.request_move(view, false), Instant::now() + hard).map_err(SandboxError::Lost)?;
            self.timer = Some(timer_within(hard));
        }
        Ok(())
    }

    /// Asks for an answer, which must come within `hard` after `view` was sent (R6); one that takes longer than `soft`
    /// gets a remark. The time that the bot waits for a processor does not count. `idle` is called while it thinks.
    ///
    /// # Errors
    /// When the sandbox fails, or the machine is too busy to give the bot its time.
    pub(super) fn answer_within(
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
        let Some(mut timer) = self.timer.take() else { return self.answer_if_gone() };
        let reply = match self.next_answer(codec, &mut timer, WaitUntil::Within(hard), &mut 0, idle)? {
            LineEnd::Answer(reply) => reply,
            LineEnd::NoAnswer(line) => Err(self.fault_of(line, &timer, hard)?),
        };
        let mut answer = self.answer(timer, reply, Duration::ZERO)?;
        if answer.reply.is_ok() && answer.spent.own_wall() > soft {
            answer.remarks.push(Remark::Slow(self.rules.slow.into()));
        }
        Ok(answer)
    }

    /// Asks for an answer, which must come before the game's clock runs out (G3). `idle` is called while it thinks.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn answer_by_clock(
        &mut self,
        view: &[u8],
        codec: &mut dyn LineCodec,
        idle: IdleCallback,
    ) -> Result<Answer, SandboxError> {
        self.wake()?;
        if let Some(answer) = self.early_answer.take() {
            return Ok(answer);
        }
        let Some(mut clock) = self.clock else { return self.answer_if_gone() };
        if let BotState::Playing(session) = &self.state {
            self.asked.push(session.moment().map_err(SandboxError::Lost)?);
        }
        let notify = clock.start_move();
        let mut timer = timer_within(clock.longest());
        let mut message = codec.request_move(view, notify);
        let mut wait = clock.first_check(self.cores);
        let mut garbage = 0;
        let end = loop {
            let BotState::Playing(session) = &mut self.state else { return self.answer_if_gone() };
            let deadline = Instant::now() + wait;
            // A bot that does not read its input is not at fault yet: only its answer counts.
            session.send(&message, deadline).map_err(SandboxError::Lost)?;
            message = Cow::Borrowed(&[]);
            match self.next_answer(codec, &mut timer, WaitUntil::At(deadline), &mut garbage, idle)? {
                LineEnd::NoAnswer(ReadLine::TimedOut) if !timer.saw_waiting() => {}
                end => break end,
            }
            let used = self.cost_so_far(&timer)?;
            match clock.check(used.cpu, used.own_wall, self.cores) {
                ClockStatus::Wait(longer) => wait = longer,
                ClockStatus::BudgetSpent => {
                    message = codec.announce_time_up().into();
                    wait = Duration::ZERO;
                }
                ClockStatus::Exhausted => break LineEnd::NoAnswer(ReadLine::TimedOut),
            }
        };
        // Reading the processor time costs too much for a brief answer; the next reading includes it.
        let used = if timer.was_brief() {
            AnswerCost { own_wall: timer.wall(), ..AnswerCost::default() }
        } else {
            self.cost_so_far(&timer)?
        };
        self.cpu_read += used.cpu;
        clock.end_move(used.cpu, used.own_wall);
        self.clock = Some(clock);
        let reply = match end {
            LineEnd::Answer(reply) => reply,
            LineEnd::NoAnswer(line) => Err(self.fault_of(line, &timer, clock.minimum())?),
        };
        let mut answer = self.answer(timer, reply, used.cpu)?;
        if used.is_estimated {
            answer.remarks.push(Remark::Estimated(self.rules.late.into()));
        }
        Ok(answer)
    }

    /// Stops the bot while another one thinks, unless it may ponder. A bot that was asked ahead goes on until it has
    /// answered; until then this returns true and has to be called again.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn pause(&mut self) -> Result<bool, SandboxError> {
        let BotState::Playing(session) = &mut self.state else { return Ok(false) };
        if let Some(timer) = &mut self.timer
            && !timer.has_arrived(session)?
        {
            return Ok(true);
        }
        if !self.ponders {
            session.freeze()?;
        }
        Ok(false)
    }

    /// Resumes a bot that was stopped. A bot that managed to run meanwhile forfeits with its next answer.
    fn wake(&mut self) -> Result<(), SandboxError> {
        if let BotState::Playing(session) = &mut self.state {
            let used = session.thaw()?;
            if used > TICKS && self.early_answer.is_none() {
                let fault = Fault::Pondered { used };
                self.early_answer = Some(self.answer(AnswerTimer::begin(), Err(fault), used)?);
            }
        }
        Ok(())
    }

    /// Sends a message that needs no answer. The bot need not read it.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn send(&mut self, message: &[u8]) -> Result<(), SandboxError> {
        self.wake()?;
        if let BotState::Playing(session) = &mut self.state {
            session.send(message, Instant::now()).map_err(SandboxError::Lost)?;
        }
        Ok(())
    }

    /// Ends the bot and returns how it behaved over the game.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub(super) fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.stop(NO_GRACE)?;
        Ok(self.conduct.clone())
    }

    /// Reads lines until the codec finds an answer, or none can come any more; `garbage` counts the bytes that were
    /// ignored (G5).
    fn next_answer(
        &mut self,
        codec: &mut dyn LineCodec,
        timer: &mut AnswerTimer,
        until: WaitUntil,
        garbage: &mut usize,
        idle: IdleCallback,
    ) -> Result<LineEnd, SandboxError> {
        let BotState::Playing(session) = &mut self.state else {
            return Ok(LineEnd::NoAnswer(ReadLine::Ended(Vec::new())));
        };
        loop {
            let line = match until {
                WaitUntil::At(deadline) => timer.line_before(session, self.longest_line, deadline, idle)?,
                WaitUntil::Within(hard) => timer.line_within(session, self.longest_line, hard, idle)?,
            };
            let (bytes, status) = match (line, until) {
                (ReadLine::Read(line), _) => (line.len() + 1, codec.receive(line)),
                (ReadLine::TooLong(line), WaitUntil::At(_)) => (line.len(), LineStatus::Garbage),
                (other, _) => return Ok(LineEnd::NoAnswer(other)),
            };
            match status {
                LineStatus::Answer(reply) => return Ok(LineEnd::Answer(reply)),
                LineStatus::Continue => {}
                LineStatus::Garbage => self.conduct.garbage += 1,
            }
            // Lines that the protocol allows count too, so that a bot cannot write them for ever.
            *garbage += bytes;
            if *garbage > MAX_GARBAGE {
                return Ok(LineEnd::NoAnswer(ReadLine::TooLong(vec![0; *garbage])));
            }
        }
    }

    /// The cost of the answer since the processor time was last read (G3).
    fn cost_so_far(&mut self, timer: &AnswerTimer) -> Result<AnswerCost, SandboxError> {
        match &mut self.state {
            BotState::Playing(session) => timer.used(session, self.cpu_read),
            _ => Ok(AnswerCost { own_wall: timer.wall(), ..AnswerCost::default() }),
        }
    }

    /// The fault of a bot that gave `line` instead of an answer. If its output ended, waits for it to exit, so that the
    /// fault can say how it did.
    fn fault_of(&mut self, line: ReadLine, timer: &AnswerTimer, limit: Duration) -> Result<Fault, SandboxError> {
        let rules = self.rules;
        Ok(match line {
            ReadLine::Read(_) => unreachable!("a line is an answer"),
            ReadLine::TimedOut if timer.saw_waiting() => {
                let unfinished = match &mut self.state {
                    BotState::Playing(session) => session.pending().map_err(SandboxError::Lost)?.to_vec(),
                    BotState::Ready(_) | BotState::Changing => Vec::new(),
                };
                Fault::WaitsForInput { unfinished, rule: rules.late }
            }
            ReadLine::TimedOut => Fault::TimedOut { limit, rule: rules.late },
            ReadLine::TooLong(read) => Fault::TooMuchOutput { read: read.len(), rule: rules.flood },
            ReadLine::Ended(unfinished) => match self.stop(Duration::from_secs(1))?.map(|report| report.ended) {
                Some(Ended::Signalled(signal)) => Fault::Died { signal, rule: rules.died },
                Some(Ended::OutOfMemory) => Fault::OutOfMemory,
                Some(Ended::Exited(status)) => Fault::Quit { status: Some(status), unfinished, rule: rules.left },
                _ => Fault::Quit { status: None, unfinished, rule: rules.left },
            },
        })
    }

    /// The answer of a bot that is asked after it has ended: a fault.
    fn answer_if_gone(&mut self) -> Result<Answer, SandboxError> {
        let fault = Fault::Quit { status: None, unfinished: Vec::new(), rule: self.rules.left };
        self.answer(AnswerTimer::begin(), Err(fault), Duration::ZERO)
    }

    /// Completes an answer with what it cost, and adds it to the bot's conduct.
    fn answer(
        &mut self,
        timer: AnswerTimer,
        reply: Result<Vec<u8>, Fault>,
        cpu: Duration,
    ) -> Result<Answer, SandboxError> {
        let wall = timer.wall();
        let waited = match &mut self.state {
            BotState::Playing(session) => timer.waited(session)?,
            _ => Duration::ZERO,
        };
        self.conduct.moves += 1;
        self.conduct.slowest = self.conduct.slowest.max(wall);
        self.conduct.waited += waited;
        let cpu = Cpu { user: cpu, system: Duration::ZERO, lower_bound: true };
        let spent = Spent { wall, waited, cpu, peak_memory: 0 };
        let errors = if reply.is_err() { self.conduct.errors_tail.clone().into_bytes() } else { Vec::new() };
        Ok(Answer { reply: reply.map(Reply::Answer), spent, remarks: Vec::new(), errors })
    }

    /// Ends the bot if it runs, giving it `grace` to exit by itself, and records how it behaved.
    fn stop(&mut self, grace: Duration) -> Result<Option<RunReport>, SandboxError> {
        let session = match std::mem::replace(&mut self.state, BotState::Changing) {
            BotState::Playing(session) => session,
            other => {
                self.state = other;
                return Ok(None);
            }
        };
        let (report, sandbox) = session.finish(grace)?;
        self.state = BotState::Ready(sandbox);
        (self.conduct.tasks, self.conduct.tasks_made) = (report.tasks.at_once, report.tasks.made);
        self.conduct.cpu = report.cpu;
        self.conduct.peak_memory = report.peak_memory;
        self.conduct.leftovers = report.leftovers;
        let is_kept =
            |file: &&FileViolation| file.kind != FileViolationKind::Transient && !is_of_a_runtime(&file.path);
        let files = report.file_violations.iter().filter(is_kept);
        self.conduct.files = files.count() as u32;
        self.conduct.errors_tail = report.stderr_tail(20);
        self.conduct.said = Said::from_game(&report, &self.asked);
        Ok(Some(report))
    }
}
