//! The state shared by the workers that check one bot.

use crate::budget::Budget;
use crate::catalog::Id;
use crate::conduct::CommonCheckIds;
use crate::finding::Timing;
use crate::protocol::lines::runtime;
use cornerman_harness::bot::Bot;
use cornerman_harness::player::clock::GameClock;
use cornerman_harness::sandbox::{Conditions, Ended, RunReport};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// After this many moves that exceeded the hard limit, the bot is given up.
const PATIENCE: u32 = 3;

/// The state shared by the workers that check one bot: its limits and budget, and the findings so far.
pub struct SharedState<'a> {
    /// The bot.
    pub bot: &'a Bot,
    /// The ids of the checks that every game has.
    pub ids: CommonCheckIds,
    /// The game's clock, if it has one (G3).
    pub clock: Option<GameClock>,
    /// How long the check may take.
    pub budget: Budget,
    /// The required isolation.
    pub conditions: Conditions,
    runtime_has_threads: OnceLock<bool>,
    timing: Mutex<Timing>,
    stderr_remark: Mutex<Option<(String, u64)>>,
    confirmed: Mutex<BTreeSet<Id>>,
    hung: AtomicU32,
    cannot_start: AtomicBool,
    wrote_state: AtomicBool,
}

impl<'a> SharedState<'a> {
    /// The state before anything is known about `bot`, for a game with these `ids` and this `clock`.
    pub(crate) fn new(
        bot: &'a Bot,
        ids: CommonCheckIds,
        clock: Option<GameClock>,
        budget: Budget,
        conditions: Conditions,
    ) -> SharedState<'a> {
        SharedState {
            bot,
            ids,
            clock,
            budget,
            conditions: Conditions { watch_folder: true, ..conditions },
            runtime_has_threads: OnceLock::new(),
            timing: Mutex::default(),
            stderr_remark: Mutex::default(),
            confirmed: Mutex::default(),
            hung: AtomicU32::new(0),
            cannot_start: AtomicBool::new(false),
            wrote_state: AtomicBool::new(false),
        }
    }

    /// Whether the runtime of the bot's language starts threads by itself (R8).
    pub(crate) fn runtime_has_threads(&self) -> bool {
        *self.runtime_has_threads.get_or_init(|| runtime::has_threads(&self.bot.program))
    }

    /// Whether the bot has been given up and is not run any more: it cannot be started, or it hangs repeatedly.
    pub(crate) fn given_up(&self) -> bool {
        self.cannot_start.load(Ordering::Relaxed) || self.hung.load(Ordering::Relaxed) >= PATIENCE
    }

    /// Whether the bot has written a state file.
    pub(crate) fn wrote_state(&self) -> bool {
        self.wrote_state.load(Ordering::Relaxed)
    }

    /// Notes that the bot has written a state file.
    pub(crate) fn note_state(&self) {
        self.wrote_state.store(true, Ordering::Relaxed);
    }

    /// The timing so far.
    pub(crate) fn timing(&self) -> Timing {
        locked(&self.timing).clone()
    }

    /// Notes the wall time of an early move (B10).
    pub(crate) fn note_early(&self, case: &str, report: &RunReport) {
        locked(&self.timing).early.push((case.to_string(), report.wall));
    }

    /// A remark if the bot writes to standard error in a game.
    pub(crate) fn stderr_remark(&self) -> Option<String> {
        locked(&self.stderr_remark).as_ref().map(|(case, bytes)| {
            format!("it writes to standard error ({bytes} bytes in `{case}`): `replay --log` shows what records keep of it")
        })
    }

    /// Whether no run of the bot has been noted yet, so that its program may not be in memory.
    pub(crate) fn is_first_run(&self) -> bool {
        locked(&self.timing).runs == 0
    }

    /// Whether a cause of failing this check was confirmed before, so that it needs no confirmation.
    pub(crate) fn is_confirmed(&self, id: Id) -> bool {
        locked(&self.confirmed).contains(id)
    }

    /// Notes that a cause of failing this check was confirmed.
    pub(crate) fn confirm(&self, id: Id) {
        locked(&self.confirmed).insert(id);
    }

    /// Notes a run of `case`. `slowest` is the place and the time of its slowest answer, if it is to count. If the run
    /// was `as_in_a_game`, its standard error counts for [`SharedState::stderr_remark`].
    pub(crate) fn note(
        &self,
        case: &str,
        as_in_a_game: bool,
        slowest: Option<(String, Duration)>,
        report: &RunReport,
    ) {
        self.budget.note_run(report.own_wall());
        let mut timing = locked(&self.timing);
        timing.runs += 1;
        if let Some((place, took)) = slowest
            && timing.slowest.as_ref().is_none_or(|(_, known)| took > *known)
        {
            timing.slowest = Some((place, took));
        }
        drop(timing);
        // A bot that failed may explain itself on standard error.
        let is_well = matches!(report.ended, Ended::Exited(0) | Ended::Stopped);
        if as_in_a_game && report.stderr_total > 0 && is_well {
            locked(&self.stderr_remark).get_or_insert_with(|| (case.to_string(), report.stderr_total));
        }
    }

    /// Notes how a run of a bot that is started for every move ended. A bot that cannot be started, or hangs in moves
    /// repeatedly, is given up.
    pub(crate) fn note_end(&self, is_move: bool, report: &RunReport) {
        if matches!(report.ended, Ended::CannotStart { .. }) {
            self.cannot_start.store(true, Ordering::Relaxed);
        }
        if is_move && report.ended == Ended::TimedOut {
            self.hung.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
