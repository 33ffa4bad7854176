//! Which check a trouble fails: the most specific one, and only that.
//!
//! What is seen in plain conditions fails the check of what was seen. A check with special conditions fails
//! only for what plain conditions do not show; otherwise it is blocked by the check that tells of it.

use super::checks::Trouble;
use crate::catalog::{Catalogue, Check, Severity, id};
use crate::finding::{CheckResult, Finding, Outcome, Reason, settled};
use std::collections::{BTreeMap, BTreeSet};

/// What the jobs brought.
#[derive(Debug, Default)]
pub struct Seen {
    /// All troubles.
    pub troubles: Vec<Trouble>,
    /// The bot keeps a state file.
    pub wrote_state: bool,
    /// Checks that were judged, those in plain conditions under [`PLAIN`].
    pub done: BTreeSet<&'static str>,
    /// The bot was asked no more after a while.
    pub given_up: bool,
    /// Why it was not asked everything, if it was not.
    pub left_out: Option<Reason>,
}

impl Seen {
    /// Notes that the jobs for these checks were left out. A check of which a part was asked is judged by that, unless
    /// the bot was asked no more at once.
    pub fn leave_out(&mut self, jobs: impl Iterator<Item = &'static [&'static str]>, why: Option<Reason>) {
        self.left_out = why;
        if why != Some(Reason::Fast) {
            return;
        }
        for checks in jobs {
            let checks = if checks.is_empty() { &[PLAIN, id::NPLAYER] } else { checks };
            checks.iter().for_each(|id| _ = self.done.remove(id));
        }
    }
}

/// What stands for all checks in plain conditions, which are judged with every run.
pub const PLAIN: &str = "";

/// If the second of a pair shows what the first shows, only the first tells of it: the longer way to the same fault.
const FOLLOWS: [(&str, &str); 3] =
    [(id::CHAIN, id::SELF), (id::STATE_COLD, id::STATE_STALE), (id::STATE_STALE, id::STATE_CORRUPT)];

/// The result of every check.
pub fn results(seen: Seen, selected: &BTreeSet<String>) -> Vec<CheckResult> {
    let failed = failures(&seen);
    settled(Catalogue::boxing(), selected, |check| outcome(&seen, &failed, check))
}

/// A check's findings, or the check that tells of what it saw.
#[derive(Debug)]
enum Failed {
    With(Vec<Finding>),
    By(&'static str),
}

fn outcome(seen: &Seen, failed: &BTreeMap<&str, Failed>, check: &Check) -> Outcome {
    match failed.get(check.id.as_str()) {
        Some(Failed::With(findings)) if check.severity == Severity::Info => {
            Outcome::Note(format!("no: {}", findings[0].what))
        }
        Some(Failed::With(findings)) => Outcome::Fail(findings.clone()),
        Some(Failed::By(by)) => Outcome::Blocked { by: first_cause(failed, by).to_string() },
        None if failed.contains_key(id::RUN_EXEC) => Outcome::Blocked { by: id::RUN_EXEC.to_string() },
        None if !seen.given_up && !judged(seen, check) => {
            Outcome::LeftOut(seen.left_out.unwrap_or(Reason::Budget))
        }
        None if seen.given_up => Outcome::Blocked { by: id::TIME_HARD.to_string() },
        None if check.severity == Severity::Info => Outcome::Note("yes: the same answers".to_string()),
        None => Outcome::Pass,
    }
}

/// The check that has the findings, where `by` itself only leads to another.
fn first_cause<'a>(failed: &BTreeMap<&str, Failed>, by: &'a str) -> &'a str {
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

fn judged(seen: &Seen, check: &Check) -> bool {
    let id = check.id.as_str();
    seen.done.contains(if super::SPECIAL.contains(&id) { id } else { PLAIN })
}

