//! `check --endurance`: whole games against the ladder, and how rare a fault must be.

use super::shell_bot_after;
use crate::support::leftovers::{processes, wait_for};
use crate::support::{PROGRAM, Ran, Scratch, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(no_fault_has_a_bound),
        trial!(a_rare_fault_is_found, ["awk"]),
        trial!(ctrl_c_ends_it_with_the_bound_so_far, ["kill", "awk"]),
        trial!(bad_input_is_refused),
    ]
}

fn endured(scratch: &Scratch, args: &[&str]) -> (Option<i32>, Value) {
    let ran = Ran::from_command(scratch.cornerman([&["check", "--format", "json"], args].concat()));
    (ran.code, serde_json::from_str(&ran.stdout).expect("one object"))
}

fn no_fault_has_a_bound() {
    let scratch = Scratch::new();
    for bot in ["@greedy", "@markov", "@capture"] {
        let (code, report) = endured(&scratch, &[bot, "--endurance", "1s"]);
        let found = &report["endurance"];
        assert_eq!((code, &report["passes"], &found["faults"]), (Some(0), &true.into(), &0.into()), "{bot}");
        let moves = found["moves"].as_f64().unwrap();
        let bound = found["rate_at_most"].as_f64().unwrap();
        assert!(moves > 0.0 && (bound - (1.0 - 0.05_f64.powf(1.0 / moves))).abs() < 1e-9, "{found}");
    }
    let ran = Ran::from_command(scratch.cornerman(["check", "@greedy", "--endurance", "1s"]));
    assert!(ran.code == Some(0) && ran.stdout.starts_with("ok    @greedy: no fault in "), "{}", ran.stdout);
    assert!(ran.stdout.contains(" moves of ") && ran.stdout.contains(" with 95 % confidence"), "{}", ran.stdout);
}

fn a_rare_fault_is_found() {
    let scratch = Scratch::new();
    // The arena has its middle row filled only late in a game.
    let rare = "if [ \"$(printf %s \"$arena\" | tr -cd -- - | wc -c)\" -lt 400 ]; then echo oh no >&2; exit 0; fi";
    scratch.executable("rare", shell_bot_after(rare));
    let (code, report) = endured(&scratch, &["rare", "--endurance", "5s"]);
    let found = &report["endurance"];
    let number = |key: &str| found[key].as_f64().unwrap();
    assert_eq!((code, &report["passes"]), (Some(1), &false.into()), "{report}");
    let rate = number("faults") / number("moves");
    assert!(number("rate_at_least") < rate && rate < number("rate_at_most"), "{found}");
    let first = &found["found"][0];
    assert_eq!((&first["kind"], &first["stderr"]), (&"length".into(), &"oh no\n".into()), "{first}");
    let game: Value =
        serde_json::from_slice(&fs::read(scratch.path().join(first["file"].as_str().unwrap())).unwrap())
            .expect("a record");
    assert_eq!(game["faults"][0]["number"], first["move"]);
    let command = first["command"].as_str().unwrap().replace("cargo xtask", PROGRAM);
    let mut shell = assert_cmd::Command::from_std(Command::new("sh"));
    shell.args(["-c", &format!("{command} --quiet --format json")]).current_dir(scratch.path());
    let again = Ran::from_command(shell);
    assert!(again.stdout.contains("\"length\"") || again.stdout.contains("forfeit"), "{command}: {again:?}");
}

fn ctrl_c_ends_it_with_the_bound_so_far() {
    let scratch = Scratch::new();
    // Its games are long, and it rests in them.
    scratch.script("calm", "sleep 0.05; move");
    let mut command = Command::new(PROGRAM);
    command.args(["check", "./calm", "--endurance", "1h"]).current_dir(scratch.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command can be started");
    let calm = format!("{}/calm", scratch.marker());
    wait_for("a game under way", || (!processes(&calm).is_empty()).then_some(()));
    std::thread::sleep(Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let ended = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0), "{text}");
    assert!(text.contains("no fault in ") || text.contains("no move was made in "), "{text}");
}

fn bad_input_is_refused() {
    let scratch = Scratch::new();
    let check = |args: &[&str], words: &str| {
        let ran = Ran::from_command(scratch.cornerman([&["check", "@greedy"], args].concat()));
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    let expected = "expected a time from 1s to 7days, such as 500ms, 30s, 10m or 1h";
    for time in ["0.1", "5x", "0s", "9999h", "-3s", "NaNs", ""] {
        check(&[&format!("--endurance={time}")], expected);
    }
    check(&["--endurance", "5s", "--run", "BX-OUT"], "cannot be used with '--run <IDS>'");
    check(&["--endurance", "5s", "--format", "junit"], "--endurance has the formats text and json, not junit");
}
