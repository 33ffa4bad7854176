//! Attributes failures in Boxing to a check other than that of their symptom: a bot that writes no arena only when
//! it is full has a fault of passing, one that fails only without its state file fails the check of the state
//! file, and one that fails only with some marks fails the check of the mark.

use super::case::{self, Group};
use super::diagnosis::{MEANING, PLACES, Place, places};
use super::{catalogue, id};
use crate::attribution::{Failure, NEEDS_FILE, Observations, WITH_AND_WITHOUT_STATE};
use crate::catalog::{Id, Severity};
use crate::files;
use crate::finding::Evidence;
use cornerman::games::boxing::{ARENA_BYTES, Arena, VACANT};
use cornerman_harness::player::marks::mark_of;
use std::collections::BTreeSet;

/// The arena was full.
pub(crate) const FULL: u8 = 1;
/// The arena contained marks of the bot.
pub(crate) const OWN_MARKS: u8 = 2;
/// The bot's mark was unusual.
pub(crate) const ODD_MARK: u8 = 4;
/// The arena contained marks of two opponents or more.
pub(crate) const MANY_MARKS: u8 = 16;

/// Pairs of checks of which the second finds the same faults as the first, with more effort. If both find the same
/// fault, only the first reports it.
pub(crate) const FOLLOWS: [(Id, Id); 5] = [
    (id::CHAIN, id::SELF),
    (id::CHAIN, id::NPLAYER),
    (id::SELF, id::NPLAYER),
    (id::STATE_COLD, id::STATE_STALE),
    (id::STATE_STALE, id::STATE_CORRUPT),
];

/// Attributes the failures in plain conditions to the checks that explain them.
pub(crate) fn attribute(seen: &mut Observations) {
    let causes: Vec<Option<Explanation>> =
        seen.failures.iter().map(|failure| explanation(seen, failure)).collect();
    let place = place_of_all(seen);
    let wrote_state = seen.wrote_state;
    for (failure, cause) in seen.failures.iter_mut().zip(causes) {
        if mark(&failure.finding.evidence) == Some(b'/') && wrote_state {
            // `/tmp/arena./` cannot be a file, so the bot cannot keep its notes.
            failure.finding.severity = failure.finding.severity.min(Severity::Should);
        }
        if let Some(Place { words, hint, .. }) = place.filter(|_| failure.finding.symptom == id::MOV_VACANT) {
            failure.finding.what.push_str(&format!("; the same square {words} is vacant"));
            failure.finding.hint = Some(hint.to_string());
        }
        let Some(Explanation { id, what, hint }) = cause else { continue };
        failure.attributed_to = Some(id);
        failure.finding.what = what.unwrap_or_else(|| failure.finding.what.clone());
        failure.finding.hint = hint.map(str::to_string);
    }
}

/// The mark of the bot in a run.
fn mark(evidence: &Evidence) -> Option<u8> {
    evidence.request.state_file.as_deref().and_then(mark_of)
}

/// The place that explains all squares over taken spots, of which there are several. A single one may be explained by
/// accident.
fn place_of_all(seen: &Observations) -> Option<&'static Place> {
    let failures = seen.in_plain_conditions().filter(|failure| failure.finding.symptom == id::MOV_VACANT);
    let of_failure = |failure: &Failure| {
        let evidence = &failure.finding.evidence;
        let arena = Arena::parse(&files::input(evidence)).ok()?;
        Some(places(&arena, mark(evidence)?, &evidence.report.output))
    };
    let all: Vec<BTreeSet<usize>> = failures.map(|failure| of_failure(failure).unwrap_or_default()).collect();
    let common = all.iter().skip(1).fold(all.first()?.clone(), |common, places| &common & places);
    common.first().filter(|_| all.len() > 1).map(|&at| &PLACES[at])
}

/// The check that explains a failure, other than that of its symptom.
struct Explanation {
    id: Id,
    /// What the bot did, if that says more than the failure itself.
    what: Option<String>,
    /// How to fix it, if that says more than the check.
    hint: Option<&'static str>,
}

