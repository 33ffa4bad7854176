//! `check`: correct bots pass, in whatever language they are written, and the options select what is checked.

mod broken;
mod endurance;
mod hands;
mod intake;
mod judged;
mod lawful;
mod reference;
mod report;
mod stones;
mod stopping;

use crate::support::{Ran, Scratch, checkout, cornerman, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial!(the_entry_that_is_shipped_passes, ["cc"], || {
            check_passes(&["crab"], |scratch| {
                for file in ["bot.toml", "crab.c"] {
                    let content = fs::read(checkout("bots/corner-crab").join(file)).expect(file);
                    scratch.file(&format!("crab/{file}"), content);
                }
            });
        }),
        trial!(the_python_template_passes, ["python3"], || check_template("python", &["--budget=1"])),
        trial!(the_c_template_passes, ["cc"], || check_template("c", &[])),
        trial!(the_java_template_passes, ["javac", "jar", "java"], || check_template("java", &["--budget=1"])),
        trial!(the_rust_template_passes, ["rustc"], || check_template("rust", &[])),
        trial!(a_c_source_passes, ["cc"], || {
            check_passes(&["jab.c"], |scratch| drop(scratch.file("jab.c", C_BOT)));
        }),
        trial!(a_python_source_passes, ["python3"], || {
            check_passes(&["hook.py", "--budget=2"], |scratch| drop(scratch.file("hook.py", PYTHON_BOT)));
        }),
        trial!(a_shell_script_passes, ["awk"], || {
            check_passes(&["./cross"], |scratch| drop(scratch.executable("cross", SHELL_BOT)));
        }),
        trial!(a_selection_is_checked_and_nothing_else),
        trial!(an_empty_selection_is_refused),
        trial!(a_file_that_is_not_a_bot_is_refused_before_anything_runs),
        trial!(cases_beyond_the_budget_are_left_out),
        trial!(a_fast_check_ends_with_the_first_must_that_fails),
        trial!(strict_makes_a_should_a_must, ["python3"]),
        trial!(the_seed_decides_the_arenas),
        trial!(every_check_is_listed_and_explained),
    ];
    trials.extend(broken::trials());
    trials.extend(endurance::trials());
    trials.extend(hands::trials());
    trials.extend(intake::trials());
    trials.extend(judged::trials());
    trials.extend(lawful::trials());
    trials.extend(stones::trials());
    trials.extend(reference::trials());
    trials.extend(report::trials());
    trials.extend(stopping::trials());
    trials
}

/// A bot that fills the largest vacant square, in 25 lines.
const PYTHON_BOT: &str = r#"#!/usr/bin/env python3
import sys

WIDE, TALL = 32, 16
mark = sys.argv[1][0] if len(sys.argv) > 1 else "A"
text = sys.stdin.buffer.read(528).decode("latin-1")
rows = [list(line) for line in text.split("\n")[:TALL]]


def vacant(row, col, size):
    return all(rows[r][c] == "-" for r in range(row, row + size) for c in range(col, col + size))


def largest():
    for size in range(TALL, 0, -1):
        for row in range(TALL - size + 1):
            for col in range(WIDE - size + 1):
                if vacant(row, col, size):
                    return row, col, size


row, col, size = (len(text) == 528 and largest()) or (0, 0, 0)
for at in range(row, row + size):
    rows[at][col : col + size] = mark * size
sys.stdout.buffer.write("".join("".join(row) + "\n" for row in rows).encode("latin-1"))
"#;

/// A bot that fills the first vacant spot.
const C_BOT: &str = r#"#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char arena[528], *spot;
    size_t got = fread(arena, 1, sizeof arena, stdin);
    spot = memchr(arena, '-', got);
    if (spot && argc > 1) *spot = argv[1][0];
    return fwrite(arena, 1, got, stdout) != got;
}
"#;