fn failures(seen: &Seen) -> BTreeMap<&'static str, Failed> {
    let mut failed: BTreeMap<&str, Failed> = BTreeMap::new();
    let mut add = |check: &'static str, finding: &Finding| {
        let finding = capped(check, finding);
        match failed.entry(check).or_insert_with(|| Failed::With(Vec::new())) {
            Failed::With(findings) => findings.push(finding),
            Failed::By(_) => {}
        }
    };
    let plain = plain(seen);
    plain.iter().for_each(|(check, trouble)| add(check, &trouble.finding));
    // What is only a warning in plain conditions does not explain a failure elsewhere.
    let known: BTreeSet<&str> = plain
        .iter()
        .filter(|(_, trouble)| trouble.finding.severity == Severity::Must)
        .map(|(check, _)| *check)
        .collect();
    let mut blocked: BTreeMap<&'static str, &'static str> = BTreeMap::new();
    for (check, trouble) in &plain {
        trouble.ended.into_iter().for_each(|ended| _ = blocked.entry(ended).or_insert(check));
    }
    for trouble in &seen.troubles {
        // The game that was to lead up to something went wrong.
        if let (Some(ended), Some(by)) = (trouble.ended, trouble.seen_by) {
            blocked.entry(ended).or_insert(by);
        }
    }
    let special = || seen.troubles.iter().filter_map(|trouble| Some((trouble.seen_by?, &trouble.finding)));
    for (check, finding) in special() {
        let symptom = finding.symptom;
        let earlier = FOLLOWS.iter().find(|(first, then)| {
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

/// A finding weighs no more than the check it fails.
fn capped(check: &str, finding: &Finding) -> Finding {
    let most = Catalogue::boxing().get(check).map_or(Severity::Must, |check| check.severity);
    Finding { severity: finding.severity.min(most), ..finding.clone() }
}

/// The troubles of plain conditions, each with the check it fails.
fn plain(seen: &Seen) -> Vec<(&'static str, &Trouble)> {
    // A bot that was given up because it hangs fails by that, wherever it hung.
    let hung = |trouble: &Trouble| seen.given_up && trouble.finding.symptom == id::TIME_HARD;
    let all = || seen.troubles.iter().filter(|trouble| trouble.seen_by.is_none() || hung(trouble));
    let elsewhere: BTreeSet<&str> = all().filter(|t| !t.full).map(|t| t.finding.symptom).collect();
    // A bot that keeps a state file, plays rightly with it, and fails only on arenas it must have played on
    // before: it is the file that it misses.
    let misses_its_file = |symptom: &str| {
        let like_it = |t: &Trouble| t.own_marks && !t.full && !t.despite_state;
        seen.wrote_state && all().filter(|t| t.finding.symptom == symptom).all(like_it)
    };
    all()
        .map(|trouble| {
            let symptom = trouble.finding.symptom;
            let of_answer = Catalogue::boxing().get(symptom).is_some_and(|check| check.violation.is_some());
            let check = match () {
                () if trouble.full && of_answer && !elsewhere.contains(symptom) => id::MOV_PASS,
                () if (of_answer || symptom == id::RUN_SIGNAL) && misses_its_file(symptom) => id::STATE_COLD,
                () => symptom,
            };
            (check, trouble)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Evidence;
    use cornerman_harness::sandbox::{Ended, Order, RunReport};
    use std::time::Duration;

    fn trouble(seen_by: Option<&'static str>, symptom: &'static str) -> Trouble {
        let report = RunReport {
            ended: Ended::Exited(0),
            output: Vec::new(),
            errors: Vec::new(),
            errors_total: 0,
            wall: Duration::ZERO,
            waited: std::time::Duration::ZERO,
            cpu: Default::default(),
            peak_memory: 0,
            leftovers: 0,
            network: None,
            trespasses: Vec::new(),
        };
        let finding = Finding {
            symptom,
            case: "a case".to_string(),
            about: String::new(),
            severity: Severity::Must,
            what: String::new(),
            spots: Vec::new(),
            expected: None,
            evidence: Evidence { order: Order::of_move(b'A', b""), state: None, report, transcript: None },
        };
        Trouble { seen_by, ended: None, full: false, own_marks: false, despite_state: false, finding }
    }

    fn full(symptom: &'static str) -> Trouble {
        Trouble { full: true, ..trouble(None, symptom) }
    }

    fn with_own_marks(symptom: &'static str) -> Trouble {
        Trouble { own_marks: true, ..trouble(None, symptom) }
    }

    fn warning(mut trouble: Trouble) -> Trouble {
        trouble.finding.severity = Severity::Should;
        trouble
    }

    fn seen(troubles: Vec<Trouble>) -> Seen {
        let done = crate::games::boxing::SPECIAL.into_iter().chain([PLAIN]).collect();
        Seen { troubles, done, ..Seen::default() }
    }

    /// Every check that fails, `?` after those that only warn, and `(ID)` for those that are blocked.
    fn told(seen: Seen) -> String {
        let all = Catalogue::boxing().checks.iter().map(|check| check.id.clone()).collect();
        let results = results(seen, &all);
        let word = |result: &CheckResult| match (&result.outcome, result.failure()) {
            (Outcome::Blocked { .. }, _) => Some(format!("({})", result.check.id)),
            (_, Some(Severity::Must)) => Some(result.check.id.clone()),
            (_, Some(_)) => Some(format!("{}?", result.check.id)),
            _ => None,
        };
        results.iter().filter_map(word).collect::<Vec<_>>().join(" ")
    }

    fn check(troubles: Vec<Trouble>, wanted: &str) {
        assert_eq!(told(seen(troubles)), wanted);
    }

    #[test]
    fn what_plain_conditions_show_blocks_what_special_ones_show() {
        check(
            vec![trouble(None, "BX-OUT-EOL"), trouble(Some("BX-RUN-CWD"), "BX-OUT-EOL")],
            "BX-OUT-EOL (BX-RUN-CWD)",
        );
        check(
            vec![trouble(None, "BX-OUT-EOL"), trouble(Some("BX-RUN-CWD"), "BX-OUT-LEN")],
            "BX-OUT-EOL BX-RUN-CWD",
        );
        check(vec![trouble(Some("BX-RUN-CWD"), "BX-OUT-LEN")], "BX-RUN-CWD");
    }

    #[test]
    fn a_warning_explains_no_failure() {
        let troubles = vec![warning(trouble(None, "BX-MOV-VACANT")), trouble(Some("BX-NPLAYER"), "BX-MOV-VACANT")];
        check(troubles, "BX-MOV-VACANT? BX-NPLAYER");
    }

    #[test]
    fn only_what_is_seen_on_full_arenas_alone_is_a_fault_of_passing() {
        check(vec![full("BX-OUT-LEN")], "BX-MOV-PASS");
        check(vec![full("BX-OUT-LEN"), trouble(None, "BX-OUT-LEN")], "BX-OUT-LEN");
        check(vec![full("BX-RUN-SIGNAL")], "BX-RUN-SIGNAL");
    }

    #[test]
    fn a_bot_that_misses_its_state_file_is_told_so() {
        let remembers = |troubles| Seen { wrote_state: true, ..seen(troubles) };
        assert_eq!(told(remembers(vec![with_own_marks("BX-OUT-LEN")])), "BX-STATE-COLD");
        let everywhere = vec![with_own_marks("BX-OUT-LEN"), trouble(None, "BX-OUT-LEN")];
        assert_eq!(told(remembers(everywhere)), "BX-OUT-LEN");
        let in_games = Trouble { despite_state: true, ..with_own_marks("BX-OUT-LEN") };
        assert_eq!(told(remembers(vec![with_own_marks("BX-OUT-LEN"), in_games])), "BX-OUT-LEN");
        check(vec![with_own_marks("BX-OUT-LEN")], "BX-OUT-LEN");
    }

    #[test]
    fn the_longer_way_to_the_same_fault_is_not_told_again() {
        check(
            vec![trouble(Some("BX-CHAIN"), "BX-MOV-SOME"), trouble(Some("BX-SELF"), "BX-MOV-SOME")],
            "BX-CHAIN (BX-SELF)",
        );
        check(
            vec![trouble(Some("BX-CHAIN"), "BX-MOV-SOME"), trouble(Some("BX-SELF"), "BX-MOV-ONE")],
            "BX-CHAIN BX-SELF",
        );
    }

    #[test]
    fn a_check_that_went_no_further_is_not_judged() {
        let ended = Trouble { ended: Some("BX-CHAIN"), ..trouble(None, "BX-MOV-SOME") };
        check(vec![ended], "(BX-CHAIN) BX-MOV-SOME");
    }

    #[test]
    fn a_bot_that_hangs_fails_by_that_and_by_nothing_it_was_not_asked() {
        let hung = Seen { given_up: true, ..seen(vec![trouble(Some("BX-CHAIN"), "BX-TIME-HARD")]) };
        let told = told(hung);
        assert!(told.contains(" BX-TIME-HARD ") && told.contains("(BX-OUT-LEN)"), "{told}");
    }

    #[test]
    fn what_is_blocked_by_a_blocked_check_names_the_first_cause() {
        let symptom = "BX-MOV-SOME";
        let mut ended = trouble(Some("BX-SELF"), symptom);
        ended.ended = Some("BX-STATE-COLD");
        let results = results(
            seen(vec![trouble(Some("BX-CHAIN"), symptom), ended]),
            &BTreeSet::from(["BX-STATE-COLD".to_string()]),
        );
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-STATE-COLD"), &Outcome::Blocked { by: "BX-CHAIN".to_string() });
        assert!(matches!(outcome("BX-CHAIN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_blocker_is_shown_though_it_was_not_selected() {
        let troubles = vec![trouble(None, "BX-OUT-EOL"), trouble(Some("BX-SELF"), "BX-OUT-EOL")];
        let results = results(seen(troubles), &BTreeSet::from(["BX-SELF".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert!(matches!(outcome("BX-OUT-EOL"), Outcome::Fail(_)));
        assert!(matches!(outcome("BX-SELF"), Outcome::Blocked { .. }));
        assert_eq!(outcome("BX-OUT-LEN"), &Outcome::Skipped);
    }
}
