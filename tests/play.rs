//! `play`: every kind of bot plays, and what is printed about a game is true.

mod faults;
mod lines;
mod people;
mod record;
mod stopping;

use crate::support::{Ran, Scratch, checkout, cornerman, marks, small_arena, trial};
use libtest_mimic::Trial;
use record::{Record, bytes};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial!(a_c_source_plays, ["cc"], || {
            check_bot("crab.c", |s| drop(s.file("crab.c", read("bots/corner-crab/crab.c"))));
        }),
        trial!(a_python_source_plays, ["python3"], || {
            check_bot("bot.py", |s| drop(s.file("bot.py", read("reference-bots/templates/boxing/bot.py"))));
        }),
        trial!(a_script_plays, ["awk"], || check_bot("jab.sh", |s| drop(s.script("jab.sh", "move")))),
        trial!(an_executable_plays, [], || {
            let program = Path::new(crate::support::PROGRAM).with_file_name("boxing-greedy");
            check_bot("./champion", move |s| drop(s.executable("champion", fs::read(&program).unwrap())));
        }),
        trial!(a_folder_that_is_built_plays, ["cc"], || check_bot("crab", |s| copy_crab(s, "crab"))),
        trial!(a_folder_with_nothing_to_build_plays, ["python3"], || check_bot("snake", copy_snake)),
        trial!(a_folder_may_be_named_by_its_bot_file, ["python3"], || {
            check_bot("snake/bot.toml", copy_snake);
        }),
        trial!(a_reference_bot_plays_by_either_name, [], || {
            check_bot("@greedy", |_| {});
            check_bot("@boxing-greedy", |_| {});
        }),
        trial!(two_three_and_eight_play),
        trial!(a_game_starts_from_the_arena_of_a_file),
        trial!(the_same_seed_gives_the_same_game),
        trial!(the_seed_that_is_shown_gives_the_same_arena),
        trial!(in_a_match_everyone_goes_first_once),
        trial!(any_printable_marks_do),
        trial!(quiet_shows_results_only),
        trial!(the_isolation_demanded_is_in_force),
    ];
    trials.extend(faults::trials());
    trials.extend(lines::trials());
    trials.extend(people::trials());
    trials.extend(stopping::trials());
    trials
}

fn read(path: &str) -> Vec<u8> {
    fs::read(checkout(path)).expect(path)
}

fn copy_crab(scratch: &Scratch, folder: &str) {
    for file in ["bot.toml", "crab.c"] {
        scratch.file(&format!("{folder}/{file}"), read(&format!("bots/corner-crab/{file}")));
    }
}

fn copy_snake(scratch: &Scratch) {
    scratch.file("snake/bot.toml", "name = \"snake\"\nrun = [\"python3\", \"bot.py\"]\n");
    scratch.file("snake/bot.py", read("reference-bots/templates/boxing/bot.py"));
}

/// Plays a match of `bots` with these options, and checks its JSON against the rules.
#[track_caller]
fn play(scratch: &Scratch, bots: &[&str], options: &[&str]) -> Record {
    let marks = marks(bots.len());
    let marked: &[&str] = if options.contains(&"--marks") { &[] } else { &["--marks", &marks] };
    let args = [&["play", "--format", "json"], bots, options, marked].concat();
    Record::replayed(&Ran::from_command(scratch.cornerman(args)).fine())
}

/// Checks that `bot`, which `prepare` puts into the folder, plays a match from the arenas of the rules' documents
/// without a fault.
#[track_caller]
fn check_bot(bot: &str, prepare: impl Fn(&Scratch)) {
    let scratch = Scratch::new();
    prepare(&scratch);
    for arena in ["sample-start", "partial-game"] {
        let board = checkout(&format!("reference-bots/tests/boxing/arenas/{arena}.arena"));
        let record = play(&scratch, &[bot, "@greedy"], &["--match", "--board", board.to_str().unwrap()]);
        let ends: Vec<_> = record.named("game-ended").iter().map(|end| end["end"].clone()).collect();
        assert_eq!(ends, ["played", "played"], "{bot} on {arena}: {:?}", record.named("faulted"));
    }
}

