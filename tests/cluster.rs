//! Tournaments on many machines, with a real server: whole ones, which play what one machine plays on whatever workers
//! there are; the loss of servers, workers and managers; and strangers. Each trial has a server of its own.

mod lab;
mod late;
mod losses;
mod strangers;

use crate::support::leftovers::wait_for;
use crate::support::{Ran, cornerman, trial};
use crate::tournament::season::Season;
use lab::{Lab, Running};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    let whole = vec![
        trial!(three_workers_play_what_one_machine_plays, ["nats-server"]),
        trial!(a_pair_meets_on_one_machine, ["nats-server"]),
        trial!(an_entrant_that_no_worker_can_build_is_named, ["nats-server"]),
        trial!(a_bot_that_plays_differently_each_time_is_noticed, ["nats-server"]),
        trial!(a_manager_waits_for_workers, ["nats-server"]),
        trial!(a_decision_is_taken_up_while_workers_play, ["nats-server"]),
        trial!(a_season_is_decided_while_workers_play, ["nats-server", "awk"]),
        trial!(mistakes_are_named_before_anything_is_built, ["nats-server"]),
    ];
    [whole, late::trials(), losses::trials(), strangers::trials()].into_iter().flatten().collect()
}

const BOTS: [&str; 4] = ["@first-fit", "@greedy", "@parity", "@mirror"];

/// The usual rules, on empty arenas: games enough for each of several workers, whichever is ready last.
const LONG_GAMES: &str = "ruleset = \"boxing-1994\"";

fn three_workers_play_what_one_machine_plays() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, LONG_GAMES, 2);
    let workers: Vec<Running> = ["one", "two", "three"].iter().map(|name| lab.worker(name)).collect();
    let mut manager = lab.manager(&contest, &["--verify", "30%"]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert!(manager.log().contains("with other moves"), "{}", manager.log());
    assert!(manager.log().contains(" 0 of them with other moves"), "{}", manager.log());
    lab.verify();
    assert_eq!(lab.games("many.db"), lab.games_without(&contest));
    let hosts = lab.query("SELECT DISTINCT host FROM games JOIN machines USING (host) ORDER BY host");
    assert_eq!(hosts, ["one", "three", "two"]);
    assert_eq!(lab.query("SELECT count(*) || '' FROM builds"), ["12"]);
    for worker in &workers {
        worker.wait_for("over; waiting for the next");
    }
    // Nothing is left of it on the server, and a second tournament is played by the same workers.
    std::fs::remove_file(lab.scratch.path().join("many.db")).expect("it was there");
    let mut manager = lab.manager(&contest, &[]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    drop(workers);
    let streams = std::fs::read_dir(lab.scratch.path().join("nats-store/jetstream/$G/streams"));
    let left: Vec<_> = streams.into_iter().flatten().flatten().map(|stream| stream.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

fn a_pair_meets_on_one_machine() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, LONG_GAMES, 4);
    let _workers = [lab.worker("one"), lab.worker("two")];
    assert_eq!(lab.manager(&contest, &[]).code(), Some(0));
    let split = "SELECT count(*) || '' FROM (SELECT 1 FROM games GROUP BY stage, round, tbl HAVING count(DISTINCT host) > 1)";
    assert_eq!(lab.query(split), ["0"]);
    assert_eq!(lab.query("SELECT count(DISTINCT host) || '' FROM games"), ["2"]);
}

/// Only the manager can run the bot: its interpreter is in a folder that is not in the worker's `PATH`.
fn an_entrant_that_no_worker_can_build_is_named() {
    let lab = Lab::new();
    let tools = lab.scratch.path().join("tools");
    std::fs::create_dir(&tools).expect("a folder");
    std::os::unix::fs::symlink("/bin/sh", tools.join("rarely-there")).expect("a link");
    lab.scratch.file("rare/bot.toml", "run = [\"rarely-there\", \"bot.sh\"]\n");
    lab.scratch.file("rare/bot.sh", "exit 1\n");
    let contest = lab.contest(&["@greedy", "@parity", "rare"], "", 1);
    let worker = lab.worker("plain");
    let url = lab.url();
    let args = [
        "tournament",
        contest.to_str().unwrap(),
        "--db",
        "many.db",
        "--no-check",
        "--nats",
        &url,
        "--require",
        "timing=any",
    ];
    let mut command = lab.command("manager", &args);
    command.env("PATH", format!("{}:/usr/bin:/bin", tools.display()));
    let mut manager = Running::start(command, lab.scratch.path().join("manager.log"));
    assert_eq!(manager.code(), Some(3), "{}", manager.log());
    let log = manager.log();
    assert!(log.contains("plain cannot play rare: ") && log.contains("rarely-there"), "{log}");
    assert!(log.contains("hint: to try them again, run:"), "{log}");
    assert_eq!(lab.query("SELECT count(*) || '' FROM games"), ["2"]);
    assert_eq!(lab.query("SELECT count(*) || '' FROM unplayed"), ["4"]);
    drop(worker);
}

fn a_bot_that_plays_differently_each_time_is_noticed() {
    let lab = Lab::new();
    // A hand that depends on the time.
    lab.scratch.file("moody/bot.toml", "name = \"Moody\"\ngame = \"rps\"\nrun = [\"python3\", \"moody.py\"]\n");
    lab.scratch.file(
        "moody/moody.py",
        "import sys, time\nprint('Moody', flush=True)\nsys.stdin.readline()\nwhile True:\n    print(time.monotonic_ns() // 1000 % 3, flush=True)\n    if not sys.stdin.readline():\n        break\n",
    );
    let contest = lab.contest(&["@rock", "@rotate", "moody"], "ruleset = \"rps-polyglot\"", 1);
    let _workers = [lab.worker("one"), lab.worker("two"), lab.worker("three")];
    let mut manager = lab.manager(&contest, &["--verify", "100%"]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    let log = manager.log();
    assert!(log.contains("have different moves, from move"), "{log}");
    assert!(log.contains("played again on another machine: 6 games, 4 of them with other moves"), "{log}");
}

fn a_decision_is_taken_up_while_workers_play() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, LONG_GAMES, 3);
    let _worker = lab.worker("one");
    let mut manager = lab.manager(&contest, &[]);
    // Each pair has six games, so most are still to be played.
    wait_for("the first game", || {
        let is_begun = lab.scratch.path().join("many.db").exists() && manager.log().contains("has joined");
        (is_begun && lab.query("SELECT count(*) || '' FROM games") != ["0"]).then_some(())
    });
    let withdraw = ["decide", "many.db", "withdraw", "@mirror", "--games", "keep", "--why", "ill", "--yes"];
    let said = Ran::from_command(lab.scratch.cornerman(withdraw));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // The workers are sent a bot that is late before its first game.
    let admit = ["decide", "many.db", "admit", "@smallest", "--no-check", "--why", "late", "--yes"];
    let said = Ran::from_command(lab.scratch.cornerman(admit));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    // The workers build a better version too.
    let replace = ["decide", "many.db", "replace", "@smallest", "@random", "--no-check", "--from", "s1/r5"];
    let said = Ran::from_command(lab.scratch.cornerman([&replace[..], &["--why", "better", "--yes"]].concat()));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(manager.runs(), "{}", manager.log());
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert!(manager.log().contains("decision 1 was recorded"), "{}", manager.log());
    lab.verify();
    let late = "SELECT count(DISTINCT game) || '' FROM seats WHERE entrant = 4";
    assert_eq!(lab.query(late), ["18"]);
    let by_version = Ran::from_command(lab.scratch.cornerman(["export", "many.db"])).stdout;
    assert!(by_version.contains("\"version\":\"@smallest (version 2)\""), "{by_version}");
    assert_eq!(lab.query("SELECT count(*) || '' FROM builds WHERE entrant = 5"), ["1"]);
    let games = lab.games("many.db");
    assert!((36..54).contains(&games.len()), "{}", games.len());
}

