//! What is wrong with a single answer, and with a run, of a bot for the Boxing Match.

use crate::finding::Cause;
use crate::games::boxing::diagnosis::{self, Answer};
use crate::games::boxing::{IDS, catalogue};
use crate::protocol::filter::question::causes;
use cornerman::games::boxing::{Arena, LARGEST_SQUARE, judge};
use cornerman_harness::sandbox::{Limits, RunReport};

/// What is wrong with `output` as the answer of the bot with `mark` to `arena`, if anything is.
pub fn of_answer(arena: &Arena, mark: u8, output: &[u8]) -> Option<Cause> {
    let violation = judge(arena, mark, LARGEST_SQUARE, output).err()?;
    let check = catalogue().of_violation(violation.kind);
    let check = check.unwrap_or_else(|| panic!("no check is for violations of kind `{}`", violation.kind));
    let check = check.id.as_str();
    let answer = Answer { arena, was: arena.to_bytes(), mark, output, violation: &violation, check };
    let cause = diagnosis::cause(&answer).unwrap_or_else(|| Cause::new(check, &violation.detail));
    Some(Cause { spots: violation.spots, ..cause })
}

/// All that is wrong with a run in plain conditions in which the bot had to answer `arena`.
pub fn of_run(arena: &Arena, mark: u8, report: &RunReport, limits: &Limits) -> Vec<Cause> {
    causes(&IDS.common, limits, report, |output| of_answer(arena, mark, output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::VIOLATIONS;
    use cornerman_harness::sandbox::Ended;
    use std::time::Duration;

    fn report(ended: Ended, output: &[u8]) -> RunReport {
        RunReport { output: output.to_vec(), ..RunReport::from_ended(ended) }
    }

    fn check(report: &RunReport, ids: &[&str]) {
        let found = of_run(&Arena::open(), b'A', report, &Limits::default());
        assert_eq!(found.iter().map(|cause| cause.check).collect::<Vec<_>>(), ids, "{report:?}");
    }

    fn legal() -> Vec<u8> {
        let mut answer = Arena::open().to_bytes().to_vec();
        answer[0] = b'A';
        answer
    }

    #[test]
    fn every_kind_of_violation_has_its_check() {
        for kind in VIOLATIONS {
            assert!(catalogue().of_violation(kind).is_some(), "no check is for `{kind}`");
        }
    }

    #[test]
    fn a_legal_answer_has_no_fault() {
        check(&report(Ended::Exited(0), &legal()), &[]);
    }

    #[test]
    fn a_killed_or_crashed_run_is_not_judged_further() {
        check(&report(Ended::TimedOut, b"junk"), &["BX-TIME-HARD"]);
        check(&report(Ended::Signalled(11), &legal()), &["BX-RUN-SIGNAL"]);
        check(&report(Ended::Signalled(11), b""), &["BX-RUN-SIGNAL"]);
    }

    #[test]
    fn an_exit_status_is_a_fault_only_if_the_answer_is_legal() {
        check(&report(Ended::Exited(1), &legal()), &["BX-RUN-EXIT"]);
        check(&report(Ended::Exited(1), b""), &["BX-OUT-LEN"]);
    }

    #[test]
    fn independent_faults_are_all_reported() {
        let mut both = report(Ended::Exited(0), &legal()[..527]);
        both.wall = Duration::from_secs(2);
        check(&both, &["BX-OUT-FINALNL", "BX-TIME-SOFT"]);
    }
}
