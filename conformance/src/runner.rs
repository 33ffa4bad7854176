//! Running a bot: each worker has one [`BotRunner`] with its own sandbox. If a bot is late and the machine may have
//! delayed it, it is asked again.
//!
//! In games with one process per move, the runner makes [runs](crate::protocol::filter); in games in lines it holds
//! [dialogues](crate::protocol::lines::Dialogue).

use crate::budget::Budget;
use crate::catalog::{Catalogue, Id};
use crate::check::Options;
use crate::conduct::{is_of_a_runtime, left_running};
use crate::finding::{Finding, Timing};
use crate::games::Suite;
use crate::language;
use cornerman_harness::bot::Bot;
use cornerman_harness::kit::GameClock;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{
    Conditions, Ended, Environment, Isolation, RunReport, RunRequest, Sandbox, SandboxError,
};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Runs the bot for one worker.
pub struct BotRunner<'a> {
    /// The state that all workers share.
    pub shared: &'a SharedState<'a>,
    isolation: Isolation,
    /// `None` during a dialogue, and after a failure.
    sandbox: Option<Sandbox>,
    /// What the bot did in its runs besides its answers, until the job's result takes it.
    pub(crate) conduct: Vec<Finding>,
    /// Whether a game was broken off because there was no time left: then its job has no result.
    pub(crate) is_broken_off: bool,
}

/// How often a run whose fault may not be the bot's is repeated, at most. The last repetition counts.
const RETRIES: usize = 2;

/// No machine is taken to delay a bot by as much as this. So a bot that misses a limit of this length is always at
/// fault.
const BEYOND_DOUBT: Duration = Duration::from_secs(10);

/// What is known about an answer that was late.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateAnswer {
    /// The limit, without the time in which the bot waited for a processor.
    pub limit: Duration,
    /// How long the bot waited for a processor that other programs used. The true time may be longer.
    pub waited: Duration,
    /// The processor time that the bot used; zero if it is not known.
    pub used: Duration,
    /// Whether the bot was seen to rest when its time was over.
    pub rested: bool,
}

impl LateAnswer {
    /// A late answer of a bot whose processor time is not known and that was not seen to rest.
    pub(crate) fn new(limit: Duration, waited: Duration) -> LateAnswer {
        LateAnswer { limit, waited, used: Duration::ZERO, rested: false }
    }

    /// Whether the machine may have delayed the bot: its program was read from a disk (`is_cold`), or other programs
    /// used the processor. It did not if the bot rested when its time was over, or used its limit almost wholly
    /// itself.
    pub(crate) fn may_be_delayed(&self, is_cold: bool) -> bool {
        let was_held_up = self.waited >= self.limit / 4;
        let used_its_limit = self.used >= self.limit * 9 / 10;
        self.limit < BEYOND_DOUBT && (is_cold || was_held_up) && !used_its_limit && !self.rested
    }
}

impl<'a> BotRunner<'a> {
    /// Opens a sandbox for the bot.
    pub(crate) fn open(shared: &'a SharedState<'a>) -> Result<BotRunner<'a>, SandboxError> {
        let sandbox = shared.bot.sandbox(shared.conditions)?;
        Ok(BotRunner {
            shared,
            isolation: sandbox.isolation().clone(),
            sandbox: Some(sandbox),
            conduct: Vec::new(),
            is_broken_off: false,
        })
    }

    /// The isolation of the sandbox.
    pub(crate) fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Whether every run is watched for the files that the bot touches, as it is where the bot shares no folder with
    /// other programs. Elsewhere only runs that ask for it are watched, and other programs may have touched the
    /// files.
    pub(crate) fn watches_every_run(&self) -> bool {
        !self.isolation.level.shares_tmp()
    }

    /// Whether the bot wrote into its own folder. The next run must not find that.
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
        self.put_sandbox(sandbox)?;
        Ok(done)
    }

    /// Gives back the sandbox after a use. That no sandbox can be set up for a bot shows only in its runs, as ones that
    /// cannot start, and says nothing about the bot: it is an error here.
    pub(crate) fn put_sandbox(&mut self, sandbox: Sandbox) -> Result<(), SandboxError> {
        if let Some(why) = sandbox.cannot_set_up() {
            return Err(SandboxError::Failed(format!("it cannot be set up for this bot: {why}")));
        }
        self.sandbox = Some(sandbox);
        Ok(())
    }
}

