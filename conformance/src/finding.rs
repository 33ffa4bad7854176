//! What was found out about a bot: a result for every check, and the evidence behind every failure.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::lines::Transcript;
use crate::serde_fields;
use cornerman::game::Spot;
use cornerman_harness::sandbox::{RunReport, RunRequest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// A run, exactly as it was asked for and as it went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What the sandbox was asked to do.
    pub request: RunRequest,
    /// What was in the bot's state file beforehand; `None`: there was no such file.
    pub state: Option<Vec<u8>>,
    /// What happened.
    pub report: RunReport,
    /// What was said, of a game that is spoken in lines.
    pub transcript: Option<Transcript>,
}

/// One failure, seen in one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The id of the check that what was seen would fail in plain conditions.
    #[serde(with = "serde_fields::id")]
    pub symptom: Id,
    /// The arena's name, or the place in a game.
    pub case: String,
    /// What that is.
    pub about: String,
    /// How much it weighs.
    pub severity: Severity,
    /// What the bot did.
    pub what: String,
    /// Where on the arena, if it is anywhere.
    #[serde(with = "serde_fields::spots")]
    pub spots: Vec<Spot>,
    /// What was due instead, if there is more to say of it than the catalogue does.
    pub expected: Option<String>,
    /// The run in which it was seen.
    pub evidence: Evidence,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The bot holds it.
    Pass,
    /// The bot does not; at least one finding. It weighs as much as the gravest of them.
    Fail(Vec<Finding>),
    /// It could not be judged because another check failed.
    Blocked {
        /// That check's id.
        by: String,
    },
    /// It could not be judged because nothing that shows it was asked.
    LeftOut(Reason),
    /// It was not selected.
    Skipped,
    /// What there is to know, for checks that nobody fails.
    Note(String),
}

/// Why a bot was not asked everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// It would have taken longer than the budget.
    Budget,
    /// It had failed a must, which was enough.
    Fast,
}

impl Reason {
    /// Its name in data.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Budget => "budget",
            Reason::Fast => "fast",
        }
    }

    /// Why a check is not judged.
    pub fn in_words(self) -> &'static str {
        match self {
            Reason::Budget => "left out by the budget",
            Reason::Fast => "as a must had failed before",
        }
    }
}

/// That a bot was not asked everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many runs a whole check would have had, about; no fewer than there were.
    pub planned: u32,
    /// Why not.
    pub why: Reason,
}

/// A check and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check.
    #[serde(with = "serde_fields::check")]
    pub check: &'static Check,
    /// What came of it.
    pub outcome: Outcome,
    /// The files with the exact bytes of the first finding, if they were written.
    #[serde(skip)]
    pub files: Option<Files>,
}

impl Outcome {
    /// Whether it says something of the bot.
    pub fn is_judged(&self) -> bool {
        !matches!(self, Outcome::Skipped | Outcome::Blocked { .. } | Outcome::LeftOut(_))
    }
}

impl CheckResult {
    /// How much the failure weighs, if it is one.
    pub fn failure(&self) -> Option<Severity> {
        match &self.outcome {
            Outcome::Fail(findings) => findings.iter().map(|finding| finding.severity).max(),
            _ => None,
        }
    }
}

/// The files with the exact bytes of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The folder of them.
    pub folder: PathBuf,
    /// Their names.
    pub names: Vec<&'static str>,
}

/// How long a bot took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// How often it was run.
    pub runs: u32,
    /// The slowest move in plain conditions, and the case.
    pub slowest: Option<(String, Duration)>,
    /// The early moves, each measured alone (B10).
    pub early: Vec<(String, Duration)>,
}

/// The result of every check of `catalogue`, each as `outcome` has it. What was not selected is skipped, unless it
/// is why a selected one says nothing.
pub fn check_results(
    catalogue: &'static Catalogue,
    selected: &BTreeSet<String>,
    outcome: impl Fn(&Check) -> Outcome,
) -> Vec<CheckResult> {
    let checks = &catalogue.checks;
    let chosen = || checks.iter().filter(|check| selected.contains(&check.id));
    let blockers: BTreeSet<String> = chosen()
        .filter_map(|check| match outcome(check) {
            Outcome::Blocked { by } => Some(by),
            _ => None,
        })
        .collect();
    let result = |check: &'static Check| {
        let shown = selected.contains(&check.id) || blockers.contains(&check.id);
        CheckResult { check, outcome: if shown { outcome(check) } else { Outcome::Skipped }, files: None }
    };
    checks.iter().map(result).collect()
}
