//! `check` of rock-paper-scissors: which game a bot is checked for, and how dialogues are reported.

use super::reports;
use crate::support::{Ran, Scratch, cornerman, trial};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_bot_that_opens_with_its_name_is_known_by_it, ["python3"]),
        trial!(a_dialogue_is_reported_and_kept, ["python3"]),
        trial!(a_bot_that_loops_for_ever_is_run_once),
        trial!(every_check_is_listed_and_explained),
        trial!(a_game_that_has_no_checks_is_refused),
    ]
}

/// A bot that plays what beats the opponent's last hand.
const PYTHON_BOT: &str = r#"#!/usr/bin/env python3
import sys

print("Last Word", flush=True)
seed, rounds, *_ = [sys.stdin.readline(), sys.stdin.readline()]
hand = int(seed or 0) % 3
for _ in range(int(rounds or 0)):
    print(hand, flush=True)
    line = sys.stdin.readline()
    if not line:
        break
    hand = (int(line) + 1) % 3
"#;

fn a_bot_that_opens_with_its_name_is_known_by_it() {
    let scratch = Scratch::new();
    scratch.executable("last", PYTHON_BOT);
    let ran = Ran::from_command(scratch.cornerman(["check", "./last"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("ok    last: all 22 checks pass"), "{}", ran.stdout);
    assert!(ran.stdout.contains("taken for Rock-paper-scissors, because"), "{}", ran.stdout);
    let told = Ran::from_command(scratch.cornerman(["check", "./last", "--game", "rps"])).fine();
    assert_eq!(told.lines().count(), 1, "nothing was guessed: {told}");
}

fn a_dialogue_is_reported_and_kept() {
    let scratch = Scratch::new();
    scratch.executable("words", PYTHON_BOT.replace("print(hand,", "print('rock',"));
    let asked = ["check", "./words", "--game", "rps", "--files", "kept"];
    let ran = Ran::from_command(scratch.cornerman(asked));
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    for part in ["RP-TOKEN  must", "< Last Word", "> 31241", "< rock", "`rock` is a word: write its number, 0"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let kept = |name: &str| fs::read(scratch.path().join("kept/words/RP-TOKEN").join(name)).expect(name);
    assert_eq!((kept("in.txt"), kept("out.txt")), (b"31241\n20\n".to_vec(), b"Last Word\nrock\n".to_vec()));
    assert!(String::from_utf8(kept("transcript.txt")).unwrap().contains("  > 20\n"));
    let (_, reports) = reports(&scratch, &["./words", "--run", "RP-TOKEN"]);
    let failed = reports[0]["checks"].as_array().unwrap().iter().find(|check| check["outcome"] == "fail").unwrap();
    assert_eq!(failed["findings"][0]["input"], "31241\\n20\\n");
    assert!(failed["findings"][0]["transcript"].as_str().unwrap().contains("< rock"));
}

/// It uses its time itself, so nothing that may have delayed its first run is a reason for another one.
fn a_bot_that_loops_for_ever_is_run_once() {
    let scratch = Scratch::new();
    scratch.executable("loop", "#!/bin/sh\necho Loop\nwhile :; do :; done\n");
    let (code, reports) = reports(&scratch, &["./loop", "--game", "rps"]);
    assert_eq!((code, &reports[0]["runs"]), (Some(1), &1.into()), "{}", reports[0]);
}

fn every_check_is_listed_and_explained() {
    let list = Ran::from_command(cornerman(["check", "--list", "--game", "rps"])).fine();
    assert_eq!(list.lines().count(), 22);
    for id in list.lines().map(|line| line.split(' ').next().unwrap()) {
        assert!(id.starts_with("RP-"), "{id}");
        let text = Ran::from_command(cornerman(["check", "--explain", &id.to_lowercase()])).fine();
        assert!(text.starts_with(&format!("{id}: ")) && text.contains("\nrequirement  R"), "{text}");
    }
}

fn a_game_that_has_no_checks_is_refused() {
    let refused = |args: &[&str], words: &str| {
        let ran = Ran::from_command(cornerman([&["check"], args].concat()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    refused(&["@rock", "--game", "chess"], "there are no checks for the game `chess`");
    refused(&["@rock", "--game", "boxng"], "`boxng` (did you mean `boxing`?); games with checks: boxing, rps");
    refused(
        &["@rock", "--run", "BX-CHAIN"],
        "@rock plays Rock-paper-scissors, but no check of that game is selected",
    );
}