/// The season of `tests/tournament/season.rs`, with workers that outlive the managers that are killed.
fn a_season_is_decided_while_workers_play() {
    let lab = Lab::new();
    let _workers = [lab.worker("one"), lab.worker("two")];
    let url = lab.url();
    let manager =
        ["tournament", "c.toml", "--db", "c.db", "--no-check", "--nats", &url, "--require", "timing=any"];
    Season::new(&lab.scratch, &|| lab.command("manager", &manager)).play();
}

fn a_manager_waits_for_workers() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS[..2], "", 1);
    let mut manager = lab.manager(&contest, &[]);
    manager.wait_for("there is no worker: games are played as soon as one joins");
    let mut worker = lab.worker("late");
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    worker.signal("TERM");
    assert_eq!(worker.code(), Some(0), "{}", worker.log());
}

fn mistakes_are_named_before_anything_is_built() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, "", 1);
    let contest = contest.to_str().unwrap();
    let url = lab.url();
    lab.scratch.file("empty.creds", "nothing\n");
    let creds = lab.scratch.path().join("empty.creds");
    let creds = creds.to_str().unwrap();
    for (args, code, words) in [
        (
            vec!["tournament", contest, "--nats", &url, "--require", "isolaton=scoped"],
            2,
            "did you mean `isolation`?",
        ),
        (
            vec!["tournament", contest, "--nats", &url, "--verify", "200%"],
            2,
            "expected a percentage from 0% to 100%",
        ),
        (vec!["tournament", contest, "--verify", "2%"], 2, "--nats <URL>"),
        (vec!["tournament", contest, "--nats", &url, "--workers", "2"], 2, "cannot be used with"),
        (vec!["worker", "--nats", "nats://["], 2, "expected an address such as nats://ring1:4222"),
        (vec!["worker", "--nats", &url, "--creds", "no.creds"], 2, "cannot use no.creds: No such file"),
        (
            vec!["worker", "--nats", &url, "--manager", "ring1"],
            2,
            "--manager ring1: expected the manager's public key",
        ),
        (vec!["worker", "--nats", &url, "--creds", creds], 2, "neither a `.creds` file nor the seed"),
        (vec!["worker", "--nats", "nats://127.0.0.1:1"], 3, "cannot reach the NATS server at nats://127.0.0.1:1"),
    ] {
        let ran = Ran::from_command(cornerman(&args));
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}
