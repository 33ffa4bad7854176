//! `compare`, `spar`, `games` and `play --db`: is it better, where does it stand, which games to look at.

use crate::support::leftovers::{processes, sigint_arrives, wait_for, wait_until_nothing_is_left};
use crate::support::{PROGRAM, Ran, Scratch, cache, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_stronger_version_is_found),
        trial!(a_weaker_version_is_found),
        trial!(the_answer_does_not_depend_on_workers),
        trial!(it_stops_after_the_games_that_were_asked_for),
        trial!(versions_meet_the_same_opponents),
        trial!(equal_games_are_not_evidence),
        trial!(a_bot_that_forfeits_is_weaker, ["awk"]),
        trial!(a_silent_bot_ends_it_and_is_to_be_checked),
        trial!(ctrl_c_gives_up_games_under_way, if sigint_arrives),
        trial!(other_records_are_kept),
        trial!(wrong_requests_are_refused),
        trial!(spar_places_a_bot_on_its_ladder),
        trial!(spar_ends_when_the_time_is_over),
        trial!(games_lists_only_the_games_in_question),
        trial!(play_records_games_one_after_another),
        trial!(play_records_games_by_rules_of_ones_own),
        trial!(play_refuses_a_record_of_others),
        trial!(play_records_a_human),
        trial!(play_records_three_bots),
    ]
}

