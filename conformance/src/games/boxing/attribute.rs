//! Which check a trouble of Boxing fails that is not its symptom's: what only full arenas show is a fault of passing, and
//! a bot that misses its state file fails by that.

use super::{catalogue, id};
use crate::attribution::{Failure, Observations};
use crate::catalog::Id;
use std::collections::BTreeSet;

/// The arena was full.
pub const FULL: u8 = 1;
/// The bot had marks on the arena.
pub const OWN_MARKS: u8 = 2;

/// If the second of a pair shows what the first shows, only the first reports it: the longer way to the same fault.
pub const FOLLOWS: [(Id, Id); 3] =
    [(id::CHAIN, id::SELF), (id::STATE_COLD, id::STATE_STALE), (id::STATE_STALE, id::STATE_CORRUPT)];

/// Lays the troubles of plain conditions to the checks that explain them.
pub fn attribute(seen: &mut Observations) {
    let symptom = |failure: &Failure| failure.finding.symptom;
    let is_full = |failure: &Failure| failure.circumstances & FULL != 0;
    let elsewhere: BTreeSet<Id> =
        seen.in_plain_conditions().filter(|failure| !is_full(failure)).map(symptom).collect();
    // A bot that keeps a state file, plays rightly with it, and fails only on arenas it must have played on
    // before: it is the file that it misses.
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
    let laid: Vec<Option<Id>> = seen.failures.iter().map(attributed_to).collect();
    seen.failures.iter_mut().zip(laid).for_each(|(failure, attributed_to)| failure.attributed_to = attributed_to);
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
            errors: Vec::new(),
            errors_total: 0,
            wall: Duration::ZERO,
            waited: std::time::Duration::ZERO,
            cpu: Default::default(),
            peak_memory: 0,
            leftovers: 0,
            network: None,
            file_violations: Vec::new(),
        };
        let finding = Finding {
            symptom,
            case: "a case".to_string(),
            about: String::new(),
            severity: Severity::Must,
            what: String::new(),
            spots: Vec::new(),
            expected: None,
            evidence: Evidence { request: RunRequest::of_move(b'A', b""), state: None, report, transcript: None },
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

    /// Every check that fails, `?` after those that only warn, and `(ID)` for those that are blocked.
    fn told(seen: Observations) -> String {
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
        assert_eq!(told(seen(failures)), wanted);
    }

    #[test]
    fn what_plain_conditions_show_blocks_what_special_ones_show() {
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
    fn a_warning_explains_no_failure() {
        let failures = vec![warning(failure(None, "BX-MOV-VACANT")), failure(Some("BX-NPLAYER"), "BX-MOV-VACANT")];
        check(failures, "BX-MOV-VACANT? BX-NPLAYER");
    }

    #[test]
    fn only_what_is_seen_on_full_arenas_alone_is_a_fault_of_passing() {
        check(vec![full("BX-OUT-LEN")], "BX-MOV-PASS");
        check(vec![full("BX-OUT-LEN"), failure(None, "BX-OUT-LEN")], "BX-OUT-LEN");
        check(vec![full("BX-RUN-SIGNAL")], "BX-RUN-SIGNAL");
    }

    #[test]
    fn a_bot_that_misses_its_state_file_is_told_so() {
        let remembers = |failures| Observations { wrote_state: true, ..seen(failures) };
        assert_eq!(told(remembers(vec![with_own_marks("BX-OUT-LEN")])), "BX-STATE-COLD");
        let everywhere = vec![with_own_marks("BX-OUT-LEN"), failure(None, "BX-OUT-LEN")];
        assert_eq!(told(remembers(everywhere)), "BX-OUT-LEN");
        let in_games =
            Failure { circumstances: OWN_MARKS | WITH_AND_WITHOUT_STATE, ..failure(None, "BX-OUT-LEN") };
        assert_eq!(told(remembers(vec![with_own_marks("BX-OUT-LEN"), in_games])), "BX-OUT-LEN");
        check(vec![with_own_marks("BX-OUT-LEN")], "BX-OUT-LEN");
    }

    #[test]
    fn the_longer_way_to_the_same_fault_is_not_told_again() {
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
    fn a_check_that_went_no_further_is_not_judged() {
        let ended = Failure { ended: Some("BX-CHAIN"), ..failure(None, "BX-MOV-SOME") };
        check(vec![ended], "(BX-CHAIN) BX-MOV-SOME");
    }

    #[test]
    fn a_bot_that_hangs_fails_by_that_and_by_nothing_it_was_not_asked() {
        let mut hung = seen(vec![failure(Some("BX-CHAIN"), "BX-TIME-HARD")]);
        hung.give_up(id::RUN_EXEC, id::TIME_HARD);
        let told = told(hung);
        assert!(told.contains(" BX-TIME-HARD ") && told.contains("(BX-OUT-LEN)"), "{told}");
    }

    #[test]
    fn what_is_blocked_by_a_blocked_check_names_the_first_cause() {
        let symptom = "BX-MOV-SOME";
        let mut ended = failure(Some("BX-SELF"), symptom);
        ended.ended = Some("BX-STATE-COLD");
        let results = results(
            seen(vec![failure(Some("BX-CHAIN"), symptom), ended]),
            &BTreeSet::from(["BX-STATE-COLD".to_string()]),
        );
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-STATE-COLD"), &Outcome::Blocked { by: "BX-CHAIN".to_string() });
        assert!(matches!(outcome("BX-CHAIN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_blocker_is_shown_though_it_was_not_selected() {
        let failures = vec![failure(None, "BX-OUT-EOL"), failure(Some("BX-SELF"), "BX-OUT-EOL")];
        let results = results(seen(failures), &BTreeSet::from(["BX-SELF".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert!(matches!(outcome("BX-OUT-EOL"), Outcome::Fail(_)));
        assert!(matches!(outcome("BX-SELF"), Outcome::Blocked { .. }));
        assert_eq!(outcome("BX-OUT-LEN"), &Outcome::Skipped);
    }
}
