//! Commands of which no one reads what they print: they do their work, and their exit code is that of its result.

use crate::support::{PROGRAM, Ran, Scratch, cache, small_arena, trial};
use crate::unpacked;
use libtest_mimic::Trial;
use rusqlite::Connection;
use std::fs::{self, File};
use std::io;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(the_exit_code_is_that_of_the_answer),
        trial!(a_decision_is_recorded),
        trial!(messages_that_cannot_be_written_are_dropped),
    ]
}

/// A pipe whose reader has gone.
fn closed() -> Stdio {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// A file to which nothing can be written.
fn full() -> Stdio {
    File::create("/dev/full").expect("it is on every Linux").into()
}

/// Checks the exit code of the command with these arguments, separated by blanks.
#[track_caller]
fn check(scratch: &Scratch, args: &str, stdout: Stdio, stderr: Stdio, code: i32) {
    let mut command = Command::new(PROGRAM);
    command.args(args.split_whitespace()).current_dir(scratch.path()).env("XDG_CACHE_HOME", cache());
    let ended = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).status().expect("it can be started");
    assert_eq!(ended.code(), Some(code), "{args}");
}

/// A folder with the contest `c.toml` and its record `c.db`.
fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(20));
    let text = "name = \"C\"\nseed = 1\nboards = [\"small.arena\"]\nentrants = [\"@greedy\", \"@first-fit\", \
                \"@parity\"]\n\n[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    scratch.file("c.toml", text);
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    scratch
}

fn the_exit_code_is_that_of_the_answer() {
    let scratch = played();
    scratch.file("broken/bot.toml", "game = \"boxing\"\nbuild = [\"false\"]\nrun = [\"./bot\"]\n");
    fs::copy(scratch.path().join("c.db"), scratch.path().join("tampered.db")).expect("a copy");
    let tampered = Connection::open(scratch.path().join("tampered.db")).expect("a record");
    let sql = "UPDATE seats SET points = points + 100 WHERE game = (SELECT min(id) FROM games)";
    assert!(unpacked::change(&tampered, sql).expect("it can be changed"));
    drop(tampered);
    for (args, code) in [
        ("verify c.db", 0),
        ("verify tampered.db", 1),
        ("check broken", 1),
        ("games c.db", 0),
        ("export c.db", 0),
        ("help record", 0),
        ("standings missing.db", 2),
    ] {
        check(&scratch, args, closed(), Stdio::null(), code);
    }
}

fn a_decision_is_recorded() {
    let scratch = played();
    check(&scratch, "decide c.db withdraw @greedy --why ill --yes", closed(), Stdio::null(), 0);
    let shown = Ran::from_command(scratch.cornerman(["decisions", "c.db"])).fine();
    assert!(shown.contains("@greedy"), "{shown}");
}

fn messages_that_cannot_be_written_are_dropped() {
    for stderr in [closed, full] {
        let scratch = played();
        fs::remove_file(scratch.path().join("c.db")).expect("it is there");
        for (args, code) in [
            ("tournament c.toml", 0),
            ("tournament missing.toml", 2),
            ("decide c.db withdraw @greedy --why ill --yes", 0),
            ("report c.db", 0),
            ("check missing.py", 2),
        ] {
            check(&scratch, args, Stdio::null(), stderr(), code);
        }
    }
}
