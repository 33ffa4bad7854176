//! Running a bot for the checks: one [`Hand`] a worker, with a sandbox of its own; suspicious times are not
//! believed before the run has been repeated alone.

use crate::budget::Budget;
use crate::finding::{Evidence, Timing};
use crate::machine;
use crate::suite::Options;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{
    Conditions, Ended, Isolation, MarkClaim, Order, RunReport, Sandbox, SandboxError, claim_marks,
};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// After so many runs that had to be killed a bot is asked no more.
const PATIENCE: u32 = 3;

/// What the workers at one bot know together.
pub struct Shared<'a> {
    /// The bot.
    pub bot: &'a Bot,
    /// The isolation that is demanded.
    pub conditions: Conditions,
    /// How long the check may take.
    pub budget: Budget,
    timing: Mutex<Timing>,
    chatter: Mutex<Option<(String, u64)>>,
    hung: AtomicU32,
    cannot_start: AtomicBool,
    wrote_state: AtomicBool,
    believed: [AtomicBool; 3],
}

/// What may be a fault of the machine's load rather than of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    Killed,
    Slow,
    Leftovers,
}

/// Why a run is made, which decides how it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move as in a tournament: its time counts.
    Move,
    /// Something else, in which only a timeout is doubted.
    Special,
}

impl<'a> Shared<'a> {
    /// Nothing known yet.
    pub fn new(bot: &'a Bot, options: &Options) -> Shared<'a> {
        Shared {
            bot,
            conditions: options.conditions,
            budget: Budget::begin(options),
            timing: Mutex::default(),
            chatter: Mutex::default(),
            hung: AtomicU32::new(0),
            cannot_start: AtomicBool::new(false),
            wrote_state: AtomicBool::new(false),
            believed: Default::default(),
        }
    }

    /// Whether the bot is asked no more: it cannot be started, or hangs again and again.
    pub fn given_up(&self) -> bool {
        self.cannot_start.load(Ordering::Relaxed) || self.hung.load(Ordering::Relaxed) >= PATIENCE
    }

    /// Whether the bot was seen to keep a state file.
    pub fn wrote_state(&self) -> bool {
        self.wrote_state.load(Ordering::Relaxed)
    }

    /// The times so far.
    pub fn timing(&self) -> Timing {
        locked(&self.timing).clone()
    }

    /// A case in which standard error was written to, and how much, if there was one.
    pub fn chatter(&self) -> Option<(String, u64)> {
        locked(&self.chatter).clone()
    }

    /// Notes the time of an early move.
    pub fn note_early(&self, case: &str, report: &RunReport) {
        locked(&self.timing).early.push((case.to_string(), report.wall));
    }

    fn note(&self, label: &str, purpose: Purpose, report: &RunReport) {
        // What is odd may well take longer, and is not what most runs are.
        if purpose == Purpose::Move {
            self.budget.note(1, report.wall);
        }
        let mut timing = locked(&self.timing);
        timing.runs += 1;
        let slowest = timing.slowest.as_ref().map_or(std::time::Duration::ZERO, |(_, wall)| *wall);
        if purpose == Purpose::Move && report.wall > slowest {
            timing.slowest = Some((label.to_string(), report.wall));
        }
        drop(timing);
        // Last words on an error are no chatter.
        if purpose == Purpose::Move && report.errors_total > 0 && report.ended == Ended::Exited(0) {
            locked(&self.chatter).get_or_insert_with(|| (label.to_string(), report.errors_total));
        }
        if matches!(report.ended, Ended::CannotStart { .. }) {
            self.cannot_start.store(true, Ordering::Relaxed);
        }
        if purpose == Purpose::Move && report.ended == Ended::TimedOut {
            self.hung.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn doubt(&self, purpose: Purpose, report: &RunReport) -> Option<Doubt> {
        match purpose {
            _ if report.ended == Ended::TimedOut => Some(Doubt::Killed),
            Purpose::Special => None,
            Purpose::Move if report.leftovers > 0 => Some(Doubt::Leftovers),
            Purpose::Move => (report.own_wall() > self.bot.limits.soft).then_some(Doubt::Slow),
        }
    }

    fn believed(&self, doubt: Doubt) -> &AtomicBool {
        &self.believed[doubt as usize]
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A worker's hold on the bot.
pub struct Hand<'a> {
    /// What all workers know.
    pub shared: &'a Shared<'a>,
    sandbox: Sandbox,
}

impl<'a> Hand<'a> {
    /// Opens a sandbox for the bot.
    ///
    /// # Errors
    /// When there is none to be had.
    pub fn open(shared: &'a Shared<'a>) -> Result<Hand<'a>, SandboxError> {
        Ok(Hand { shared, sandbox: open(shared)? })
    }

    /// How well the bot is shut in.
    pub fn isolation(&self) -> Isolation {
        self.sandbox.isolation().clone()
    }

    /// Claims the state files of `marks` where all bots share one `/tmp`.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn claim(&self, marks: &[u8]) -> Result<MarkClaim, SandboxError> {
        let marks = if self.sandbox.isolation().level.shares_tmp() { marks } else { &[] };
        claim_marks(marks).map_err(|refused| SandboxError::Failed(format!("claiming state files: {refused}")))
    }

    /// The content of the state file of `mark`.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn state(&mut self, mark: u8) -> Result<Option<Vec<u8>>, SandboxError> {
        let state = self.sandbox.state(mark)?;
        if state.is_some() {
            self.shared.wrote_state.store(true, Ordering::Relaxed);
        }
        Ok(state)
    }

    /// Gives the state file of `mark` this content, or removes it.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn put_state(&mut self, mark: u8, state: Option<&[u8]>) -> Result<(), SandboxError> {
        // Whoever watches the file system has it to itself.
        let shared_machine = machine::shared();
        let put = self.put(mark, state);
        drop(shared_machine);
        put
    }

