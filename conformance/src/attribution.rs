//! Which check a trouble fails, and what is not judged because of it: the most specific check, and only that.
//!
//! What is seen in plain conditions fails the check of what was seen. A check with special conditions fails only for
//! what plain conditions do not show; otherwise it is blocked by the check that reports it.

use crate::catalog::{Catalogue, Check, Id, Severity};
use crate::finding::{CheckResult, Evidence, Finding, Outcome, Reason, check_results};
use std::collections::{BTreeMap, BTreeSet};

/// A circumstance: it was seen with the bot's own state file of the same game, and without it.
pub const WITH_AND_WITHOUT_STATE: u8 = 1 << 7;

/// Something a bot did wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The check with special conditions in which it was seen; `None`: in plain conditions.
    pub seen_by: Option<Id>,
    /// The check with special conditions that went no further because of it.
    pub ended: Option<Id>,
    /// The check that it fails in plain conditions, if that is not its symptom's.
    pub attributed_to: Option<Id>,
    /// What else is known of it: [`WITH_AND_WITHOUT_STATE`], and flags of the game's own.
    pub circumstances: u8,
    /// What it did.
    pub finding: Finding,
}

impl Failure {
    /// What was found, seen under the special conditions of the check `seen_by`.
    pub fn new(seen_by: Option<Id>, finding: Finding) -> Failure {
        Failure { seen_by, ended: None, attributed_to: None, circumstances: 0, finding }
    }

    /// The check that it fails unless another one explains it.
    pub fn check(&self) -> Id {
        self.seen_by.unwrap_or(self.finding.symptom)
    }

    /// The check that it fails in plain conditions.
    fn plain_check(&self) -> Id {
        self.attributed_to.unwrap_or(self.finding.symptom)
    }

    /// Its conditions did not show it again, nor do plain ones: it is the bot's, whatever they are.
    pub fn is_intermittent(&mut self) {
        self.seen_by = None;
        self.finding.what.push_str("; not every time, so it is a matter of chance");
    }

    /// The check whose special conditions show it. What every run shows alike, whatever it is for, fails its own check.
    pub fn special_check(&self) -> Option<Id> {
        self.seen_by.filter(|check| *check != self.finding.symptom)
    }
}

/// What the jobs brought.
#[derive(Debug, Default)]
pub struct Observations {
    /// All troubles, the plainest first.
    pub failures: Vec<Failure>,
    /// What showed the bot as in any game.
    pub plain: Vec<Evidence>,
    /// Checks that could not be judged, and the one that is why.
    pub blocked: BTreeMap<Id, Id>,
    /// Checks that were judged.
    pub judged: BTreeSet<Id>,
    /// No more was asked once this check had failed.
    pub halted: Option<Id>,
    /// A bot that was given up because it hangs fails this check, wherever it hung.
    pub hung: Option<Id>,
    /// The bot keeps a state file.
    pub wrote_state: bool,
    /// Why it was not asked everything, if it was not.
    pub left_out: Option<Reason>,
}

impl Observations {
    /// Notes that jobs for `checks` were left out. A check of which a part was asked is judged by that, unless the bot was
    /// asked no more at once.
    pub fn leave_out(&mut self, checks: impl Iterator<Item = Id>, why: Option<Reason>) {
        self.left_out = why;
        if why == Some(Reason::Fast) {
            checks.for_each(|id| _ = self.judged.remove(id));
        }
    }

    /// Notes that the bot was given up, as it cannot be started or hangs: these are the checks of that. What it does not
    /// fail is not judged then.
    pub fn give_up(&mut self, start: Id, time: Id) {
        let started = |failure: &Failure| failure.seen_by.is_some() || failure.finding.symptom != start;
        self.halted = Some(if self.failures.iter().all(started) { time } else { start });
        self.hung = Some(time);
        self.judged.clear();
    }

    /// The troubles that count as seen in plain conditions.
    pub fn in_plain_conditions(&self) -> impl Iterator<Item = &Failure> {
        let hung = |failure: &Failure| self.hung == Some(failure.finding.symptom);
        self.failures.iter().filter(move |failure| failure.special_check().is_none() || hung(failure))
    }
}

