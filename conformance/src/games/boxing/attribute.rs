//! Attributes findings to other checks than those of their causes: a bot that fails only on full arenas does not know
//! how to pass, one that fails only without its state file fails the check of that file, and one that fails only with
//! some marks fails the check of the mark.

use super::case::{self, Group};
use super::diagnosis::{PLACES, Place, known, places};
use super::{catalogue, id};
use crate::attribution::Observations;
use crate::catalog::{Id, Severity};
use crate::files;
use crate::finding::{Cause, Evidence, Finding, NEEDS_FILE, WITH_AND_WITHOUT_STATE};
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

/// Attributes findings to the checks that explain them.
pub(crate) fn attribute(seen: &mut Observations) {
    let place = place_of_all(seen);
    let wrote_state = seen.wrote_state;
    for finding in &mut seen.findings {
        if mark(&finding.evidence) == Some(b'/') && wrote_state {
            // `/tmp/arena./` cannot be a file, so the bot cannot keep its notes.
            finding.cause.severity = finding.cause.severity.min(Severity::Should);
        }
        if let Some((name, words, _)) = place.filter(|_| finding.cause.check == id::MOV_VACANT) {
            let known = known(name, id::MOV_VACANT, &[("place", words), ("what", &finding.cause.what)]);
            (finding.cause.what, finding.cause.hint) = (known.what, known.hint);
        }
    }
    let causes: Vec<Option<Cause>> = seen.findings.iter().map(|finding| explanation(seen, finding)).collect();
    for (finding, cause) in seen.findings.iter_mut().zip(causes) {
        if let Some(Cause { check, what, hint, .. }) = cause {
            finding.conditions.attributed_to = Some(check);
            (finding.cause.what, finding.cause.hint) = (what, hint);
        }
    }
}

/// The mark of the bot in a run.
fn mark(evidence: &Evidence) -> Option<u8> {
    evidence.request.state_file.as_deref().and_then(mark_of)
}

/// The place that explains all squares over taken spots, if there are several: a single one may be explained by
/// accident.
fn place_of_all(seen: &Observations) -> Option<&'static Place> {
    let findings = seen.in_plain_conditions().filter(|finding| finding.cause.check == id::MOV_VACANT);
    let of_finding = |finding: &Finding| {
        let evidence = &finding.evidence;
        let arena = Arena::parse(&files::input(evidence)).ok()?;
        Some(places(&arena, mark(evidence)?, &evidence.report.output))
    };
    let all: Vec<BTreeSet<usize>> = findings.map(|finding| of_finding(finding).unwrap_or_default()).collect();
    let common = all.iter().skip(1).fold(all.first()?.clone(), |common, places| &common & places);
    common.first().filter(|_| all.len() > 1).map(|&at| &PLACES[at])
}

/// The cause that explains a finding better than its own, if there is one.
fn explanation(seen: &Observations, finding: &Finding) -> Option<Cause> {
    let check = finding.cause.check;
    let alike = || seen.in_plain_conditions().filter(|other| other.cause.check == check);
    let has = |finding: &Finding, flag: u8| finding.conditions.flags & flag != 0;
    let simple = |id| Some(Cause::new(id, &finding.cause.what));
    let of_answer = catalogue().get(check).is_some_and(|check| check.violation.is_some());
    // A bot that keeps a state file needs it if all failures are without the file and on arenas where it has moved
    // before.
    let in_its_game = |other: &Finding| has(other, OWN_MARKS) && !has(other, WITH_AND_WITHOUT_STATE);
    let fails = |id: Id| seen.in_plain_conditions().any(|other| other.cause.check == id);
    match () {
        () if !of_answer && check != id::RUN_SIGNAL => None,
        () if alike().next().is_none() => None,
        () if alike().any(|other| has(other, NEEDS_FILE)) => simple(id::STATE_COLD),
        () if seen.wrote_state && alike().all(in_its_game) => simple(id::STATE_COLD),
        // A fault of form would show on other arenas too.
        () if check == id::OUT_LEN && alike().all(|other| has(other, FULL)) => simple(id::MOV_PASS),
        () if check == id::OUT_TRAIL && alike().all(is_last_spot) && fails(id::MOV_MARK) => simple(id::MOV_MARK),
        () if is_of_many(seen, check) => simple(id::NPLAYER),
        () if of_answer && check != id::MOV_MARK => of_the_mark(finding, &alike().collect::<Vec<_>>()),
        () => None,
    }
}

/// Whether the bot marked the last spot of the arena. If it writes a line feed after its mark, that looks there like
/// a line feed after the arena.
fn is_last_spot(finding: &Finding) -> bool {
    const LAST: usize = ARENA_BYTES - 2;
    let evidence = &finding.evidence;
    files::input(evidence).get(LAST) == Some(&VACANT)
        && evidence.report.output.get(LAST) == mark(evidence).as_ref()
}

