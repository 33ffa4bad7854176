//! Which check each finding fails: only the most specific one. Other checks that it keeps from being judged are
//! blocked by that check.
//!
//! What is found in plain conditions fails the check of its cause, unless the game attributes it to another. A check
//! with special conditions, such as a missing environment, fails only for what plain conditions do not show, or show
//! only as a warning.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::finding::{CheckResult, Evidence, Finding, LeftOutReason, Outcome};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Everything that the jobs have found out about a bot so far.
#[derive(Debug, Default)]
pub struct Observations {
    /// All findings in the order of the phases; within a phase, those of jobs with
    /// [`comes_first`](crate::jobs::Job::comes_first) are first.
    pub findings: Vec<Finding>,
    /// Runs or dialogues in plain conditions, for later jobs and for the attribution of findings.
    pub plain: Vec<Evidence>,
    /// Checks that could not be judged, each with the failed check that prevented it.
    pub blocked: BTreeMap<Id, Id>,
    /// Checks that were judged.
    pub judged: BTreeSet<Id>,
    /// The failed check that ended the whole check.
    pub halted: Option<Id>,
    /// The check of time, if the bot was given up: then a bot that hangs counts as seen to do so in plain conditions.
    pub hung: Option<Id>,
    /// Whether the bot writes a state file.
    pub wrote_state: bool,
    /// Why some cases were left out, if any were.
    pub left_out: Option<LeftOutReason>,
}

impl Observations {
    /// Notes that jobs for `checks` were left out. A check that had other jobs is judged by those, unless the whole
    /// check ended early at a failed must.
    pub(crate) fn leave_out(&mut self, checks: &[Id], why: Option<LeftOutReason>) {
        self.left_out = why;
        if why == Some(LeftOutReason::Fast) {
            for id in checks {
                self.judged.remove(id);
            }
        }
    }

    /// Notes that the bot was given up because it cannot be started, which fails the check `start`, or hangs, which
    /// fails `time`. Checks that the bot does not fail count as not judged.
    pub(crate) fn give_up(&mut self, start: Id, time: Id) {
        let started = |finding: &Finding| finding.conditions.seen_by.is_some() || finding.cause.check != start;
        self.halted = Some(if self.findings.iter().all(started) { time } else { start });
        self.hung = Some(time);
        self.judged.clear();
    }

    /// Unless the whole check has ended early: if the bot never answered, so that the check `start` was not judged,
    /// notes that the first finding without an answer ended the whole check. Checks that the bot does not fail count as
    /// not judged.
    pub(crate) fn require_an_answer(&mut self, start: Id) {
        if self.judged.contains(start) || self.halted.is_some() || self.left_out == Some(LeftOutReason::Fast) {
            return;
        }
        let first = self.in_plain_conditions().find(|finding| !finding.conditions.unjudged.is_empty());
        if let Some(check) = first.map(Finding::plain_check) {
            self.halted = Some(check);
            self.judged.clear();
        }
    }

    /// The findings that count as seen in plain conditions.
    pub(crate) fn in_plain_conditions(&self) -> impl Iterator<Item = &Finding> {
        let hung = |finding: &Finding| self.hung == Some(finding.cause.check);
        self.findings.iter().filter(move |finding| finding.special_check().is_none() || hung(finding))
    }
}

/// The result of every check of `catalogue`. A check that is not `selected` is skipped, unless it kept a selected
/// check, or a case of one, from being judged.
pub(crate) fn results(
    catalogue: &'static Catalogue,
    seen: &Observations,
    selected: &BTreeSet<String>,
) -> Vec<CheckResult> {
    let unpassed = Unpassed::attribute(catalogue, seen);
    let outcome = |check| outcome(seen, &unpassed, check);
    let mut shown = selected.clone();
    for check in catalogue.checks.iter().filter(|check| selected.contains(&check.id)) {
        shown.extend(unpassed.hindrances(check).map(ToString::to_string));
        if let Outcome::Blocked { by } = outcome(check) {
            shown.insert(by);
        }
    }
    let result = |check: &'static Check| {
        let outcome = if shown.contains(&check.id) { outcome(check) } else { Outcome::Skipped };
        CheckResult { check, outcome, took: Duration::ZERO, files: None }
    };
    catalogue.checks.iter().map(result).collect()
}

/// The outcome of `check`.
fn outcome(seen: &Observations, unpassed: &Unpassed, check: &Check) -> Outcome {
    let id = check.id.as_str();
    let is_info = check.severity == Severity::Info;
    let by = |by: &str| Outcome::Blocked { by: by.to_string() };
    if let Some(findings) = unpassed.failed.get(id) {
        let note = || Outcome::Note(format!("no: {}", findings[0].cause.what));
        return if is_info { note() } else { Outcome::Fail(findings.clone()) };
    }
    if let Some(other) = unpassed.blocked.get(id) {
        return by(unpassed.first_cause(other));
    }
    if let Some(other) = seen.blocked.get(id) {
        return by(other);
    }
    if !seen.judged.contains(id) {
        return match (seen.halted, seen.left_out, unpassed.hindrances(check).next()) {
            (Some(halted), ..) => by(unpassed.first_cause(halted)),
            (None, Some(LeftOutReason::Fast), _) | (None, _, None) => {
                Outcome::LeftOut(seen.left_out.unwrap_or(LeftOutReason::Budget))
            }
            (None, _, Some(hindrance)) => by(hindrance),
        };
    }
    if is_info { Outcome::Note(format!("yes: it {}", check.title)) } else { Outcome::Pass }
}