/// A bot that fills the first vacant spot, with any character as its mark, and without waiting for the end of its
/// input. It starts no other program: some trials have thousands of its moves.
pub const SHELL_BOT: &str = r#"#!/bin/sh
export LC_ALL=C mark="$1"
row=0 filled=no
while [ $row -lt 16 ] && IFS= read -r line; do
    if [ $filled = no ] && [ "${line#*-}" != "$line" ]; then
        line=${line%%-*}$mark${line#*-} filled=yes
    fi
    printf '%s\n' "$line"
    row=$((row + 1))
done
"#;

/// [`SHELL_BOT`] that reads the whole arena first, and then does `first`.
pub fn shell_bot_after(first: &str) -> String {
    let (head, rest) = SHELL_BOT.split_once("while").expect("its loop");
    format!("{head}arena=$(cat; echo .)\n{first}\nprintf %s \"${{arena%.}}\" | while{rest}")
}

/// The exit code and the reports of `check --format json` with these arguments, a report for each bot.
#[track_caller]
fn reports(scratch: &Scratch, args: &[&str]) -> (Option<i32>, Vec<Value>) {
    let ran = Ran::from_command(scratch.cornerman([&["check", "--format", "json"], args].concat()));
    assert_eq!(ran.messages(), "", "{args:?}");
    (ran.code, ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect())
}

/// The ids of the checks in a report that have this outcome.
fn ids<'a>(report: &'a Value, outcome: &str) -> Vec<&'a str> {
    let checks = report["checks"].as_array().expect("checks").iter();
    checks.filter(|check| check["outcome"] == outcome).map(|check| check["id"].as_str().expect("an id")).collect()
}

/// Checks that each of the bots of `args`, which `prepare` puts into the folder, passes every check that is run.
#[track_caller]
fn check_passes(args: &[&str], prepare: impl Fn(&Scratch)) {
    let scratch = Scratch::new();
    prepare(&scratch);
    let (code, reports) = reports(&scratch, args);
    let bots: Vec<&&str> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    assert_eq!(reports.len(), bots.len());
    for report in &reports {
        check_report(report);
    }
    assert_eq!(code, Some(0));
    assert!(!scratch.path().join(".cornerman/check").join(bots[0]).exists(), "there are no failures to keep");
}

/// Checks that the bot of `report` passes every check that was run.
#[track_caller]
fn check_report(report: &Value) {
    assert_eq!(ids(report, "fail"), [""; 0], "{}: {report:#}", report["bot"]);
    assert!(ids(report, "skipped").is_empty() && ids(report, "blocked").is_empty());
    assert_eq!((&report["schema"], &report["passes"]), (&1.into(), &true.into()));
}

/// An interpreter is started for each case, so with one the most telling cases have to suffice.
fn check_template(lang: &str, options: &[&str]) {
    check_passes(&[&["left-hook"], options].concat(), |scratch| {
        Ran::from_command(scratch.cornerman(["new", "left-hook", "--lang", lang])).fine();
    });
}

