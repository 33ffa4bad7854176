//! `check` of Go: our own bots pass, engines are refused, and a broken rule is reported.

use super::reports;
use crate::support::{Ran, Scratch, cornerman, trial};
use libtest_mimic::Trial;
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(every_reference_bot_passes_all_musts),
        trial!(the_python_template_passes_all_musts, ["python3"], || check_template("python")),
        trial!(the_c_template_passes_all_musts, ["cc"], || check_template("c")),
        trial!(the_java_template_passes_all_musts, ["javac", "jar", "java"], || { check_template("java") }),
        trial!(the_rust_template_passes_all_musts, ["rustc"], || check_template("rust")),
        trial!(a_broken_rule_is_reported_and_kept, ["python3"]),
        trial!(every_check_is_listed_and_explained),
        trial!(engines_are_refused),
    ]
}

/// Checks that all musts pass; warnings are allowed.
fn check_musts(scratch: &Scratch, bots: &[&str]) {
    check_outcomes(&["pass"], scratch, &[&["--full"], bots].concat(), bots.len());
}

/// Checks that each must has one of `outcomes`, and the first passes; warnings are allowed.
fn check_outcomes(outcomes: &[&str], scratch: &Scratch, args: &[&str], bots: usize) {
    let (code, reports) = reports(scratch, args);
    for report in &reports {
        let is_fine = |check: &Value| {
            outcomes.iter().any(|outcome| check["outcome"] == *outcome) || check["weighs"] == "should"
        };
        let checks = report["checks"].as_array().unwrap();
        assert!(checks.iter().all(is_fine), "{report:#}");
        assert!(checks[0]["id"] == "GO-TURN" && checks[0]["outcome"] == "pass", "{report:#}");
    }
    assert_eq!((code, reports.len()), (Some(0), bots));
}

fn every_reference_bot_passes_all_musts() {
    let list: Value =
        serde_json::from_str(&Ran::from_command(cornerman(["bots", "--game", "go", "--format", "json"])).fine())
            .expect("JSON");
    let ids: Vec<String> =
        list.as_array().unwrap().iter().map(|bot| format!("@{}", bot["id"].as_str().unwrap())).collect();
    assert_eq!(ids, ["@go-random", "@capture", "@monte"]);
    check_musts(&Scratch::new(), &["@go-random", "@capture"]);
    // It thinks for an eighth of a second each move, so it plays one short case of each check for which there is time.
    check_outcomes(&["pass", "left-out"], &Scratch::new(), &["--budget", "0", "@monte"], 1);
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
