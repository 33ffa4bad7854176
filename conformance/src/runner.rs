//! Running a bot: each worker has one [`BotRunner`] with its own sandbox. A fault that the machine's load may explain
//! counts only once it has been seen again with nothing else running.
//!
//! In games with one process per move, the runner makes [runs](crate::pipes); in games in lines it holds
//! [dialogues](crate::lines::Dialogue).

use crate::attribution::Failure;
use crate::catalog::Id;
use crate::file_violations::is_of_a_runtime;
use crate::machine_lock;
use crate::shared::SharedState;
use cornerman_harness::sandbox::{Isolation, RunReport, Sandbox, SandboxError};
use std::time::Duration;

/// Runs the bot for one worker.
pub struct BotRunner<'a> {
    /// What all workers share.
    pub shared: &'a SharedState<'a>,
    isolation: Isolation,
    /// `None` during a dialogue, and after a failure.
    sandbox: Option<Sandbox>,
    /// What the bot did in its runs besides its answers, until the job's result takes it.
    pub(crate) conduct: Vec<Failure>,
}

/// How often a doubtful fault is repeated before it counts.
#[derive(Clone, Copy, Debug)]
pub struct RepeatPolicy {
    /// The greatest number of repetitions.
    pub most: usize,
    /// Whether to stop repeating once a fault of the same check has been confirmed for this bot.
    pub skip_if_confirmed: bool,
    /// Whether nothing else runs meanwhile. That is of no use to a bot that did not want a processor.
    pub alone: bool,
}

/// The result of repeating a doubtful run.
pub enum Repeated<T> {
    /// Every repetition showed the fault. All results, beginning with the first run.
    Confirmed(Vec<T>),
    /// A repetition did not show the fault. The result of that repetition.
    NotConfirmed(T),
}

/// Whether a bot rested that was late for `limit` and meanwhile `wanted` a processor for this long: it used one, or
/// waited for one. Load is not the cause then.
pub fn is_rest(wanted: Duration, limit: Duration) -> bool {
    wanted < limit / 10
}

impl<'a> BotRunner<'a> {
    /// Opens a sandbox for the bot.
    ///
    /// # Errors
    /// When no sandbox with the required isolation is available.
    pub fn open(shared: &'a SharedState<'a>) -> Result<BotRunner<'a>, SandboxError> {
        let sandbox = shared.bot.sandbox(shared.conditions)?;
        Ok(BotRunner {
            shared,
            isolation: sandbox.isolation().clone(),
            sandbox: Some(sandbox),
            conduct: Vec::new(),
        })
    }

    /// The isolation of the sandbox.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Whether the files that the bot touches are seen in every run: all that it can write to is its own. Elsewhere only
    /// runs that ask for it are watched, and other programs may have touched what is seen.
    pub fn watches_every_run(&self) -> bool {
        !self.isolation.level.shares_tmp()
    }

    /// Whether the bot wrote into the copy of its own folder, which the next run must not find.
    pub(crate) fn wrote_to_its_folder(&self, report: &RunReport) -> bool {
        let folder = &self.shared.bot.program.folder;
        let mut paths = report.file_violations.iter().map(|violation| &violation.path);
        paths.any(|path| path.starts_with(folder) && !is_of_a_runtime(path))
    }

    /// Takes the sandbox out of the runner, or opens a new one if the runner has none.
    pub(crate) fn take_sandbox(&mut self) -> Result<Sandbox, SandboxError> {
        let SharedState { bot, conditions, .. } = self.shared;
        self.sandbox.take().map_or_else(|| bot.sandbox(*conditions), Ok)
    }

    /// Does `work` with the sandbox. If that fails, the sandbox is dropped, and the next use opens a new one.
    pub(crate) fn with_sandbox<T>(
        &mut self,
        work: impl FnOnce(&mut Sandbox) -> Result<T, SandboxError>,
    ) -> Result<T, SandboxError> {
        let mut sandbox = self.take_sandbox()?;
        let done = work(&mut sandbox)?;
        self.sandbox = Some(sandbox);
        Ok(done)
    }

    pub(crate) fn put_sandbox(&mut self, sandbox: Sandbox) {
        self.sandbox = Some(sandbox);
    }

    /// Does `work` while no other worker runs a bot.
    pub(crate) fn alone<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let alone = machine_lock::alone();
        let done = work(self);
        drop(alone);
        done
    }

    /// Does `work` while other workers may run the bot too.
    pub(crate) fn in_parallel<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let shared_machine = machine_lock::shared();
        let done = work(self);
        drop(shared_machine);
        done
    }

    /// Repeats the run whose result is `first`, because its fault of the check `doubtful` may be caused by load. `again` runs it, and `shows` says whether a result has the fault. The first that has not
    /// ends it.
    pub(crate) fn repeat<T>(
        &mut self,
        first: T,
        doubtful: Id,
        repeats: RepeatPolicy,
        again: impl Fn(&mut Self) -> Result<T, SandboxError>,
        shows: impl Fn(&Self, &T) -> bool,
    ) -> Result<Repeated<T>, SandboxError> {
        let mut seen = vec![first];
        while seen.len() <= repeats.most && !(repeats.skip_if_confirmed && self.shared.is_confirmed(doubtful)) {
            let next = if repeats.alone { self.alone(&again) } else { self.in_parallel(&again) }?;
            if !shows(self, &next) {
                return Ok(Repeated::NotConfirmed(next));
            }
            seen.push(next);
        }
        Ok(Repeated::Confirmed(seen))
    }
}
