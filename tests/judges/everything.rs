//! Every example of a judge, and every game that `new-game` writes, goes through every command.

use super::ran;
use crate::support::{Scratch, checkout, trial};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A game: the folder in `examples/judges` or the language of `new-game`, the tool that it needs, the bots that play,
/// another value of one of its rules, and what `why` says about lost games.
struct Game {
    folder: &'static str,
    tools: &'static [&'static str],
    bots: &'static [&'static str],
    set: Option<&'static str>,
    why: &'static str,
}

const BY_VALUE: &str = "value of the position, as the game itself states it";
const BY_PLAYING_OUT: &str = "share of wins, each position played out at random";

const EXAMPLES: [Game; 5] = [
    Game { folder: "pahtum", tools: &["python3", "cc"], bots: &["first.py", "row.c"], set: None, why: BY_VALUE },
    Game {
        folder: "honeycomb",
        tools: &["python3"],
        bots: &["near.py", "rush.py", "near.py", "rush.py"],
        set: Some("radius=5"),
        why: BY_VALUE,
    },
    Game {
        folder: "bluff",
        tools: &["python3"],
        bots: &["honest.py", "timid.py"],
        set: Some("dice=4"),
        why: BY_PLAYING_OUT,
    },
    Game {
        folder: "wrapped",
        tools: &["python3"],
        bots: &["mixed.py", "rocks.py"],
        set: None,
        why: "does not list its legal moves",
    },
    Game {
        folder: "library",
        tools: &["python3"],
        bots: &["first.py", "last.py"],
        set: Some("game=tic_tac_toe"),
        why: BY_PLAYING_OUT,
    },
];

/// `new-game` in its languages.
const NEW: [Game; 4] = [
    Game {
        folder: "python",
        tools: &["python3"],
        bots: &["greedy.py", "first.py"],
        set: Some("most=20"),
        why: BY_PLAYING_OUT,
    },
    Game {
        folder: "c++",
        tools: &["python3", "c++"],
        bots: &["greedy.py", "first.py"],
        set: Some("most=20"),
        why: BY_PLAYING_OUT,
    },
    Game {
        folder: "javascript",
        tools: &["python3", "node"],
        bots: &["greedy.py", "first.py"],
        set: Some("most=20"),
        why: BY_PLAYING_OUT,
    },
    Game {
        folder: "rust",
        tools: &["python3", "rustc"],
        bots: &["greedy.py", "first.py"],
        set: Some("most=20"),
        why: BY_PLAYING_OUT,
    },
];

pub fn trials() -> Vec<Trial> {
    let examples = EXAMPLES.into_iter().map(|game| {
        trial(&format!("judges::everything::{}", game.folder), game.tools, move || {
            let scratch = Scratch::new();
            let from = checkout("examples/judges").join(game.folder);
            let copied = Command::new("cp").arg("-r").args([&from, scratch.path()]).status();
            assert!(copied.is_ok_and(|status| status.success()), "{}", from.display());
            everything(&scratch, game.folder, &game);
        })
    });
    let new = NEW.into_iter().map(|game| {
        trial(&format!("judges::everything::new_{}", game.folder), game.tools, move || {
            let scratch = Scratch::new();
            ran(&scratch, &["new-game", "dots", "--lang", game.folder], 0);
            everything(&scratch, "dots", &game);
        })
    });
    examples.chain(new).collect()
}

