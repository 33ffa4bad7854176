//! `rules`: what rulesets decide, compared with what was accepted and with each other.

use crate::support::{Ran, Scratch, checkout, trial};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    let accepted = ["rulesets", "examples/rules"].into_iter().flat_map(|folder| {
        rulesets(folder).into_iter().map(move |name| {
            let body = name.clone();
            trial(&format!("rules::{name}_decides_what_was_accepted"), &[], move || {
                decides_what_was_accepted(folder, &body);
            })
        })
    });
    let others = vec![
        trial!(small_squares_differ_only_by_large_ones),
        trial!(a_change_is_shown_until_it_is_accepted),
        trial!(own_games_and_records_are_judged),
        trial!(mistakes_are_reported_and_the_rest_is_tested),
        trial!(wrong_requests_are_refused),
    ];
    accepted.chain(others).collect()
}

fn run(scratch: &Scratch, args: &[&str]) -> Ran {
    Ran::from_command(scratch.cornerman(args))
}

/// A ruleset of short games, to be quick.
fn short(scratch: &Scratch, file: &str, rounds: u32) {
    let text = fs::read_to_string(checkout("rulesets/rps-published.toml")).expect("a ruleset");
    let lines = text.lines().map(|line| {
        if line.starts_with("rounds = ") { format!("rounds = {rounds}\n") } else { format!("{line}\n") }
    });
    scratch.file(file, lines.collect::<String>());
}

/// A ruleset in a folder of ours decides what was accepted.
fn decides_what_was_accepted(folder: &str, name: &str) {
    /// Strong bots on a large board take a while, and tests run beside each other.
    const PATIENCE: Duration = Duration::from_secs(1800);
    let scratch = Scratch::new();
    for extension in ["toml", "snapshot"] {
        let file = format!("{name}.{extension}");
        scratch.file(&file, fs::read(checkout(folder).join(&file)).expect("it is in the checkout"));
    }
    let games = checkout(folder).join("games");
    if games.exists() {
        symlink(games, scratch.path().join("games")).expect("a link to the games that it is tried with");
    }
    let mut command = scratch.cornerman(["rules", "test", "."]);
    command.timeout(PATIENCE);
    assert_eq!(Ran::from_command(command).fine(), format!("./{name}.toml: as accepted\n"));
}

/// The names of the rulesets in a folder of ours.
fn rulesets(folder: &str) -> Vec<String> {
    let files = fs::read_dir(checkout(folder)).expect("rulesets").map(|file| file.expect("a file").path());
    let rulesets = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    rulesets.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

/// A smaller `max_square` changes exactly the verdicts on larger squares, and games in which there may be one.
fn small_squares_differ_only_by_large_ones() {
    let decided = |id: &str| fs::read_to_string(checkout("rulesets").join(format!("{id}.snapshot"))).expect("it");
    let standard = decided("boxing-1994");
    let small = decided("boxing-small-squares");
    let section = |text: &str, title: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| *line != title).skip(1);
        lines.take_while(|line| !line.is_empty()).map(str::to_string).collect()
    };
    let differing = |title: &str| -> Vec<(String, String)> {
        let these = section(&standard, title);
        let those = section(&small, title);
        assert!(!these.is_empty() && these.len() == those.len(), "{title}: {} and {}", these.len(), those.len());
        these.into_iter().zip(those).filter(|(this, that)| this != that).collect()
    };
    let keys: Vec<String> = differing("Settings")
        .iter()
        .map(|(line, _)| line.split_whitespace().next().expect("a key").into())
        .collect();
    assert_eq!(keys, ["date", "id", "title", "rules.max_square"]);
    let side = |verdict: &str| {
        let (_, square) = verdict.split_once("legal: ")?;
        square.split_once('x')?.0.parse::<u32>().ok()
    };
    let specimens = section(&standard, "Verdicts on specimens");
    let large: BTreeSet<&String> = specimens.iter().filter(|line| side(line) > Some(8)).collect();
    let changed = differing("Verdicts on specimens");
    assert_eq!(changed.iter().map(|(line, _)| line).collect::<BTreeSet<_>>(), large);
    assert!(!large.is_empty() && changed.iter().all(|(_, now)| now.contains(" B2: ")), "{changed:?}");
    assert!(!differing("Everyone against everyone: games").is_empty());
}

fn a_change_is_shown_until_it_is_accepted() {
    let scratch = Scratch::new();
    short(&scratch, "ours/short.toml", 5);
    let test = ["rules", "test", "ours"];
    let accept = ["rules", "test", "ours", "--accept"];
    let ran = run(&scratch, &test);
    let missing = "ours/short.toml: has no accepted snapshot; `--accept` writes ours/short.snapshot\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), missing), "{}", ran.stderr);
    assert_eq!(run(&scratch, &accept).fine(), "ours/short.toml: accepted in ours/short.snapshot\n");
    assert_eq!(run(&scratch, &test).fine(), "ours/short.toml: as accepted\n");
    let accepted = fs::read_to_string(scratch.path().join("ours/short.snapshot")).expect("a snapshot");
    assert_eq!(run(&scratch, &["rules", "snapshot", "ours/short.toml"]).fine(), accepted);
    // `diff` of a change shows what `test` shows once it is made.
    let diff = run(&scratch, &["rules", "diff", "ours/short.toml", "--set", "rounds=6"]);
    short(&scratch, "ours/short.toml", 6);
    let ran = run(&scratch, &test);
    assert_eq!((diff.code, ran.code), (Some(1), Some(1)), "{}{}", diff.stderr, ran.stderr);
    let changes = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with(['-', '+']));
        lines.filter(|line| !line.starts_with("---") && !line.starts_with("+++")).map(str::to_string).collect()
    };
    assert_eq!(changes(&ran.stdout), changes(&diff.stdout));
    for words in [
        "-  rules.rounds       5\n+  rules.rounds       6\n",
        "@@ Settings @@",
        "--- ours/short.snapshot\n+++ now\n",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    let ran = run(&scratch, &accept);
    assert!(ran.code == Some(0) && ran.stdout.ends_with("accepted in ours/short.snapshot\n"), "{}", ran.stdout);
    // A snapshot remains whose ruleset is gone.
    short(&scratch, "ours/other.toml", 3);
    fs::remove_file(scratch.path().join("ours/short.toml")).expect("it was there");
    let ran = run(&scratch, &accept);
    assert!(ran.stdout.contains("ours/short.snapshot: its ruleset is gone; remove it too"), "{}", ran.stdout);
    assert_eq!(ran.code, Some(1));
    let same = run(&scratch, &["rules", "diff", "ours/other.toml", "--set", "rounds=3"]).fine();
    assert_eq!(same, "ours/other.toml and rounds=3 decide the same\n");
}