impl BotRunner<'_> {
    /// Does a `run` of the bot. It is repeated, up to [`RETRIES`] times, while the machine may have delayed the bot,
    /// or while a process that the bot left behind may have been about to end. `shown` returns the late answer of a
    /// run, if there was one, and the run's report.
    pub(crate) fn until_certain<R>(
        &mut self,
        mut run: impl FnMut(&mut Self) -> Result<R, SandboxError>,
        shown: impl Fn(&R) -> (Option<LateAnswer>, &RunReport),
    ) -> Result<R, SandboxError> {
        // Nothing was run yet: the program may have to be read from a disk.
        let mut is_cold = self.shared.known().timing.runs == 0;
        for _ in 0..RETRIES {
            let done = run(self)?;
            let (late, report) = shown(&done);
            let is_delayed = late.is_some_and(|late| late.may_be_delayed(is_cold || report.major_faults > 0));
            let orphan = self.shared.checks.id("ORPHAN");
            let is_left = left_running(report) > 0 && !self.shared.known().confirmed.contains(orphan);
            if !is_delayed && !is_left {
                return Ok(done);
            }
            is_cold = false;
        }
        run(self)
    }
}

/// A folder that belongs to no bot and in which no program can write, not even as the superuser.
const FOREIGN_FOLDER: &str = "/proc";

/// A special condition, as a change to the request of a plain run.
pub(crate) type SpecialCondition = fn(&mut RunRequest);

/// The working directory is not the bot's own.
pub(crate) const IN_FOREIGN_FOLDER: SpecialCondition = |request| request.cwd = Some(FOREIGN_FOLDER.into());

/// PATH is the only environment variable.
pub(crate) const WITHOUT_ENVIRONMENT: SpecialCondition = |request| request.environment = Environment::Minimal;

/// Other environment variables in another order, another process number, and another number of processors.
pub(crate) const IN_OTHER_SURROUNDINGS: SpecialCondition = |request| request.environment = Environment::Varied;

/// A bot that is started for every move is given up after this many moves that exceeded the hard limit.
const PATIENCE: u32 = 3;

/// The state shared by the workers that check one bot: what is asked, the budget, and what is known about the bot so
/// far.
pub struct SharedState<'a> {
    /// The bot, with the limits by which it is judged.
    pub bot: Bot,
    /// The suite of its game.
    pub suite: &'static dyn Suite,
    /// The checks of its game.
    pub checks: &'static Catalogue,
    /// The ids of the checks to run: only checks of the bot's game.
    pub selected: BTreeSet<String>,
    /// The rules of the game. Their limits, and those of the options, are already in [`Bot::limits`].
    pub ruleset: Ruleset,
    /// The clock of the game, if it has one (G3), with the time per move that the user asked for.
    pub clock: Option<GameClock>,
    /// The options of the whole check. Its patterns and its ruleset are not used here.
    pub options: &'a Options,
    /// How long the check may take.
    pub budget: Budget,
    /// How its sandboxes are opened: with the isolation that the options ask for, and with a report of what the bot
    /// writes into its folder.
    pub conditions: Conditions,
    runtime_has_threads: OnceLock<bool>,
    known: Mutex<Known>,
}

/// What is known about a bot.
#[derive(Default)]
pub(crate) struct Known {
    pub timing: Timing,
    /// The first case in which it wrote to standard error in a game, and how many bytes.
    stderr: Option<(String, u64)>,
    /// The checks that it certainly fails, so that nothing need be repeated.
    pub confirmed: BTreeSet<Id>,
    /// In how many moves it exceeded the hard limit, if it is started for every move.
    hung: u32,
    cannot_start: bool,
    /// The first run in which it failed, of those whose [end](SharedState::note_end) is noted.
    pub failed: Option<RunReport>,
    /// Whether it has written a state file.
    pub wrote_state: bool,
}

