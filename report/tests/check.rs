//! Snapshots of the reports about fixed findings, for people and for programs.

use cornerman::game::Spot;
use cornerman::games::boxing::{ARENA_BYTES, Arena};
use cornerman_conformance::finding::{Cause, Files, Timing};
use cornerman_conformance::games::boxing::{self, Boxing, cause_of_answer};
use cornerman_conformance::games::rps::{self, Rps};
use cornerman_conformance::lines::{LineEvent, TimedEvent, Transcript};
use cornerman_conformance::{
    BotReport, CheckResult, Evidence, Finding, LeftOut, LeftOutReason, Outcome, exit_code,
};
use cornerman_harness::player::marks::move_request;
use cornerman_harness::sandbox::{Ended, Input, Isolation, Level, Program, Refusal, RunReport, RunRequest};
use cornerman_report::Style;
use cornerman_report::check::{self, Layout, json, junit, table};
use std::time::Duration;

/// The start of a game, with a blocked spot.
fn given() -> [u8; ARENA_BYTES] {
    let mut arena = Arena::open();
    arena.set(Spot { row: 3, col: 5 }, b'o');
    arena.set(Spot { row: 9, col: 30 }, b'%');
    arena.to_bytes()
}

fn run(output: &[u8], errors: &str) -> RunReport {
    RunReport {
        output: output.to_vec(),
        stderr: errors.into(),
        stderr_total: errors.len() as u64,
        wall: Duration::from_millis(7),
        peak_memory: 1 << 20,
        ..RunReport::from_ended(Ended::Exited(0))
    }
}

/// The finding that the suite makes of `report`, the answer to the arena `given`.
fn finding(case: &str, report: RunReport, change: impl Fn(&mut RunRequest)) -> Finding {
    let arena = Arena::parse(&given()).unwrap();
    let cause = match report.ended {
        Ended::Signalled(_) => {
            Cause::new("BX-RUN-SIGNAL", "it died by signal 11 (SIGSEGV: invalid memory access)")
        }
        _ => cause_of_answer(&arena, b'A', &report.output)
            .unwrap_or_else(|| Cause::new("BX-RUN-EXIT", "the exit status was 1")),
    };
    let mut request = move_request(b'A', &given());
    change(&mut request);
    let case = case.to_string();
    let about = "an arena of this test".to_string();
    let evidence = Evidence { case, about, request, state: None, report, transcript: None };
    Finding::new(None, Cause { hint: None, ..cause }, evidence)
}

/// A report in which `failures` fail and everything else passes.
fn report(name: &str, failures: Vec<(&str, Vec<Finding>)>) -> BotReport {
    let outcome = |id: &str| match failures.iter().find(|(failed, _)| *failed == id) {
        Some((_, findings)) => Outcome::Fail(findings.clone()),
        None if id == "BX-NPLAYER" && !failures.is_empty() => Outcome::Blocked { by: failures[0].0.to_string() },
        None if id == "BX-DETERMINISM" => {
            Outcome::Note("yes: it plays the same move on the same input".to_string())
        }
        None => Outcome::Pass,
    };
    let result = |check: &'static cornerman_conformance::Check| {
        let outcome = outcome(&check.id);
        let folder = format!("/kit/check/bot/{}", check.id).into();
        let files =
            matches!(outcome, Outcome::Fail(_)).then(|| Files { folder, names: vec!["in.arena", "out.arena"] });
        CheckResult { check, outcome, took: Duration::from_millis(40), files }
    };
    BotReport {
        suite: Some(&Boxing),
        name: name.to_string(),
        spec: format!("./{name}"),
        seed: 1994,
        program: Program {
            argv: vec![format!("/home/me/{name}").into()],
            folder: "/home/me".into(),
            parts: Vec::new(),
        },
        isolation: Some(Isolation { level: Level::Restricted, refused: Vec::new() }),
        results: boxing::catalogue().checks.iter().map(result).collect(),
        timing: Timing {
            runs: 321,
            slowest: Some(("random-17".to_string(), Duration::from_micros(12_300))),
            early: vec![("open".to_string(), Duration::from_micros(4_100))],
        },
        ..BotReport::default()
    }
}

