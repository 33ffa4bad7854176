//! `check` of a folder of submissions: every entry gets a verdict, whatever it is, and nothing is skipped silently.

use super::SHELL_BOT;
use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(every_submission_has_a_verdict, ["awk", "cc", "mkfifo"]),
        trial!(verdicts_are_kept, ["awk"]),
        trial!(wrong_arguments_end_it_at_once, ["awk", "cc", "mkfifo"]),
        trial!(an_entry_that_cannot_be_built_does_not_play, ["awk", "cc", "mkfifo"]),
    ]
}

/// Submissions and the expected words about each: `ok`, or why it cannot play, or why it is ignored.
const SUBMISSIONS: &[(&str, &str)] = &[
    ("a-fine", "ok"),
    ("a-fine.c", "cannot play: FOLDER/a-fine.c: the build failed"),
    ("b-broken.c", "cannot play: FOLDER/b-broken.c: the build failed"),
    ("c-bad-toml", "cannot play: FOLDER/c-bad-toml/bot.toml:2: unknown field `autor`"),
    ("d-empty", "cannot play: it is an empty folder"),
    ("e-no-toml", "cannot play: FOLDER/e-no-toml: a folder is a bot only with a `bot.toml`"),
    ("f-no-bit", "cannot play: FOLDER/f-no-bit: not executable: try `chmod +x"),
    ("g-pipe", "cannot play: it is a pipe, not a file or a folder"),
    ("h.zip", "cannot play: it is an archive"),
    ("i-link", "cannot play: it is a link to a file that does not exist"),
    ("j-other-machine", "cannot play: FOLDER/j-other-machine: a program for another kind of machine"),
    ("k-fine-too", "ok"),
    ("l-other-game", "cannot play: there are no checks for the game `chess`"),
    ("notes.txt", "ignored: neither a program nor a source file"),
    ("shared.h", "ignored: a header"),
];

fn folder() -> Scratch {
    let scratch = Scratch::new();
    scratch.executable("in/a-fine", SHELL_BOT);
    scratch.file("in/a-fine.c", "nothing\n");
    scratch.file("in/b-broken.c", "int main(void) { return nothing; }\n");
    scratch.file("in/c-bad-toml/bot.toml", "name = \"Toml\"\nautor = \"me\"\nrun = [\"./x\"]\n");
    fs::create_dir(scratch.path().join("in/d-empty")).unwrap();
    scratch.file("in/e-no-toml/bot.py", "print()\n");
    scratch.file("in/f-no-bit", SHELL_BOT);
    assert!(Command::new("mkfifo").arg(scratch.path().join("in/g-pipe")).status().unwrap().success());
    scratch.file("in/h.zip", "PK\u{3}\u{4}");
    std::os::unix::fs::symlink("/nowhere/at/all", scratch.path().join("in/i-link")).unwrap();
    // A program for a machine type that does not exist.
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(64, 0);
    elf[18] = 0xfe;
    scratch.executable("in/j-other-machine", elf);
    scratch.executable("in/k-fine-too", format!("{SHELL_BOT}# another\n"));
    scratch.file("in/l-other-game/bot.toml", "game = \"chess\"\nrun = [\"./x\"]\n");
    scratch.executable("in/l-other-game/x", SHELL_BOT);
    scratch.file("in/notes.txt", "hello\n");
    scratch.file("in/shared.h", "#define X\n");
    scratch
}

/// The verdict on each name.
fn verdicts(json: &str) -> BTreeMap<String, String> {
    let verdict = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        let name = object["spec"].as_str().unwrap().trim_start_matches("in/").to_string();
        let words = |key: &str| object[key].as_str().map(|words| words.replace("in/", "FOLDER/"));
        let said = match (words("ignored"), words("unfit"), object["passes"].as_bool()) {
            (Some(why), _, _) => format!("ignored: {why}"),
            (_, Some(why), Some(false)) => format!("cannot play: {why}"),
            (_, _, Some(true)) => "ok".to_string(),
            _ => line.to_string(),
        };
        (name, said)
    };
    json.lines().map(verdict).collect()
}

