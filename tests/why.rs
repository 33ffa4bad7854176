//! `why`: the moves that decided a lost game, and where a bot loses in a whole record.

use crate::support::{Ran, Scratch, checkout, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(each_game_names_what_decided_it),
        trial!(all_that_a_bot_lost_is_summed_up),
        trial!(json_has_the_same_causes),
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

fn all_that_a_bot_lost_is_summed_up() {
    let text = why(&with_record("boxing-full"), &["--bot", "jab"]).fine();
    assert!(
        text.starts_with("jab lost ") && text.contains(" games lost ") && text.contains("lost to @"),
        "{text}"
    );
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
    let scratch = with_record("mini");
    for (args, words) in [
        (&["s9/r1/m1/g1"][..], "game s9/r1/m1/g1 is not among the 6 games"),
        (&["--bot", "gredy"], "no entrant is called `gredy` (did you mean `@greedy`?)"),
    ] {
        let ran = why(&scratch, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}
