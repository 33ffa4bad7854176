//! The findings about a bot: a result for every check, and the evidence of every finding.

use crate::catalog::{self, Check, Id, Severity};
use crate::language::Language;
use crate::protocol::lines::transcript::Transcript;
use cornerman::game::Spot;
use cornerman_harness::sandbox::{RunReport, RunRequest};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Something that a bot did wrong, as one run showed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What the bot did, and the check that it fails by that.
    pub cause: Cause,
    /// The run that showed it.
    pub evidence: Evidence,
    /// The conditions under which it was seen. Stored reports lack them: their findings have already been attributed to
    /// checks.
    #[serde(skip)]
    pub conditions: FindingConditions,
}

/// What a bot did wrong, whatever run shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The id of the check that it fails in plain conditions.
    #[serde(deserialize_with = "catalog::known_id")]
    pub check: Id,
    /// What the bot did, in words for its author.
    pub what: String,
    /// The spots of the board that it is about, if any. Rows and columns count from 0.
    pub spots: Vec<Spot>,
    /// What was expected instead, if that is more specific than the catalogue's `expected`.
    pub expected: Option<String>,
    /// How to fix it, if that is more specific than the catalogue's `hint`.
    pub hint: Option<String>,
    /// The greatest severity that it can have. If its check is less severe, that of the check counts.
    pub severity: Severity,
    /// Whether it has nothing to do with what the run or dialogue was for, such as a process left behind.
    pub incidental: bool,
    /// Set if the bot may have ended: then how it ended decides whether this is the cause.
    #[serde(skip)]
    pub ended: Option<IfEnded>,
}

/// How the end of a bot decides what the cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfEnded {
    /// This is the cause, unless a signal or its use of memory killed the bot: then that is the cause instead.
    ByItself,
    /// This is the cause only if a signal or its use of memory killed the bot: it may end by itself.
    BySignal,
}

impl Cause {
    /// A cause of failing `check`, as severe as that check.
    pub fn new(check: Id, what: impl Into<String>) -> Cause {
        Cause {
            check,
            what: what.into(),
            spots: Vec::new(),
            expected: None,
            hint: None,
            severity: Severity::Must,
            incidental: false,
            ended: None,
        }
    }

    /// The same cause, with how to fix it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Cause {
        Cause { hint: Some(hint.into()), ..self }
    }

    /// The same cause, unless a signal killed the bot: then the signal is the cause.
    #[must_use]
    pub fn at_its_end(self) -> Cause {
        Cause { ended: Some(IfEnded::ByItself), ..self }
    }

    /// The same cause, if a signal killed the bot. If the bot ended by itself, nothing is wrong.
    #[must_use]
    pub fn if_by_signal(self) -> Cause {
        Cause { ended: Some(IfEnded::BySignal), ..self }
    }

    /// The same cause, unrelated to what the run or dialogue was for.
    #[must_use]
    pub fn incidental(self) -> Cause {
        Cause { incidental: true, ..self }
    }

    /// The same cause, which is at most a warning.
    #[must_use]
    pub fn warning(self) -> Cause {
        Cause { severity: Severity::Should, ..self }
    }
}

/// One run of a bot: what was requested, and what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The name of the case, such as that of an arena, a dialogue, or a move of a game.
    pub case: String,
    /// A description of the case, for reports.
    pub about: String,
    /// The run that the sandbox was asked for.
    pub request: RunRequest,
    /// The content of the bot's state file before the run; `None` if there was no such file.
    pub state: Option<Vec<u8>>,
    /// What happened.
    pub report: RunReport,
    /// The transcript, for a game in lines.
    pub transcript: Option<Transcript>,
}

/// A flag: the bot plays the same position if it has a state file.
pub(crate) const NEEDS_FILE: u8 = 1 << 6;

/// A flag: the state file does not matter. It was seen both with the bot's state file of the same game and without that
/// file, or it is intermittent.
pub(crate) const WITH_AND_WITHOUT_STATE: u8 = 1 << 7;