fn every_submission_has_a_verdict() {
    let scratch = folder();
    let run = |options: &[&str]| {
        Ran::from_command(scratch.cornerman([&["check", "in", "--run", "BX-OUT-LEN"], options].concat()))
    };
    let json = run(&["--format", "json", "--status-dir", "mail"]);
    assert_eq!(json.code, Some(1), "{}", json.stderr);
    let said = verdicts(&json.stdout);
    assert_eq!(said.len(), SUBMISSIONS.len(), "{said:#?}");
    for (name, wanted) in SUBMISSIONS {
        assert!(said[*name].starts_with(wanted), "{name}: {}", said[*name]);
    }
    let text = run(&[]);
    for (name, _) in SUBMISSIONS {
        let name = name.split('.').next().unwrap();
        assert!(text.stdout.contains(name), "{name} is not in\n{}", text.stdout);
    }
    assert!(text.stdout.contains("2 of 13 bots pass all musts"), "{}", text.stdout);
    for headline in ["ok    a-fine (a-fine): ", "FAIL  a-fine (a-fine.c): "] {
        assert!(text.stdout.contains(headline), "two of one name are told apart: {}", text.stdout);
    }
    let junit = run(&["--format", "junit"]).stdout;
    assert_eq!(junit.matches("<failure").count(), 11, "{junit}");
    let mail = |name: &str| fs::read_to_string(scratch.path().join("mail").join(name)).unwrap();
    assert!(mail("a-fine.txt").contains("It follows the rules and may play."));
    let index = mail("index.csv");
    assert!(index.starts_with("entry,file,verdict\nin/a-fine,a-fine.txt,may play\n"), "{index}");
    let here = scratch.path().display().to_string();
    let files = index.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
    let judged = SUBMISSIONS.iter().filter(|(_, words)| !words.starts_with("ignored"));
    assert_eq!(files.clone().count(), judged.count(), "{index}");
    for file in files {
        assert!(!mail(file).contains(&here), "{}", mail(file));
    }
    assert!(mail("b-broken.txt").contains("nothing") && mail("b-broken.txt").contains("may not play"));
    assert_eq!(fs::read_dir(scratch.path().join("mail")).unwrap().count(), 14, "with the index");
}

fn verdicts_are_kept() {
    let scratch = Scratch::new();
    scratch.executable("fine", format!("{SHELL_BOT}# {}\n", scratch.marker()));
    scratch.executable("wrong", format!("#!/bin/sh\necho {}\n", scratch.marker()));
    let run = |options: &[&str]| {
        let args = [&["check", "fine", "wrong", "--game", "boxing", "--format", "json"], options].concat();
        let ran = Ran::from_command(scratch.cornerman(args));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let object = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        ran.stdout.lines().map(object).collect::<Vec<_>>()
    };
    let kept = |reports: &[Value]| reports.iter().map(|one| one["kept"].as_bool().unwrap()).collect::<Vec<_>>();
    let first = run(&[]);
    assert_eq!(kept(&first), [false, false]);
    let mut second = run(&[]);
    assert_eq!(kept(&second), [true, true]);
    for report in &mut second {
        report["kept"] = false.into();
    }
    assert_eq!(first, second, "it is the same verdict");
    let few = ["--run", "BX-OUT"];
    let of_few = |options: &[&str]| kept(&run(&[&few, options].concat()));
    assert_eq!(of_few(&[]), [false, false], "a selection has a verdict of its own");
    assert_eq!(of_few(&["--again"]), [false, false]);
    assert_eq!(of_few(&["--seed", "7"]), [false, false], "another seed asks other questions");
    scratch.executable("fine", format!("{SHELL_BOT}# {} changed\n", scratch.marker()));
    assert_eq!(of_few(&[]), [false, true], "another program");
}

fn wrong_arguments_end_it_at_once() {
    let scratch = folder();
    for (args, words) in [
        (&["check", "in", "in/nowhere"][..], "no such bot: in/nowhere"),
        (&["check", "in", "--run", "BX-NO"], "BX-NO"),
        (&["check", "in", "--game", "chess"], "chess"),
    ] {
        let ran = Ran::from_command(scratch.cornerman(args));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

fn an_entry_that_cannot_be_built_does_not_play() {
    let scratch = folder();
    scratch.file("small.arena", crate::support::small_arena(6));
    scratch.file(
        "c.toml",
        "name = \"C\"\nboards = [\"small.arena\"]\nentrants = [\"in/a-fine\", \"in/b-broken.c\", \"in/c-bad-toml\", \
         \"in/k-fine-too\"]\n[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n",
    );
    for options in [&["--no-check"][..], &["--force-new"], &[]] {
        let ran = Ran::from_command(scratch.cornerman([&["tournament", "c.toml"], options].concat()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("a-fine") && ran.stdout.contains("k-fine-too"), "{}", ran.stdout);
    }
    let said = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--dry-run"]));
    let out = said.stdout + &said.stderr;
    assert!(out.contains("b-broken does not play: it cannot play: ") && out.contains("the build failed"), "{out}");
    assert!(out.contains("c-bad-toml does not play: it cannot play: "), "{out}");
}
