//! Where a bot is run: one [`BotRunner`] a worker, with a sandbox of its own. What may be the machine's doing is not confirmed
//! before it has been seen again alone.
//!
//! Games of a process a move are asked [runs](crate::pipes), games in lines are held in
//! [dialogues](crate::lines::Scene): both are methods of a bench.

use crate::catalog::Id;
use crate::machine_lock;
use crate::shared::SharedState;
use cornerman_harness::sandbox::{Isolation, Sandbox, SandboxError};

/// A worker's hold on the bot.
pub struct BotRunner<'a> {
    /// What all workers know.
    pub shared: &'a SharedState<'a>,
    isolation: Isolation,
    /// None while the bot is in dialogue, and after a failure.
    sandbox: Option<Sandbox>,
}

/// How what is doubtful is repeated.
#[derive(Clone, Copy, Debug)]
pub struct RepeatPolicy {
    /// How often, at most.
    pub most: usize,
    /// Whether it is not, or no more, once the same has been confirmed of the bot.
    pub believing: bool,
}

/// What came of repeating something doubtful.
pub enum Repeated<T> {
    /// Each time showed it: all of them, the first one first.
    Confirmed(Vec<T>),
    /// It was not seen again; the time that did not show it.
    NotConfirmed(T),
}

impl<'a> BotRunner<'a> {
    /// Opens a sandbox for the bot.
    ///
    /// # Errors
    /// When none is available.
    pub fn open(shared: &'a SharedState<'a>) -> Result<BotRunner<'a>, SandboxError> {
        let sandbox = Sandbox::open(&shared.bot.program, &shared.bot.limits, shared.conditions)?;
        Ok(BotRunner { shared, isolation: sandbox.isolation().clone(), sandbox: Some(sandbox) })
    }

    /// How well the bot is shut in.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// The sandbox, taken out of the bench; a new one if it had none.
    pub(crate) fn take_sandbox(&mut self) -> Result<Sandbox, SandboxError> {
        let SharedState { bot, conditions, .. } = self.shared;
        self.sandbox.take().map_or_else(|| Sandbox::open(&bot.program, &bot.limits, *conditions), Ok)
    }

    /// Does `work` with the sandbox; after a failure the next one is new.
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

    /// Does `work` with the machine to itself.
    pub(crate) fn alone<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let alone = machine_lock::alone();
        let done = work(self);
        drop(alone);
        done
    }

    /// Does `work` beside others.
    pub(crate) fn beside_others<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let shared_machine = machine_lock::shared();
        let done = work(self);
        drop(shared_machine);
        done
    }

    /// RepeatPolicy alone, by `again`, what in `first` makes a fault of the check `doubtful`, for as long as `shows` sees it.
    pub(crate) fn repeat<T>(
        &mut self,
        first: T,
        doubtful: Id,
        repeats: RepeatPolicy,
        again: impl Fn(&mut Self) -> Result<T, SandboxError>,
        shows: impl Fn(&Self, &T) -> bool,
    ) -> Result<Repeated<T>, SandboxError> {
        let mut seen = vec![first];
        while seen.len() <= repeats.most && !(repeats.believing && self.shared.is_confirmed(doubtful)) {
            let next = self.alone(&again)?;
            if !shows(self, &next) {
                return Ok(Repeated::NotConfirmed(next));
            }
            seen.push(next);
        }
        Ok(Repeated::Confirmed(seen))
    }
}