/// Takes the game in `folder` through every command.
fn everything(scratch: &Scratch, folder: &str, game: &Game) {
    let fine = |args: &[&str]| ran(scratch, args, 0).0;
    let has = |args: &[&str], words: &str| {
        let out = fine(args);
        assert!(out.contains(words), "{args:?}: {words:?} is not in {out}");
    };
    let rules = format!("{folder}/{folder}.toml");
    let bots: Vec<String> = game.bots.iter().map(|bot| format!("{folder}/bots/{bot}")).collect();
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();

    has(&["judge", folder, "--budget", "1s", "--strict"], ": passes");
    has(&with(&rules, &[&["play"][..], &bots, &["--seed", "3"]].concat()), "slowest");
    fine(&with(&rules, &[&["play"][..], &bots, &["--format", "json"]].concat()));
    has(&with(&rules, &["check", bots[0], "--budget", "0"]), "slowest move");
    has(&with(&rules, &["rules", "keys"]), "judge.source");
    let seats = ["--games", "4", "--seats", &bots.len().to_string()];
    has(&with(&rules, &[&["spar", bots[0]], &seats[..]].concat()), "opponent");
    let compare = with(&rules, &[&["compare", bots[0], bots[1]], &seats[..]].concat());
    assert!(super::command(scratch, &compare).output().is_ok_and(|it| matches!(it.status.code(), Some(0 | 1))));

    let cup = format!("{folder}/cup.toml");
    if !scratch.path().join(&cup).exists() {
        let entrants: Vec<String> = game.bots.iter().map(|bot| format!("\"bots/{bot}\"")).collect();
        let text = format!(
            "name = \"cup\"\nruleset = \"{folder}.toml\"\nentrants = [{}]\n[[stages]]\nkind = \"all-play-all\"\n",
            entrants.join(", ")
        );
        scratch.file(&cup, text);
    }
    fine(&["tournament", &cup, "--db", "cup.db"]);
    has(&["standings", "cup.db"], "place");
    has(&["games", "cup.db"], "to see it");
    has(&["replay", "cup.db", "s1/r1/m1/g1"], "the start");
    fine(&["replay", "cup.db", "s1/r1/m1/g1", "--format", "json"]);
    let why = |more: &[&str]| -> String {
        let names = game.bots.iter().take(2).map(|bot| bot.split('.').next().expect("a name"));
        names.map(|name| fine(&[&["why", "cup.db", "--bot", name][..], more].concat())).collect()
    };
    let [alone, with_bots] = [why(&[]), why(&["--by", &bots.join(",")])];
    assert!(alone.contains(game.why), "{alone}");
    let by_bots =
        if game.why == BY_VALUE { BY_VALUE } else { "share of wins, each position played on up to 4 times by" };
    assert!(with_bots.contains(by_bots), "{with_bots}");
    fine(&["report", "cup.db"]);
    assert!(scratch.path().join("cup.html").exists());
    has(&["verify", "cup.db"], "follow from the contest and its rules");
    has(&["rejudge", "cup.db", "--rules", &rules], "0 otherwise, and of 0 nobody knows");
    if let Some(set) = game.set {
        has(&["rejudge", "cup.db", "--set", set], "judged by");
        ran(scratch, &["rules", "diff", &rules, "--set", set], 1);
    }
    has(&["audit", "cup.db"], "bots in");
    assert!(fine(&["export", "cup.db"]).lines().count() > 1);

    // The rules, as they were accepted.
    let accepted = format!("{folder}/accepted");
    fs::create_dir(scratch.path().join(&accepted)).expect("a folder");
    copy_rules(scratch, folder, &accepted);
    has(&["rules", "snapshot", &rules], "judge.files");
    fine(&["rules", "test", &accepted, "--accept"]);
    fine(&["rules", "test", &accepted]);
    has(&["rules", "diff", &rules, &rules], "decide the same");
}

/// A command that is given the rules.
fn with<'a>(rules: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    [args, &["--rules", rules]].concat()
}

/// Copies the ruleset and what it names into the folder `to`.
fn copy_rules(scratch: &Scratch, folder: &str, to: &str) {
    let files = fs::read_dir(scratch.path().join(folder)).expect("a folder").flatten();
    for file in files.filter(|file| file.path().is_file() && Path::new(&file.file_name()) != Path::new("cup.toml"))
    {
        fs::copy(file.path(), scratch.path().join(to).join(file.file_name())).expect("it can be copied");
    }
}
