//! `export`: games for other programs, in files that are complete and overwrite nothing but older exports.

use super::{FIVE, contest, games, games_of, tournament};
use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(every_game_is_a_line),
        trial!(takes_the_place_of_nothing_but_an_export),
        trial!(games_of_go_are_sgf_a_file_each),
    ]
}

/// `export` with these arguments, separated by spaces, in the folder of `scratch`.
fn export(scratch: &Scratch, args: &str) -> Ran {
    Ran::from_command(scratch.cornerman(["export"].into_iter().chain(args.split_whitespace())))
}

#[track_caller]
fn refused(scratch: &Scratch, args: &str, said: &str) {
    let ran = export(scratch, args);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(said), "{said:?} is not in {}", ran.stderr);
}

fn every_game_is_a_line() {
    let scratch = Scratch::new();
    contest(&scratch, &FIVE);
    tournament(&scratch, "c.toml --no-check").fine();
    let lines = export(&scratch, "c.db").fine();
    let exported: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(exported.len(), games_of(5));
    for (game, (id, seats, outcome, moves)) in exported.iter().zip(games(&scratch, "c.db")) {
        assert_eq!((&game["schema"], game["id"].as_str()), (&Value::from(1), Some(id.as_str())));
        let of_seats = |key: &str| {
            game["seats"].as_array().expect("seats").iter().map(|it| it[key].clone()).collect::<Vec<_>>()
        };
        assert_eq!(of_seats("entrant"), seats.iter().map(|&id| Value::from(id + 1)).collect::<Vec<_>>());
        assert_eq!(of_seats("points"), outcome.points.iter().map(|&n| Value::from(n)).collect::<Vec<_>>());
        let made: Vec<&str> =
            game["moves"].as_array().expect("moves").iter().filter_map(|it| it["move"].as_str()).collect();
        assert_eq!(made, moves);
    }
    let two = export(&scratch, "c.db s1/r2/m1/g1 s1/r1/m1/g2").fine();
    let whole =
        |id: &str| lines.lines().find(|line| line.contains(&format!("\"id\":\"{id}\""))).expect("it was played");
    assert_eq!(two, format!("{}\n{}\n", whole("s1/r2/m1/g1"), whole("s1/r1/m1/g2")));
    refused(&scratch, "c.db s1/r9/m1/g1", "game s1/r9/m1/g1 is not among the 40 games of c.db");
    refused(&scratch, "c.db first", "`first` is not the name of a game");
    refused(
        &scratch,
        "c.db --format sgf",
        "c.db has games of boxing, but SGF is for games of Go; use `--format jsonl` instead",
    );
}

fn takes_the_place_of_nothing_but_an_export() {
    let scratch = Scratch::new();
    contest(&scratch, &["@greedy", "@parity"]);
    tournament(&scratch, "c.toml --no-check").fine();
    let all = export(&scratch, "c.db").fine();
    let written = |name: &str| fs::read_to_string(scratch.path().join(name)).expect("a file");
    scratch.file("empty.jsonl", "");
    for name in ["new.jsonl", "empty.jsonl"] {
        assert_eq!(export(&scratch, &format!("c.db --out {name}")).fine(), "");
        assert_eq!(written(name), all);
    }
    export(&scratch, "c.db s1/r1/m1/g1 --out new.jsonl").fine();
    assert_eq!(written("new.jsonl").lines().count(), 1, "an older export is replaced");
    scratch.file("notes", "mine\n");
    let before = scratch.listing();
    refused(&scratch, "c.db --out notes", "notes exists and is not an export");
    refused(&scratch, "c.db --out c.db", "c.db exists and is not an export");
    refused(&scratch, "c.db --out c.toml", "c.toml exists and is not an export");
    refused(&scratch, "c.db --out no/where.jsonl", "no such folder: no");
    refused(&scratch, "c.db --out .", ". is a folder; name a file");
    refused(&scratch, "c.db s1/r9/m1/g1 --out new.jsonl", "is not among");
    assert_eq!(scratch.listing(), before, "nothing is written or left over");
}

fn games_of_go_are_sgf_a_file_each() {
    let scratch = Scratch::new();
    let stage = "[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n";
    let entrants = "entrants = [\"@go-random\", \"@capture\"]\n";
    scratch.file("c.toml", format!("name = \"Go\"\nruleset = \"go-9x9\"\n{entrants}{stage}"));
    tournament(&scratch, "c.toml --no-check").fine();
    assert_eq!(export(&scratch, "c.db --format sgf --out games").fine(), "");
    assert_eq!(export(&scratch, "c.db --format sgf --out games/").fine(), "", "over an older export");
    let read = |name: &str| fs::read_to_string(scratch.path().join("games").join(name)).expect("a file");
    let first = read("s1-r1-m1-g1.sgf");
    let second = read("s1-r1-m1-g2.sgf");
    assert!(first.starts_with("(;FF[4]GM[1]") && first.contains("PB[@go-random]"), "{first}");
    assert_eq!(export(&scratch, "c.db --format sgf").fine(), first.clone() + &second);
    scratch.file("games/s1-r1-m1-g2.sgf", "(;FF[4]GM[1]C[of somebody else's])\n");
    refused(&scratch, "c.db --format sgf --out games", "s1-r1-m1-g2.sgf exists and is not an export");
    assert_eq!(export(&scratch, "c.db").fine().lines().count(), 2);
}
