//! A bot that plays a whole game in one process and speaks in lines: its clock, faults and conduct. The lines
//! themselves are for a [`LineCodec`] (R3–R7, G3–G5, G9).

use super::clock::{ClockStatus, GameClock, RunningClock};
use super::codec::{LineCodec, LineStatus};
use super::pipe::is_of_a_runtime;
use super::protocol::Lines;
use super::{Answer, Conduct, Fault, IdleCallback, IgnoredLines, Player, Remark, Said, Spent, Turn};
use crate::bot::Bot;
use crate::machine;
use crate::names;
use crate::sandbox::{
    AnswerCost, AnswerTimer, Cpu, Ended, FileViolation, FileViolationKind, Isolation, Limits, Moment, ReadLine,
    RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome,
};
use cornerman::game::{Reply, Seat, Setup};
use std::borrow::Cow;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of lines that are not answers, read while waiting for one; more is a fault (G5).
const MAX_GARBAGE: usize = 1 << 20;

/// The most bytes that are kept of a line that is not an answer.
const MAX_KEPT: usize = 60;

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

/// The player for a bot that speaks a line protocol.
pub(crate) struct LinePlayer {
    name: String,
    protocol: Lines,
    isolation: Isolation,
    state: BotState,
    /// The limits of the bot. Those for each answer hold only in a game without a clock (R6).
    limits: Limits,
    /// The clock of whole games, if they have one.
    game_clock: Option<GameClock>,
    /// The clock of the game in progress.
    clock: Option<RunningClock>,
    /// The bot's processor time when it was last read at the end of an answer.
    cpu_read: Duration,
    /// The moments at which it was asked for its moves.
    asked: Vec<Moment>,
    /// Runs from when the bot was asked ahead until its answer is collected.
    timer: Option<AnswerTimer>,
    /// Whether it may think while it is not its turn.
    ponders: bool,
    conduct: Conduct,
    /// The answer to the next request that is known before asking, because the bot has already failed.
    early_answer: Option<Answer>,
}

/// Whether the bot runs.
enum BotState {
    /// It is not running.
    Ready(Sandbox),
    /// It is running, for a game, with the codec of this game.
    Playing(Session, Box<dyn LineCodec>),
    /// The bot is starting or ending, and the other states' contents are moved out meanwhile. This state remains only
    /// if that fails.
    Changing,
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
    /// Without one: the time was up, the bot was seen to wait for input, it wrote too much, or the output ended.
    NoAnswer(ReadLine),
}

/// What a bot has written while its answer is awaited.
#[derive(Default)]
struct Garbage {
    /// The bytes of all lines that are not the answer, also of those that the protocol allows.
    bytes: usize,
    ignored: IgnoredLines,
}

/// The timer of an answer that is awaited for `limit` at most, or until the bot is seen to wait for input instead.
fn timer_within(limit: Duration) -> AnswerTimer {
    AnswerTimer::begin().watching(STILL.min(limit / 2), limit)
}

/// Called when the output of one bot has ended: waits until the other bots that were asked at the same time have
/// answered, for `longest` at most. Ending the one bot may take a while, and answers of the others that are found only
/// after that would seem late.
fn await_others(longest: Duration, idle: IdleCallback) -> Result<(), SandboxError> {
    const CHECK_INTERVAL: Duration = Duration::from_millis(1);
    let deadline = Instant::now() + longest;
    while idle()? && Instant::now() < deadline {
        thread::sleep(CHECK_INTERVAL);
    }
    Ok(())
}

