//! `replay`: games of small tournaments step by step, and bots that are fed a seat's part of them.

use crate::support::{Ran, Scratch, cornerman, trial};
use cornerman_harness::record::{GameRecord, Record};
use libtest_mimic::Trial;
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_game_of_go_is_shown_board_by_board),
        trial!(a_game_of_rps_is_shown_round_by_round),
        trial!(a_boxing_game_marks_what_is_new),
        trial!(json_of_a_game_has_every_step),
        trial!(a_bot_that_is_fed_its_own_game_plays_it_again),
        trial!(another_bot_differs_and_is_judged),
        trial!(a_fed_bot_that_fails_is_reported),
        trial!(a_forfeit_has_its_answer_and_its_standard_error),
        trial!(a_fed_bot_has_the_notes_of_its_earlier_moves, ["awk"]),
        trial!(wrong_requests_are_refused),
    ]
}

/// What the trials replay: the first game of each record.
const GAME: &str = "s1/r1/m1/g1";

/// A folder with the record `c.db` of a small tournament between these two bots.
fn played(game: &str, ruleset: &str, entrants: [&str; 2]) -> Scratch {
    let scratch = Scratch::new();
    let head = format!("name = \"Small\"\ngame = \"{game}\"\nruleset = \"{ruleset}\"\nseed = 5\n");
    scratch.file("c.toml", format!("{head}entrants = {entrants:?}\n[[stages]]\nkind = \"pair-swiss\"\n"));
    let ran = Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    scratch
}

fn go() -> Scratch {
    played("go", "go-9x9", ["@go-random", "@capture"])
}

fn rps() -> Scratch {
    played("rps", "rps-published", ["@rock", "@beat-last"])
}

/// The first game of the record, and the names of its seats with their marks.
fn recorded(scratch: &Scratch) -> (GameRecord, [String; 2]) {
    let record = Record::open(&scratch.path().join("c.db")).expect("a record");
    let id = record.games().expect("games")[0].pairing.id;
    assert_eq!(id.to_string(), GAME);
    let game = record.game(id).expect("it can be read").expect("it is there");
    let entrants = record.entrants().expect("entrants");
    let name = |seat: usize| {
        let name = &entrants[game.pairing.seats[seat].index()].name;
        game.setup.marks.get(seat).map_or(name.clone(), |&mark| format!("{} {name}", char::from(mark)))
    };
    let names = [name(0), name(1)];
    (game, names)
}

fn replay(scratch: &Scratch, options: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman([&["replay", "c.db", GAME], options].concat()))
}

fn a_game_of_go_is_shown_board_by_board() {
    let scratch = go();
    let (game, names) = recorded(&scratch);
    let text = replay(&scratch, &[]).fine();
    let boards: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(boards.len(), game.moves.len() + 1, "a board for each move, and one for the start");
    for (board, made) in boards[1..].iter().zip(&game.moves) {
        let line = format!("{:>4}. {} {}", made.number, names[made.seat.index()], made.notation);
        assert!(board.contains(&line), "{line}: {board}");
        let stone = if made.seat.index() == 0 { "(X)" } else { "(O)" };
        let picture = board.lines().skip(3).take(9).collect::<String>();
        assert_eq!(picture.contains(stone), made.notation != "pass", "{board}");
    }
    assert!(boards[0].contains("    A B C D E F G H J\n  9 . . ."), "{text}");
    assert!(text.contains(", captures "), "@capture captures something");
    assert!(boards.last().unwrap().contains(" wins by "), "{text}");
    let fifth = replay(&scratch, &["--at", "5"]).fine();
    assert_eq!(fifth.trim_end(), boards[5]);
    assert!(replay(&scratch, &["--at", "0"]).fine().contains("\nthe start\n"));
}

fn a_game_of_rps_is_shown_round_by_round() {
    let scratch = rps();
    let (game, names) = recorded(&scratch);
    let text = replay(&scratch, &[]).fine();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), game.moves.len()), (52, 100), "{text}");
    let mut margin: i32 = 0;
    for (round, (line, moves)) in lines[1..].iter().zip(game.moves.chunks(2)).enumerate() {
        let [a, b] = [0, 1].map(|seat| moves[seat].notation.parse::<i32>().expect("a number"));
        margin += [0, 1, -1][(a - b).rem_euclid(3) as usize];
        let shown = if margin == 0 { "0".to_string() } else { format!("{margin:+}") };
        let [a, b] = [a, b].map(|hand| ["rock", "paper", "scissors"][hand as usize]);
        assert_eq!(*line, format!("{:>5}. {} {a}   {} {b}   {shown}", round + 1, names[0], names[1]));
    }
    assert_eq!(lines[51].rsplit_once(" wins by ").map(|(_, by)| by), Some(&*format!("{} rounds", margin.abs())));
    // Move 40 is the second seat's of round 20.
    assert_eq!(replay(&scratch, &["--at", "40"]).fine().lines().nth(1), Some(lines[20]));
}

