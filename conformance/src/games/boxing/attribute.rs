//! Attributes failures in Boxing to a check other than that of their symptom: a fault that only full arenas show is a
//! fault of passing, and a bot that fails only without its state file fails the check of the state file.

use super::{catalogue, id};
use crate::attribution::{Failure, Observations};
use crate::catalog::Id;
use std::collections::BTreeSet;

/// The arena was full.
pub const FULL: u8 = 1;
/// The arena contained marks of the bot.
pub const OWN_MARKS: u8 = 2;

/// Pairs of checks of which the second finds the same faults as the first, with more effort. If both find the same
/// fault, only the first reports it.
pub const FOLLOWS: [(Id, Id); 3] =
    [(id::CHAIN, id::SELF), (id::STATE_COLD, id::STATE_STALE), (id::STATE_STALE, id::STATE_CORRUPT)];

/// Attributes the failures in plain conditions to the checks that explain them.
pub fn attribute(seen: &mut Observations) {
    let symptom = |failure: &Failure| failure.finding.symptom;
    let is_full = |failure: &Failure| failure.circumstances & FULL != 0;
    let elsewhere: BTreeSet<Id> =
        seen.in_plain_conditions().filter(|failure| !is_full(failure)).map(symptom).collect();
    // A bot that keeps a state file, and fails only without it and only on arenas where it has moved before, needs the
    // file.
    let misses_its_file = |id: Id| {
        let like_it = |failure: &Failure| failure.circumstances == OWN_MARKS;
        seen.wrote_state && seen.in_plain_conditions().filter(|failure| symptom(failure) == id).all(like_it)
    };
    let attributed_to = |failure: &Failure| {
        let symptom = symptom(failure);
        let of_answer = catalogue().get(symptom).is_some_and(|check| check.violation.is_some());
        match () {
            () if is_full(failure) && of_answer && !elsewhere.contains(symptom) => Some(id::MOV_PASS),
            () if (of_answer || symptom == id::RUN_SIGNAL) && misses_its_file(symptom) => Some(id::STATE_COLD),
            () => None,
        }
    };
    let attributed: Vec<Option<Id>> = seen.failures.iter().map(attributed_to).collect();
    for (failure, attributed_to) in seen.failures.iter_mut().zip(attributed) {
        failure.attributed_to = attributed_to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::{self, WITH_AND_WITHOUT_STATE};
    use crate::catalog::Severity;
    use crate::finding::{CheckResult, Evidence, Finding, Outcome};
    use cornerman_harness::sandbox::{Ended, RunReport, RunRequest};
    use std::time::Duration;

    fn failure(seen_by: Option<&'static str>, symptom: &'static str) -> Failure {
        let report = RunReport {
            ended: Ended::Exited(0),
            output: Vec::new(),
            stderr: Vec::new(),
            stderr_total: 0,
            wall: Duration::ZERO,
            waited: std::time::Duration::ZERO,
            cpu: Default::default(),
            peak_memory: 0,
            leftovers: 0,
            zombies: 0,
            tasks: Default::default(),
            network: None,
            file_violations: Vec::new(),
            waits_for_input: false,
        };
        let finding = Finding {
            symptom,
            case: "a case".to_string(),
            about: String::new(),
            severity: Severity::Must,
            what: String::new(),
            spots: Vec::new(),
            expected: None,
            hint: None,
            evidence: Evidence { request: RunRequest::for_move(b'A', b""), state: None, report, transcript: None },
        };
        Failure::new(seen_by, finding)
    }

    fn full(symptom: &'static str) -> Failure {
        Failure { circumstances: FULL, ..failure(None, symptom) }
    }

    fn with_own_marks(symptom: &'static str) -> Failure {
        Failure { circumstances: OWN_MARKS, ..failure(None, symptom) }
    }

    fn warning(mut failure: Failure) -> Failure {
        failure.finding.severity = Severity::Should;
        failure
    }

    fn seen(failures: Vec<Failure>) -> Observations {
        let judged = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        Observations { failures, judged, ..Observations::default() }
    }

    fn results(mut seen: Observations, selected: &BTreeSet<String>) -> Vec<CheckResult> {
        attribute(&mut seen);
        attribution::results(catalogue(), &FOLLOWS, &seen, selected)
    }

    /// The checks that fail, with `?` after those that only warn, and the blocked ones in parentheses.
    fn summary(seen: Observations) -> String {
        let all = catalogue().checks.iter().map(|check| check.id.clone()).collect();
        let results = results(seen, &all);
        let word = |result: &CheckResult| match (&result.outcome, result.failure()) {
            (Outcome::Blocked { .. }, _) => Some(format!("({})", result.check.id)),
            (_, Some(Severity::Must)) => Some(result.check.id.clone()),
            (_, Some(_)) => Some(format!("{}?", result.check.id)),
            _ => None,
        };
        results.iter().filter_map(word).collect::<Vec<_>>().join(" ")
    }

    fn check(failures: Vec<Failure>, wanted: &str) {
        assert_eq!(summary(seen(failures)), wanted);
    }

    #[test]
    fn a_fault_in_plain_conditions_blocks_the_check_that_shows_it_in_special_ones() {
        check(
            vec![failure(None, "BX-OUT-EOL"), failure(Some("BX-RUN-CWD"), "BX-OUT-EOL")],
            "BX-OUT-EOL (BX-RUN-CWD)",
        );
        check(
            vec![failure(None, "BX-OUT-EOL"), failure(Some("BX-RUN-CWD"), "BX-OUT-LEN")],
            "BX-OUT-EOL BX-RUN-CWD",
        );
        check(vec![failure(Some("BX-RUN-CWD"), "BX-OUT-LEN")], "BX-RUN-CWD");
    }

    #[test]
    fn a_warning_does_not_explain_a_failure() {
        let failures = vec![warning(failure(None, "BX-MOV-VACANT")), failure(Some("BX-NPLAYER"), "BX-MOV-VACANT")];
        check(failures, "BX-MOV-VACANT? BX-NPLAYER");
    }

    #[test]
    fn a_fault_on_full_arenas_alone_is_a_fault_of_passing() {
        check(vec![full("BX-OUT-LEN")], "BX-MOV-PASS");
        check(vec![full("BX-OUT-LEN"), failure(None, "BX-OUT-LEN")], "BX-OUT-LEN");
        check(vec![full("BX-RUN-SIGNAL")], "BX-RUN-SIGNAL");
    }

    #[test]
    fn a_bot_that_fails_without_its_state_file_fails_that_check() {
        let remembers = |failures| Observations { wrote_state: true, ..seen(failures) };
        assert_eq!(summary(remembers(vec![with_own_marks("BX-OUT-LEN")])), "BX-STATE-COLD");
        let everywhere = vec![with_own_marks("BX-OUT-LEN"), failure(None, "BX-OUT-LEN")];
        assert_eq!(summary(remembers(everywhere)), "BX-OUT-LEN");
        let in_games =
            Failure { circumstances: OWN_MARKS | WITH_AND_WITHOUT_STATE, ..failure(None, "BX-OUT-LEN") };
        assert_eq!(summary(remembers(vec![with_own_marks("BX-OUT-LEN"), in_games])), "BX-OUT-LEN");
        check(vec![with_own_marks("BX-OUT-LEN")], "BX-OUT-LEN");
    }

    #[test]
    fn a_fault_that_an_easier_check_found_is_not_reported_again() {
        check(
            vec![failure(Some("BX-CHAIN"), "BX-MOV-SOME"), failure(Some("BX-SELF"), "BX-MOV-SOME")],
            "BX-CHAIN (BX-SELF)",
        );
        check(
            vec![failure(Some("BX-CHAIN"), "BX-MOV-SOME"), failure(Some("BX-SELF"), "BX-MOV-ONE")],
            "BX-CHAIN BX-SELF",
        );
    }

    #[test]
    fn a_check_that_was_interrupted_is_not_judged() {
        let ended = Failure { interrupted: Some("BX-CHAIN"), ..failure(None, "BX-MOV-SOME") };
        check(vec![ended], "(BX-CHAIN) BX-MOV-SOME");
    }

    #[test]
    fn a_bot_that_hangs_fails_only_the_checks_that_were_run() {
        let mut hung = seen(vec![failure(Some("BX-CHAIN"), "BX-TIME-HARD")]);
        hung.give_up(id::RUN_EXEC, id::TIME_HARD);
        let summary = summary(hung);
        assert!(summary.contains(" BX-TIME-HARD ") && summary.contains("(BX-OUT-LEN)"), "{summary}");
    }

    #[test]
    fn a_check_without_an_answer_to_judge_does_not_pass() {
        let without = |judged: &[&'static str], selected: &[&str]| {
            let failure = Failure { unjudged: vec!["BX-MOV-PASS", "BX-OUT-EOL"], ..full("BX-RUN-SIGNAL") };
            let judged = judged.iter().copied().chain(["BX-RUN-EXEC"]).collect();
            let seen = Observations { judged, ..seen(vec![failure]) };
            let results = results(seen, &selected.iter().map(ToString::to_string).collect());
            let outcome = |id: &str| match &results.iter().find(|result| result.check.id == id).unwrap().outcome {
                Outcome::Blocked { by } => by.clone(),
                Outcome::Fail(_) => "fails".to_string(),
                Outcome::Pass => "passes".to_string(),
                other => format!("{other:?}"),
            };
            ["BX-MOV-PASS", "BX-OUT-EOL", "BX-RUN-SIGNAL"].map(outcome)
        };
        let skipped = "Skipped";
        assert_eq!(without(&["BX-OUT-EOL"], &["BX-MOV-PASS"]), ["BX-RUN-SIGNAL", skipped, "fails"]);
        assert_eq!(without(&["BX-OUT-EOL"], &["BX-OUT-EOL"]), [skipped, "passes", "fails"]);
        assert_eq!(without(&["BX-OUT-LEN"], &["BX-OUT-LEN"]), [skipped, skipped, skipped]);
    }

    #[test]
    fn a_bot_that_never_answers_passes_nothing() {
        let failure = Failure { unjudged: vec!["BX-OUT-EOL"], ..failure(None, "BX-OUT-LEN") };
        let mut seen = Observations { judged: BTreeSet::from(["BX-ODD-NUL"]), ..seen(vec![failure]) };
        seen.require_an_answer(id::RUN_EXEC);
        let results = results(seen, &BTreeSet::from(["BX-ODD-NUL".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-ODD-NUL"), &Outcome::Blocked { by: "BX-OUT-LEN".to_string() });
        assert!(matches!(outcome("BX-OUT-LEN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_check_blocked_by_a_blocked_check_names_the_first_cause() {
        let symptom = "BX-MOV-SOME";
        let mut ended = failure(Some("BX-SELF"), symptom);
        ended.interrupted = Some("BX-STATE-COLD");
        let results = results(
            seen(vec![failure(Some("BX-CHAIN"), symptom), ended]),
            &BTreeSet::from(["BX-STATE-COLD".to_string()]),
        );
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-STATE-COLD"), &Outcome::Blocked { by: "BX-CHAIN".to_string() });
        assert!(matches!(outcome("BX-CHAIN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_blocking_check_is_shown_even_if_it_was_not_selected() {
        let failures = vec![failure(None, "BX-OUT-EOL"), failure(Some("BX-SELF"), "BX-OUT-EOL")];
        let results = results(seen(failures), &BTreeSet::from(["BX-SELF".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert!(matches!(outcome("BX-OUT-EOL"), Outcome::Fail(_)));
        assert!(matches!(outcome("BX-SELF"), Outcome::Blocked { .. }));
        assert_eq!(outcome("BX-OUT-LEN"), &Outcome::Skipped);
    }
}