/// The checks that do not pass because of findings.
#[derive(Debug, Default)]
struct Unpassed {
    /// The findings of each failed check, the most severe first.
    failed: BTreeMap<Id, Vec<Finding>>,
    /// The other checks that found something, each with the check that reports it instead.
    blocked: BTreeMap<Id, Id>,
    /// The checks that had a case that could not be judged, each with a failed check that kept it from that.
    hindered: Vec<(Id, Id)>,
}

impl Unpassed {
    /// Decides which check each finding fails.
    fn attribute(catalogue: &'static Catalogue, seen: &Observations) -> Unpassed {
        let mut unpassed = Unpassed::default();
        for finding in seen.in_plain_conditions() {
            unpassed.fail(catalogue, finding.plain_check(), finding);
            if let Some(check) = finding.conditions.interrupted {
                unpassed.blocked.entry(check).or_insert(finding.plain_check());
            }
        }
        for finding in &seen.findings {
            // The conditions of `interrupted` come about in a game, and that game failed before.
            if let (Some(interrupted), Some(by)) = (finding.conditions.interrupted, finding.conditions.seen_by) {
                unpassed.blocked.entry(interrupted).or_insert(by);
            }
        }
        // A warning in plain conditions does not explain a finding under special ones.
        let is_must = |finding: &&Finding| finding.cause.severity == Severity::Must;
        let known: BTreeSet<Id> = seen.in_plain_conditions().filter(is_must).map(Finding::plain_check).collect();
        let special = || seen.findings.iter().filter_map(|finding| Some((finding.special_check()?, finding)));
        for (check, finding) in special() {
            let plain = finding.plain_check();
            let follows = catalogue.get(check).map_or(&[][..], |check| check.follows.as_slice());
            let earlier = follows
                .iter()
                .find(|first| special().any(|(by, other)| by == first.as_str() && other.plain_check() == plain));
            match earlier {
                _ if known.contains(plain) => _ = unpassed.blocked.entry(check).or_insert(plain),
                Some(first) => _ = unpassed.blocked.entry(check).or_insert(first),
                None => unpassed.fail(catalogue, check, finding),
            }
        }
        let failed = &mut unpassed.failed;
        unpassed.blocked.retain(|check, _| !failed.contains_key(check));
        // A report shows the first finding, which must not be a warning if another one is a must.
        for findings in failed.values_mut() {
            findings.sort_by_key(|finding| Reverse(finding.cause.severity));
        }
        for finding in &seen.findings {
            let cause = unpassed.first_cause(finding.special_check().unwrap_or(finding.plain_check()));
            unpassed.hindered.extend(finding.conditions.unjudged.iter().map(|&unjudged| (unjudged, cause)));
        }
        unpassed
    }

    /// The failed checks that kept a case of `check` from being judged.
    fn hindrances(&self, check: &Check) -> impl Iterator<Item = Id> {
        self.hindered.iter().filter(|(unjudged, _)| *unjudged == check.id).map(|(_, by)| *by)
    }

    /// Notes that `check` fails by `finding`, which is at most as severe as the check.
    fn fail(&mut self, catalogue: &Catalogue, check: Id, finding: &Finding) {
        let most = catalogue.get(check).map_or(Severity::Must, |check| check.severity);
        let mut finding = finding.clone();
        finding.cause.severity = finding.cause.severity.min(most);
        self.failed.entry(check).or_default().push(finding);
    }

    /// The check that has the findings: `by`, or the one by which `by` is blocked in turn.
    fn first_cause(&self, by: Id) -> Id {
        let mut cause = by;
        // The number of steps is bounded because a chain of blocked checks may be circular.
        for _ in 0..self.failed.len() + self.blocked.len() {
            match self.blocked.get(cause) {
                Some(next) => cause = next,
                None => break,
            }
        }
        cause
    }
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;
    use crate::finding::Cause;
    use cornerman_harness::sandbox::{Ended, RunReport, RunRequest};

    /// A finding that fails a must, shown by a run in which nothing else happened.
    pub(crate) fn finding(seen_by: Option<Id>, check: Id) -> Finding {
        let evidence = Evidence {
            case: "a case".to_string(),
            about: String::new(),
            request: RunRequest::for_game(Vec::new()),
            state: None,
            report: RunReport::from_ended(Ended::Exited(0)),
            transcript: None,
        };
        Finding::new(seen_by, Cause::new(check, ""), evidence)
    }
}