fn a_boxing_game_marks_what_is_new() {
    let scratch = played("boxing", "boxing-1994", ["@greedy", "@smallest"]);
    let (game, _) = recorded(&scratch);
    let text = replay(&scratch, &["--at", "1"]).fine();
    let (words, mark) = text.trim_end().rsplit_once(" is a new ").expect("a legend");
    assert_eq!(mark.as_bytes(), &game.setup.marks[..1]);
    let sign = words.chars().last().expect("a sign");
    let side: usize = game.moves[0].notation.split('x').next().unwrap().parse().expect("the side of a square");
    let marked = words.lines().skip(3).take(16).flat_map(|row| row[4..].chars()).filter(|&spot| spot == sign);
    assert_eq!(marked.count(), side * side, "{text}");
    // In colour they are reversed.
    let mut coloured = scratch.cornerman(["replay", "c.db", GAME, "--at", "1"]);
    coloured.env("CLICOLOR_FORCE", "1");
    let text = Ran::from_command(coloured).fine();
    assert!(text.contains("\x1b[7m") && !text.contains(" is a new "), "{text}");
}

fn json_of_a_game_has_every_step() {
    let check = |scratch: Scratch, member: &str, rows: usize| {
        let (game, _) = recorded(&scratch);
        let read = |options: &[&str]| -> Value {
            serde_json::from_str(&replay(&scratch, options).fine()).expect("an object")
        };
        let whole = read(&["--format", "json"]);
        let steps = whole["steps"].as_array().expect("steps");
        let told: Vec<&Value> = steps.iter().map(|step| &step["notation"]).collect();
        assert_eq!(json!(told), json!(game.moves.iter().map(|made| &made.notation).collect::<Vec<_>>()));
        assert!(steps.iter().all(|step| step["board"].as_array().map(Vec::len) == Some(rows)), "{whole}");
        assert!(steps.iter().all(|step| step[member].is_i64()), "{whole}");
        // The number that `--feed` takes.
        let seats: Vec<&Value> = steps.iter().map(|step| &step["seat"]).collect();
        assert_eq!(json!(seats), json!(game.moves.iter().map(|made| made.seat.0 + 1).collect::<Vec<_>>()));
        let one = read(&["--format", "json", "--at", "3"]);
        assert_eq!(one["steps"], json!([steps[2]]));
    };
    check(go(), "captured", 9);
    check(rps(), "margin", 0);
}

fn a_bot_that_is_fed_its_own_game_plays_it_again() {
    // Which seat `bot` had, and a late move of it.
    let check = |scratch: Scratch, bot: &str| {
        let (game, names) = recorded(&scratch);
        let seat = names.iter().position(|name| name.ends_with(bot)).expect("it played");
        let late = game.moves.iter().rfind(|made| made.seat.index() == seat).expect("it moved");
        let earlier = game.moves.iter().filter(|made| made.seat.index() == seat).count() - 1;
        let at = late.number.to_string();
        let seat = (seat + 1).to_string();
        let said = replay(&scratch, &["--at", &at, "--feed", &seat, bot]).fine();
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[..2], [&*format!("{earlier} answers before move {at} as recorded"), &*late.notation]);
        assert!(lines[2].starts_with(&format!("{}, legal, as recorded, after ", late.notation)), "{said}");
    };
    check(go(), "@capture");
    check(rps(), "@beat-last");
}