fn own_games_and_records_are_judged() {
    let scratch = Scratch::new();
    short(&scratch, "ours/short.toml", 2);
    scratch.file("ours/games/tie.toml", "game = \"rps\"\nmoves = [\"0\", \"1\", \"1\", \"0\"]\n");
    scratch.file("ours/games/open.toml", "game = \"rps\"\nmoves = [\"0\"]\n");
    scratch.file("ours/games/wrong.toml", "game = \"rps\"\nmoves = [\"0\", \"1\"]\nanswer = \"stone\"\n");
    scratch.file("ours/games/long.toml", "game = \"rps\"\nmoves = [\"0\", \"1\", \"1\", \"0\", \"2\"]\n");
    scratch.file("ours/games/other.toml", "game = \"go\"\nmoves = [\"pass\"]\n");
    fs::copy(checkout("tests/data/records/rps.db"), scratch.path().join("ours/season.db")).expect("a record");
    fs::copy(checkout("tests/data/records/go.db"), scratch.path().join("ours/other.db")).expect("a record");
    run(&scratch, &["rules", "test", "ours", "--accept"]).fine();
    let text = fs::read_to_string(scratch.path().join("ours/short.snapshot")).expect("a snapshot");
    for words in [
        "  tie\n    after move 4, 0, the game is over: 0 : 0, tie\n",
        "  open\n    after move 1, 0, seat 2 is to move\n",
        "  wrong\n    move 3 of seat 1 is token R",
        "  long\n    over before move 5: the game is over: 0 : 0, tie\n",
        "Own records\n  season.db\n    0 of 30 games end as they did\n    s1/r1/m1/g1: ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("other"), "{text}");
    // A contest of two cannot be judged by rules for more.
    let three = fs::read_to_string(checkout("rulesets/boxing-1994.toml")).expect("a ruleset");
    scratch.file("three/three.toml", three.replace("seats = [2, 8]", "seats = [3, 3]").replace("ABCDEFGH", "ABC"));
    fs::copy(checkout("tests/data/records/mini.db"), scratch.path().join("three/two.db")).expect("a record");
    run(&scratch, &["rules", "test", "three", "--accept"]).fine();
    let text = fs::read_to_string(scratch.path().join("three/three.snapshot")).expect("a snapshot");
    assert!(
        text.contains("now unknown: 2 seats, but the ruleset boxing-1994 allows 3 to 3\n")
            && text.contains("\n3 seats: games\n"),
        "{text}"
    );
}

fn mistakes_are_reported_and_the_rest_is_tested() {
    let scratch = Scratch::new();
    short(&scratch, "ours/short.toml", 2);
    run(&scratch, &["rules", "test", "ours", "--accept"]).fine();
    scratch.file("ours/broken.toml", "id = \"broken\"\ngame = \"rsp\"\n");
    let ran = run(&scratch, &["rules", "test", "ours"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "ours/short.toml: as accepted\n"));
    assert!(
        ran.stderr.contains("ours/broken.toml:2: ") && ran.stderr.contains("unknown game `rsp`"),
        "{}",
        ran.stderr
    );
    fs::remove_file(scratch.path().join("ours/broken.toml")).expect("it was there");
    for (text, words) in [
        ("game = \"rp\"\n", "ours/games/g.toml:1: there is no game `rp` (did you mean `rps`?)"),
        ("game = \"rps\"\nmove = []\n", "ours/games/g.toml:2: unknown field `move`"),
        ("moves = []\n", "ours/games/g.toml:1: missing field `game`"),
        ("game = \"boxing\"\nboard = \"none\"\n", "ours/games/g.toml:2: none: No such file"),
    ] {
        scratch.file("ours/games/g.toml", text);
        let ran = run(&scratch, &["rules", "test", "ours"]);
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

fn wrong_requests_are_refused() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path().join("empty")).expect("a folder");
    for (args, words) in [
        (&["snapshot", "boxing-1995"][..], "(did you mean `boxing-1994`?)"),
        (&["snapshot", "boxing-1994", "--set", "max_squar=8"], "(did you mean `max_square`?)"),
        (&["diff", "boxing-1994"], "<B>"),
        (
            &["diff", "boxing-1994", "rps-published"],
            "boxing-1994 is a ruleset of boxing, and rps-published one of rps",
        ),
        (&["test", "empty"], "empty has no ruleset"),
        (&["test", "emty"], "no such folder: emty hint: did you mean `empty`?"),
        (&["tset", "empty"], "'test'"),
    ] {
        let args: Vec<&str> = ["rules"].iter().chain(args).copied().collect();
        let ran = run(&scratch, &args);
        let said = ran.stderr.replace('\n', " ");
        assert!(ran.code == Some(2) && said.contains(words), "{args:?}: {words}: {}", ran.stderr);
    }
}