/// Whether a cause of failing `check` shows on the arenas of BX-NPLAYER, and on no arena with fewer marks.
fn is_of_many(seen: &Observations, check: Id) -> bool {
    let by_nplayer = |other: &&Finding| other.conditions.seen_by == Some(id::NPLAYER);
    let in_plain = seen.in_plain_conditions().filter(|other| other.cause.check == check);
    let alike: Vec<&Finding> =
        seen.findings.iter().filter(by_nplayer).filter(|other| other.cause.check == check).collect();
    !alike.is_empty() && in_plain.chain(alike).all(|other| other.conditions.flags & MANY_MARKS != 0)
}

/// A set of marks, named for reports, and how many capital letters outside it must fail.
type NamedMarks = (&'static str, fn(u8) -> bool, usize);

/// Sets of marks such that a bot may play with these marks and no others. `A` and `B` are the marks of the document's
/// arenas, so that more than two other capitals must fail.
const KNOWN_MARKS: [NamedMarks; 4] = [
    ("`A` or `B`", |mark| b"AB".contains(&mark), 3),
    ("a capital letter", |mark| mark.is_ascii_uppercase(), 0),
    ("a letter", |mark| mark.is_ascii_alphabetic(), 0),
    ("a letter or a digit", |mark| mark.is_ascii_alphanumeric(), 0),
];

/// Explains `finding` by the bot's mark, if that is possible. `alike` are the findings of the same check. Either the bot
/// knows only some marks: no mark of the set failed, and every unusual mark of the fixed cases outside it did. Or its
/// mark has a meaning where the bot uses it: all of `alike` are from cases with unusual marks, and do not occur with
/// `C`.
fn of_the_mark(finding: &Finding, alike: &[&Finding]) -> Option<Cause> {
    let own = mark(&finding.evidence)?;
    let failed: BTreeSet<u8> = alike.iter().filter_map(|other| mark(&other.evidence)).collect();
    let unusual: BTreeSet<u8> =
        case::fixed().iter().filter(|case| case.group == Group::Marks).map(|case| case.mark).collect();
    let capitals = failed.iter().filter(|mark| mark.is_ascii_uppercase()).count();
    let usual = KNOWN_MARKS.into_iter().find(|(_, is_known, least)| {
        let others_fail = unusual.iter().filter(|mark| !is_known(**mark)).all(|mark| failed.contains(mark));
        others_fail && !failed.iter().any(|mark| is_known(*mark)) && capitals >= *least
    });
    let what = &finding.cause.what;
    let own = own.escape_ascii();
    let (name, what) = match usual {
        Some((marks, ..)) => ("mark-unknown", format!("with a mark other than {marks}, here `{own}`: {what}")),
        None if alike.iter().all(|other| other.conditions.flags & ODD_MARK != 0) => {
            ("mark-meaning", format!("with the mark `{own}`, but not with `C`: {what}"))
        }
        None => return None,
    };
    Some(known(name, id::MOV_MARK, &[("what", &what)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::{self, example::finding};
    use crate::finding::{CheckResult, Outcome};

    /// A finding in plain conditions, with these flags and checks that cannot be judged because of it.
    fn flagged(flags: u8, unjudged: &[Id], check: Id) -> Finding {
        let mut finding = finding(None, check);
        finding.conditions.flags = flags;
        finding.conditions.unjudged = unjudged.to_vec();
        finding
    }

    fn full(check: Id) -> Finding {
        flagged(FULL, &[], check)
    }

    fn with_own_marks(check: Id) -> Finding {
        flagged(OWN_MARKS, &[], check)
    }

    fn warning(mut finding: Finding) -> Finding {
        finding.cause.severity = Severity::Should;
        finding
    }

    fn seen(findings: Vec<Finding>) -> Observations {
        let judged = catalogue().checks.iter().map(|check| check.id.as_str()).collect();
        Observations { findings, judged, ..Observations::default() }
    }

    fn results(mut seen: Observations, selected: &BTreeSet<String>) -> Vec<CheckResult> {
        attribute(&mut seen);
        attribution::results(catalogue(), &seen, selected)
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

    fn check(findings: Vec<Finding>, wanted: &str) {
        assert_eq!(summary(seen(findings)), wanted);
    }

    #[test]
    fn a_fault_in_plain_conditions_blocks_the_check_that_shows_it_in_special_ones() {
        check(
            vec![finding(None, "BX-OUT-EOL"), finding(Some("BX-RUN-CWD"), "BX-OUT-EOL")],
            "BX-OUT-EOL (BX-RUN-CWD)",
        );
        check(
            vec![finding(None, "BX-OUT-EOL"), finding(Some("BX-RUN-CWD"), "BX-OUT-LEN")],
            "BX-OUT-EOL BX-RUN-CWD",
        );
        check(vec![finding(Some("BX-RUN-CWD"), "BX-OUT-LEN")], "BX-RUN-CWD");
    }

    #[test]
    fn a_warning_does_not_explain_a_failure() {
        let findings = vec![warning(finding(None, "BX-MOV-VACANT")), finding(Some("BX-NPLAYER"), "BX-MOV-VACANT")];
        check(findings, "BX-MOV-VACANT? BX-NPLAYER");
    }

    #[test]
    fn a_fault_on_full_arenas_alone_is_a_fault_of_passing() {
        check(vec![full("BX-OUT-LEN")], "BX-MOV-PASS");
        check(vec![full("BX-OUT-LEN"), finding(None, "BX-OUT-LEN")], "BX-OUT-LEN");
        check(vec![full("BX-RUN-SIGNAL")], "BX-RUN-SIGNAL");
    }

    #[test]
    fn a_bot_that_fails_without_its_state_file_fails_that_check() {
        let remembers = |findings| Observations { wrote_state: true, ..seen(findings) };
        assert_eq!(summary(remembers(vec![with_own_marks("BX-OUT-LEN")])), "BX-STATE-COLD");
        let everywhere = vec![with_own_marks("BX-OUT-LEN"), finding(None, "BX-OUT-LEN")];
        assert_eq!(summary(remembers(everywhere)), "BX-OUT-LEN");
        let in_games = flagged(OWN_MARKS | WITH_AND_WITHOUT_STATE, &[], "BX-OUT-LEN");
        assert_eq!(summary(remembers(vec![with_own_marks("BX-OUT-LEN"), in_games])), "BX-OUT-LEN");
        check(vec![with_own_marks("BX-OUT-LEN")], "BX-OUT-LEN");
    }

    #[test]
    fn a_fault_that_an_easier_check_found_is_not_reported_again() {
        check(
            vec![finding(Some("BX-CHAIN"), "BX-MOV-SOME"), finding(Some("BX-SELF"), "BX-MOV-SOME")],
            "BX-CHAIN (BX-SELF)",
        );
        check(
            vec![finding(Some("BX-CHAIN"), "BX-MOV-SOME"), finding(Some("BX-SELF"), "BX-MOV-ONE")],
            "BX-CHAIN BX-SELF",
        );
    }

    #[test]
    fn a_check_that_was_interrupted_is_not_judged() {
        check(vec![finding(None, "BX-MOV-SOME").interrupting("BX-CHAIN")], "(BX-CHAIN) BX-MOV-SOME");
    }

    #[test]
    fn a_bot_that_hangs_fails_only_the_checks_that_were_run() {
        let mut hung = seen(vec![finding(Some("BX-CHAIN"), "BX-TIME-HARD")]);
        hung.give_up("BX-RUN-EXEC", "BX-TIME-HARD");
        let summary = summary(hung);
        assert!(summary.contains(" BX-TIME-HARD ") && summary.contains("(BX-OUT-LEN)"), "{summary}");
    }

    #[test]
    fn a_check_without_an_answer_to_judge_does_not_pass() {
        let without = |judged: &[&'static str], selected: &[&str]| {
            let finding = flagged(FULL, &["BX-MOV-PASS", "BX-OUT-EOL"], "BX-RUN-SIGNAL");
            let judged = judged.iter().copied().chain(["BX-RUN-EXEC"]).collect();
            let seen = Observations { judged, ..seen(vec![finding]) };
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
        let finding = flagged(0, &["BX-OUT-EOL"], "BX-OUT-LEN");
        let mut seen = Observations { judged: BTreeSet::from(["BX-ODD-NUL"]), ..seen(vec![finding]) };
        seen.require_an_answer("BX-RUN-EXEC");
        let results = results(seen, &BTreeSet::from(["BX-ODD-NUL".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-ODD-NUL"), &Outcome::Blocked { by: "BX-OUT-LEN".to_string() });
        assert!(matches!(outcome("BX-OUT-LEN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_check_blocked_by_a_blocked_check_names_the_first_cause() {
        let check = "BX-MOV-SOME";
        let ended = finding(Some("BX-SELF"), check).interrupting("BX-STATE-COLD");
        let results = results(
            seen(vec![finding(Some("BX-CHAIN"), check), ended]),
            &BTreeSet::from(["BX-STATE-COLD".to_string()]),
        );
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert_eq!(outcome("BX-STATE-COLD"), &Outcome::Blocked { by: "BX-CHAIN".to_string() });
        assert!(matches!(outcome("BX-CHAIN"), Outcome::Fail(_)));
    }

    #[test]
    fn a_blocking_check_is_shown_even_if_it_was_not_selected() {
        let findings = vec![finding(None, "BX-OUT-EOL"), finding(Some("BX-SELF"), "BX-OUT-EOL")];
        let results = results(seen(findings), &BTreeSet::from(["BX-SELF".to_string()]));
        let outcome = |id: &str| &results.iter().find(|result| result.check.id == id).unwrap().outcome;
        assert!(matches!(outcome("BX-OUT-EOL"), Outcome::Fail(_)));
        assert!(matches!(outcome("BX-SELF"), Outcome::Blocked { .. }));
        assert_eq!(outcome("BX-OUT-LEN"), &Outcome::Skipped);
    }
}
