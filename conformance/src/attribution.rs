//! The attribution of failures: each one fails only the most specific check, and blocks others that cannot be judged.
//!
//! A failure in plain conditions fails the check of its symptom. A check with special conditions fails only for what
//! plain conditions do not show; otherwise the check that reports the failure blocks it.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::finding::{CheckResult, Evidence, Finding, LeftOutReason, Outcome, check_results};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A circumstance: the bot plays the same position if it has a state file.
pub(crate) const NEEDS_FILE: u8 = 1 << 6;

/// A circumstance: the failure was seen both with the bot's own state file of the same game and without it.
pub(crate) const WITH_AND_WITHOUT_STATE: u8 = 1 << 7;

/// Something a bot did wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The check with special conditions under which it was seen; `None` for plain conditions.
    pub seen_by: Option<Id>,
    /// The check with special conditions that could not continue because of it.
    pub interrupted: Option<Id>,
    /// The check that it fails in plain conditions, if that is not the check of its symptom.
    pub attributed_to: Option<Id>,
    /// The checks for which its case cannot be judged, because it leaves no answer to judge.
    pub unjudged: Vec<Id>,
    /// Whether it has nothing to do with what the run or dialogue was for, such as a process left behind.
    pub incidental: bool,
    /// Flags that say what else is known: [`WITH_AND_WITHOUT_STATE`], [`NEEDS_FILE`], and the game's own flags.
    pub circumstances: u8,
    /// What the bot did, and where.
    pub finding: Finding,
}

impl Failure {
    /// The failure of `finding`, seen under the special conditions of the check `seen_by`, if any.
    pub fn new(seen_by: Option<Id>, finding: Finding) -> Failure {
        let interrupted = None;
        let attributed_to = None;
        let unjudged = Vec::new();
        Failure { seen_by, interrupted, attributed_to, unjudged, incidental: false, circumstances: 0, finding }
    }

    /// The check that it fails unless another check explains it.
    pub fn check(&self) -> Id {
        self.seen_by.unwrap_or(self.finding.symptom)
    }

    /// The check that it fails in plain conditions.
    fn plain_check(&self) -> Id {
        self.attributed_to.unwrap_or(self.finding.symptom)
    }

    /// Notes that a repetition under the same conditions did not show it. The conditions did not cause it, so it counts
    /// as seen in plain ones, and the check of those conditions cannot be judged.
    pub fn mark_intermittent(&mut self) {
        self.interrupted = self.seen_by.take();
        self.finding.what.push_str("; this is intermittent: it did not happen again");
    }

    /// The check whose special conditions show it. `None` for plain conditions, and for a symptom that every run can
    /// show and that has a check of its own.
    pub fn special_check(&self) -> Option<Id> {
        self.seen_by.filter(|check| *check != self.finding.symptom)
    }
}

/// Everything that the jobs have found out about a bot so far.
#[derive(Debug, Default)]
pub struct Observations {
    /// All failures, those that are easiest to understand first.
    pub failures: Vec<Failure>,
    /// Runs in plain conditions.
    pub plain: Vec<Evidence>,
    /// Checks that could not be judged, each with the failed check that prevented it.
    pub blocked: BTreeMap<Id, Id>,
    /// Checks that were judged.
    pub judged: BTreeSet<Id>,
    /// The failed check that ended the whole check.
    pub halted: Option<Id>,
    /// The check that a bot fails if it was given up because it hangs, whatever the conditions.
    pub hung: Option<Id>,
    /// Whether the bot writes a state file.
    pub wrote_state: bool,
    /// Why some cases were left out, if any were.
    pub left_out: Option<LeftOutReason>,
}

impl Observations {
    /// Notes that jobs for `checks` were left out. A check with other jobs that were done is judged by those, unless
    /// the whole check ended at a failed must.
    pub fn leave_out(&mut self, checks: impl Iterator<Item = Id>, why: Option<LeftOutReason>) {
        self.left_out = why;
        if why == Some(LeftOutReason::Fast) {
            for id in checks {
                _ = self.judged.remove(id);
            }
        }
    }

    /// Notes that the bot was given up because it cannot be started or hangs, which fails the checks `start` or `time`.
    /// Checks that it does not fail count as not judged.
    pub fn give_up(&mut self, start: Id, time: Id) {
        let started = |failure: &Failure| failure.seen_by.is_some() || failure.finding.symptom != start;
        self.halted = Some(if self.failures.iter().all(started) { time } else { start });
        self.hung = Some(time);
        self.judged.clear();
    }

    /// If the check `start`, which any answer decides, was never judged, notes that the first failure without an
    /// answer prevented it. Checks that the bot does not fail count as not judged.
    pub fn require_an_answer(&mut self, start: Id) {
        if self.judged.contains(start) || self.halted.is_some() || self.left_out == Some(LeftOutReason::Fast) {
            return;
        }
        let first = self.in_plain_conditions().find(|failure| !failure.unjudged.is_empty());
        if let Some(check) = first.map(Failure::plain_check) {
            self.halted = Some(check);
            self.judged.clear();
        }
    }

    /// The failures that count as seen in plain conditions.
    pub fn in_plain_conditions(&self) -> impl Iterator<Item = &Failure> {
        let hung = |failure: &Failure| self.hung == Some(failure.finding.symptom);
        self.failures.iter().filter(move |failure| failure.special_check().is_none() || hung(failure))
    }
}