/// A bot that ends rows with CR LF, sometimes marks a blocked spot, crashes if its input comes in pieces, ends with
/// status 1, and writes control characters to the terminal.
fn broken() -> BotReport {
    let crlf =
        given().iter().flat_map(|&b| if b == b'\n' { b"\r\n".to_vec() } else { vec![b] }).collect::<Vec<_>>();
    let mut over = Arena::parse(&given()).unwrap();
    for (row, col) in [(2, 4), (2, 5), (3, 4), (3, 5)] {
        over.set(Spot { row, col }, b'A');
    }
    let mut legal = given();
    legal[0] = b'A';
    let crashed = RunReport { ended: Ended::Signalled(11), ..run(b"", "oh\x1b[2J dear\n") };
    let dribbled = |request: &mut RunRequest| request.input = Input::Dribbled(given().to_vec());
    let status = RunReport { ended: Ended::Exited(1), ..run(&legal, "") };
    let mut warning = finding("open", status, |_| ());
    warning.cause = warning.cause.warning();
    report(
        "it's a \x1b[31mbot",
        vec![
            (
                "BX-OUT-EOL",
                ["open", "strips", "random-1"].map(|case| finding(case, run(&crlf, ""), |_| ())).into(),
            ),
            ("BX-MOV-VACANT", vec![finding("random-2", run(&over.to_bytes(), ""), |_| ())]),
            ("BX-RUN-CHUNK", vec![finding("random-21", crashed, dribbled)]),
            ("BX-RUN-EXIT", vec![warning]),
        ],
    )
}

fn passing() -> BotReport {
    report("sparrow", Vec::new())
}

fn warned() -> BotReport {
    let all = broken();
    let Outcome::Fail(findings) = &all.results.iter().find(|r| r.check.id == "BX-RUN-EXIT").unwrap().outcome
    else {
        panic!("it is a failure")
    };
    report("wren", vec![("BX-RUN-EXIT", findings.clone())])
}

fn not_checked() -> BotReport {
    BotReport {
        kit_failure: Some("the sandbox server stopped answering: end of file".to_string()),
        results: Vec::new(),
        ..report("owl", Vec::new())
    }
}

/// A rock-paper-scissors bot that writes a prompt before each hand.
fn talker() -> BotReport {
    let event = [
        LineEvent::Received(b"Talker\n".to_vec()),
        LineEvent::Sent(b"31241\n20\n".to_vec()),
        LineEvent::Received(b"0\n".to_vec()),
        LineEvent::Sent(b"0\n".to_vec()),
        LineEvent::Received(b"\x1b[1myour move? 1\n".to_vec()),
        LineEvent::Note("it was made to end".to_string()),
    ];
    let entry = |(at, event): (u64, LineEvent)| TimedEvent { at: Duration::from_micros(700 * at), event };
    let transcript = Transcript((1..).zip(event).map(entry).collect());
    let report = RunReport { ended: Ended::Stopped, ..run(&transcript.received(), "") };
    let request = RunRequest::for_game(Vec::new());
    let case = "plain".to_string();
    let about = "20 rounds with the seed 31241 against an opponent that always shows 0".to_string();
    let evidence = Evidence { case, about, request, state: None, report, transcript: Some(transcript) };
    let cause = Cause::new("RP-QUIET", "round 2: there is text before the hand: `\\x1b[1myour move? 1`");
    let expected = Some("0, 1 or 2 alone on its line".to_string());
    let finding = Finding::new(None, Cause { expected, ..cause }, evidence);
    let outcome = |id: &str| match id {
        "RP-QUIET" => Outcome::Fail(vec![finding.clone()]),
        _ => Outcome::Blocked { by: "RP-QUIET".to_string() },
    };
    let result = |check: &'static cornerman_conformance::Check| {
        let outcome = outcome(&check.id);
        let names = vec!["transcript.txt", "in.txt", "out.txt"];
        let files = matches!(outcome, Outcome::Fail(_))
            .then(|| Files { folder: format!("/kit/check/talker/{}", check.id).into(), names });
        CheckResult { check, outcome, took: Duration::from_millis(40), files }
    };
    let results = rps::catalogue().checks.iter().map(result).collect();
    BotReport { suite: Some(&Rps), results, ..report_of_nothing("talker") }
}

fn report_of_nothing(name: &str) -> BotReport {
    let timing = Timing {
        runs: 1,
        slowest: Some(("plain round 1".to_string(), Duration::from_millis(2))),
        early: Vec::new(),
    };
    BotReport { results: Vec::new(), timing, ..report(name, Vec::new()) }
}

