//! Which check a trouble of Boxing fails that is not its symptom's: what only full arenas show is a fault of passing, and
//! a bot that misses its state file fails by that.

use super::{catalogue, id};
use crate::catalog::Id;
use crate::settle::{Seen, Trouble};
use std::collections::BTreeSet;

/// The arena was full.
pub const FULL: u8 = 1;
/// The bot had marks on the arena.
pub const OWN_MARKS: u8 = 2;

/// If the second of a pair shows what the first shows, only the first reports it: the longer way to the same fault.
pub const FOLLOWS: [(Id, Id); 3] =
    [(id::CHAIN, id::SELF), (id::STATE_COLD, id::STATE_STALE), (id::STATE_STALE, id::STATE_CORRUPT)];

/// Lays the troubles of plain conditions to the checks that explain them.
pub fn lay(seen: &mut Seen) {
    let symptom = |trouble: &Trouble| trouble.finding.symptom;
    let is_full = |trouble: &Trouble| trouble.circumstances & FULL != 0;
    let elsewhere: BTreeSet<Id> =
        seen.in_plain_conditions().filter(|trouble| !is_full(trouble)).map(symptom).collect();
    // A bot that keeps a state file, plays rightly with it, and fails only on arenas it must have played on
    // before: it is the file that it misses.
    let misses_its_file = |id: Id| {
        let like_it = |trouble: &Trouble| trouble.circumstances == OWN_MARKS;
        seen.wrote_state && seen.in_plain_conditions().filter(|trouble| symptom(trouble) == id).all(like_it)
    };
    let laid_to = |trouble: &Trouble| {
        let symptom = symptom(trouble);
        let of_answer = catalogue().get(symptom).is_some_and(|check| check.violation.is_some());
        match () {
            () if is_full(trouble) && of_answer && !elsewhere.contains(symptom) => Some(id::MOV_PASS),
            () if (of_answer || symptom == id::RUN_SIGNAL) && misses_its_file(symptom) => Some(id::STATE_COLD),
            () => None,
        }
    };
    let laid: Vec<Option<Id>> = seen.troubles.iter().map(laid_to).collect();
    seen.troubles.iter_mut().zip(laid).for_each(|(trouble, laid_to)| trouble.laid_to = laid_to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Severity;
    use crate::finding::{CheckResult, Evidence, Finding, Outcome};
    use crate::settle::{self, DESPITE_STATE};
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
        Trouble::new(seen_by, finding)
    }

    fn full(symptom: &'static str) -> Trouble {
        Trouble { circumstances: FULL, ..trouble(None, symptom) }
    }

    fn with_own_marks(symptom: &'static str) -> Trouble {
        Trouble { circumstances: OWN_MARKS, ..trouble(None, symptom) }
    }

    fn warning(mut trouble: Trouble) -> Trouble {
        trouble.finding.severity = Severity::Should;
        trouble
    }

    fn seen(troubles: Vec<Trouble>) -> Seen {
        let judged = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        Seen { troubles, judged, ..Seen::default() }
    }

    fn results(mut seen: Seen, selected: &BTreeSet<String>) -> Vec<CheckResult> {
        lay(&mut seen);
        settle::results(catalogue(), &FOLLOWS, &seen, selected)
    }

    /// Every check that fails, `?` after those that only warn, and `(ID)` for those that are blocked.
    fn told(seen: Seen) -> String {
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
        let in_games = Trouble { circumstances: OWN_MARKS | DESPITE_STATE, ..trouble(None, "BX-OUT-LEN") };
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
        let mut hung = seen(vec![trouble(Some("BX-CHAIN"), "BX-TIME-HARD")]);
        hung.give_up(id::RUN_EXEC, id::TIME_HARD);
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
