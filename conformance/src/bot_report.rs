//! The report about one bot.

use crate::catalog::{Check, Id, Severity};
use crate::finding::{CheckResult, LeftOut, Outcome, Timing};
use crate::games::Suite;
use crate::language::Language;
use crate::runner::SharedState;
use cornerman_harness::sandbox::{Isolation, Limits, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything that a check found out about one bot.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BotReport {
    /// The suite that checked it; `None` if the game is not known. The verdict cache does not store it: it is known
    /// when a report is loaded.
    #[serde(skip)]
    pub suite: Option<&'static dyn Suite>,
    /// The bot's name.
    pub name: String,
    /// How the user named the bot: usually a path.
    pub spec: String,
    /// The program that was run; without arguments if the submission is unfit.
    pub program: Program,
    /// The limits of each run.
    pub limits: Limits,
    /// The seed of random arenas and opponents.
    pub seed: u64,
    /// The isolation of the sandbox; `None` if no sandbox was opened.
    pub isolation: Option<Isolation>,
    /// One result per check, in the order of the catalogue; none after an internal failure or for an unfit submission.
    pub results: Vec<CheckResult>,
    /// How long the bot took to answer.
    pub timing: Timing,
    /// Remarks that fail no check.
    pub remarks: Vec<String>,
    /// What was left out because of the budget or because the check was to stop at a failed must, if anything was.
    pub left_out: Option<LeftOut>,
    /// An internal failure, because of which no check was judged.
    pub kit_failure: Option<String>,
    /// Why the submission could not be checked at all: it cannot be read, built or started (R1).
    pub unfit: Option<String>,
    /// The version that the bot's compiler or interpreter reports, if it has one.
    pub toolchain: Option<String>,
    /// Whether [`BotReport::program`] was built from sources, which may have changed since.
    pub is_built: bool,
    /// The language of the bot, if it is known.
    pub language: Option<Language>,
    /// Whether there are results, but none of the selected checks could be judged.
    pub nothing_judged: bool,
    /// The wall time of the whole check.
    pub took: Duration,
    /// Whether this verdict comes from the cache.
    #[serde(skip)]
    pub is_cached: bool,
}

impl BotReport {
    /// The report about the bot of `check` before it is checked.
    pub(crate) fn unchecked(check: &SharedState) -> BotReport {
        let bot = &check.bot;
        BotReport {
            suite: Some(check.suite),
            name: bot.name.clone(),
            spec: bot.spec.clone(),
            program: bot.program.clone(),
            limits: bot.limits.clone(),
            seed: check.options.seed,
            toolchain: bot.toolchain.clone(),
            is_built: bot.built.is_some(),
            language: Language::for_bot(bot),
            ..BotReport::default()
        }
    }

    /// The id of the game, such as `boxing`; empty if it is not known.
    pub fn game(&self) -> Id {
        self.suite.map_or("", |suite| suite.game())
    }

    /// The check with this id, if the game has one.
    pub fn check(&self, id: &str) -> Option<&'static Check> {
        self.suite?.catalogue().get(id)
    }

    /// How many checks failed with this severity.
    pub fn failures(&self, severity: Severity) -> usize {
        self.results.iter().filter(|result| result.failure() == Some(severity)).count()
    }

    /// Whether the bot is fit to play: it passes all musts and, if `strict`, all shoulds. A check that was not judged
    /// counts against it only as [`BotReport::is_open`] says.
    pub fn passes(&self, strict: bool) -> bool {
        self.kit_failure.is_none()
            && self.unfit.is_none()
            && self.failures(Severity::Must) == 0
            && !(strict && self.failures(Severity::Should) > 0)
            && !self.results.iter().any(|result| self.is_open(result))
    }

    /// Whether `result` leaves open whether the bot is fit: its check was not judged, and that is explained neither by
    /// a reported failure nor, if other checks were judged, by cases that were left out.
    pub fn is_open(&self, result: &CheckResult) -> bool {
        let is_reported = |by: &str| {
            let blocker = self.results.iter().find(|other| other.check.id == by);
            blocker.is_some_and(|blocker| blocker.outcome.is_judged() && blocker.outcome != Outcome::Pass)
        };
        match &result.outcome {
            Outcome::Blocked { by } => self.nothing_judged || !is_reported(by),
            // Slowness alone does not make a bot unfit. The headline counts what was not judged.
            Outcome::LeftOut(_) => self.nothing_judged,
            _ => false,
        }
    }

    /// How many checks were judged.
    pub fn judged(&self) -> usize {
        self.results.iter().filter(|result| result.outcome.is_judged()).count()
    }
}

/// The exit code of a check with these `reports`: 0 if every bot is fit to play, 1 if one is not, or 3 if any of them
/// had an internal failure.
pub fn exit_code(reports: &[BotReport], strict: bool) -> u8 {
    match reports {
        _ if reports.iter().any(|report| report.kit_failure.is_some()) => 3,
        _ if reports.iter().all(|report| report.passes(strict)) => 0,
        _ => 1,
    }
}