fn two_three_and_eight_play() {
    let all = ["@parity", "@greedy", "@random", "@mirror", "@first-fit", "@smallest", "@greedy", "@random"];
    for seats in [2, 3, 8] {
        let record = play(&Scratch::new(), &all[..seats], &["--seed", "5"]);
        let conduct = record.only("game-ended")["conduct"].as_array().unwrap();
        assert_eq!(conduct.len(), seats);
        assert!(conduct.iter().all(|seat| seat["moves"].as_u64() > Some(0)), "{conduct:?}");
        let names =
            ["@parity", "@greedy", "@random", "@mirror", "@first-fit", "@smallest", "@greedy #2", "@random #2"];
        assert_eq!(record.only("game-started")["names"], json!(names[..seats]));
    }
}

fn a_game_starts_from_the_arena_of_a_file() {
    let scratch = Scratch::new();
    let arena = small_arena(40);
    scratch.file("my.arena", &arena);
    let record = play(&scratch, &["@greedy", "@random"], &["--board", "my.arena"]);
    assert_eq!(bytes(&record.only("game-started")["board"]), arena.as_bytes());
    let told = Ran::from_command(scratch.cornerman([
        "play",
        "@greedy",
        "@random",
        "--board",
        "my.arena",
        "--marks",
        &marks(2),
    ]));
    assert!(told.fine().contains("\nthe arena of my.arena\n"));
}

fn the_same_seed_gives_the_same_game() {
    let bots = ["@random", "@mirror"];
    let scratch = Scratch::new();
    let [once, twice, other] =
        ["7", "7", "8"].map(|seed| play(&scratch, &bots, &["--seed", seed, "--marks", "XY"]));
    assert_eq!(once.play(), twice.play());
    assert_ne!(once.only("game-started")["board"], other.only("game-started")["board"]);
}

fn the_seed_that_is_shown_gives_the_same_arena() {
    let scratch = Scratch::new();
    for quiet in [&[][..], &["-q"]] {
        let marks = marks(2);
        let args = [&["play", "@greedy", "@greedy", "--marks", &marks], quiet].concat();
        let text = Ran::from_command(scratch.cornerman(&args)).fine();
        let seed: String =
            text.split("the arena of --seed ").nth(1).expect("a seed").lines().next().unwrap().into();
        let again = Ran::from_command(scratch.cornerman([&args[..], &["--seed", &seed]].concat())).fine();
        let result = |text: &str| text.lines().find(|line| line.contains(" wins with ")).map(String::from);
        assert!(result(&text).is_some(), "{text}");
        assert_eq!(result(&text), result(&again));
    }
}

fn in_a_match_everyone_goes_first_once() {
    let check = |bots: &[&str], orders: &[&[u64]]| {
        let record = play(&Scratch::new(), bots, &["--match", "--seed", "2"]);
        let started = record.named("game-started");
        assert_eq!(started.iter().map(|game| game["entrants"].clone()).collect::<Value>(), json!(orders));
        assert!(started.iter().all(|game| game["board"] == started[0]["board"]));
    };
    check(&["@greedy", "@parity"], &[&[1, 2], &[2, 1]]);
    check(&["@greedy", "@parity", "@random"], &[&[1, 2, 3], &[2, 3, 1], &[3, 1, 2]]);
    let args = ["play", "@greedy", "@parity", "--match", "-q", "--seed", "2", "--marks", &marks(2)];
    let text = Ran::from_command(cornerman(args)).fine();
    let total = text.split("Match:\n").nth(1).expect("the sum of the match");
    let names: Vec<&str> = total.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["@greedy", "@parity"]);
}

fn any_printable_marks_do() {
    for pair in ["%\\", "*~", "$`"] {
        let record = play(&Scratch::new(), &["@greedy", "@mirror"], &["--seed", "2", "--marks", pair]);
        assert_eq!(record.only("game-started")["marks"], pair);
        assert_eq!(record.only("game-ended")["end"], "played");
    }
}

fn quiet_shows_results_only() {
    let args = ["play", "@greedy", "@parity", "--quiet", "--seed", "2", "--marks", &marks(2)];
    let text = Ran::from_command(cornerman(args)).fine();
    assert_eq!(text.lines().count(), 4, "{text}");
    let lines = Ran::from_command(cornerman([&args[..], &["--format", "json"]].concat())).fine();
    let events: Vec<_> = Record::read(&lines).events.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(events, ["game-ended", "match-ended"]);
}

fn the_isolation_demanded_is_in_force() {
    let record = play(&Scratch::new(), &["@greedy", "@parity"], &["--isolation", "restricted", "--seed", "2"]);
    for seat in record.only("game-ended")["conduct"].as_array().unwrap() {
        assert_ne!(seat["isolation"]["level"], "plain");
        assert!(seat["isolation"]["level"].is_string());
    }
}