#[test]
fn a_dialogue_is_shown_with_marks_and_times() {
    let text = check::text(&talker(), &plain());
    harmless(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_dialogue_is_in_json_and_junit_too() {
    let text = json(&talker(), false);
    harmless(&text);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let check = value["checks"].as_array().unwrap().iter().find(|check| check["id"] == "RP-QUIET");
    insta::assert_json_snapshot!(check.unwrap());
    let xml = junit(&[talker()], &plain());
    harmless(&xml);
    assert!(xml.contains("&lt; Talker") && xml.contains("&gt; 31241"), "{xml}");
}

#[test]
fn a_batch_of_several_games_has_the_groups_of_all() {
    insta::assert_snapshot!(table(&[passing(), talker()], &plain()));
}

/// The layout for files.
fn plain() -> Layout {
    Layout::new(Style::plain())
}

/// Asserts that a text has no control characters except line feeds.
fn harmless(text: &str) {
    let bad = text.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(bad, None, "{text}");
}

#[test]
fn a_bot_that_passes_gets_one_line() {
    let text = check::text(&passing(), &plain());
    assert_eq!(text.lines().count(), 1);
    insta::assert_snapshot!(text);
}

#[test]
fn a_bot_passes_every_must_only_if_every_must_was_judged() {
    // Its BX-NPLAYER is blocked.
    let blocked = warned();
    let mut judged = warned();
    for result in &mut judged.results {
        if matches!(result.outcome, Outcome::Blocked { .. }) {
            result.outcome = Outcome::Pass;
        }
    }
    let check = |report: &BotReport, wanted: &str| {
        let text = check::text(report, &plain());
        assert!(text.contains(wanted), "{text}");
    };
    check(&judged, "wren: passes every must, fails 1 should (");
    check(&blocked, "wren: fails no must that was judged, fails 1 should, 1 not judged (");
}

#[test]
fn what_was_left_out_is_reported() {
    let cut = |why| {
        let mut report = BotReport { left_out: Some(LeftOut { planned: 645, why }), ..passing() };
        report.results[0].outcome = Outcome::LeftOut(why);
        report
    };
    let both = [cut(LeftOutReason::Budget), cut(LeftOutReason::Fast)];
    insta::assert_snapshot!(both.iter().map(|report| check::text(report, &plain())).collect::<String>());
    let value: serde_json::Value = serde_json::from_str(&json(&both[0], false)).unwrap();
    assert_eq!((&value["runs_planned"], &value["complete"]), (&645.into(), &false.into()));
    let check = &value["checks"][0];
    assert_eq!((&check["outcome"], &check["left_out_by"]), (&"left-out".into(), &"budget".into()));
    assert!(junit(&both, &plain()).contains("not judged because the budget ran out"));
}

#[test]
fn every_failure_is_shown_with_its_fix() {
    let text = check::text(&broken(), &plain());
    harmless(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_narrow_terminal_shows_one_arena() {
    let text = check::text(&broken(), &Layout::new(Style { colour: false, width: 60 }));
    let vacant = text.split("BX-MOV-VACANT").nth(1).and_then(|rest| rest.split("BX-RUN").next()).unwrap();
    insta::assert_snapshot!(vacant);
}

#[test]
fn colours_appear_only_on_request() {
    let coloured = check::text(&broken(), &Layout::new(Style { colour: true, width: 100 }));
    assert!(coloured.contains("\x1b["));
    let without = strip(&coloured);
    assert_eq!(without, check::text(&broken(), &plain()), "colours change nothing else");
}

/// `text` without the escape codes of colours.
fn strip(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn a_weak_isolation_and_an_internal_error_are_reported() {
    let refused = vec![Refusal {
        level: Level::Restricted,
        step: "limit memory".to_string(),
        why: "Operation not permitted".to_string(),
        errno: Some(1),
    }];
    let barely = BotReport { isolation: Some(Isolation { level: Level::Plain, refused }), ..passing() };
    insta::assert_snapshot!(check::text(&barely, &plain()) + &check::text(&not_checked(), &plain()));
}

#[test]
fn a_batch_ends_with_a_table_and_counts() {
    let text = table(&[passing(), warned(), broken(), not_checked()], &plain());
    harmless(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn json_has_everything_in_one_line() {
    let text = json(&broken(), false);
    harmless(&text);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    insta::assert_json_snapshot!(value);
}

#[test]
fn junit_has_failures_for_musts_and_errors_only_for_internal_ones() {
    let text = junit(&[passing(), warned(), broken(), not_checked()], &plain());
    harmless(&text);
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("<failure"), count("<error")), (3, 1));
    assert_eq!(
        junit(&[warned()], &Layout { strict: true, ..plain() }).matches("<failure").count(),
        1,
        "a should is a failure if strict"
    );
    insta::assert_snapshot!(text.split("<testsuite name=\"it").nth(1).unwrap());
}

#[test]
fn exit_codes_are_those_of_the_worst_bot() {
    let check = |reports: &[BotReport], strict, code| assert_eq!(exit_code(reports, strict), code);
    check(&[passing()], true, 0);
    check(&[passing(), warned()], false, 0);
    check(&[passing(), warned()], true, 1);
    check(&[warned(), broken()], false, 1);
    check(&[broken(), not_checked()], false, 3);
}
