//! A sandbox that fails costs only its game, and a bot for which no sandbox can be set up is not checked.

use super::{contest, contest_text, games, games_of, tournament, unattended};
use crate::support::leftovers::{KILL, processes, wait_until_nothing_is_left};
use crate::support::{Ran, Scratch, trial};
use cornerman_harness::sandbox::cgroup;
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(killed_sandboxes_cost_their_games_only, ["awk"]),
        trial!(bots_without_a_sandbox_are_not_checked, if memory_of_groups),
    ]
}

fn killed_sandboxes_cost_their_games_only() {
    let scratch = Scratch::new();
    scratch.script("slow", "sleep 0.5; move");
    let entrants = ["@parity", "@greedy", "./slow"];
    contest(&scratch, &entrants);
    scratch.file("c.toml", contest_text(7, &entrants).replace("boards = [1, 2]", "boards = [1]"));
    let killed = with_sandboxes_killed(&scratch, "c.toml --no-check --workers 2 --report c.html");
    let told = String::from_utf8(killed.stderr).expect("it prints UTF-8");
    assert_eq!(killed.status.code(), Some(3), "{told}");
    assert_eq!(told.matches(" was not played: the sandbox server stopped answering: ").count(), 4 * 3, "{told}");
    assert_eq!(told.matches("; it will be tried again\n").count(), 4 * 2, "{told}");
    assert_eq!(told.matches(" could not be played: the sandbox server stopped answering: ").count(), 4, "{told}");
    assert!(told.contains("\nhint: to try them again, run: "), "{told}");
    let before = games(&scratch, "c.db");
    assert!(before.len() == 2 && before.iter().all(|(_, seats, ..)| !seats.contains(&2)), "{before:?}");
    let title = "4 games could not be played";
    let ended_with = String::from_utf8(killed.stdout).expect("it prints UTF-8");
    assert_eq!(ended_with, standings(&scratch, "text"));
    assert!(ended_with.contains(title), "{ended_with}");
    assert!(standings(&scratch, "md").contains(&format!("## {title}\n")));
    assert!(fs::read_to_string(scratch.path().join("c.html")).is_ok_and(|page| page.contains(title)));
    let json: Value = serde_json::from_str(&standings(&scratch, "json")).expect("an object");
    let unplayed = json["unplayed"].as_array().expect("a list");
    assert!(unplayed.len() == 4 && unplayed.iter().all(|game| game["attempts"] == 3), "{unplayed:?}");
    // The next run plays these games, and then they are no longer listed as unplayed.
    let rest = tournament(&scratch, "c.toml --no-check");
    assert_eq!(rest.code, Some(0), "{}", rest.stderr);
    assert!(!rest.stdout.contains("could not be played"), "{}", rest.stdout);
    let all = games(&scratch, "c.db");
    assert!(all.len() == games_of(3) / 2 && before.iter().all(|game| all.contains(game)), "{all:?}");
    wait_until_nothing_is_left(&scratch, "AB");
}

/// Runs the tournament to its end, and meanwhile kills the sandbox of every bot `slow`.
fn with_sandboxes_killed(scratch: &Scratch, args: &str) -> Output {
    let mut run = unattended(scratch, args).spawn().expect("it can be started");
    let bot = format!("{}/slow", scratch.marker());
    while run.try_wait().expect("it was started").is_none() {
        for server in processes(&bot).iter().filter_map(|bot| bot.parent()).filter(|server| *server != run.id()) {
            // The process may have ended by then.
            Command::new("sh").args(["-c", &format!("kill -{KILL} {server} 2> /dev/null")]).status().ok();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.wait_with_output().expect("it was started")
}

#[track_caller]
fn standings(scratch: &Scratch, format: &str) -> String {
    Ran::from_command(scratch.cornerman(["standings", "c.db", "--format", format])).fine()
}

/// No verdict is kept either.
fn bots_without_a_sandbox_are_not_checked() {
    let scratch = Scratch::new();
    scratch.file("few/rock.sh", "echo Rock; read s; read n; while :; do echo 0; read x || exit 0; done\n");
    scratch.file("few/data", vec![0; 40 << 20]);
    let bot = "name = \"few\"\ngame = \"rps\"\nrun = [\"sh\", \"rock.sh\"]\n[limits]\nmemory_mib = 16\n";
    scratch.file("few/bot.toml", bot);
    for _ in 0..2 {
        let checked = Ran::from_command(scratch.cornerman(["check", "few", "--budget", "0"]));
        let told = checked.stdout + &checked.stderr;
        assert_eq!(checked.code, Some(3), "{told}");
        assert!(
            told.contains("it cannot be set up for this bot: to copy the bot's folder: it does not fit into"),
            "{told}"
        );
    }
}

/// Only a control group counts the copy of a bot's folder as its memory.
fn memory_of_groups() -> Result<(), String> {
    cgroup::hierarchy().as_ref().map(drop).map_err(|why| format!("no control group is available: {why}"))
}