fn explanation(seen: &Observations, failure: &Failure) -> Option<Explanation> {
    let symptom = failure.finding.symptom;
    let alike = || seen.in_plain_conditions().filter(|other| other.finding.symptom == symptom);
    let has = |failure: &Failure, flag: u8| failure.circumstances & flag != 0;
    let simple = |id| Some(Explanation { id, what: None, hint: None });
    let of_answer = catalogue().get(symptom).is_some_and(|check| check.violation.is_some());
    // A bot that keeps a state file, and fails only without it and only on arenas where it has moved before, needs the
    // file.
    let in_its_game = |other: &Failure| has(other, OWN_MARKS) && !has(other, WITH_AND_WITHOUT_STATE);
    let fails = |id: Id| seen.in_plain_conditions().any(|other| other.finding.symptom == id);
    match () {
        () if !of_answer && symptom != id::RUN_SIGNAL => None,
        () if alike().next().is_none() => None,
        () if alike().any(|other| has(other, NEEDS_FILE)) => simple(id::STATE_COLD),
        () if seen.wrote_state && alike().all(in_its_game) => simple(id::STATE_COLD),
        // A fault of form shows on any arena, not only on full ones.
        () if symptom == id::OUT_LEN && alike().all(|other| has(other, FULL)) => simple(id::MOV_PASS),
        () if symptom == id::OUT_TRAIL && alike().all(is_last_spot) && fails(id::MOV_MARK) => simple(id::MOV_MARK),
        () if is_of_many(seen, symptom) => simple(id::NPLAYER),
        () if of_answer && symptom != id::MOV_MARK => of_the_mark(failure, &alike().collect::<Vec<_>>()),
        () => None,
    }
}

/// Whether the bot marked the last spot of the arena. There, a mark with a line feed looks like a line feed at the end.
fn is_last_spot(failure: &Failure) -> bool {
    const LAST: usize = ARENA_BYTES - 2;
    let evidence = &failure.finding.evidence;
    files::input(evidence).get(LAST) == Some(&VACANT)
        && evidence.report.output.get(LAST) == mark(evidence).as_ref()
}

/// Whether `symptom` shows on the arenas of BX-NPLAYER, and on no arena with fewer marks.
fn is_of_many(seen: &Observations, symptom: Id) -> bool {
    let by_nplayer = |other: &&Failure| other.seen_by == Some(id::NPLAYER);
    let in_plain = seen.in_plain_conditions().filter(|other| other.finding.symptom == symptom);
    let alike: Vec<&Failure> =
        seen.failures.iter().filter(by_nplayer).filter(|other| other.finding.symptom == symptom).collect();
    !alike.is_empty() && in_plain.chain(alike).all(|other| other.circumstances & MANY_MARKS != 0)
}

/// A set of marks, named for reports.
type NamedMarks = (&'static str, fn(u8) -> bool);

/// Sets of marks of which a bot may play with no others.
const KNOWN_MARKS: [NamedMarks; 4] = [
    ("`A` or `B`", |mark| b"AB".contains(&mark)),
    ("a capital letter", |mark| mark.is_ascii_uppercase()),
    ("a letter", |mark| mark.is_ascii_alphabetic()),
    ("a letter or a digit", |mark| mark.is_ascii_alphanumeric()),
];

/// The explanation of `failure` by the bot's mark, if all failures `alike` have unusual marks, or all that are not
/// among some usual ones.
fn of_the_mark(failure: &Failure, alike: &[&Failure]) -> Option<Explanation> {
    let own = mark(&failure.finding.evidence)?;
    let failed: BTreeSet<u8> = alike.iter().filter_map(|other| mark(&other.finding.evidence)).collect();
    let unusual: BTreeSet<u8> =
        case::fixed().iter().filter(|case| case.group == Group::Marks).map(|case| case.mark).collect();
    let usual = KNOWN_MARKS.into_iter().find(|(_, known)| {
        let others_fail = unusual.iter().filter(|mark| !known(**mark)).all(|mark| failed.contains(mark));
        let capitals = failed.iter().filter(|mark| mark.is_ascii_uppercase()).count();
        // The marks of the document's arenas, besides those of all others.
        others_fail && !failed.iter().any(|mark| known(*mark)) && (known(b'K') || capitals > 2)
    });
    let what = &failure.finding.what;
    let (what, hint) = match usual {
        Some((marks, _)) => (
            format!("with a mark other than {marks}, here `{}`: {what}", own.escape_ascii()),
            "The bot plays with some marks and not with others: it compares its argument with the marks that it knows, or \
             tests it with isalpha(), isupper() or a pattern. Take the first argument as it is, whatever character it is, \
             and take every spot that is not `-` as taken.",
        ),
        None if alike.iter().all(|other| other.circumstances & ODD_MARK != 0) => {
            (format!("with the mark `{}`, but not with a letter: {what}", own.escape_ascii()), MEANING)
        }
        None => return None,
    };
    Some(Explanation { id: id::MOV_MARK, what: Some(what), hint: Some(hint) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::{self, example::failure};
    use crate::finding::{CheckResult, Outcome};

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