impl<'a> SharedState<'a> {
    /// The state before anything is known about `bot`, with no checks selected.
    pub(crate) fn new(
        bot: Bot,
        suite: &'static dyn Suite,
        ruleset: Ruleset,
        options: &'a Options,
    ) -> SharedState<'a> {
        SharedState {
            bot,
            suite,
            checks: suite.catalogue(),
            selected: BTreeSet::new(),
            ruleset,
            clock: None,
            options,
            budget: Budget::begin(options.budget, options.fast),
            conditions: Conditions { watch_folder: true, ..options.conditions },
            runtime_has_threads: OnceLock::new(),
            known: Mutex::default(),
        }
    }

    /// What is known about the bot so far. Other workers wait until it is dropped.
    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the runtime of the bot's language starts threads by itself (R8).
    pub(crate) fn runtime_has_threads(&self) -> bool {
        *self.runtime_has_threads.get_or_init(|| language::has_threads(&self.bot.program))
    }

    /// Whether the bot has been given up and is not run any more: it cannot be started, or it hangs repeatedly.
    pub(crate) fn given_up(&self) -> bool {
        let known = self.known();
        known.cannot_start || known.hung >= PATIENCE
    }

    /// A remark if the bot writes to standard error in a game.
    pub(crate) fn stderr_remark(&self) -> Option<String> {
        self.known().stderr.as_ref().map(|(case, bytes)| {
            format!("it writes to standard error ({bytes} bytes in `{case}`): `replay --log` shows what records keep of it")
        })
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
        let mut known = self.known();
        known.timing.runs += 1;
        if let Some((place, took)) = slowest
            && known.timing.slowest.as_ref().is_none_or(|(_, known)| took > *known)
        {
            known.timing.slowest = Some((place, took));
        }
        // A bot that failed may write to standard error why it did.
        let is_well = matches!(report.ended, Ended::Exited(0) | Ended::Stopped);
        if as_in_a_game && report.stderr_total > 0 && is_well {
            known.stderr.get_or_insert_with(|| (case.to_string(), report.stderr_total));
        }
    }

    /// Notes how a run ended: that of a bot that is started for every move, or whose game is to be found out. A bot
    /// that cannot be started, or hangs in moves repeatedly, is given up.
    pub(crate) fn note_end(&self, is_move: bool, report: &RunReport) {
        let mut known = self.known();
        known.cannot_start |= matches!(report.ended, Ended::CannotStart { .. });
        known.hung += u32::from(is_move && report.ended == Ended::TimedOut);
        let is_failure = match report.ended {
            Ended::Exited(status) => status != 0,
            Ended::Signalled(_) | Ended::OutOfMemory => true,
            _ => false,
        };
        if is_failure && known.failed.is_none() {
            known.failed = Some(report.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a bot that was late for one second, with times in milliseconds.
    fn check(is_cold: bool, waited: u64, used: u64, may_be_delayed: bool) {
        let [limit, waited, used] = [1000, waited, used].map(Duration::from_millis);
        let late = LateAnswer { limit, waited, used, rested: false };
        assert_eq!(late.may_be_delayed(is_cold), may_be_delayed);
        assert!(!LateAnswer { rested: true, ..late }.may_be_delayed(is_cold));
    }

    #[test]
    fn a_bot_that_nothing_delayed_is_late() {
        check(false, 0, 0, false);
        check(false, 50, 300, false);
    }

    #[test]
    fn a_bot_that_used_its_own_limit_is_late() {
        check(false, 5000, 990, false);
        check(true, 0, 990, false);
    }

    #[test]
    fn a_bot_that_waited_for_a_disk_or_a_processor_may_be_delayed() {
        check(true, 0, 0, true);
        check(false, 400, 500, true);
    }

    #[test]
    fn no_machine_delays_a_bot_for_ten_seconds() {
        assert!(!LateAnswer::new(BEYOND_DOUBT, BEYOND_DOUBT).may_be_delayed(true));
    }
}
