//! Results of games that became superfluous by a decision while workers played them.

use super::lab::{Lab, Running};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, checkout, small_arena, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_result_that_comes_late_is_recorded_crossed_out, ["nats-server", "awk"]),
        trial!(a_round_that_is_paired_anew_is_played_beside_the_old_one, ["nats-server", "awk"]),
    ]
}

/// A contest of bots that take long for their moves: `slow` half a second, the others one and a half.
fn contest(lab: &Lab, entrants: &[&str], stage: &str) -> PathBuf {
    for name in entrants {
        let time = if *name == "slow" { "0.5" } else { "1.5" };
        lab.scratch.script(name, &format!("sleep {time}; move"));
    }
    let rules = fs::read_to_string(checkout("rulesets/boxing-1994.toml")).expect("the ruleset");
    lab.scratch.file("patient.toml", rules.replace("hard_ms = 2000", "hard_ms = 600000"));
    lab.scratch.file("1.arena", small_arena(6));
    let head = "name = \"Late\"\nseed = 7\nruleset = \"patient.toml\"\nboards = [\"1.arena\"]\n";
    lab.scratch.file("contest.toml", format!("{head}entrants = {entrants:?}\n[[stages]]\n{stage}\n"))
}

/// The games that are crossed out, each with its bots.
fn crossed_out(lab: &Lab) -> Vec<String> {
    lab.query(
        "SELECT n.name || ' ' || group_concat(e.name, ' ') FROM annulled a JOIN game_names n USING (game)
         JOIN seats s USING (game) JOIN entrants e ON e.number = s.entrant GROUP BY game ORDER BY 1",
    )
}

#[track_caller]
fn fine(lab: &Lab, args: &[&str]) -> String {
    let ran = Ran::from_command(lab.scratch.cornerman(args));
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    ran.stdout
}

fn withdraw(lab: &Lab, bot: &str, games: &str) {
    fine(lab, &["decide", "many.db", "withdraw", bot, "--games", games, "--why", "ill", "--yes"]);
}

/// Checks the record, and that the bot's crossed-out games count nowhere.
#[track_caller]
fn counts_without_late(lab: &Lab, manager: &Running) {
    let log = manager.log();
    assert!(!log.contains("no more games") && !log.contains("ignored"), "{log}");
    lab.verify();
    fine(lab, &["audit", "many.db"]);
    let late = crossed_out(lab);
    let listed = fine(lab, &["games", "many.db"]);
    assert_eq!(listed.matches("annulled: ").count(), late.len(), "{late:?}: {listed}");
    let standings: Value =
        serde_json::from_str(&fine(lab, &["standings", "many.db", "--format", "json"])).expect("JSON");
    let uncounted = standings["uncounted"].as_array().expect("a list");
    assert_eq!(uncounted.len(), late.len(), "{late:?}: {uncounted:?}");
}

fn a_result_that_comes_late_is_recorded_crossed_out() {
    let lab = Lab::new();
    let contest = contest(&lab, &["slow", "slower", "other"], "kind = \"all-play-all\"\nboards = [1]");
    let _workers = [lab.worker("one"), lab.worker("two")];
    let mut manager = lab.manager(&contest, &[]);
    let is_begun = || lab.scratch.path().join("many.db").exists() && manager.log().contains("has joined");
    let games = || lab.query("SELECT count(*) || '' FROM games");
    wait_for("the first game", || (is_begun() && games() != ["0"]).then_some(()));
    // The workers finish its games that they are playing, while games of the others are still open.
    withdraw(&lab, "slow", "keep");
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    let late = crossed_out(&lab);
    assert!(!late.is_empty(), "{}", manager.log());
    for game in &late {
        assert!(game.contains("slow ") || game.ends_with(" slow"), "{late:?}");
        let name = game.split(' ').next().expect("a name");
        assert!(name.ends_with("/a2"), "{late:?}");
        assert!(manager.log().contains(&format!("recorded crossed out, as {name}")), "{}", manager.log());
    }
    counts_without_late(&lab, &manager);
    // A forged crossed-out game does not follow from the record.
    let forge = "UPDATE games SET attempt = attempt + 1 WHERE id = (SELECT max(game) FROM annulled)";
    let db = rusqlite::Connection::open(lab.scratch.path().join("many.db")).expect("the record opens");
    db.execute_batch(forge).expect("it can be written");
    drop(db);
    let verified = Ran::from_command(lab.scratch.cornerman(["verify", "many.db"]));
    assert_eq!(verified.code, Some(1), "{}", verified.stdout);
    assert!(verified.stdout.contains("the contest has no such game"), "{}{}", verified.stdout, verified.stderr);
}

/// The manager is killed as soon as the decision is recorded.
fn a_round_that_is_paired_anew_is_played_beside_the_old_one() {
    let lab = Lab::new();
    let stage = "kind = \"pair-swiss\"\nrounds = 2\ngames = 1\nboard = 1";
    let contest = contest(&lab, &["slow", "slower", "other", "fourth"], stage);
    let workers = [lab.worker("one"), lab.worker("two")];
    let mut manager = lab.manager(&contest, &[]);
    wait_for("both", || (manager.log().matches("has joined").count() == 2).then_some(()));
    std::thread::sleep(std::time::Duration::from_millis(300));
    withdraw(&lab, "other", "keep");
    manager.kill();
    let count = |table| lab.query(&format!("SELECT count(*) || '' FROM {table}"));
    assert_eq!([count("decisions"), count("games")].concat(), ["1", "0"]);
    let mut manager = lab.manager(&contest, &[]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert!(crossed_out(&lab).iter().any(|game| game.contains("other")), "{}", manager.log());
    counts_without_late(&lab, &manager);
    drop(workers);
}
