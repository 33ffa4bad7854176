//! Rock-paper-scissors between programs in many languages: every pair twice (R1), names of their own (R3), both tables
//! (R9).

use super::{decided, games, played, tournament, unattended};
use crate::support::leftovers::wait_for;
use crate::support::{Ran, Scratch, checkout, trial};
use cornerman_harness::record::{GameRecord, GameSummary, Record};
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(
            twelve_bots_in_six_languages_play_every_pair_twice,
            ["cc", "python3", "node", "java", "javac", "bash"]
        ),
        trial!(nothing_but_a_kind_plays_every_pair_twice_and_has_both_tables),
        trial!(a_contest_changes_rules_and_repeats_games_with_other_seeds),
        trial!(bots_go_by_the_names_they_give_themselves, ["sh"]),
    ]
}

fn twelve_bots_in_six_languages_play_every_pair_twice() {
    let scratch = Scratch::new();
    let text = fs::read_to_string(checkout("contests/rps.toml")).expect("the file is there");
    let bots = checkout("bots/rps").display().to_string();
    // The same contest with short games.
    scratch.file("c.toml", text.replace("rps-polyglot", "rps-published").replace("../bots/rps", &bots));
    let printed = tournament(&scratch, "c.toml --no-check").fine();
    for said in
        ["won - lost", "By margin, then won - lost", "Déjà Vu", "Second Guess", "Gambler", "Fading", "Dice"]
    {
        assert!(printed.contains(said), "{said:?} is not in\n{printed}");
    }
    let mut seeds: BTreeMap<[usize; 2], Vec<u64>> = BTreeMap::new();
    let mut orders: Vec<Vec<usize>> = Vec::new();
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    for head in record.games().expect("games") {
        let seats: Vec<usize> = head.pairing.seats.iter().map(|id| id.index()).collect();
        let game = record.game(head.pairing.id).expect("it can be read").expect("it is there");
        let pair = [seats[0].min(seats[1]), seats[0].max(seats[1])];
        seeds.entry(pair).or_default().push(game.setup.seed);
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        orders.push(seats);
    }
    orders.sort();
    orders.dedup();
    assert_eq!((seeds.len(), orders.len()), (66, 132), "every pair, in both orders");
    assert!(seeds.values().all(|seeds| seeds.len() == 2 && seeds[0] == seeds[1]), "seats and seeds are swapped");
}

fn a_contest_changes_rules_and_repeats_games_with_other_seeds() {
    let scratch = Scratch::new();
    scratch.file(
        "c.toml",
        "name = \"x\"\nruleset = \"rps-polyglot\"\nentrants = [\"@rps-random\", \"@rotate\"]\n\n[rules]\nrounds = 30\n\n\
         [[stages]]\nkind = \"all-play-all\"\ngames_per_order = 3\n",
    );
    tournament(&scratch, "c.toml --no-check --report pages/new/c.html").fine();
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let game = |head: &GameSummary| record.game(head.pairing.id).expect("it can be read").expect("it is there");
    let all: Vec<GameRecord> = record.games().expect("games").iter().map(game).collect();
    let seeds: Vec<u64> = all.iter().map(|game| game.setup.seed).collect();
    let differ: BTreeSet<u64> = seeds.iter().copied().collect();
    assert_eq!((seeds.len(), differ.len()), (6, 3));
    assert!(seeds.chunks(2).all(|swapped| swapped[0] == swapped[1]), "{seeds:?}");
    assert!(all.iter().all(|game| game.moves.len() == 60));
    let verified = Ran::from_command(scratch.cornerman(["verify", "c.db"]));
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    let page = fs::read_to_string(scratch.path().join("pages/new/c.html")).expect("the page and its folder");
    assert!(page.contains("Rock-paper-scissors, polyglot, with rounds = 30"));
}

fn nothing_but_a_kind_plays_every_pair_twice_and_has_both_tables() {
    let scratch = Scratch::new();
    let entrants = "entrants = [\"@rock\", \"@rotate\", \"@beat-last\"]";
    let text =
        format!("name = \"x\"\nruleset = \"rps-published\"\n{entrants}\n[[stages]]\nkind = \"all-play-all\"\n");
    scratch.file("c.toml", text);
    let printed = tournament(&scratch, "c.toml --no-check").fine();
    assert_eq!(games(&scratch, "c.db").len(), 6);
    for said in ["  won - lost\n", "By margin, then won - lost", "up to 7 a tie (R9)"] {
        assert!(printed.contains(said), "{said:?} is not in\n{printed}");
    }
}

/// A bot that always plays rock, after the line that `first` prints.
fn rock(scratch: &Scratch, file: &str, first: &str) {
    let game = "read seed; read rounds; while echo 0 && read other; do :; done";
    scratch.executable(file, format!("#!/bin/sh\n{first}\n{game}\n"));
}

fn bots_go_by_the_names_they_give_themselves() {
    let scratch = Scratch::new();
    rock(&scratch, "twin-1", "echo Twin");
    rock(&scratch, "twin-2", "echo ' Twin '");
    rock(&scratch, "moody", "echo \"Mood $(date +%N)\"");
    rock(&scratch, "named", "echo Nobody");
    scratch.executable("mute", "#!/bin/sh\nexit 0\n");
    let entrants =
        "[\"./twin-1\", \"./twin-2\", \"./moody\", { path = \"./named\", name = \"Given\" }, \"./mute\"]";
    let stage = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\nscoring = \"margins\"\n";
    scratch.file("c.toml", format!("name = \"x\"\nruleset = \"rps-published\"\nentrants = {entrants}\n{stage}"));
    let mut run = unattended(&scratch, "c.toml --no-check --workers 1").spawn().expect("it can be started");
    wait_for("the third game", || (played(&scratch, "c.db") > 2).then_some(()));
    run.kill().expect("it was started");
    run.wait().expect("it was started");
    let before = games(&scratch, "c.db");
    let ran = tournament(&scratch, "c.toml --no-check");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let after = games(&scratch, "c.db");
    assert_eq!(after.len(), 20);
    assert!(before.iter().all(|game| after.contains(game)), "played games stay");
    let names = |name: &str| decided(&ran.stdout).lines().any(|line| line.contains(&format!("  {name} ")));
    for name in ["Twin (twin-1)", "Twin (twin-2)", "Given", "mute"] {
        assert!(names(name), "{name} is not in\n{}", ran.stdout);
    }
    assert!(!names("Nobody") && !names("moody"), "{}", ran.stdout);
    for said in [": called itself by other names from game to game: `Mood ", "Given: calls itself `Nobody`"] {
        assert!(ran.stdout.contains(said), "{said:?} is not in\n{}", ran.stdout);
    }
}