impl Player for LinePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn isolation(&self) -> Option<&Isolation> {
        Some(&self.isolation)
    }

    fn shares_state_file(&self) -> bool {
        false
    }

    /// A bot that cannot be started, or prints no name, forfeits when it is first asked.
    fn start(&mut self, setup: &Setup, seat: Seat) -> Result<(), SandboxError> {
        self.stop(NO_GRACE)?;
        (self.early_answer, self.timer, self.cpu_read) = (None, None, Duration::ZERO);
        self.conduct = Conduct { isolation: Some(self.isolation.clone()), ..Conduct::default() };
        self.asked.clear();
        self.clock = self.game_clock.map(RunningClock::new);
        let BotState::Ready(sandbox) = std::mem::replace(&mut self.state, BotState::Changing) else {
            return Err(SandboxError::Failed("the bot is already running".to_string()));
        };
        let timer = AnswerTimer::begin();
        match sandbox.start(&RunRequest::for_game(self.protocol.args.clone()))? {
            StartOutcome::Running(session) => {
                let codec = (self.protocol.codec)(setup, seat, self.game_clock);
                self.state = BotState::Playing(session, codec);
                if self.protocol.greets { self.read_name() } else { Ok(()) }
            }
            StartOutcome::CannotStart(report, sandbox) => {
                self.state = BotState::Ready(sandbox);
                let why = match report.ended {
                    Ended::CannotStart { why, .. } => why,
                    other => other.to_string(),
                };
                self.early_answer = Some(self.answer(timer, Err(Fault::CannotStart { why }), Duration::ZERO)?);
                Ok(())
            }
        }
    }

    fn ask_while(&mut self, turn: &Turn, idle: IdleCallback) -> Result<Answer, SandboxError> {
        match self.clock {
            None => self.answer_within_limit(turn.view, idle),
            Some(clock) => self.answer_by_clock(clock, turn.view, idle),
        }
    }

    /// A bot with a clock for the whole game is never asked ahead.
    fn ask_ahead(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        if self.clock.is_some() || self.early_answer.is_some() || self.timer.is_some() {
            return Ok(());
        }
        self.wake()?;
        if let BotState::Playing(session, codec) = &mut self.state {
            self.asked.push(session.moment().map_err(SandboxError::Lost)?);
            // A bot that does not read its input is not at fault yet: only its answer counts.
            let deadline = Instant::now() + self.limits.hard;
            session.send(&codec.request_move(view, false), deadline).map_err(SandboxError::Lost)?;
            self.timer = Some(timer_within(self.limits.hard));
        }
        Ok(())
    }

    /// A bot that was asked ahead goes on until it has answered, and one that may ponder is not stopped.
    fn pause(&mut self) -> Result<bool, SandboxError> {
        let BotState::Playing(session, _) = &mut self.state else { return Ok(false) };
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

    /// The bot need not read the view.
    fn send_final_view(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        self.wake()?;
        if let BotState::Playing(session, codec) = &mut self.state {
            session.send(&codec.final_message(view), Instant::now()).map_err(SandboxError::Lost)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.stop(NO_GRACE)?;
        Ok(self.conduct.clone())
    }

    fn into_sandbox(self: Box<Self>) -> Option<Sandbox> {
        match self.state {
            BotState::Ready(sandbox) => Some(sandbox),
            BotState::Playing(..) | BotState::Changing => None,
        }
    }
}

impl LinePlayer {
    /// The player for `bot`, in its `sandbox`. Without a `clock` for the whole game, the bot's limits hold for each
    /// answer. With `ponders` it may think while it is not its turn.
    pub(crate) fn new(
        bot: &Bot,
        protocol: Lines,
        clock: Option<GameClock>,
        ponders: bool,
        sandbox: Sandbox,
    ) -> LinePlayer {
        LinePlayer {
            name: bot.name.clone(),
            protocol,
            isolation: sandbox.isolation().clone(),
            state: BotState::Ready(sandbox),
            limits: bot.limits.clone(),
            game_clock: clock,
            clock: None,
            cpu_read: Duration::ZERO,
            asked: Vec::new(),
            timer: None,
            ponders,
            conduct: Conduct::default(),
            early_answer: None,
        }
    }

    /// Reads the name that the bot prints unprompted (R3).
    fn read_name(&mut self) -> Result<(), SandboxError> {
        let limit = self.limits.start;
        let mut timer = timer_within(limit);
        let BotState::Playing(session, _) = &mut self.state else { return Ok(()) };
        match timer.line_within(session, self.limits.output, limit, &mut || Ok(false))? {
            ReadLine::Read(name) => {
                self.conduct.called = Some(names::sanitized(String::from_utf8_lossy(&name).trim()));
            }
            other => {
                let fault = self.fault_of(other, &timer, limit, Garbage::default())?;
                self.early_answer = Some(self.answer(timer, Err(fault), Duration::ZERO)?);
            }
        }
        Ok(())
    }

    /// Asks for an answer, which must come within the hard limit (R6); one that takes longer than the soft limit gets a
    /// remark. The time that the bot waits for a processor does not count. `idle` is called while it thinks.
    fn answer_within_limit(&mut self, view: &[u8], idle: IdleCallback) -> Result<Answer, SandboxError> {
        self.ask_ahead(view)?;
        if let Some(answer) = self.early_answer.take() {
            return Ok(answer);
        }
        let Some(mut timer) = self.timer.take() else { return self.answer_if_gone() };
        let hard = self.limits.hard;
        let mut garbage = Garbage::default();
        let reply = match self.next_answer(&mut timer, WaitUntil::Within(hard), &mut garbage, idle)? {
            LineEnd::Answer(reply) => reply,
            LineEnd::NoAnswer(line) => {
                if let (ReadLine::Ended(_), BotState::Playing(session, _)) = (&line, &mut self.state) {
                    timer.has_arrived(session)?;
                    await_others(hard, idle)?;
                }
                Err(self.fault_of(line, &timer, hard, garbage)?)
            }
        };
        let mut answer = self.answer(timer, reply, Duration::ZERO)?;
        if answer.reply.is_ok() && answer.spent.own_wall() > self.limits.soft {
            answer.remarks.push(Remark::Slow(self.protocol.faults.slow.into()));
        }
        Ok(answer)
    }

    /// Asks for an answer, which must come before the game's `clock` runs out (G3). `idle` is called while it thinks.
    fn answer_by_clock(
        &mut self,
        mut clock: RunningClock,
        view: &[u8],
        idle: IdleCallback,
    ) -> Result<Answer, SandboxError> {
        self.wake()?;
        if let Some(answer) = self.early_answer.take() {
            return Ok(answer);
        }
        let notify = clock.start_move();
        let mut timer = timer_within(clock.longest());
        let BotState::Playing(session, codec) = &mut self.state else { return self.answer_if_gone() };
        self.asked.push(session.moment().map_err(SandboxError::Lost)?);
        let mut message = codec.request_move(view, notify);
        let mut wait = clock.first_check(*PROCESSORS);
        let mut garbage = Garbage::default();
        let end = loop {
            let BotState::Playing(session, _) = &mut self.state else { return self.answer_if_gone() };
            let deadline = Instant::now() + wait;
            // A bot that does not read its input is not at fault yet: only its answer counts.
            session.send(&message, deadline).map_err(SandboxError::Lost)?;
            message = Cow::Borrowed(&[]);
            match self.next_answer(&mut timer, WaitUntil::At(deadline), &mut garbage, idle)? {
                LineEnd::NoAnswer(ReadLine::TimedOut) if !timer.saw_waiting() => {}
                end => break end,
            }
            let used = self.cost_so_far(&timer)?;
            match clock.check(used.cpu, used.own_wall, *PROCESSORS) {
                ClockStatus::Wait(longer) => wait = longer,
                ClockStatus::BudgetSpent => {
                    if let BotState::Playing(_, codec) = &mut self.state {
                        message = codec.announce_time_up().into();
                    }
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
            LineEnd::NoAnswer(line) => Err(self.fault_of(line, &timer, clock.minimum(), garbage)?),
        };
        let mut answer = self.answer(timer, reply, used.cpu)?;
        if used.is_estimated {
            answer.remarks.push(Remark::Estimated(self.protocol.faults.late.into()));
        }
        Ok(answer)
    }

    /// Resumes a bot that was stopped. A bot that managed to run meanwhile forfeits with its next answer.
    fn wake(&mut self) -> Result<(), SandboxError> {
        if let BotState::Playing(session, _) = &mut self.state {
            let used = session.thaw()?;
            if used > TICKS && self.early_answer.is_none() {
                let fault = Fault::Pondered { used };
                self.early_answer = Some(self.answer(AnswerTimer::begin(), Err(fault), used)?);
            }
        }
        Ok(())
    }

    /// Reads lines until the codec finds an answer, the time is up, or none can come any more; all other lines
    /// are added to `garbage` (G5).
    fn next_answer(
        &mut self,
        timer: &mut AnswerTimer,
        until: WaitUntil,
        garbage: &mut Garbage,
        idle: IdleCallback,
    ) -> Result<LineEnd, SandboxError> {
        let BotState::Playing(session, codec) = &mut self.state else {
            return Ok(LineEnd::NoAnswer(ReadLine::Ended(Vec::new())));
        };
        let longest = self.limits.output;
        loop {
            let line = match until {
                WaitUntil::At(deadline) => timer.line_before(session, longest, deadline, idle)?,
                WaitUntil::Within(hard) => timer.line_within(session, longest, hard, idle)?,
            };
            // With a clock, a line that is too long is garbage (G5). Otherwise every line is an answer, so it is a
            // fault (R6).
            let (bytes, status) = match (line, until) {
                (ReadLine::Read(line), _) => (line.len() + 1, codec.receive(line)),
                (ReadLine::TooLong(line), WaitUntil::At(_)) => (line.len(), LineStatus::Garbage(line)),
                (other, _) => return Ok(LineEnd::NoAnswer(other)),
            };
            match status {
                LineStatus::Answer(reply) => return Ok(LineEnd::Answer(reply)),
                LineStatus::Continue => {}
                LineStatus::Garbage(mut line) => {
                    self.conduct.garbage += 1;
                    garbage.ignored.count += 1;
                    line.truncate(MAX_KEPT);
                    garbage.ignored.last = line;
                }
            }
            // Lines that the protocol allows count too, so that a bot cannot write them for ever.
            garbage.bytes += bytes;
            if garbage.bytes > MAX_GARBAGE {
                return Ok(LineEnd::NoAnswer(ReadLine::TooLong(vec![0; garbage.bytes])));
            }
        }
    }

    /// The cost of the answer so far, with all processor time since `cpu_read` (G3).
    fn cost_so_far(&mut self, timer: &AnswerTimer) -> Result<AnswerCost, SandboxError> {
        match &mut self.state {
            BotState::Playing(session, _) => timer.used(session, self.cpu_read),
            _ => Ok(AnswerCost { own_wall: timer.wall(), ..AnswerCost::default() }),
        }
    }

    /// The fault of a bot that gave `line` instead of an answer, after `garbage`. If its output ended, waits for it to
    /// exit, so that the fault can say how it did.
    fn fault_of(
        &mut self,
        line: ReadLine,
        timer: &AnswerTimer,
        limit: Duration,
        garbage: Garbage,
    ) -> Result<Fault, SandboxError> {
        let rules = self.protocol.faults;
        Ok(match line {
            ReadLine::Read(_) => unreachable!("a line is an answer"),
            ReadLine::TimedOut if timer.saw_waiting() => {
                let unfinished = match &mut self.state {
                    BotState::Playing(session, _) => session.pending().map_err(SandboxError::Lost)?.to_vec(),
                    BotState::Ready(_) | BotState::Changing => Vec::new(),
                };
                Fault::WaitsForInput { unfinished, ignored: garbage.ignored, rule: rules.late }
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
        let fault = Fault::Quit { status: None, unfinished: Vec::new(), rule: self.protocol.faults.left };
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
            BotState::Playing(session, _) => timer.waited(session)?,
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
            BotState::Playing(session, _) => session,
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