/// The result of every check of `catalogue`; those that are not `selected` are skipped. If both checks of a pair in
/// `follows` show the same symptom, only the first reports it, because the second shows it less directly.
pub(crate) fn results(
    catalogue: &'static Catalogue,
    follows: &[(Id, Id)],
    seen: &Observations,
    selected: &BTreeSet<String>,
) -> Vec<CheckResult> {
    let failed = failures(catalogue, follows, seen);
    let mut hindrances: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for failure in &seen.failures {
        let check = failure.special_check().unwrap_or(failure.plain_check());
        for &unjudged in &failure.unjudged {
            hindrances.entry(unjudged).or_default().push(first_cause(&failed, check));
        }
    }
    check_results(catalogue, selected, |check| {
        let hindrances = hindrances.get(check.id.as_str()).map_or(&[][..], Vec::as_slice);
        (outcome(seen, &failed, hindrances.first(), check), hindrances.to_vec())
    })
}

/// Why a check does not pass.
#[derive(Debug)]
enum Failed {
    /// It fails with these findings.
    With(Vec<Finding>),
    /// Another check reports what it saw.
    By(Id),
}

/// The outcome of `check`. If no case of it could be judged, `hindrance` is the failed check that prevented the first.
fn outcome(seen: &Observations, failed: &BTreeMap<Id, Failed>, hindrance: Option<&Id>, check: &Check) -> Outcome {
    let id = check.id.as_str();
    let by = |by: &str| Outcome::Blocked { by: by.to_string() };
    match (failed.get(id), seen.blocked.get(id), seen.halted) {
        (Some(Failed::With(findings)), ..) if check.severity == Severity::Info => {
            Outcome::Note(format!("no: {}", findings[0].what))
        }
        (Some(Failed::With(findings)), ..) => Outcome::Fail(findings.clone()),
        (Some(Failed::By(other)), ..) => by(first_cause(failed, other)),
        (None, Some(other), _) => by(other),
        (None, None, halted) if !seen.judged.contains(id) => match (halted, seen.left_out, hindrance) {
            (Some(halted), ..) => by(first_cause(failed, halted)),
            (None, Some(LeftOutReason::Fast), _) | (None, _, None) => {
                Outcome::LeftOut(seen.left_out.unwrap_or(LeftOutReason::Budget))
            }
            (None, _, Some(hindrance)) => by(hindrance),
        },
        _ if check.severity == Severity::Info => Outcome::Note(format!("yes: it {}", check.title)),
        _ => Outcome::Pass,
    }
}

/// The check that has the findings, if `by` is itself blocked by another one.
fn first_cause(failed: &BTreeMap<Id, Failed>, by: Id) -> Id {
    let mut cause = by;
    // A chain of checks cannot be longer than their number, unless it is circular.
    for _ in 0..failed.len() {
        match failed.get(cause) {
            Some(Failed::By(next)) => cause = next,
            _ => break,
        }
    }
    cause
}

fn failures(catalogue: &Catalogue, follows: &[(Id, Id)], seen: &Observations) -> BTreeMap<Id, Failed> {
    let mut failed: BTreeMap<Id, Failed> = BTreeMap::new();
    let mut add = |check: Id, finding: &Finding| {
        // A finding is at most as severe as the check that it fails.
        let most = catalogue.get(check).map_or(Severity::Must, |check| check.severity);
        let finding = Finding { severity: finding.severity.min(most), ..finding.clone() };
        match failed.entry(check).or_insert_with(|| Failed::With(Vec::new())) {
            Failed::With(findings) => findings.push(finding),
            Failed::By(_) => {}
        }
    };
    for failure in seen.in_plain_conditions() {
        add(failure.plain_check(), &failure.finding);
    }
    // A warning in plain conditions does not explain a failure under special ones.
    let is_must = |failure: &&Failure| failure.finding.severity == Severity::Must;
    let known: BTreeSet<Id> = seen.in_plain_conditions().filter(is_must).map(Failure::plain_check).collect();
    let mut blocked: BTreeMap<Id, Id> = BTreeMap::new();
    for failure in seen.in_plain_conditions() {
        let interrupted = failure.interrupted.into_iter();
        for check in interrupted {
            _ = blocked.entry(check).or_insert(failure.plain_check());
        }
    }
    for failure in &seen.failures {
        // The check needs a game up to some point, and that game failed before it.
        if let (Some(interrupted), Some(by)) = (failure.interrupted, failure.seen_by) {
            blocked.entry(interrupted).or_insert(by);
        }
    }
    let special = || seen.failures.iter().filter_map(|failure| Some((failure.special_check()?, failure)));
    for (check, failure) in special() {
        let symptom = failure.plain_check();
        let earlier = follows.iter().find(|(first, then)| {
            *then == check && special().any(|(by, other)| by == *first && other.plain_check() == symptom)
        });
        match (known.contains(symptom), earlier) {
            (true, _) => _ = blocked.entry(check).or_insert(symptom),
            (false, Some((first, _))) => _ = blocked.entry(check).or_insert(first),
            (false, None) => add(check, &failure.finding),
        }
    }
    for (check, by) in blocked {
        failed.entry(check).or_insert(Failed::By(by));
    }
    // A report shows the first, which is not to be a mere warning of a check that fails.
    for findings in failed.values_mut() {
        if let Failed::With(findings) = findings {
            findings.sort_by_key(|finding| Reverse(finding.severity));
        }
    }
    failed
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;
    use cornerman_harness::sandbox::{Ended, RunReport, RunRequest};

    /// A failure of a must, shown by a run in which nothing else happened.
    pub(crate) fn failure(seen_by: Option<Id>, symptom: Id) -> Failure {
        let report = RunReport::from_ended(Ended::Exited(0));
        let finding = Finding {
            symptom,
            case: "a case".to_string(),
            about: String::new(),
            severity: Severity::Must,
            what: String::new(),
            spots: Vec::new(),
            expected: None,
            hint: None,
            evidence: Evidence {
                request: RunRequest::for_game(Vec::new()),
                state: None,
                report,
                transcript: None,
            },
        };
        Failure::new(seen_by, finding)
    }
}
