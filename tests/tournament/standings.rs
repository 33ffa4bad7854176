//! `standings`: the same output as that at the end of `tournament`, from the record alone and at any time.

use super::{FIVE, contest, contest_text, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(need_the_record_alone),
        trial!(are_also_markdown),
        trial!(of_a_run_under_way, ["awk"]),
        trial!(list_entries_that_do_not_play_as_the_first_run_did, ["awk"]),
        trial!(of_a_file_that_is_not_a_record_are_refused),
    ]
}

/// `standings` with these arguments, separated by spaces, in the folder of `scratch`.
fn standings(scratch: &Scratch, args: &str) -> Ran {
    Ran::from_command(scratch.cornerman(["standings"].into_iter().chain(args.split_whitespace())))
}

fn need_the_record_alone() {
    let scratch = Scratch::new();
    let elsewhere = Scratch::new();
    contest(&scratch, &FIVE);
    let text = contest_text(7, &FIVE) + "\n[[stages]]\nname = \"Last\"\nkind = \"knockout\"\ntop = 4\n";
    scratch.file("c.toml", text);
    let printed = tournament(&scratch, "c.toml --no-check").fine();
    let json = tournament(&scratch, "c.toml --no-check --format json").stdout;
    fs::rename(scratch.path().join("c.db"), elsewhere.path().join("moved.db")).expect("a file that can be moved");
    drop(scratch);
    assert_eq!(standings(&elsewhere, "moved.db").fine(), printed);
    assert_eq!(standings(&elsewhere, "moved.db --format json").fine(), json);
    for said in ["Final order", "Stage 2, Last (knockout): over", "@parity"] {
        assert!(printed.contains(said), "{said:?} is not in\n{printed}");
    }
}

fn are_also_markdown() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    let printed = tournament(&scratch, "c.toml --no-check --format md").fine();
    assert_eq!(standings(&scratch, "c.db --format md").fine(), printed);
    for said in [
        "# Short\n",
        "| place | name | wins | score |\n| ---: | --- | ---: | ---: |\n",
        "\n## Ratings\n",
        "Bradley–Terry",
    ] {
        assert!(printed.contains(said), "{said:?} is not in\n{printed}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&standings(&scratch, "c.db --format json").fine()).expect("JSON");
    for (at, wanted) in [("/ratings/method", "Bradley–Terry".into()), ("/conduct/0/games", 16.into())] {
        assert_eq!(json.pointer(at), Some(&wanted), "{at}");
    }
    assert_eq!(json["times"].as_array().map(Vec::len), Some(5));
    assert!(json["ratings"]["ratings"][0]["low"].as_f64() < json["ratings"]["ratings"][0]["high"].as_f64());
}

fn of_a_run_under_way() {
    let scratch = Scratch::new();
    scratch.script("slow", "sleep 0.2; move");
    contest(&scratch, &["@parity", "./slow"]);
    let mut run = unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the first game", || (played(&scratch, "c.db") > 0).then_some(()));
    let during = standings(&scratch, "c.db");
    run.kill().expect("it was started");
    run.wait().expect("it was started");
    let killed = standings(&scratch, "c.db");
    for ran in [during, killed] {
        let printed = ran.fine();
        assert!(printed.contains("Stage 1 (all-play-all): under way") && printed.contains("@parity"), "{printed}");
    }
}

fn list_entries_that_do_not_play_as_the_first_run_did() {
    let scratch = Scratch::new();
    scratch.script("mute", "exit 0");
    scratch.script("old", "move");
    let entrants = r#"["@parity", { path = "./old", author = "Ann" }, "./mute", "@greedy", { path = "@first-fit", author = "Ann" }]"#;
    contest(&scratch, &FIVE);
    scratch.file("c.toml", contest_text(7, &FIVE).replace(&format!("{FIVE:?}"), entrants));
    let first = tournament(&scratch, "c.toml");
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    for said in [
        "old does not play: replaced by @first-fit, a later entry of the same author (B13)\n",
        "mute does not play: it fails ",
    ] {
        assert!(first.stderr.contains(said), "{said:?} is not in {}", first.stderr);
    }
    let said = "Did not play\n old (Ann): replaced by @first-fit, a later entry of the same author (B13)\n mute: it fails ";
    assert!(first.stdout.contains(said), "{said:?} is not in {}", first.stdout);
    // An entry that does not play may be gone, and is not checked again.
    fs::remove_file(scratch.path().join("mute")).expect("it was there");
    scratch.script("mute", "move");
    let again = tournament(&scratch, "c.toml");
    assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout), "{}", again.stderr);
    assert!(!again.stderr.contains("checking"), "{}", again.stderr);
    let absent = |stderr: &str| -> Vec<String> {
        stderr.lines().filter(|line| line.contains("does not play")).map(str::to_string).collect()
    };
    assert_eq!(absent(&again.stderr), absent(&first.stderr));
    assert_eq!(standings(&scratch, "c.db").fine(), first.stdout);
}

fn of_a_file_that_is_not_a_record_are_refused() {
    let scratch = Scratch::new();
    scratch.file("c.toml", contest_text(7, &FIVE));
    for (args, said) in [("c.db", "no such record: c.db"), ("c.toml", "not the record of a tournament")] {
        let ran = standings(&scratch, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
    }
}
