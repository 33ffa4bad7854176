//! All that there is to say about one bot.

use crate::catalog::{Check, Id, Severity};
use crate::finding::{CheckResult, LeftOut, Timing};
use crate::games::Suite;
use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{Isolation, Limits, Program};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// All that the suite has to say about one bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotReport {
    /// The suite that it was put through; `None` if the game is not known. Who writes a report writes the game beside it.
    #[serde(skip)]
    pub suite: Option<&'static dyn Suite>,
    /// The bot's name.
    pub name: String,
    /// How it was asked for.
    pub spec: String,
    /// What was run.
    pub program: Program,
    /// What a run could use.
    pub limits: Limits,
    /// What lots were drawn from: random arenas, opponents.
    pub seed: u64,
    /// How well it was shut in; `None` when no sandbox could be opened.
    pub isolation: Option<Isolation>,
    /// One a check, in the order of the catalogue.
    pub results: Vec<CheckResult>,
    /// How long it took.
    pub timing: Timing,
    /// What is worth knowing and fails no check.
    pub remarks: Vec<String>,
    /// Whether it was not asked everything, and why.
    pub left_out: Option<LeftOut>,
    /// A failure of the kit itself: then no check was judged.
    pub kit_failure: Option<String>,
    /// Why the submission could not be checked at all: it cannot be read, built or started (R1).
    pub unfit: Option<String>,
    /// What its compiler or interpreter says of its version, if it has one.
    pub toolchain: Option<String>,
    /// How long the check took.
    pub took: Duration,
    /// Whether this was judged earlier, and kept.
    #[serde(skip)]
    pub is_cached: bool,
}

impl BotReport {
    /// The report about a bot of which nothing is known yet.
    pub fn unchecked(suite: &'static dyn Suite, bot: &Bot, seed: u64) -> BotReport {
        BotReport {
            program: bot.program.clone(),
            limits: bot.limits.clone(),
            toolchain: bot.toolchain.clone(),
            ..BotReport::empty(Some(suite), bot.spec.clone(), bot.name.clone(), seed)
        }
    }

    /// The report about what was handed in as `spec` and called `name`, and is not a bot for the reason `why`. It was to
    /// be put through `suite`, if that is known, with `seed`.
    pub fn unfit(
        spec: String,
        name: String,
        why: String,
        suite: Option<&'static dyn Suite>,
        seed: u64,
    ) -> BotReport {
        BotReport { unfit: Some(why), ..BotReport::empty(suite, spec, name, seed) }
    }

    fn empty(suite: Option<&'static dyn Suite>, spec: String, name: String, seed: u64) -> BotReport {
        BotReport {
            suite,
            name,
            spec,
            program: Program { argv: Vec::new(), folder: PathBuf::new(), parts: Vec::new() },
            limits: Limits::default(),
            seed,
            isolation: None,
            results: Vec::new(),
            timing: Timing::default(),
            remarks: Vec::new(),
            left_out: None,
            kit_failure: None,
            unfit: None,
            toolchain: None,
            took: Duration::ZERO,
            is_cached: false,
        }
    }

    /// The game whose checks these are: `boxing`; empty if it is not known.
    pub fn game(&self) -> Id {
        self.suite.map_or("", |suite| suite.game())
    }

    /// The check of this id.
    pub fn check(&self, id: &str) -> Option<&'static Check> {
        self.suite?.catalogue().get(id)
    }

    /// How many checks failed with this weight.
    pub fn failures(&self, severity: Severity) -> usize {
        self.results.iter().filter(|result| result.failure() == Some(severity)).count()
    }

    /// Whether the bot is fit to play: all musts hold; all shoulds, too, if `strict`.
    pub fn passes(&self, strict: bool) -> bool {
        self.kit_failure.is_none()
            && self.unfit.is_none()
            && self.failures(Severity::Must) == 0
            && !(strict && self.failures(Severity::Should) > 0)
    }

    /// The checks that were judged.
    pub fn judged(&self) -> usize {
        self.results.iter().filter(|result| result.outcome.is_judged()).count()
    }
}

/// The exit code of a check of `reports`: 0 when every bot is fit to play, 1 when one is not, 3 when the kit
/// itself failed.
pub fn exit_code(reports: &[BotReport], strict: bool) -> u8 {
    match reports {
        _ if reports.iter().any(|report| report.kit_failure.is_some()) => 3,
        _ if reports.iter().all(|report| report.passes(strict)) => 0,
        _ => 1,
    }
}