/// The result of every check of `catalogue`. If the second of a pair in `follows` shows what the first shows, only the
/// first reports it: the second is a longer way to the same fault.
pub fn results(
    catalogue: &'static Catalogue,
    follows: &[(Id, Id)],
    seen: &Observations,
    selected: &BTreeSet<String>,
) -> Vec<CheckResult> {
    let failed = failures(catalogue, follows, seen);
    check_results(catalogue, selected, |check| outcome(seen, &failed, check))
}

/// A check's findings, or the check that reports what it saw.
#[derive(Debug)]
enum Failed {
    With(Vec<Finding>),
    By(Id),
}

fn outcome(seen: &Observations, failed: &BTreeMap<Id, Failed>, check: &Check) -> Outcome {
    let id = check.id.as_str();
    let by = |by: &str| Outcome::Blocked { by: by.to_string() };
    match (failed.get(id), seen.blocked.get(id), seen.halted) {
        (Some(Failed::With(findings)), ..) if check.severity == Severity::Info => {
            Outcome::Note(format!("no: {}", findings[0].what))
        }
        (Some(Failed::With(findings)), ..) => Outcome::Fail(findings.clone()),
        (Some(Failed::By(other)), ..) => by(first_cause(failed, other)),
        (None, Some(other), _) => by(other),
        (None, None, halted) if !seen.judged.contains(id) => match (halted, seen.left_out) {
            (Some(halted), _) => by(halted),
            (None, why) => Outcome::LeftOut(why.unwrap_or(Reason::Budget)),
        },
        _ if check.severity == Severity::Info => Outcome::Note("yes: the same answers".to_string()),
        _ => Outcome::Pass,
    }
}

/// The check that has the findings, where `by` itself only leads to another.
fn first_cause(failed: &BTreeMap<Id, Failed>, by: Id) -> Id {
    let mut cause = by;
    // No way is longer than there are checks.
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
        // A finding weighs no more than the check it fails.
        let most = catalogue.get(check).map_or(Severity::Must, |check| check.severity);
        let finding = Finding { severity: finding.severity.min(most), ..finding.clone() };
        match failed.entry(check).or_insert_with(|| Failed::With(Vec::new())) {
            Failed::With(findings) => findings.push(finding),
            Failed::By(_) => {}
        }
    };
    seen.in_plain_conditions().for_each(|failure| add(failure.plain_check(), &failure.finding));
    // What is only a warning in plain conditions does not explain a failure elsewhere.
    let grave = |failure: &&Failure| failure.finding.severity == Severity::Must;
    let known: BTreeSet<Id> = seen.in_plain_conditions().filter(grave).map(Failure::plain_check).collect();
    let mut blocked: BTreeMap<Id, Id> = BTreeMap::new();
    for failure in seen.in_plain_conditions() {
        failure.ended.into_iter().for_each(|ended| _ = blocked.entry(ended).or_insert(failure.plain_check()));
    }
    for failure in &seen.failures {
        // The game that was to lead up to something went wrong.
        if let (Some(ended), Some(by)) = (failure.ended, failure.seen_by) {
            blocked.entry(ended).or_insert(by);
        }
    }
    let special = || seen.failures.iter().filter_map(|failure| Some((failure.special_check()?, &failure.finding)));
    for (check, finding) in special() {
        let symptom = finding.symptom;
        let earlier = follows.iter().find(|(first, then)| {
            *then == check && special().any(|(by, other)| by == *first && other.symptom == symptom)
        });
        match (known.contains(symptom), earlier) {
            (true, _) => _ = blocked.entry(check).or_insert(symptom),
            (false, Some((first, _))) => _ = blocked.entry(check).or_insert(first),
            (false, None) => add(check, finding),
        }
    }
    for (check, by) in blocked {
        failed.entry(check).or_insert(Failed::By(by));
    }
    failed
}