    fn put(&mut self, mark: u8, state: Option<&[u8]>) -> Result<(), SandboxError> {
        match state {
            Some(content) => self.sandbox.set_state(mark, content),
            None => self.sandbox.clear_state(mark),
        }
    }

    /// One run from a state file of `state`, which is removed afterwards.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask(
        &mut self,
        label: &str,
        purpose: Purpose,
        order: &Order,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let claim = order.mark.map(|mark| self.claim(&[mark])).transpose()?;
        let evidence = self.ask_claimed(label, purpose, order, state)?;
        if let Some(mark) = order.mark {
            self.put_state(mark, None)?;
        }
        drop(claim);
        Ok(evidence)
    }

    /// One run from a state file of `state`, whose mark is claimed already; the state file is left as it is.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask_claimed(
        &mut self,
        label: &str,
        purpose: Purpose,
        order: &Order,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let shared_machine = machine::shared();
        let first = self.prepare(order, state).and_then(|()| self.run(order));
        drop(shared_machine);
        let first = first?;
        let report = self.settle(purpose, order, state, first)?;
        self.shared.note(label, purpose, &report);
        Ok(Evidence { order: order.clone(), state: state.map(<[u8]>::to_vec), report, transcript: None })
    }

    /// One run with the machine to itself.
    ///
    /// # Errors
    /// When the sandbox failed.
    pub fn ask_alone(
        &mut self,
        label: &str,
        purpose: Purpose,
        order: &Order,
        state: Option<&[u8]>,
    ) -> Result<Evidence, SandboxError> {
        let first = self.run_alone(order, state)?;
        let report = self.settle(purpose, order, state, first)?;
        self.shared.note(label, purpose, &report);
        Ok(Evidence { order: order.clone(), state: state.map(<[u8]>::to_vec), report, transcript: None })
    }

    fn prepare(&mut self, order: &Order, state: Option<&[u8]>) -> Result<(), SandboxError> {
        order.mark.map_or(Ok(()), |mark| self.put(mark, state))
    }

    fn run_alone(&mut self, order: &Order, state: Option<&[u8]>) -> Result<RunReport, SandboxError> {
        let alone = machine::alone();
        let report = self.prepare(order, state).and_then(|()| self.run(order));
        drop(alone);
        report
    }

    /// A sandbox that fails once is replaced; one that fails again is a failure of the kit.
    fn run(&mut self, order: &Order) -> Result<RunReport, SandboxError> {
        let report = self.sandbox.run(order).or_else(|_| {
            self.sandbox = open(self.shared)?;
            self.sandbox.run(order)
        })?;
        if report.ended == Ended::Starved {
            return Err(SandboxError::Starved { wall: report.wall, waited: report.waited });
        }
        // What a bot did to the copy of its own folder is not to be found there by its next run.
        if report.trespasses.iter().any(|trespass| trespass.path.starts_with(&self.shared.bot.program.folder)) {
            self.sandbox.renew()?;
        }
        Ok(report)
    }

    /// Believes a timeout, a slow move or leftovers only when two more runs, alone, show the same. Once that
    /// has been shown of a bot it is not asked for again, or a slow bot would take three times as long.
    fn settle(
        &mut self,
        purpose: Purpose,
        order: &Order,
        state: Option<&[u8]>,
        first: RunReport,
    ) -> Result<RunReport, SandboxError> {
        let Some(doubt) = self.shared.doubt(purpose, &first) else { return Ok(first) };
        let mut last = first;
        let repeats = if purpose == Purpose::Move { 2 } else { 1 };
        for _ in 0..repeats {
            if purpose == Purpose::Move && self.shared.believed(doubt).load(Ordering::Relaxed) {
                return Ok(last);
            }
            last = self.run_alone(order, state)?;
            if self.shared.doubt(purpose, &last) != Some(doubt) {
                return Ok(last);
            }
        }
        if purpose == Purpose::Move {
            self.shared.believed(doubt).store(true, Ordering::Relaxed);
        }
        Ok(last)
    }
}

fn open(shared: &Shared) -> Result<Sandbox, SandboxError> {
    let conditions = Conditions { watchful: true, ..shared.conditions };
    Sandbox::open(&shared.bot.program, &shared.bot.limits, conditions)
}
