//! `why`: the moves that decided a lost game, and where a bot loses in a whole record.

use crate::go::gnugo_is_there;
use crate::support::{Ran, Scratch, checkout, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(each_game_names_what_decided_it),
        trial!(who_lost_is_decided_as_the_stage_counts),
        trial!(all_that_a_bot_lost_is_summed_up),
        trial!(json_has_the_same_causes),
        trial!(an_engine_says_where_the_score_fell, ["python3"]),
        trial!(gnu_go_says_where_the_score_fell, if gnugo_is_there),
        trial!(an_engine_that_is_none_is_refused, ["python3"]),
        trial!(what_is_not_in_the_record_is_refused),
    ]
}

/// A folder with the kept record `name` as `r.db`.
fn with_record(name: &str) -> Scratch {
    let scratch = Scratch::new();
    let record = checkout("tests/data/records").join(format!("{name}.db"));
    scratch.file("r.db", fs::read(record).expect("a kept record"));
    scratch
}

fn why(scratch: &Scratch, args: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman([&["why", "r.db"], args].concat()))
}

fn each_game_names_what_decided_it() {
    let check = |record: &str, words: &[&str]| {
        let text = why(&with_record(record), &["s1/r1/m1/g1"]).fine();
        for words in words {
            assert!(text.contains(words), "{record}: {words} is not in\n{text}");
        }
    };
    check("boxing-full", &["jab lost to @greedy", "move 2: the last chance: 12 of 26 moves win: 3x3 at row 6"]);
    check("samurai", &["with 4 seats there is no theory that says who wins"]);
    check("rps", &["no simple predictor wins both halves of it, 6 rounds each"]);
    check(
        "brackets",
        &["a bot that only counts its hands would have won by 11 rounds", "rock in 100 % of 12 rounds"],
    );
    check("go", &["Engine lost to @go-random", "playing out each position at random", " by `pass`"]);
    check("forfeits-boxing", &["it forfeits: "]);
}

fn who_lost_is_decided_as_the_stage_counts() {
    let scratch = with_record("samurai");
    let check = |args: &[&str], words: &str| {
        let text = why(&scratch, args).fine();
        assert!(text.contains(words), "{words} is not in\n{text}");
    };
    // One of the smallest filled the last spot, and the crab had the most territory (S3).
    check(&["s1/r2/m2/g1"], "@smallest #2 lost to crab");
    check(&["s1/r2/m2/g1", "--bot", "@smallest"], "@smallest lost to crab");
    check(&["s2/r3/m1/g1"], "@mirror lost to @parity, template");
}

fn all_that_a_bot_lost_is_summed_up() {
    let text = why(&with_record("boxing-full"), &["--bot", "jab"]).fine();
    assert!(
        text.starts_with("jab lost ") && text.contains(" games lost ") && text.contains("lost to @"),
        "{text}"
    );
}

/// An engine whose score is a point for Black for each move, but for the fourth, which costs twenty.
const ENGINE: &str = r#"#!/usr/bin/env python3
import sys

score = 0
for line in sys.stdin:
    words = line.split()
    answer = ""
    if words[0] == "list_commands":
        answer = "name\nestimate_score\nquit"
    elif words[0] == "name":
        answer = "Counter"
    elif words[0] == "clear_board":
        moves = 0
    elif words[0] == "play":
        moves += 1
    elif words[0] == "estimate_score":
        score = moves - (20 if moves >= 4 else 0)
        answer = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score)} (upper bound: 9)"
    print("= " + answer + "\n", flush=True)
"#;

fn an_engine_says_where_the_score_fell() {
    let scratch = with_record("go");
    scratch.executable("counter", ENGINE);
    let record = cornerman_harness::record::Record::open(&scratch.path().join("r.db")).expect("a record");
    let id = record.games().expect("games")[0].pairing.id;
    let game = record.game(id).expect("it can be read").expect("it is there");
    let loser = game.outcome.places.iter().position(|place| *place != 1).expect("a loser");
    let text = why(&scratch, &[&id.to_string(), "--engine", "gtp:./counter"]).fine();
    // The fourth move is White's: it is White's gain, or the loss of a point by each of its other moves.
    let words: &[&str] = match loser {
        0 => &["by Counter (estimate_score)", "from the start on: +0.0 +1.0 +2.0 +3.0 -16.0"],
        _ => &[
            "by Counter (estimate_score)",
            "from the start on: +0.0 -1.0 -2.0 -3.0 +16.0",
            "move 2: falls from -1.0 to -2.0",
        ],
    };
    for words in words {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

fn gnu_go_says_where_the_score_fell() {
    let scratch = with_record("go");
    let text = why(&scratch, &["s1/r1/m1/g1", "--engine", "gtp:gnugo --mode gtp --level 0"]).fine();
    assert!(text.contains("by GNU Go (estimate_score)") && text.contains(": falls from "), "{text}");
}

fn an_engine_that_is_none_is_refused() {
    let check = |record: &str, engine: &str, words: &str| {
        let scratch = with_record(record);
        scratch.executable("mute", "#!/bin/sh\nexit 0\n");
        scratch.executable("shy", "#!/bin/sh\nread -r line; printf '= name\\n\\n'\n");
        let ran = why(&scratch, &["s1/r1/m1/g1", "--engine", engine]);
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{engine}: {}", ran.stderr);
    };
    check("go", "gnugo --mode gtp", "expected gtp:gnugo --mode gtp");
    check("go", "gtp:./nothing", "nothing");
    check("go", "gtp:./mute", "`gtp:./mute`: it ");
    check("go", "gtp:./shy", "it has none of the commands estimate_score, kata-analyze, lz-analyze");
    check("rps", "gtp:./shy", "--engine is for records of Go, and this one is of rps");
}

fn json_has_the_same_causes() {
    let text = why(&with_record("boxing-full"), &["s1/r1/m1/g1", "--format", "json"]).fine();
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&value["schema"], &value["game"], &value["lost"]),
        (&1.into(), &"s1/r1/m1/g1".into(), &"jab".into())
    );
    assert_eq!(value["causes"][0]["move"], 2, "{text}");
}

fn what_is_not_in_the_record_is_refused() {
    for (record, args, words) in [
        ("mini", &["s9/r1/m1/g1"][..], "game s9/r1/m1/g1 is not among the 6 games"),
        ("mini", &["--bot", "gredy"], "no entrant is called `gredy`\nhint: did you mean `@greedy`?"),
        ("samurai", &["s1/r2/m2/g1", "--bot", "crab"], "crab is in first place of game s1/r2/m2/g1"),
    ] {
        let ran = why(&with_record(record), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}
