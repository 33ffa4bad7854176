//! `play` of line games: reference bots, humans, faults, and wrong arguments.

use super::record::Record;
use crate::support::{Ran, Scratch, cornerman, trial};
use libtest_mimic::Trial;
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_game_of_rps_is_played_to_its_end),
        trial!(rounds_are_summed_up),
        trial!(bots_of_one_name_are_told_apart),
        trial!(a_game_of_go_is_played_to_its_end),
        trial!(events_follow_the_rules),
        trial!(in_a_match_both_go_first_once),
        trial!(ties_and_points_are_summed_over_a_match),
        trial!(a_human_plays_go),
        trial!(a_human_plays_rps),
        trial!(faults_are_reported_with_their_rule),
        trial!(wrong_arguments_are_refused),
    ]
}

/// The output of `play` with these arguments.
#[track_caller]
fn play(args: &[&str]) -> String {
    Ran::from_command(cornerman([&["play"], args].concat())).fine()
}

fn a_game_of_rps_is_played_to_its_end() {
    let text = play(&["@rock", "@hydra", "--game", "rps", "--seed", "3", "--moves"]);
    let rounds: Vec<&str> =
        text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).collect();
    assert!(rounds.len() >= 50, "{text}");
    for (number, line) in (1..).zip(&rounds) {
        assert!(
            line.trim_start().starts_with(&format!("{number}. A @rock rock ")) && line.contains(" B @hydra "),
            "{line}"
        );
    }
    // A bot that always plays rock is predictable.
    assert!(text.contains("B @hydra wins by "), "{text}");
}