fn another_bot_differs_and_is_judged() {
    let scratch = rps();
    let (_, names) = recorded(&scratch);
    let seat = (names.iter().position(|name| name.ends_with("@rock")).expect("it played") + 1).to_string();
    let (first, at) = if seat == "1" { ("1", "5") } else { ("2", "6") };
    scratch.executable("paper", "#!/bin/sh\necho paper\nread s\nread n\nwhile echo 1; do read x || exit; done\n");
    let said = replay(&scratch, &["--at", at, "--feed", &seat, "./paper"]).fine();
    let differs =
        format!("its answers differ from the record from move {first} on: 1 instead of 0\n1\n1, legal, after ");
    assert!(said.starts_with(&differs) && said.ends_with("; the record has 0\n"), "{said}");
    scratch
        .executable("well", "#!/bin/sh\necho well\nread s\nread n\necho 0\nread x\necho 0\nread x\necho well\n");
    let ran = replay(&scratch, &["--at", at, "--feed", &seat, "./well"]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let words = format!("2 answers before move {at} as recorded\nwell\nnot legal: ");
    assert!(ran.stdout.starts_with(&words), "{}", ran.stdout);
}

fn a_fed_bot_that_fails_is_reported() {
    let scratch = go();
    scratch.executable("dies", "#!/bin/sh\necho tired >&2\nexit 4\n");
    let ran = replay(&scratch, &["--at", "5", "--feed", "1", "./dies"]);
    assert_eq!((ran.code, ran.messages().as_str()), (Some(1), ""));
    let words = "move 1: the bot forfeits: ended with exit status 4 while its answer was due (G9)\n";
    assert_eq!(ran.stdout, format!("{words}standard error:\ntired\n"));
}

fn a_forfeit_has_its_answer_and_its_standard_error() {
    let scratch = Scratch::new();
    scratch.script("wild", "echo one; echo two; echo three; echo oops >&2");
    let head = "name = \"Small\"\nentrants = [\"./wild\", \"@greedy\"]\n";
    scratch.file("c.toml", format!("{head}[[stages]]\nkind = \"all-play-all\"\nboards = [1]\n"));
    assert_eq!(Ran::from_command(scratch.cornerman(["tournament", "c.toml", "--no-check"])).code, Some(0));
    let text = replay(&scratch, &[]).fine();
    let evidence = "      its answer:\n        one\n        two\n        three\n      its standard error: oops\n";
    let (before, _) = text.split_once(evidence).unwrap_or_else(|| panic!("{text}"));
    assert!(before.lines().last().is_some_and(|line| line.contains("wild forfeits: ")), "{text}");
    let json: Value = serde_json::from_str(&replay(&scratch, &["--format", "json"]).fine()).expect("JSON");
    let steps = json["steps"].as_array().expect("steps");
    let forfeit = &steps.last().expect("a step")["forfeit"];
    assert_eq!((&forfeit["answer"], &forfeit["stderr"]), (&json!("one\ntwo\nthree\n"), &json!("oops\n")));
}

/// The bot counts its moves in its file of notes (B9), and says the count on standard error.
fn a_fed_bot_has_the_notes_of_its_earlier_moves() {
    let scratch = played("boxing", "boxing-1994", ["@greedy", "@smallest"]);
    let (game, names) = recorded(&scratch);
    let seat = names.iter().position(|name| name.ends_with("@smallest")).expect("it played");
    let at = game.moves.iter().filter(|made| made.seat.index() == seat).nth(4).expect("five moves").number;
    scratch.script("counts", "echo move >>/tmp/arena.$mark; wc -l </tmp/arena.$mark >&2; move");
    let said = replay(&scratch, &["--at", &at.to_string(), "--feed", &(seat + 1).to_string(), "./counts"]).fine();
    assert!(said.starts_with(&format!("4 answers before move {at} as recorded\n")), "{said}");
    assert!(said.ends_with("standard error:\n5\n"), "{said}");
}

fn wrong_requests_are_refused() {
    let go = go();
    let rps = rps();
    let check = |scratch: &Scratch, options: &[&str], words: &str| {
        let ran = replay(scratch, options);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    };
    check(&rps, &["--at", "101"], "game s1/r1/m1/g1 has no move 101: choose 1 to 100");
    check(&rps, &["--at", "101", "--format", "json"], "has no move 101");
    check(&rps, &["--at", "2", "--feed", "1", "@rock"], "move 2 of game s1/r1/m1/g1 belongs to seat");
    check(&go, &["--feed", "1", "@capture"], "--feed needs --at");
    check(
        &go,
        &["--feed", "1", "@capture", "--format", "json"],
        "'--feed <SEAT> <BOT>' cannot be used with '--format",
    );
    check(&go, &["--at", "1", "--feed", "3", "@capture"], "--feed: the seat must be a number from 1 to 2");
    check(&go, &["--at", "1", "--feed", "1", "@rock"], "@rock plays rps, not go");
    let ran = Ran::from_command(cornerman(["replay", "no-such.db", GAME]));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
