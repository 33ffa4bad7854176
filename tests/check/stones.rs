//! `check` of Go: our own bots pass, engines are refused, and a broken rule is reported.

use super::reports;
use crate::support::{Ran, Scratch, cornerman, trial};
use libtest_mimic::Trial;
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(the_python_template_passes_all_musts, ["python3"], || check_template("python")),
        trial!(the_c_template_passes_all_musts, ["cc"], || check_template("c")),
        trial!(the_java_template_passes_all_musts, ["javac", "jar", "java"], || { check_template("java") }),
        trial!(the_rust_template_passes_all_musts, ["rustc"], || check_template("rust")),
        trial!(a_broken_rule_is_reported_and_kept, ["python3"]),
        trial!(forgotten_stones_are_what_a_report_begins_with, ["python3"]),
        trial!(every_check_is_listed_and_explained),
        trial!(engines_are_refused),
    ]
}

/// Checks that all musts pass; warnings are allowed.
fn check_musts(scratch: &Scratch, bots: &[&str]) {
    let (code, reports) = reports(scratch, &[&["--full"], bots].concat());
    assert_eq!((code, reports.len()), (Some(0), bots.len()));
    for report in &reports {
        check_all_but(&[], report);
    }
}

/// Checks that all musts of `report` pass, except for those in `left_out`, for which there was no time. Warnings are allowed.
pub fn check_all_but(left_out: &[&str], report: &Value) {
    let checks = report["checks"].as_array().unwrap();
    let judged = |check: &Value| check["outcome"] == "pass" || check["weighs"] == "should";
    let is_fine = |check: &Value| judged(check) || left_out.iter().any(|id| check["id"] == *id);
    assert!(checks.iter().all(is_fine) && checks[0]["id"] == "GO-TURN", "{report:#}");
}

fn check_template(language: &str) {
    let scratch = Scratch::new();
    Ran::from_command(scratch.cornerman(["new", "stone", "--lang", language, "--game", "go"])).fine();
    check_musts(&scratch, &["stone"]);
}

/// A bot that plays on the first point of the board, even if it is occupied.
const PYTHON_BOT: &str = r#"#!/usr/bin/env python3
import sys

if sys.argv[1] == "black":
    print("A1", flush=True)
for line in sys.stdin:
    print("A1", flush=True)
"#;

fn a_broken_rule_is_reported_and_kept() {
    let scratch = Scratch::new();
    scratch.executable("again", PYTHON_BOT);
    let ran = Ran::from_command(scratch.cornerman(["check", "./again", "--game", "go", "--run", "GO-OCCUPIED"]));
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    for part in ["GO-OCCUPIED  must  G6", "A1 is occupied by a black stone, this bot's own, since move 1", "< A1"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let junit = ["check", "./again", "--game", "go", "--run", "GO-OCCUPIED", "--format", "junit"];
    let ran = Ran::from_command(scratch.cornerman(junit));
    assert!(ran.code == Some(1) && ran.stdout.contains("GO-OCCUPIED"), "{}", ran.stdout);
}

/// A bot that does not look at the opponent's moves.
const PYTHON_BLIND: &str = r#"#!/usr/bin/env python3
import random
import sys

size = int(sys.argv[2]) if len(sys.argv) > 2 else 19
points = [f"{column}{row}" for column in "ABCDEFGHJKLMNOPQRST"[:size] for row in range(1, size + 1)]
random.Random(1).shuffle(points)


def move():
    print(points.pop() if len(points) > size else "pass", flush=True)


if sys.argv[1] == "black":
    move()
for line in sys.stdin:
    if line.strip() != "time":
        move()
"#;

fn forgotten_stones_are_what_a_report_begins_with() {
    let scratch = Scratch::new();
    scratch.executable("blind", PYTHON_BLIND);
    let ran = Ran::from_command(scratch.cornerman(["check", "./blind", "--game", "go"]));
    let begins = "GO-OCCUPIED  must  G6  plays on empty points only\n  \
                  problem       it plays as if the opponent's stones were not on the board: move ";
    assert!(ran.code == Some(1) && ran.stdout.contains(begins), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("  must  G").count(), 1, "{}", ran.stdout);
}

fn every_check_is_listed_and_explained() {
    let list = Ran::from_command(cornerman(["check", "--list", "--game", "go"])).fine();
    assert_eq!(list.lines().count(), 25);
    for id in list.lines().map(|line| line.split(' ').next().unwrap()) {
        assert!(id.starts_with("GO-"), "{id}");
        let text = Ran::from_command(cornerman(["check", "--explain", &id.to_lowercase()])).fine();
        assert!(text.starts_with(&format!("{id}: ")) && text.contains("\nrequirement  G"), "{text}");
    }
}

fn engines_are_refused() {
    let ran = Ran::from_command(cornerman(["check", "gtp:/bin/cat", "--game", "go"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("gtp:/bin/cat speaks GTP"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`play` and `tournament` accept engines"), "{}", ran.stderr);
}