fn rounds_are_summed_up() {
    let text = play(&["@beat-last", "@rock", "--rounds", "9", "--seed", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("Game 1: A @beat-last against B @rock, "), "{text}");
    assert!(lines[1].starts_with("A @beat-last wins by ") && lines[1].ends_with(", after 18 moves"), "{text}");
    let sums: Vec<usize> =
        lines[3].split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(
        lines[3],
        format!("  @rock: 0 won, {} drawn; rock 9, paper 0, scissors 0; 0 won in a row", sums[1])
    );
    let check_refused = |args: &[&str], said: &str| {
        let ran = Ran::from_command(cornerman([&["play"], args].concat()));
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    };
    check_refused(&["@greedy", "@parity", "--rounds", "3"], "--rounds 3: The Boxing Match");
    check_refused(&["@rock", "@hydra", "--rounds", "0"], "--rounds 0: ");
}

fn bots_of_one_name_are_told_apart() {
    let scratch = Scratch::new();
    let rock = "#!/bin/sh\necho x\nread seed; read rounds; while echo 0 && read other; do :; done\n";
    scratch.executable("ann/jab", rock);
    scratch.executable("bob/jab", rock);
    let args = ["play", "ann/jab", "bob/jab", "--game", "rps", "--rounds", "2", "--match"];
    let text = Ran::from_command(scratch.cornerman(args)).fine();
    assert!(text.contains("A jab (ann) against B jab (bob), "), "{text}");
    assert!(text.contains("\n  jab (ann)  0 won, 2 drawn"), "{text}");
}

fn a_game_of_go_is_played_to_its_end() {
    let text = play(&["@go-random", "@capture", "--rules", "go-9x9"]);
    assert!(text.contains("    A B C D E F G H J\n  9 . . ."), "{text}");
    assert!(text.contains("(X)") && text.contains("(O)"), "the last stone is in brackets");
    assert!(text.contains(" wins by ") && text.contains(" and komi 6.5"), "{text}");
    assert_eq!(text, text.replace('\x1b', ""), "a pipe gets no escape codes");
}

fn events_follow_the_rules() {
    for (bots, rules) in [(["@rock", "@hydra"], "rps-published"), (["@go-random", "@capture"], "go-9x9")] {
        let options = ["--rules", rules, "--match", "--seed", "4", "--format", "json"];
        let record = Record::replayed_by(&play(&[&bots[..], &options].concat()), rules);
        let ends: Vec<&Value> = record.named("game-ended").iter().map(|end| &end["end"]).collect();
        assert_eq!(json!(ends), json!(["played", "played"]), "{rules}");
    }
}

fn in_a_match_both_go_first_once() {
    let record = Record::read(&play(&["@rock", "@markov", "--match", "--seed", "2", "--format", "json"]));
    let order: Vec<&Value> = record.named("game-started").iter().map(|game| &game["entrants"]).collect();
    assert_eq!(json!(order), json!([[1, 2], [2, 1]]));
}

/// Checks the lines about the match of two bots that play by `rules`, and the results (won, drawn, lost, score) of each
/// in JSON.
#[track_caller]
fn check_match(bots: [&str; 2], options: &[&str], lines: &[&str], results: [[i64; 4]; 2]) {
    let options = [&bots[..], &["--rules", "rps-published", "--seed", "5"], options].concat();
    let text = play(&[&options[..], &["--quiet"]].concat());
    let told: Vec<&str> = text.split_once("Match:\n").map_or(vec![], |(_, end)| end.lines().collect());
    assert_eq!(told, lines, "{text}");
    let record = Record::read(&play(&[&options[..], &["--format", "json"]].concat()));
    let entrants = &record.only("match-ended")["entrants"];
    for (at, [won, drawn, lost, score]) in results.into_iter().enumerate() {
        let wanted = json!({
            "name": bots[at], "wins": won + drawn, "won": won, "drawn": drawn, "lost": lost, "score": score,
            "forfeits": 0,
        });
        assert_eq!(entrants[at], wanted);
    }
}

fn ties_and_points_are_summed_over_a_match() {
    let tied = ["@rotate", "@beat-last"];
    check_match(tied, &[], &[], [[0, 1, 0, 0]; 2]);
    let lines =
        ["  @rotate     0 won, 2 drawn, 0 lost, 0 rounds", "  @beat-last  0 won, 2 drawn, 0 lost, 0 rounds"];
    check_match(tied, &["--match"], &lines, [[0, 2, 0, 0]; 2]);
    let lines =
        ["  @beat-last  2 won, 0 drawn, 0 lost, 98 rounds", "  @rock       0 won, 0 drawn, 2 lost, -98 rounds"];
    check_match(["@beat-last", "@rock"], &["--match"], &lines, [[2, 0, 0, 98], [0, 0, 2, -98]]);
}

/// Plays a game by `rules` with humans who type `typed`. Returns its record, and what the humans were shown.
#[track_caller]
fn typed(bots: [&str; 2], rules: &str, typed: &str) -> (Record, String) {
    let mut command = cornerman([&["play", "--format", "json", "--rules", rules], &bots[..]].concat());
    command.write_stdin(typed);
    let ran = Ran::from_command(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (Record::replayed_by(&ran.stdout, rules), ran.stderr)
}

fn a_human_plays_go() {
    let (record, told) = typed(["human", "human"], "go-9x9", "E5\ne5\nZ9\nD4\npass\npass\n");
    assert_eq!(record.only("game-ended")["places"], json!([2, 1]), "a stone each, and komi");
    let moves: Vec<&Value> = record.named("moved").iter().map(|moved| &moved["move"]).collect();
    assert_eq!(json!(moves), json!(["E5", "D4", "pass", "pass"]));
    assert!(told.contains("seat 2, your move") && told.contains("E5 is occupied"), "{told}");
    let (record, _) = typed(["human", "@capture"], "go-9x9", "E5\nq\n");
    let fault = record.only("faulted");
    assert_eq!((&fault["kind"], &fault["seat"]), (&json!("resigned"), &json!(1)));
}

fn a_human_plays_rps() {
    let (record, told) =
        typed(["human", "@rock"], "rps-published", &format!("well\npaper\nP\n{}", "1\n".repeat(48)));
    assert_eq!(record.only("game-ended")["points"], json!([50, -50]));
    assert!(
        told.contains("seat 1, your move (rock, paper or scissors") && told.contains("expected rock, paper"),
        "{told}"
    );
}

/// Checks that a bot that is this script forfeits its game against `opponent` for this reason.
#[track_caller]
fn check_fault(rules: &str, opponent: &str, body: &str, kind: &str, words: &str) {
    let scratch = Scratch::new();
    scratch.executable("odd", format!("#!/bin/sh\n{body}\n"));
    let told = |format: &str| {
        let args = ["play", "./odd", opponent, "--rules", rules, "--format", format];
        Ran::from_command(scratch.cornerman(args)).fine()
    };
    let record = Record::replayed_by(&told("json"), rules);
    let fault = record.only("faulted");
    assert_eq!((&fault["seat"], &fault["kind"]), (&json!(1), &json!(kind)), "{fault}");
    assert_eq!(record.only("game-ended")["places"], json!([2, 1]));
    let text = told("text");
    let line = text.lines().find(|line| line.contains("odd forfeits: ")).expect("a line about it");
    assert!(line.contains(words), "{line}");
    assert!(text.contains(" wins by forfeit"), "{text}");
}

fn faults_are_reported_with_their_rule() {
    let rps = |body: &str, kind: &str, words: &str| check_fault("rps-published", "@rock", body, kind, words);
    rps("echo odd; read s; read n; echo 3; cat", "token", "(R6)");
    rps("echo odd; read s; read n; exit 3", "left", "ended with exit status 3 while its answer was due (R6)");
    rps("echo odd; exec sleep 600", "timeout", "no answer within 1.0 s (R6)");
    rps(
        "echo odd; cat >/dev/null",
        "waits",
        "waits for input and has written nothing: does it flush its output? (R6)",
    );
    let go = |body: &str, kind: &str, words: &str| check_fault("go-9x9", "@capture", body, kind, words);
    go(
        "echo E5; read x; echo E5; cat",
        "occupied",
        "E5 is occupied by a black stone, this bot's own, since move 1 (G6)",
    );
    go("echo E5; kill -SEGV $$", "died", "(G9)");
    // A bot that waits for its opponent does not use up the minutes of its clock.
    go("cat >/dev/null", "waits", "waits for input and has written nothing: does it flush its output? (G3)");
    // Lines that are not moves are ignored, and are not faults.
    go("echo hello; echo E5; read x; exit 2", "left", "ended with exit status 2 while its answer was due (G9)");
}

fn wrong_arguments_are_refused() {
    let check = |args: &[&str], words: &str| {
        let ran = Ran::from_command(cornerman([&["play"], args].concat()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(
        &["@rock", "@hydra", "--game", "rpss"],
        "there is no game `rpss`; the games are boxing, rps, go\nhint: did you mean `rps`?",
    );
    check(&["@rock", "@hydra", "--game", "go"], "@rock plays rps, not go");
    check(&["@rock", "@capture"], "@capture plays go, not rps");
    check(&["@greedy", "@rock"], "@rock plays rps, not boxing");
    check(
        &["@rock", "@hydra", "--game", "rps", "--rules", "go-9x9"],
        "the ruleset go-9x9 is for the game go, not for rps",
    );
    check(&["@rock", "@hydra", "--rules", "rps-publishd"], "(did you mean `rps-published`?)");
    check(&["@rock", "@hydra", "@markov"], "has 2 bots, not 3");
    check(&["@rock", "@hydra", "--marks", "XY"], "marks cannot be chosen in ");
}
