//! Which check each finding fails: only the most specific one. Other checks that it keeps from being judged are
//! blocked by that check.
//!
//! What is found in plain conditions fails the check of its cause. A check with special conditions, such as a missing
//! environment, fails only for what plain conditions do not show.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::finding::{CheckResult, Evidence, Finding, LeftOutReason, Outcome, check_results};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that the jobs have found out about a bot so far.
#[derive(Debug, Default)]
pub struct Observations {
    /// All findings, those that are easiest to understand first.
    pub findings: Vec<Finding>,
    /// Runs or dialogues in plain conditions, by which a game attributes findings.
    pub plain: Vec<Evidence>,
    /// Checks that could not be judged, each with the failed check that prevented it.
    pub blocked: BTreeMap<Id, Id>,
    /// Checks that were judged.
    pub judged: BTreeSet<Id>,
    /// The failed check that ended the whole check.
    pub halted: Option<Id>,
    /// The check of time, if the bot was given up because it hangs: hanging counts as seen in plain conditions.
    pub hung: Option<Id>,
    /// Whether the bot writes a state file.
    pub wrote_state: bool,
    /// Why some cases were left out, if any were.
    pub left_out: Option<LeftOutReason>,
}

impl Observations {
    /// Notes that jobs for `checks` were left out. A check that had other jobs is judged by those, unless the whole
    /// check was to end at the first failed must.
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

    /// If the bot never answered, so that the check `start` was not judged, notes that the first finding without an
    /// answer ended the whole check. Checks that the bot does not fail count as not judged.
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

/// The result of every check of `catalogue`; those that are not `selected` are skipped. If both checks of a pair in
/// `follows` show the same cause, only the first reports it, because it shows it more directly.
pub(crate) fn results(
    catalogue: &'static Catalogue,
    follows: &[(Id, Id)],
    seen: &Observations,
    selected: &BTreeSet<String>,
) -> Vec<CheckResult> {
    let failed = failed_checks(catalogue, follows, seen);
    let mut hindrances: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for finding in &seen.findings {
        let check = finding.special_check().unwrap_or(finding.plain_check());
        for &unjudged in &finding.conditions.unjudged {
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
    /// It is blocked: this other check reports what it found.
    By(Id),
}

/// The outcome of `check`. `hindrance` is the first failed check that kept a case of it from being judged, if one did.
fn outcome(seen: &Observations, failed: &BTreeMap<Id, Failed>, hindrance: Option<&Id>, check: &Check) -> Outcome {
    let id = check.id.as_str();
    let by = |by: &str| Outcome::Blocked { by: by.to_string() };
    match (failed.get(id), seen.blocked.get(id), seen.halted) {
        (Some(Failed::With(findings)), ..) if check.severity == Severity::Info => {
            Outcome::Note(format!("no: {}", findings[0].cause.what))
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

/// The check that has the findings: `by`, or the one by which `by` is blocked in turn.
fn first_cause(failed: &BTreeMap<Id, Failed>, by: Id) -> Id {
    let mut cause = by;
    // The number of steps is bounded because a chain of blocked checks may be circular.
    for _ in 0..failed.len() {
        match failed.get(cause) {
            Some(Failed::By(next)) => cause = next,
            _ => break,
        }
    }
    cause
}

/// Why each check that does not pass does not.
fn failed_checks(catalogue: &Catalogue, follows: &[(Id, Id)], seen: &Observations) -> BTreeMap<Id, Failed> {
    let mut failed: BTreeMap<Id, Failed> = BTreeMap::new();
    let mut add = |check: Id, finding: &Finding| {
        // A finding is at most as severe as the check that it fails.
        let most = catalogue.get(check).map_or(Severity::Must, |check| check.severity);
        let mut finding = finding.clone();
        finding.cause.severity = finding.cause.severity.min(most);
        match failed.entry(check).or_insert_with(|| Failed::With(Vec::new())) {
            Failed::With(findings) => findings.push(finding),
            Failed::By(_) => {}
        }
    };
    for finding in seen.in_plain_conditions() {
        add(finding.plain_check(), finding);
    }
    // A warning in plain conditions does not explain a finding under special ones.
    let is_must = |finding: &&Finding| finding.cause.severity == Severity::Must;
    let known: BTreeSet<Id> = seen.in_plain_conditions().filter(is_must).map(Finding::plain_check).collect();
    let mut blocked: BTreeMap<Id, Id> = BTreeMap::new();
    for finding in seen.in_plain_conditions() {
        if let Some(check) = finding.conditions.interrupted {
            blocked.entry(check).or_insert(finding.plain_check());
        }
    }
    for finding in &seen.findings {
        // The conditions of `interrupted` come about in a game, and that game failed before.
        if let (Some(interrupted), Some(by)) = (finding.conditions.interrupted, finding.conditions.seen_by) {
            blocked.entry(interrupted).or_insert(by);
        }
    }
    let special = || seen.findings.iter().filter_map(|finding| Some((finding.special_check()?, finding)));
    for (check, finding) in special() {
        let plain = finding.plain_check();
        let earlier = follows.iter().find(|(first, then)| {
            *then == check && special().any(|(by, other)| by == *first && other.plain_check() == plain)
        });
        match (known.contains(plain), earlier) {
            (true, _) => _ = blocked.entry(check).or_insert(plain),
            (false, Some((first, _))) => _ = blocked.entry(check).or_insert(first),
            (false, None) => add(check, finding),
        }
    }
    for (check, by) in blocked {
        failed.entry(check).or_insert(Failed::By(by));
    }
    // A report shows the first finding, which must not be a warning if another one is a must.
    for findings in failed.values_mut() {
        if let Failed::With(findings) = findings {
            findings.sort_by_key(|finding| Reverse(finding.cause.severity));
        }
    }
    failed
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
