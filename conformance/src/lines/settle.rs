//! Which check a fault is laid to, and what is not judged because of it.
//!
//! What is seen in plain conditions fails the check of what was seen. A check with special conditions fails only
//! for what plain conditions do not show; otherwise it is blocked by the check that tells of it.

use super::table::{Held, Scene, Table};
use crate::catalog::{Catalogue, Check, Severity};
use crate::finding::{CheckResult, Finding, Outcome, Reason, settled};
use cornerman_harness::sandbox::SandboxError;
use std::collections::{BTreeMap, BTreeSet};

/// Something a bot did wrong.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The check with special conditions in which it was seen; `None`: in plain conditions.
    pub seen_by: Option<&'static str>,
    /// What it did.
    pub finding: Finding,
}

impl Trouble {
    /// The troubles of a scene, one a fault, as seen under the special conditions of the check `seen_by`.
    pub fn of(seen_by: Option<&'static str>, scene: &Scene, held: &Held) -> Vec<Trouble> {
        let trouble = |fault: &super::Fault| Trouble {
            seen_by: seen_by.filter(|_| !fault.aside),
            finding: Finding {
                symptom: fault.id,
                case: scene.case.clone(),
                about: scene.about.clone(),
                severity: fault.severity,
                what: fault.what.clone(),
                spots: Vec::new(),
                expected: fault.expected.clone(),
                evidence: held.evidence.clone(),
            },
        };
        held.faults.iter().map(trouble).collect()
    }
}

impl Trouble {
    /// The check that it fails unless another one explains it.
    pub fn check(&self) -> &'static str {
        self.seen_by.unwrap_or(self.finding.symptom)
    }
}

/// The troubles of a scene. What special conditions do not show a second time is a matter of chance, not of them.
///
/// # Errors
/// When the sandbox failed.
pub fn troubles(table: &mut Table, scene: &Scene) -> Result<(Vec<Trouble>, Held), SandboxError> {
    let held = table.hold(scene)?;
    let mut troubles = Trouble::of(scene.check, scene, &held);
    let foreign = |trouble: &Trouble| trouble.seen_by.is_some_and(|check| check != trouble.finding.symptom);
    if troubles.iter().any(foreign) {
        let again = table.hold(scene)?;
        for trouble in troubles.iter_mut().filter(|trouble| foreign(trouble)) {
            if !again.faults.iter().any(|fault| fault.id == trouble.finding.symptom) {
                trouble.seen_by = None;
                trouble.finding.what.push_str("; not every time, so it is a matter of chance");
            }
        }
    }
    Ok((troubles, held))
}

/// What the scenes brought.
#[derive(Debug, Default)]
pub struct Seen {
    /// All troubles, the plainest first.
    pub troubles: Vec<Trouble>,
    /// Checks that could not be judged, and the one that is why.
    pub blocked: BTreeMap<&'static str, &'static str>,
    /// Checks that were judged.
    pub judged: BTreeSet<&'static str>,
    /// No more was asked once this check had failed.
    pub halted: Option<&'static str>,
    /// Why it was not asked everything, if it was not.
    pub left_out: Option<Reason>,
}

impl Seen {
    /// Notes that dialogues for `checks` were left out. A check of which a part was asked is judged by that, unless the
    /// bot was asked no more at once.
    pub fn leave_out(&mut self, checks: impl Iterator<Item = &'static str>, why: Option<Reason>) {
        self.left_out = why;
        if why == Some(Reason::Fast) {
            checks.for_each(|id| _ = self.judged.remove(id));
        }
    }
}

/// The result of every check of `catalogue`.
pub fn results(catalogue: &'static Catalogue, seen: &Seen, selected: &BTreeSet<String>) -> Vec<CheckResult> {
    let failed = failures(catalogue, seen);
    settled(catalogue, selected, |check| outcome(seen, &failed, check))
}

/// A check's findings, or the check that tells of what it saw.
enum Failed {
    With(Vec<Finding>),
    By(&'static str),
}

fn outcome(seen: &Seen, failed: &BTreeMap<&str, Failed>, check: &Check) -> Outcome {
    let id = check.id.as_str();
    let by = |by: &str| Outcome::Blocked { by: by.to_string() };
    match (failed.get(id), seen.blocked.get(id), seen.halted) {
        (Some(Failed::With(findings)), ..) => Outcome::Fail(findings.clone()),
        (Some(Failed::By(other)), ..) => by(other),
        (None, Some(other), _) => by(other),
        (None, None, halted) if !seen.judged.contains(id) => match (halted, seen.left_out) {
            (Some(halted), _) => by(halted),
            (None, why) => Outcome::LeftOut(why.unwrap_or(Reason::Budget)),
        },
        _ => Outcome::Pass,
    }
}

fn failures(catalogue: &Catalogue, seen: &Seen) -> BTreeMap<&'static str, Failed> {
    let mut failed: BTreeMap<&str, Failed> = BTreeMap::new();
    let mut add = |check: &'static str, finding: &Finding| {
        let most = catalogue.get(check).map_or(Severity::Must, |check| check.severity);
        let finding = Finding { severity: finding.severity.min(most), ..finding.clone() };
        match failed.entry(check).or_insert_with(|| Failed::With(Vec::new())) {
            Failed::With(findings) => findings.push(finding),
            Failed::By(_) => {}
        }
    };
    // What every dialogue shows alike, whatever it is for, fails its own check.
    let own = |trouble: &&Trouble| trouble.seen_by.is_none_or(|check| check == trouble.finding.symptom);
    seen.troubles.iter().filter(own).for_each(|trouble| add(trouble.finding.symptom, &trouble.finding));
    let grave = |trouble: &&Trouble| trouble.finding.severity == Severity::Must;
    let known: BTreeSet<&str> =
        seen.troubles.iter().filter(own).filter(grave).map(|trouble| trouble.finding.symptom).collect();
    let mut blocked = Vec::new();
    for trouble in seen.troubles.iter().filter(|trouble| !own(trouble)) {
        let Some(check) = trouble.seen_by else { continue };
        match known.contains(trouble.finding.symptom) {
            true => blocked.push((check, trouble.finding.symptom)),
            false => add(check, &trouble.finding),
        }
    }
    for (check, by) in blocked {
        failed.entry(check).or_insert(Failed::By(by));
    }
    failed
}