fn run(scratch: &Scratch, args: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman(args))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The record agrees with its contest and its rules.
#[track_caller]
fn verified(scratch: &Scratch, db: &str) {
    let ran = run(scratch, &["verify", db]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

fn a_stronger_version_is_found() {
    let scratch = Scratch::new();
    let compare = ["compare", "@parity", "@greedy", "--elo1", "100", "--seed", "3"];
    let first = run(&scratch, &compare);
    assert_eq!((first.code, first.messages().as_str()), (Some(0), ""), "{}", first.stdout);
    for words in [
        "@parity is stronger than @greedy: at least +",
        "LL 0  LD 0  DD+WL 0  WD 0  WW ",
        "for 0 or 100 Elo: the higher one",
        "forfeits        @parity: none; @greedy: none",
        "Where they differ most",
        " replay compare.db s1/r",
        " games compare.db --bot @parity --lost",
    ] {
        assert!(first.stdout.contains(words), "{words}: {}", first.stdout);
    }
    verified(&scratch, "compare.db");
    // It resumes, and needs no more games.
    let again = run(&scratch, &compare);
    assert!(again.stderr.contains("compare.db: resuming after ") && again.code == Some(0), "{}", again.stderr);
    assert_eq!(again.stdout, first.stdout);
    let replay = first.stdout.lines().find_map(|line| line.split(" replay compare.db ").nth(1)).expect("a game");
    run(&scratch, &["replay", "compare.db", replay, "--at", "1"]).fine();
}

fn a_weaker_version_is_found() {
    let scratch = Scratch::new();
    let ran = run(&scratch, &["compare", "@greedy", "@parity", "--elo1", "100", "--seed", "3"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("@greedy is weaker than @parity: at most -"), "{}", ran.stdout);
    // Where only harm is in question, the same bots give the other sentence.
    let ran = run(&scratch, &["compare", "@parity", "@greedy", "--elo0", "-100", "--elo1", "0", "--seed", "3"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("@parity is not weaker than @greedy: at least +"), "{}", ran.stdout);
}

fn the_answer_does_not_depend_on_workers() {
    let scratch = Scratch::new();
    let answer = |workers: &str| {
        let db = format!("{workers}.db");
        let bots = ["compare", "@frequency", "@rps-random", "--elo1", "150", "--seed", "3"];
        let args = [&bots[..], &["--games", "16", "--format", "json"]].concat();
        let ran = run(&scratch, &[&args[..], &["--workers", workers, "--db", &db]].concat());
        let mut value = json(&ran.stdout);
        value["times"] = Value::Null;
        (ran.code, value)
    };
    let one = answer("1");
    assert_eq!(one, answer("2"));
    assert_eq!(one.1["schema"], 1);
}

fn it_stops_after_the_games_that_were_asked_for() {
    let scratch = Scratch::new();
    let compare = |games: &str| run(&scratch, &["compare", "@greedy", "@random", "--games", games, "--seed", "3"]);
    let four = compare("4");
    assert_eq!(four.code, Some(1), "{}", four.stderr);
    assert!(four.stdout.contains("no difference found between @greedy and @random within ±"), "{}", four.stdout);
    assert!(four.stdout.contains(" Elo after 4 games."), "{}", four.stdout);
    assert!(four.stdout.contains("compare @greedy @random --seed 3 --games 8\n"), "{}", four.stdout);
    let six = compare("6");
    assert!(six.stderr.contains("resuming after ") && six.stdout.contains(" Elo after 6 games."), "{six:?}");
}

fn versions_meet_the_same_opponents() {
    let scratch = Scratch::new();
    let args = ["compare", "@parity", "@greedy", "--against", "@mirror,@random", "--elo1", "400", "--seed", "3"];
    let text = run(&scratch, &args);
    assert_eq!((text.code, text.messages().as_str()), (Some(0), ""), "{}", text.stdout);
    assert!(
        text.stdout.contains("@parity is stronger than @greedy against @mirror, @random: "),
        "{}",
        text.stdout
    );
    let value = json(&run(&scratch, &[&args[..], &["--format", "json"]].concat()).stdout);
    let scores: Vec<&str> =
        value["counts"].as_array().unwrap().iter().map(|it| it["score"].as_str().unwrap()).collect();
    assert_eq!(scores, ["-2", "-1.5", "-1", "-0.5", "+0", "+0.5", "+1", "+1.5", "+2"]);
    assert_eq!(value["differ_most"][0]["games"].as_array().unwrap().len(), 2, "the games of both on one board");
    let games = json(&run(&scratch, &["games", "compare.db", "--format", "json"]).stdout);
    let meetings = games["games"].as_array().unwrap().iter().map(|game| {
        let names =
            game["seats"].as_array().unwrap().iter().map(|seat| seat["name"].as_str().unwrap().to_string());
        let round = game["game"].as_str().unwrap().split('/').nth(1).unwrap().to_string();
        (round, names.filter(|name| name == "@mirror" || name == "@random").collect::<Vec<_>>())
    });
    let boards: BTreeSet<(String, Vec<String>)> = meetings.collect();
    let rounds: BTreeSet<&String> = boards.iter().map(|(round, _)| round).collect();
    assert_eq!(rounds.len(), boards.len(), "one opponent on each board: {boards:?}");
    verified(&scratch, "compare.db");
}

fn equal_games_are_not_evidence() {
    let scratch = Scratch::new();
    let ran = run(&scratch, &["compare", "@beat-last", "@rock", "--rounds", "20"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let words = "@beat-last and @rock play the same games again and again: @beat-last scores 100 % in them";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    let next = "compare @beat-last @rock --rounds 20 --against @counter,@hydra,@kraken\n";
    assert!(ran.stdout.contains(next), "{}", ran.stdout);
}

fn a_bot_that_forfeits_is_weaker() {
    let scratch = Scratch::new();
    scratch.script("good", "move");
    scratch.script("bad", "exit 3");
    let ran = run(&scratch, &["compare", "./bad", "./good", "--elo1", "60"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("bad is weaker than good: at most -"), "{}", ran.stdout);
    assert!(ran.stdout.contains("forfeits        bad: "), "{}", ran.stdout);
    assert!(ran.stdout.contains(" length; good: none"), "{}", ran.stdout);
    let listed = run(&scratch, &["games", "compare.db", "--bot", "bad", "--forfeited"]).fine();
    assert!(listed.contains("lost: bad forfeits at move 1: "), "{listed}");
    let none = run(&scratch, &["games", "compare.db", "--bot", "good", "--forfeited"]).fine();
    assert!(none.starts_with("no such game among "), "{none}");
}

fn a_silent_bot_ends_it_and_is_to_be_checked() {
    let scratch = Scratch::new();
    scratch.executable("silent", "#!/bin/sh\ncat >/dev/null\n");
    scratch.executable("broken", "#!/bin/sh\nexit 3\n");
    let check = |args: &[&str], rules: &str, bot: &str, fault: &str| {
        let ran = run(&scratch, &[args, &["--rules", rules]].concat());
        assert_eq!(ran.code, Some(1), "{args:?}: {}{}", ran.stdout, ran.stderr);
        let said = format!("{bot} forfeited 2 games before its first move: {fault}");
        assert!(ran.stderr.contains(&said), "{args:?}: {}", ran.stderr);
        let command = format!(" check ./{bot} --rules {rules}\n");
        assert!(ran.stdout.ends_with(&command), "{args:?}: {}", ran.stdout);
    };
    let waits = "waits for input and has written nothing: does it flush its output? (G3)";
    check(&["spar", "./silent"], "go-9x9", "silent", waits);
    check(&["compare", "./silent", "@capture"], "go-9x9", "silent", waits);
    check(&["compare", "@capture", "./silent", "--db", "old.db"], "go-9x9", "silent", waits);
    // What the record has already is enough.
    check(&["compare", "@capture", "./silent", "--db", "old.db"], "go-9x9", "silent", waits);
    check(&["spar", "./broken"], "rps-published", "broken", "ended with exit status 3");
}

fn ctrl_c_gives_up_games_under_way() {
    let scratch = Scratch::new();
    scratch.script("slow", "[ $mark = black ] && echo E5; exec \"$0\" linger");
    let mut spar = Command::new(PROGRAM);
    spar.env("XDG_CACHE_HOME", cache()).args(["spar", "./slow", "--rules", "go-9x9"]).current_dir(scratch.path());
    let mut spar = spar.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    let slow = format!("{}/slow", scratch.marker());
    wait_for("a game under way", || (!processes(&slow).is_empty()).then_some(()));
    let sent = Command::new("kill").args(["-INT", &spar.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    wait_for("the end of the command", || spar.try_wait().expect("it was started"));
    let output = spar.wait_with_output().expect("it was started");
    let told = String::from_utf8(output.stderr).expect("it prints UTF-8");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("stopped; resume with: ") && told.contains(" spar ./slow --rules go-9x9"), "{told}");
    wait_until_nothing_is_left(&scratch, "");
}

fn other_records_are_kept() {
    let scratch = Scratch::new();
    let compare = |bots: [&str; 2], more: &[&str]| {
        let args = ["compare", bots[0], bots[1], "--games", "2", "--seed", "3"];
        run(&scratch, &[&args[..], more].concat())
    };
    compare(["@greedy", "@random"], &[]);
    let other = compare(["@mirror", "@random"], &[]);
    assert!(other.stderr.contains("renamed the existing record to compare.old-1.db"), "{}", other.stderr);
    verified(&scratch, "compare.old-1.db");
    let before = scratch.listing();
    let refused = compare(["@greedy", "@random"], &["--db", "compare.db"]);
    assert_eq!((refused.code, scratch.listing() == before), (Some(2), true), "{}", refused.stderr);
    assert!(refused.stderr.contains("`--force-new` begins a new record"), "{}", refused.stderr);
    let forced = compare(["@greedy", "@random"], &["--db", "compare.db", "--force-new"]);
    assert!(forced.stderr.contains("renamed the existing record to compare.old-2.db"), "{}", forced.stderr);
    // The same bot on both sides is two entrants.
    let same = compare(["@greedy", "@greedy"], &["--db", "same.db"]);
    assert!(same.stdout.contains("between @greedy and @greedy #2 "), "{}{}", same.stdout, same.stderr);
}

fn wrong_requests_are_refused() {
    let scratch = Scratch::new();
    scratch.file("words.db", "not a record");
    let before = scratch.listing();
    for (args, words) in [
        (&["compare", "@greedy", "@gredy"][..], "no such reference bot: @gredy\nhint: did you mean `@greedy`?"),
        (&["compare", "@greedy", "@rock"], "@rock plays rps, not boxing"),
        (&["compare", "@greedy", "@random", "--elo0", "5", "--elo1", "5"], "--elo0 5 must be lower than --elo1 5"),
        (&["compare", "@greedy", "@random", "--alpha", "0.7"], "expected a probability from 0.000001 to 0.3"),
        (&["compare", "@greedy", "@random", "--elo1", "x"], "expected a number of Elo from -1000 to 1000"),
        (&["compare", "@greedy", "@random", "--db", "words.db"], "words.db"),
        (&["compare", "@greedy", "@random", "--board", "none.arena"], "no such board: none.arena"),
        (&["spar", "./none"], "no such bot: ./none"),
        (&["games", "none.db"], "none.db"),
        (&["games", "words.db", "--lost"], "--bot"),
    ] {
        let ran = run(&scratch, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
    assert!(scratch.listing() == before, "{:?}", scratch.listing());
}

fn spar_places_a_bot_on_its_ladder() {
    let scratch = Scratch::new();
    let spar = ["spar", "@beat-last", "--rounds", "100", "--seed", "3"];
    let ran = run(&scratch, &spar);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("@beat-last: ") && ran.stdout.contains(", below @"), "{}", ran.stdout);
    assert!(ran.stdout.contains(" games spar.db --bot @beat-last --against @"), "{}", ran.stdout);
    let value = json(&run(&scratch, &[&spar[..], &["--format", "json"]].concat()).stdout);
    let rungs = value["rungs"].as_array().unwrap();
    assert!(rungs.iter().all(|rung| rung["name"] != "@beat-last"), "a bot does not meet itself: {value}");
    let is_below = |rung: &&Value| rung["grade"] == "below" && rung["decided"] == true;
    assert!(rungs.iter().filter(is_below).count() >= 2, "two that are stronger end the climb: {value}");
    // Each is met before one is met again.
    assert!(rungs.iter().any(|rung| rung["name"] == "@kraken"), "{value}");
    verified(&scratch, "spar.db");
}

fn spar_ends_when_the_time_is_over() {
    let scratch = Scratch::new();
    // Its moves take so long that no game is over in time.
    scratch.script("slow", "sleep 1\nmove");
    let ran = run(&scratch, &["spar", "./slow", "--time", "3s"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("slow: no game was played."), "{}", ran.stdout);
    assert!(ran.stdout.contains("not played: @first-fit, "), "{}", ran.stdout);
    wait_until_nothing_is_left(&scratch, "");
}

fn games_lists_only_the_games_in_question() {
    let scratch = Scratch::new();
    run(&scratch, &["compare", "@parity", "@greedy", "--games", "4", "--seed", "3"]);
    let games = |more: &[&str]| run(&scratch, &[&["games", "compare.db"], more].concat()).fine();
    let all = games(&[]);
    assert!(
        all.contains(" fills the last spot and wins with ") && all.contains(" replay compare.db s1/r1/m1/g1"),
        "{all}"
    );
    let lost = games(&["--bot", "@greedy", "--lost"]);
    assert!(lost.contains("lost: @parity fills the last spot"), "{lost}");
    assert!(games(&["--bot", "@parity", "--lost"]).starts_with("no such game among "));
    assert_eq!(games(&["--bot", "@greedy", "--against", "@parity"]).lines().count(), all.lines().count());
    let value = json(&games(&["--bot", "@parity", "--format", "json"]));
    let first = &value["games"][0];
    assert_eq!((&first["game"], &first["result"]), (&"s1/r1/m1/g1".into(), &"won".into()), "{value}");
    let ran = run(&scratch, &["games", "compare.db", "--bot", "@gredy"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no entrant is called `@gredy`\nhint: did you mean `@greedy`?"), "{}", ran.stderr);
}

fn play_records_games_one_after_another() {
    let scratch = Scratch::new();
    let play = |args: &[&str]| run(&scratch, &[&["play"], args, &["--db", "e.db", "--quiet"]].concat()).fine();
    let first = play(&["@greedy", "@parity", "--seed", "3"]);
    let same = run(&scratch, &["play", "@greedy", "@parity", "--seed", "3", "--quiet"]).fine();
    assert_eq!(first.lines().nth(1), same.lines().nth(1), "the record does not change the game");
    // In the other order, and on the boards of the record.
    let more = play(&["@parity", "@greedy", "--match"]);
    assert!(more.contains("A @parity against B @greedy, recorded in e.db"), "{more}");
    let listed = run(&scratch, &["games", "e.db", "--format", "json"]).fine();
    let value = json(&listed);
    let names: Vec<&Value> = value["games"].as_array().unwrap().iter().map(|game| &game["game"]).collect();
    assert_eq!(names, ["s1/r1/m1/g1", "s1/r1/m1/g2", "s1/r2/m1/g1"]);
    verified(&scratch, "e.db");
    assert_eq!(run(&scratch, &["report", "e.db"]).code, Some(0));
}

fn play_records_games_by_rules_of_ones_own() {
    let scratch = Scratch::new();
    let usual =
        std::fs::read_to_string(crate::support::checkout("rulesets/rps-polyglot.toml")).expect("a ruleset");
    let short = usual.replace("id = \"rps-polyglot\"", "id = \"short\"").replace("rounds = 1000", "rounds = 7");
    scratch.file("short.toml", short);
    let play = ["play", "@rock", "@rotate", "--rules", "short.toml", "--db", "r.db", "--quiet"];
    for games in 1..=2 {
        run(&scratch, &play).fine();
        let value = json(&run(&scratch, &["games", "r.db", "--format", "json"]).fine());
        let moves: Vec<_> = value["games"].as_array().unwrap().iter().map(|game| game["moves"].as_u64()).collect();
        assert_eq!(moves, vec![Some(14); games]);
    }
    verified(&scratch, "r.db");
}

fn play_refuses_a_record_of_others() {
    let scratch = Scratch::new();
    run(&scratch, &["play", "@greedy", "@parity", "--db", "e.db", "--quiet"]).fine();
    let before = scratch.listing();
    for (args, words) in [
        (
            &["@greedy", "@mirror"][..],
            "e.db has games of other players, @greedy, @parity: record into another file",
        ),
        (&["@greedy", "@parity", "--seed", "4"], "e.db has boards of its own"),
        (&["@greedy", "@parity", "--marks", "XY"], "--marks"),
    ] {
        let ran = run(&scratch, &[&["play"], args, &["--db", "e.db"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
    assert!(scratch.listing() == before);
}

fn play_records_a_human() {
    let scratch = Scratch::new();
    let mut play = scratch.cornerman(["play", "human", "@greedy", "--db", "h.db", "--quiet"]);
    play.write_stdin("1,1,2\n");
    assert_eq!(Ran::from_command(play).code, Some(0));
    let listed = run(&scratch, &["games", "h.db", "--bot", "human"]).fine();
    assert!(listed.contains("lost: human forfeits at move ") && listed.contains(": resigned "), "{listed}");
    verified(&scratch, "h.db");
}

fn play_records_three_bots() {
    let scratch = Scratch::new();
    let args = ["play", "@greedy", "@parity", "@mirror", "--match", "--db", "t.db", "--quiet"];
    run(&scratch, &args).fine();
    verified(&scratch, "t.db");
    let again = run(&scratch, &args);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("t.db has this game already: record into another file"), "{}", again.stderr);
}
