//! Why an answer is illegal, where the bytes say so: the fault is undone, and if a legal move remains, that fault is
//! the cause. The cause has its own words and its own hint, since one check can fail for many reasons.

mod form;
mod mark;
mod moves;

pub(super) use mark::MEANING;
pub(super) use moves::{PLACES, Place, places};

use crate::catalog::Id;
use crate::finding::Cause;
use crate::games::boxing::catalogue;
use cornerman::game::Violation;
use cornerman::games::boxing::{ARENA_BYTES, Arena, LARGEST_SQUARE, judge};

/// An illegal answer.
pub(super) struct Answer<'a> {
    /// The arena that the bot was given, and its 528 bytes.
    pub arena: &'a Arena,
    pub was: [u8; ARENA_BYTES],
    pub mark: u8,
    /// What the bot wrote.
    pub output: &'a [u8],
    /// What the rules say about it.
    pub violation: &'a Violation,
    /// The check of such violations.
    pub check: Id,
}

impl Answer<'_> {
    /// Whether the bot would have made a legal move by writing `corrected`.
    fn is_undone_by(&self, corrected: &[u8]) -> bool {
        judge(self.arena, self.mark, LARGEST_SQUARE, corrected).is_ok()
    }

    /// A cause of failing the check of the violation, with how to fix it.
    fn cause(&self, what: impl Into<String>, hint: &str) -> Cause {
        Cause::new(self.check, what).hint(hint)
    }

    /// The lines of the output, without their line feeds.
    fn lines(&self) -> Vec<&[u8]> {
        self.output.strip_suffix(b"\n").unwrap_or(self.output).split(|&byte| byte == b'\n').collect()
    }
}

/// Why `answer` is illegal, if that is known.
pub(super) fn cause(answer: &Answer) -> Option<Cause> {
    moves::slanted(answer)
        .or_else(|| mark::cause(answer))
        .or_else(|| form::cause(answer))
        .or_else(|| moves::cause(answer))
}

/// Rows as text, each ended by a line feed.
fn text<R: AsRef<[u8]>>(rows: impl IntoIterator<Item = R>) -> Vec<u8> {
    rows.into_iter().flat_map(|row| [row.as_ref(), b"\n"].concat()).collect()
}

/// The beginning of `text`, escaped and in quotes.
fn quote(text: &[u8]) -> String {
    const SHOWN: usize = 48;
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("`{}{more}`", text[..text.len().min(SHOWN)].escape_ascii())
}

/// What is wrong with `output` as the answer of the bot with `mark` to `arena`, if anything is.
pub fn cause_of_answer(arena: &Arena, mark: u8, output: &[u8]) -> Option<Cause> {
    let violation = judge(arena, mark, LARGEST_SQUARE, output).err()?;
    let check = catalogue().of_violation(violation.kind);
    let check = check.unwrap_or_else(|| panic!("no check is for violations of kind `{}`", violation.kind));
    let check = check.id.as_str();
    let answer = Answer { arena, was: arena.to_bytes(), mark, output, violation: &violation, check };
    let cause = cause(&answer).unwrap_or_else(|| Cause::new(check, &violation.detail));
    Some(Cause { spots: violation.spots, ..cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::boxing::IDS;
    use crate::protocol::filter::question::causes;
    use cornerman::games::boxing::VIOLATIONS;
    use cornerman_harness::sandbox::{Ended, Limits, RunReport};
    use std::time::Duration;

    fn report(ended: Ended, output: &[u8]) -> RunReport {
        RunReport { output: output.to_vec(), ..RunReport::from_ended(ended) }
    }

    fn check(report: &RunReport, ids: &[&str]) {
        let found = causes(&IDS.common, &Limits::default(), report, |output| {
            cause_of_answer(&Arena::open(), b'A', output)
        });
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
