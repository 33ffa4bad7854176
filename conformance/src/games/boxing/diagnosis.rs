//! Why an answer is illegal, if its bytes show it: mostly, a fault is undone, and if the result is a legal move, that
//! fault is the cause. Each cause has its own words and hint, because a check can fail for many reasons.

mod form;
mod mark;
mod moves;

pub(super) use moves::{PLACES, Place, places};

use crate::catalog::Id;
use crate::finding::Cause;
use crate::games::boxing::catalogue;
use cornerman::game::Violation;
use cornerman::games::boxing::{ARENA_BYTES, Arena, LARGEST_SQUARE, judge};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

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

    /// The cause [`known`] as `name`. It fails the check of the violation unless the file names another one.
    fn known(&self, name: &str, seen: &[(&str, &dyn Display)]) -> Cause {
        known(name, self.check, seen)
    }

    /// The lines of the output, without their line feeds.
    fn lines(&self) -> Vec<&[u8]> {
        self.output.strip_suffix(b"\n").unwrap_or(self.output).split(|&byte| byte == b'\n').collect()
    }
}

/// A cause that the bytes of an answer show.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownCause {
    /// The check that fails; `None` for that of the violation.
    check: Option<String>,
    what: String,
    hint: String,
}

static CAUSES: LazyLock<BTreeMap<String, KnownCause>> = LazyLock::new(|| {
    let text = include_str!("../../../catalog/boxing-causes.toml");
    toml::from_str(text).unwrap_or_else(|error| panic!("the causes of illegal answers in Boxing: {error}"))
});

/// The cause that `catalog/boxing-causes.toml` calls `name`, in whose text each name in braces is replaced by the
/// value beside it in `seen`. It fails `check` unless the file names another one.
pub(super) fn known(name: &str, check: Id, seen: &[(&str, &dyn Display)]) -> Cause {
    let known = CAUSES.get(name).unwrap_or_else(|| panic!("there is no cause {name}"));
    let filled = |what: String, (name, seen): &(&str, &dyn Display)| {
        what.replace(&format!("{{{name}}}"), &seen.to_string())
    };
    let what = seen.iter().fold(known.what.clone(), filled);
    Cause::new(known.check.as_deref().unwrap_or(check), what).hint(&known.hint)
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
    let known = moves::slanted(&answer)
        .or_else(|| mark::cause(&answer))
        .or_else(|| form::cause(&answer))
        .or_else(|| moves::cause(&answer));
    let cause = known.unwrap_or_else(|| Cause::new(check, &violation.detail));
    Some(Cause { spots: violation.spots, ..cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::filter::question::causes;
    use cornerman::games::boxing::VIOLATIONS;
    use cornerman_harness::sandbox::{Ended, Limits, RunReport};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn report(ended: Ended, output: &[u8]) -> RunReport {
        RunReport { output: output.to_vec(), ..RunReport::from_ended(ended) }
    }

    fn check(report: &RunReport, ids: &[&str]) {
        let found = causes(catalogue(), &Limits::default(), report, |output| {
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
    fn code_and_catalogue_name_the_same_causes() {
        let code = [
            include_str!("attribute.rs"),
            include_str!("diagnosis/form.rs"),
            include_str!("diagnosis/mark.rs"),
            include_str!("diagnosis/moves.rs"),
        ];
        let words: BTreeSet<&str> = code.iter().flat_map(|code| code.split('"')).collect();
        let is_name =
            |word: &&&str| word.contains('-') && word.bytes().all(|b| b == b'-' || b.is_ascii_lowercase());
        for name in words.iter().filter(is_name).filter(|word| word.len() > 2) {
            assert!(CAUSES.contains_key(*name), "{name} is not in the catalogue");
        }
        for (name, cause) in &*CAUSES {
            assert!(words.contains(name.as_str()), "{name} is in no code");
            assert!(cause.check.as_ref().is_none_or(|id| catalogue().get(id).is_some()), "{name}");
        }
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