/// The conditions under which something was found. They decide which check it fails, and which checks cannot be judged
/// because of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingConditions {
    /// The check with special conditions under which it was seen; `None` for plain conditions.
    pub seen_by: Option<Id>,
    /// The check with special conditions that could not continue because of it.
    pub interrupted: Option<Id>,
    /// The check that it fails in plain conditions, if that is not the check of its cause.
    pub attributed_to: Option<Id>,
    /// The checks for which its case cannot be judged, because it leaves no answer to judge.
    pub unjudged: Vec<Id>,
    /// [`WITH_AND_WITHOUT_STATE`], [`NEEDS_FILE`], and flags that the game defines.
    pub flags: u8,
}

impl Finding {
    /// The finding of `cause` in `evidence`, seen under the special conditions of the check `seen_by`, if any.
    pub fn new(seen_by: Option<Id>, cause: Cause, evidence: Evidence) -> Finding {
        Finding { cause, evidence, conditions: FindingConditions { seen_by, ..FindingConditions::default() } }
    }

    /// The same finding, because of which `check` could not continue.
    #[must_use]
    pub fn interrupting(mut self, check: Id) -> Finding {
        self.conditions.interrupted = Some(check);
        self
    }

    /// The check under whose conditions it was seen, or else that of its cause.
    pub fn check(&self) -> Id {
        self.conditions.seen_by.unwrap_or(self.cause.check)
    }

    /// The check that it fails in plain conditions.
    pub(crate) fn plain_check(&self) -> Id {
        self.conditions.attributed_to.unwrap_or(self.cause.check)
    }

    /// The check whose special conditions show it; `None` if it counts as seen in plain conditions.
    pub fn special_check(&self) -> Option<Id> {
        self.conditions.seen_by.filter(|check| *check != self.cause.check)
    }

    /// Notes that a repetition under the same special conditions did not show it. So they did not cause it: it counts
    /// as seen in plain conditions, and the check of the special ones cannot be judged.
    pub fn mark_intermittent(&mut self) {
        self.conditions.interrupted = self.conditions.seen_by.take();
        self.cause.what.push_str("; this is intermittent: it did not happen again");
    }
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
    /// The check could not be judged because its cases were not run, or some of them in a check that ended at a failed
    /// must.
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
    #[serde(deserialize_with = "catalog::known_check")]
    pub check: &'static Check,
    /// The outcome.
    pub outcome: Outcome,
    /// How long its jobs took. The time of a job for several checks is divided among them.
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
            Outcome::Fail(findings) => {
                Some(findings[0].cause.hint.clone().unwrap_or_else(|| self.check.hint(language)))
            }
            _ => None,
        }
    }

    /// The severity of the failure: that of the most severe finding. `None` if the check did not fail.
    pub fn failure(&self) -> Option<Severity> {
        match &self.outcome {
            Outcome::Fail(findings) => findings.iter().map(|finding| finding.cause.severity).max(),
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
    /// About how often the bot was run: not all repetitions count.
    pub runs: u32,
    /// The case and the time of the slowest answer. In games with one process per move, only moves as in a tournament
    /// count.
    pub slowest: Option<(String, Duration)>,
    /// The case and the wall time of each early move, measured while no other job ran (B10).
    pub early: Vec<(String, Duration)>,
}

/// The greatest width of a picture, in columns.
pub const PICTURE_COLUMNS: usize = 75;

/// A line of a picture: its margin, and then its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureLine {
    /// What is before the text: labels and blanks.
    pub margin: String,
    /// The text.
    pub text: String,
    /// How the text stands out from the rest of the picture.
    pub emphasis: Emphasis,
}

/// How a part of a picture stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Not at all.
    None,
    /// It is secondary, such as a ruler.
    Secondary,
    /// It is what the bot did wrong.
    Wrong,
}

impl PictureLine {
    /// A line without a margin in which nothing stands out.
    pub fn plain(text: impl Into<String>) -> PictureLine {
        PictureLine { margin: String::new(), text: text.into(), emphasis: Emphasis::None }
    }
}