fn a_selection_is_checked_and_nothing_else() {
    let scratch = Scratch::new();
    let judged = |args: &[&str]| {
        let (code, reports) = reports(&scratch, &[&["@greedy"], args].concat());
        assert_eq!(code, Some(0), "{args:?}");
        ids(&reports[0], "pass").iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let all = judged(&[]);
    assert!(all.len() > 40, "{all:?}");
    assert_eq!(judged(&["--run", "BX-MOV-PASS"]), ["BX-MOV-PASS"]);
    assert_eq!(judged(&["--run", "*-EXIT,bx-mov-one"]), ["BX-MOV-ONE", "BX-RUN-EXIT"]);
    assert_eq!(
        judged(&["--run", "BX-OUT", "--skip", "BX-OUT-CHARSET", "--skip", "*-L*"]),
        ["BX-OUT-ROWS", "BX-OUT-EOL", "BX-OUT-FINALNL", "BX-OUT-TRAIL"]
    );
    let without: Vec<&String> = all.iter().filter(|id| !id.starts_with("BX-STATE-")).collect();
    assert_eq!(judged(&["--skip", "BX-STATE"]).iter().collect::<Vec<_>>(), without);
}

/// Checks that the command refuses to run with this message and exit code 2, and that nothing is built, run or written.
#[track_caller]
fn check_refused(args: &[&str], words: &str) {
    let scratch = Scratch::new();
    scratch.file("traces/bot.toml", "build = [\"./trace\"]\nrun = [\"./trace\"]\n");
    scratch.executable("traces/trace", "#!/bin/sh\nexec cat\n");
    scratch.script("jab.sh", "move");
    scratch.executable("env", "#!/usr/bin/env no-such-interpreter\n");
    scratch.executable("dos", "#!/bin/sh\r\ncat\r\n");
    let before = scratch.listing();
    let cache = Scratch::new();
    let mut command = scratch.cornerman([&["check"], args].concat());
    command.env("XDG_CACHE_HOME", cache.path());
    let ran = Ran::from_command(command);
    let said = ran.stderr.split("\n\nUsage:").next().unwrap().split("\n\nFor more information").next().unwrap();
    assert_eq!(said.trim_end(), format!("error: {words}"), "{args:?}");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
    assert!(scratch.listing() == before, "{args:?} wrote something");
    assert!(!cache.listing().iter().any(|(path, _)| path.ends_with("built.toml")), "{args:?} built something");
}

/// Checks that the verdict on a file that cannot run has this message, and that nothing was run.
#[track_caller]
fn check_unfit(name: &str, words: &str) {
    let scratch = Scratch::new();
    scratch.executable("env", "#!/usr/bin/env no-such-interpreter\n");
    scratch.executable("dos", "#!/bin/sh\r\ncat\r\n");
    let ran = Ran::from_command(scratch.cornerman(["check", name]));
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(ran.stdout, format!("FAIL  {name}: cannot play: {words}\n"));
}

fn an_empty_selection_is_refused() {
    let check = |args: &[&str], words: &str| check_refused(&[&["traces"], args].concat(), words);
    let see = "; `check --list` lists them";
    check(
        &["--run", "BX-OUT-TAIL"],
        &format!("no check is called `BX-OUT-TAIL` (did you mean `BX-OUT-TRAIL`?){see}"),
    );
    check(
        &["--skip", "bx-mov-same"],
        &format!("no check is called `bx-mov-same` (did you mean `BX-MOV-SOME`?){see}"),
    );
    check(&["--run", "BX-OUT,*-NOTHING"], &format!("no check is called `*-NOTHING`{see}"));
    let nothing = "no check is left to run: every selected check is also skipped";
    check(&["--run", "BX-OUT-LEN", "--skip", "BX-OUT"], nothing);
    let number = "expected a whole number from 0 to 18446744073709551615";
    check(&["--seed", "-1"], &format!("invalid value '-1' for '--seed <N>': {number}"));
    check_refused(
        &["--explain", "BX-CHAINS"],
        &format!("no check is called `BX-CHAINS` (did you mean `BX-CHAIN`?){see}"),
    );
}

fn a_file_that_is_not_a_bot_is_refused_before_anything_runs() {
    check_refused(&[], "the following required arguments were not provided:\n  <BOT>...");
    check_refused(&["jab.sh", "jab.hs"], "no such bot: jab.hs (did you mean `jab.sh`?)");
    // A file that exists but cannot run gets a verdict, rather than end the command.
    check_unfit(
        "env",
        "env: its first line asks env for no-such-interpreter, which is not in the PATH that bots have: \
         /usr/local/bin:/usr/bin:/bin",
    );
    check_unfit(
        "dos",
        "dos: its first line ends with a carriage return (CR LF), which becomes part of the interpreter's name: \
         save it with line feeds alone",
    );
}

fn cases_beyond_the_budget_are_left_out() {
    let scratch = Scratch::new();
    let run = |options: &[&str]| {
        let (code, reports) = reports(&scratch, &[&["@greedy"], options].concat());
        let report = &reports[0];
        let number = |key: &str| report[key].as_u64().unwrap();
        (code, report["complete"].as_bool().unwrap(), number("runs") < number("runs_planned"))
    };
    assert_eq!(run(&["--budget", "0", "--again"]), (Some(0), false, true));
    assert_eq!(run(&["--full"]), (Some(0), true, false));
    assert_eq!(run(&["--budget", "0"]), (Some(0), true, false), "a complete verdict is known");
}

fn a_fast_check_ends_with_the_first_must_that_fails() {
    let scratch = Scratch::new();
    scratch.executable("idle", "#!/bin/sh\nexec cat\n");
    let (code, reports) = reports(&scratch, &["idle", "--fast"]);
    assert_eq!((code, &reports[0]["complete"], &reports[0]["runs"]), (Some(1), &false.into(), &2.into()));
    let checks = reports[0]["checks"].as_array().unwrap();
    let count = |key: &str, value: &str| checks.iter().filter(|check| check[key] == value).count();
    assert_eq!((count("outcome", "fail"), count("outcome", "pass")), (1, 0));
    assert_eq!(count("left_out_by", "fast"), checks.len() - 1);
}

fn strict_makes_a_should_a_must() {
    let scratch = Scratch::new();
    scratch.file("hook.py", format!("{PYTHON_BOT}sys.exit(3)\n"));
    let run = |options: &[&str]| {
        let (code, reports) = reports(&scratch, &[&["hook.py", "--run", "BX-RUN-EXIT"], options].concat());
        (code, reports[0]["passes"].clone(), reports[0]["failed_shoulds"].clone())
    };
    assert_eq!(run(&[]), (Some(0), true.into(), 1.into()));
    assert_eq!(run(&["--strict"]), (Some(1), false.into(), 1.into()));
}

fn the_seed_decides_the_arenas() {
    let scratch = Scratch::new();
    scratch.executable("idle", "#!/bin/sh\nexec cat\n");
    let asked = |seed: &str| {
        let (code, reports) = reports(&scratch, &["idle", "--run", "BX-MOV-SOME", "--seed", seed]);
        assert_eq!((code, reports[0]["seed"].to_string().as_str()), (Some(1), seed));
        let check = reports[0]["checks"].as_array().unwrap().iter().find(|check| check["id"] == "BX-MOV-SOME");
        let findings = check.unwrap()["findings"].as_array().unwrap().clone();
        let random = |finding: &&Value| finding["case"].as_str().unwrap().starts_with("random-");
        findings.iter().filter(random).map(|finding| finding["input"].to_string()).collect::<Vec<_>>()
    };
    let [once, twice, other] = ["7", "7", "8"].map(asked);
    assert!(once.len() > 50, "{}", once.len());
    assert_eq!(once, twice);
    assert!(once.iter().all(|arena| !other.contains(arena)), "another seed has other arenas");
}

fn every_check_is_listed_and_explained() {
    let list = Ran::from_command(cornerman(["check", "--list"])).fine();
    let listed: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let (_, reports) = reports(&Scratch::new(), &["@greedy", "--run", "BX-MOV-PASS"]);
    let known: Vec<&str> =
        reports[0]["checks"].as_array().unwrap().iter().map(|check| check["id"].as_str().unwrap()).collect();
    assert_eq!(listed, known);
    for id in listed {
        let text = Ran::from_command(cornerman(["check", "--explain", &id.to_lowercase()])).fine();
        assert!(text.starts_with(&format!("{id}: ")), "{text}");
        for part in
            ["\nseverity     ", "\nrequirement  B", "\nrule         ", "\nexpected     ", "\nhint         "]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let json = |args: &[&str]| {
        let printed = Ran::from_command(cornerman([&["check", "--format", "json"], args].concat())).fine();
        serde_json::from_str::<Value>(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
    };
    assert_eq!(json(&["--list"])["checks"].as_array().map(Vec::len), Some(known.len()));
    assert_eq!(json(&["--explain", "BX-CHAIN"])["requirement"], "B8");
    check_refused(
        &["--explain", "BX-CHAIN", "--format", "junit"],
        "--explain has the formats text and json, not junit",
    );
}
