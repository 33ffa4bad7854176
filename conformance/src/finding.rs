//! The findings about a bot: a result for every check, and the evidence of every failure.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::language::Language;
use crate::protocol::lines::Transcript;
use crate::serde_fields;
use cornerman::game::Spot;
use cornerman_harness::sandbox::{RunReport, RunRequest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// One run of a bot: what was requested, and what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The run that the sandbox was asked for.
    pub request: RunRequest,
    /// The content of the bot's state file before the run; `None` if there was no such file.
    pub state: Option<Vec<u8>>,
    /// What happened.
    pub report: RunReport,
    /// The transcript, for a game in lines.
    pub transcript: Option<Transcript>,
}

/// One failure, as one run showed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The id of the check that this failure would fail in plain conditions.
    #[serde(with = "serde_fields::id")]
    pub symptom: Id,
    /// The name of the case: an arena, or a place in a game.
    pub case: String,
    /// A description of the case, for reports.
    pub about: String,
    /// How severe the failure is: at most as severe as its check.
    pub severity: Severity,
    /// What the bot did wrong, in words for its author.
    pub what: String,
    /// The spots concerned, if any; rows and columns count from 0.
    #[serde(with = "serde_fields::spots")]
    pub spots: Vec<Spot>,
    /// What was expected instead, if that is more specific than the catalogue's `expected`.
    pub expected: Option<String>,
    /// How to fix it, if its cause is known: then this takes the place of the catalogue's `hint`.
    pub hint: Option<String>,
    /// The run that showed it.
    pub evidence: Evidence,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The bot passes.
    Pass,
    /// The bot fails, with at least one finding. The failure is as severe as the most severe of them.
    Fail(Vec<Finding>),
    /// The check could not be judged because another check failed.
    Blocked {
        /// That check's id.
        by: String,
    },
    /// The check could not be judged because none of its cases was run.
    LeftOut(LeftOutReason),
    /// The check was not selected.
    Skipped,
    /// The observation of a check of severity info, which no bot fails.
    Note(String),
}

/// Why some cases were not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeftOutReason {
    /// They would have taken longer than the budget.
    Budget,
    /// The bot had already failed a must, and the check was to stop there.
    Fast,
}

impl LeftOutReason {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            LeftOutReason::Budget => "budget",
            LeftOutReason::Fast => "fast",
        }
    }

    /// The reason for reports, as the end of "not judged because".
    pub fn in_words(self) -> &'static str {
        match self {
            LeftOutReason::Budget => "the budget ran out",
            LeftOutReason::Fast => "a must had already failed",
        }
    }
}

/// How much was left out of the check of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// About how many runs the whole check would have had; at least as many as there were.
    pub planned: u32,
    /// Why the others were left out.
    pub why: LeftOutReason,
}

/// A check and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check.
    #[serde(with = "serde_fields::check")]
    pub check: &'static Check,
    /// The outcome.
    pub outcome: Outcome,
    /// How long its runs took.
    pub took: Duration,
    /// The files with the exact bytes of the first finding; `None` if they were not written.
    #[serde(skip)]
    pub files: Option<Files>,
}

impl Outcome {
    /// Whether the check was judged: the bot passes or fails it, or it is a note.
    pub fn is_judged(&self) -> bool {
        !matches!(self, Outcome::Skipped | Outcome::Blocked { .. } | Outcome::LeftOut(_))
    }
}

impl CheckResult {
    /// How to fix the failure of a bot in `language`: the hint for the cause of the first finding, else that of the
    /// check. `None` if the check did not fail.
    pub fn hint(&self, language: Option<Language>) -> Option<String> {
        match &self.outcome {
            Outcome::Fail(findings) => Some(findings[0].hint.clone().unwrap_or_else(|| self.check.hint(language))),
            _ => None,
        }
    }

    /// The severity of the failure: that of the most severe finding. `None` if the check did not fail.
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
    /// Their folder.
    pub folder: PathBuf,
    /// Their names within it.
    pub names: Vec<&'static str>,
}

/// How long a bot took to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// How often the bot was run.
    pub runs: u32,
    /// The case and the wall time of the slowest move in plain conditions.
    pub slowest: Option<(String, Duration)>,
    /// The case and the wall time of each early move, measured with nothing else running (B10).
    pub early: Vec<(String, Duration)>,
}

/// The result of every check of `catalogue`. `outcome` returns the outcome of a check, and the failed checks that left
/// cases of it without an answer to judge. A check that is not `selected` is skipped, unless a selected one, or a case
/// of one, could not be judged because of it.
pub fn check_results(
    catalogue: &'static Catalogue,
    selected: &BTreeSet<String>,
    outcome: impl Fn(&Check) -> (Outcome, Vec<Id>),
) -> Vec<CheckResult> {
    let checks = &catalogue.checks;
    let mut shown = selected.clone();
    for check in checks.iter().filter(|check| selected.contains(&check.id)) {
        let (outcome, hindrances) = outcome(check);
        shown.extend(hindrances.iter().map(ToString::to_string));
        if let Outcome::Blocked { by } = outcome {
            shown.insert(by);
        }
    }
    let result = |check: &'static Check| {
        let outcome = if shown.contains(&check.id) { outcome(check).0 } else { Outcome::Skipped };
        CheckResult { check, outcome, took: Duration::ZERO, files: None }
    };
    checks.iter().map(result).collect()
}
