//! Which isolation the commands require and report, and that they work on a machine without namespaces.

use crate::check::SHELL_BOT;
use crate::support::{
    Ran, Scratch, cache, checkout, namespaces_can_be_used_up, own_the_state_files, small_arena, trial,
};
use libtest_mimic::Trial;
use std::ffi::OsStr;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(programs_of_strangers_need_scoped, ["awk"]),
        trial!(an_explicit_level_lets_them_run, ["awk"]),
        trial!(own_bots_run_at_every_level, ["awk"]),
        trial!(the_level_in_force_is_the_first_line, ["awk"]),
        trial!(a_check_again_builds_anew),
        trial!(a_program_that_cannot_be_started_is_not_kept),
        trial!(without_namespaces_the_c_entry_passes, if namespaces_can_be_used_up, || {
            let crab = checkout("bots/corner-crab");
            let ran = Ran::from_command(Scratch::new().without_namespaces([OsStr::new("check"), crab.as_os_str()]));
            assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.starts_with("isolation: scoped, not namespaced: "), "{}", ran.stderr);
        }),
        trial!(without_namespaces_a_contest_is_played, if namespaces_can_be_used_up, || {
            let scratch = contest("");
            let ran = Ran::from_command(scratch.without_namespaces(["tournament", "c.toml"]));
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(ran.stderr.starts_with("isolation: scoped, not namespaced: "), "{}", ran.stderr);
            assert!(ran.stdout.contains("jab"), "{}", ran.stdout);
        }),
    ]
}

/// A folder with a contest of `@greedy` and the bot of a stranger, and two such bots in the folder `in`. `head` are more
/// lines of the contest file.
fn contest(head: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("small.arena", small_arena(6));
    for name in ["jab", "in/hook", "in/cross"] {
        scratch.executable(name, format!("{SHELL_BOT}# {name}\n"));
    }
    scratch.file(
        "c.toml",
        format!(
            "name = \"C\"\n{head}boards = [\"small.arena\"]\nentrants = [\"@greedy\", \"jab\"]\n\
             [[stages]]\nkind = \"all-play-all\"\nboards = [1]\n"
        ),
    );
    scratch
}

const TOURNAMENT: &str = "tournament c.toml --no-check";
const DRY_RUN: &str = "tournament c.toml --no-check --dry-run";
const FOLDER: &str = "check in --run BX-OUT-LEN";

fn run(scratch: &Scratch, command: &str, options: &str) -> Ran {
    Ran::from_command(scratch.cornerman(command.split(' ').chain(options.split_whitespace())))
}

fn programs_of_strangers_need_scoped() {
    let scratch = contest("");
    let before = scratch.listing();
    for (command, file) in [(TOURNAMENT, true), (DRY_RUN, true), (FOLDER, false)] {
        let ran = run(&scratch, command, "--isolation-at-most restricted");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command}: {}", ran.stderr);
        for said in ["isolation `scoped` is not available", "add `--isolation restricted`"] {
            assert!(ran.stderr.contains(said), "{command}: {said:?} is not in {}", ran.stderr);
        }
        assert_eq!(ran.stderr.contains("`isolation = \"restricted\"` in"), file, "{command}: {}", ran.stderr);
    }
    assert_eq!(scratch.listing(), before);
}

fn an_explicit_level_lets_them_run() {
    let _held = own_the_state_files();
    let scratch = contest("");
    for command in [TOURNAMENT, DRY_RUN, FOLDER] {
        let ran = run(&scratch, command, "--isolation restricted --isolation-at-most restricted");
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
    }
    let scratch = contest("isolation = \"restricted\"\n");
    let ran = run(&scratch, TOURNAMENT, "--isolation-at-most restricted");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn own_bots_run_at_every_level() {
    let _held = own_the_state_files();
    let scratch = contest("");
    let file = fs::read_to_string(scratch.path().join("c.toml")).expect("a contest");
    scratch.file("c.toml", file.replace("\"jab\"", "\"@parity\""));
    for command in [TOURNAMENT, "check jab --run BX-OUT-LEN", "play jab @greedy --board small.arena -q"] {
        let ran = run(&scratch, command, "--isolation-at-most restricted");
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("isolation: restricted; ").count(), 1, "{command}: {}", ran.stderr);
    }
}

fn the_level_in_force_is_the_first_line() {
    let scratch = contest("");
    for command in [TOURNAMENT, DRY_RUN, FOLDER, &format!("{FOLDER} --format json")] {
        let ran = run(&scratch, command, "");
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("isolation: "), "{command}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("isolation: ").count(), 1, "{command}: {}", ran.stderr);
    }
}

/// A folder with a bot that the commands of `make` build.
fn with_build(make: &str) -> Scratch {
    let scratch = Scratch::new();
    let name = scratch.marker().to_string();
    scratch.file(&format!("{name}/bot.toml"), "build = [\"sh\", \"make.sh\"]\nrun = [\"./bot\"]\n");
    scratch.file(&format!("{name}/make.sh"), make);
    scratch
}

/// The programs in the cache that were built from the bot of [`with_build`].
fn kept(scratch: &Scratch) -> Vec<Vec<u8>> {
    let folders = fs::read_dir(cache().join("cornerman")).into_iter().flatten().flatten();
    let own = folders.filter(|folder| folder.file_name().to_string_lossy().contains(scratch.marker()));
    own.map(|folder| fs::read(folder.path().join("files/bot")).unwrap_or_default()).collect()
}

fn a_check_again_builds_anew() {
    let scratch = with_build("(echo '#!/bin/sh'; echo cat; head -c 8 /dev/urandom | od) > bot\nchmod 755 bot\n");
    let kept_after = |options: &str| {
        let ran = run(&scratch, &format!("check {} --run BX-OUT-LEN", scratch.marker()), options);
        assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
        kept(&scratch)
    };
    let first = kept_after("");
    assert_eq!(first.len(), 1);
    assert_eq!(kept_after(""), first, "it is built once");
    let again = kept_after("--again");
    assert!(again.len() == 1 && again != first, "it is built anew, in place of the other");
}

fn a_program_that_cannot_be_started_is_not_kept() {
    for (make, said) in [
        ("true", "`run` names `./bot`, which the build did not create"),
        ("echo '#!/bin/sh' > bot", "the build created `bot`, which is not executable"),
        ("echo '#!/nowhere/sh' > bot; chmod 755 bot", "asks for /nowhere/sh, which is not on this machine"),
        ("echo '#!/bin/sh' > bot; echo ld: trouble", "which is not executable; the build printed:"),
    ] {
        let scratch = with_build(make);
        let ran = run(&scratch, &format!("check {}", scratch.marker()), "");
        assert_eq!(ran.code, Some(1), "{make}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(said), "{make}: {said:?} is not in {}", ran.stdout);
        assert!(kept(&scratch).is_empty(), "{make}");
    }
}
