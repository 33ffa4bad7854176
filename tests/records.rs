//! Kept records are read, replayed, verified and reported.
//!
//! They are in `tests/data/records/`, each with the standings that it must give, which are compared as bytes. The
//! folder's `README.md` says how the records were made.

mod extracts;
mod tampering;

use crate::support::{Ran, Scratch, checkout, trial};
use cornerman::format::EntrantId;
use cornerman_harness::record::Record;
use libtest_mimic::Trial;
use rusqlite::Connection;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The records of unfinished tournaments, with the states of their stages.
const UNFINISHED: [(&str, &[&str]); 3] = [
    ("begun", &["under way"]),
    ("stopped", &["over", "under way", "waiting for stages before it"]),
    ("unplayable", &["over", "cannot be played", "waiting for stages before it"]),
];

/// What must occur in at least one record: formats of stages, faults that end a game, and remarks on stages and moves.
const COVERED: [(&str, &[&str]); 4] = [
    (
        "format",
        &["all-play-all", "brackets", "gauntlet", "knockout", "pair-swiss", "permutations", "seeding", "swiss"],
    ),
    (
        "fault",
        &[
            // Boxing.
            "charset",
            "filled",
            "final-newline",
            "lead",
            "length",
            "line-ending",
            "mark",
            "none",
            "one",
            "rows",
            "square",
            "trail",
            "vacant",
            // Rock-paper-scissors.
            "token",
            // Go.
            "ko",
            "no-move",
            "occupied",
            "refused",
            "resigned",
            "suicide",
            "superko",
            // Several games.
            "cannot-start",
            "died",
            "left",
            "out-of-memory",
            "timeout",
            "too-much",
        ],
    ),
    ("remark", &["bye", "filler", "lot", "note", "repeat"]),
    (
        "remark of a move",
        &["exit status 3 (B5)", "left a process running (B9)", "slower than the soft limit (B10)"],
    ),
];

type Check = fn(&Kept);

/// The checks of every record.
const CHECKS: [(&str, Check); 6] = [
    ("standings_are_as_they_were", standings_are_as_they_were),
    ("unfinished_stages_show_as_unfinished", unfinished_stages_show_as_unfinished),
    ("every_game_is_on_the_page", every_game_is_on_the_page),
    ("first_and_last_game_can_be_replayed", first_and_last_game_can_be_replayed),
    ("every_game_can_be_exported", every_game_can_be_exported),
    ("everything_in_it_is_verified", everything_in_it_is_verified),
];

pub fn trials() -> Vec<Trial> {
    let mut trials =
        vec![trial!(every_contest_has_a_record), trial!(every_format_game_fault_and_remark_is_in_a_record)];
    trials.push(trial!(every_seal_is_that_of_the_documented_script, ["python3"]));
    trials.extend(extracts::trials());
    for path in files("tests/data/records", "db") {
        let name = stem(&path);
        for (what, check) in CHECKS {
            let path = path.clone();
            trials.push(trial(&format!("records::{name}::{what}"), &[], move || check(&Kept::copy(&path))));
        }
        let name = format!("records::{name}::every_change_is_found");
        trials.push(trial(&name, &[], move || tampering::every_change_is_found(&path)));
    }
    trials
}

/// The files with this extension in a folder of the checkout, sorted.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let found = fs::read_dir(checkout(folder)).expect("a folder of the checkout");
    let mut files: Vec<PathBuf> = found.map(|file| file.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == extension));
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}

/// A copy of a record in a folder of its own, because SQLite may write files beside it.
struct Kept {
    name: String,
    scratch: Scratch,
}

impl Kept {
    fn copy(path: &Path) -> Kept {
        let scratch = Scratch::new();
        scratch.file("kept.db", fs::read(path).expect("a record"));
        Kept { name: stem(path), scratch }
    }

    /// The output of a command for the record, with further arguments separated by spaces.
    #[track_caller]
    fn ask(&self, command: &str, args: &str) -> String {
        Ran::from_command(self.scratch.cornerman([command, "kept.db"].into_iter().chain(args.split_whitespace())))
            .fine()
    }

    fn standings(&self) -> Value {
        serde_json::from_str(&self.ask("standings", "--format json")).expect("an object")
    }

    /// The games of the record, as exported.
    fn games(&self) -> Vec<Value> {
        self.ask("export", "").lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
    }
}

/// The value of `key` in each element of a list.
fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    let list = list.as_array().expect("a list").iter();
    list.map(|element| element[key].as_str().expect("text")).collect()
}

fn standings_are_as_they_were(kept: &Kept) {
    let golden = checkout(&format!("tests/data/records/{}.txt", kept.name));
    let shown = kept.ask("standings", "");
    if std::env::var_os("ACCEPT").is_some() {
        fs::write(&golden, &shown).expect("the checkout can be written to");
    }
    let wanted = fs::read(&golden).unwrap_or_default();
    assert!(
        wanted == shown.as_bytes(),
        "{} has\n{}\nand shown is\n{shown}",
        golden.display(),
        String::from_utf8_lossy(&wanted)
    );
}

fn unfinished_stages_show_as_unfinished(kept: &Kept) {
    let standings = kept.standings();
    let states = texts(&standings["stages"], "state");
    match UNFINISHED.iter().find(|(name, _)| *name == kept.name) {
        Some((_, wanted)) => assert_eq!(states, *wanted),
        None => assert!(states.iter().all(|state| ["over", "not needed"].contains(state)), "{states:?}"),
    }
    for format in ["text", "md"] {
        let shown = kept.ask("standings", &format!("--format {format}"));
        assert!(states.iter().all(|state| shown.contains(in_words(&standings, state))), "{shown}");
    }
}

/// The state of a stage in words: before the first game, a stage under way has not begun.
fn in_words<'a>(standings: &Value, state: &'a str) -> &'a str {
    if standings["games"] == 0 && state == "under way" { "not begun" } else { state }
}

fn every_game_is_on_the_page(kept: &Kept) {
    let ran = Ran::from_command(kept.scratch.cornerman(["report", "kept.db"]));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "wrote kept.html\n"));
    let page = fs::read_to_string(kept.scratch.path().join("kept.html")).expect("the page");
    let standings = kept.standings();
    assert_eq!(page.matches("id=\"game:").count() as u64, standings["games"].as_u64().expect("a number"));
    for state in texts(&standings["stages"], "state") {
        let words = in_words(&standings, state);
        assert!(page.contains(words), "{words:?} is not on the page");
    }
}

fn first_and_last_game_can_be_replayed(kept: &Kept) {
    let games = kept.games();
    for game in games.first().into_iter().chain(games.last()) {
        let id = game["id"].as_str().expect("a name");
        assert!(kept.ask("replay", id).lines().count() > 1, "{id}");
        let told = kept.ask("replay", &format!("{id} --format json"));
        assert!(told.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{told}");
    }
}

fn every_game_can_be_exported(kept: &Kept) {
    let lines = kept.ask("export", "");
    assert_eq!(lines.lines().count() as u64, kept.standings()["games"].as_u64().expect("a number"));
    for (line, game) in lines.lines().zip(kept.games()) {
        let moves = game["moves"].as_array().expect("moves").len();
        assert!(moves + game["faults"].as_array().expect("faults").len() > 0, "{line}");
    }
    if let Some(game) = kept.games().last() {
        let id = game["id"].as_str().expect("a name");
        assert_eq!(Some(kept.ask("export", id).trim_end()), lines.lines().last());
        if game["game"] == "go" {
            assert!(kept.ask("export", &format!("{id} --format sgf")).starts_with("(;FF[4]GM[1]"));
        }
    }
}

fn everything_in_it_is_verified(kept: &Kept) {
    let shown = kept.ask("verify", "");
    let games = kept.standings()["games"].as_u64().expect("a number");
    assert!(shown.starts_with(&format!("kept.db: {games} game")), "{shown}");
    let last = shown.lines().last().unwrap_or_default();
    let is_sealed = last.strip_prefix("seal ").is_some_and(|seal| seal.len() == 64);
    assert!(if games == 0 { last == "no seal: no game has been recorded" } else { is_sealed }, "{shown}");
}

/// The script in the documentation describes the seal, and reads nothing but the record's file.
fn every_seal_is_that_of_the_documented_script() {
    for path in files("tests/data/records", "db") {
        let kept = Kept::copy(&path);
        let record = Record::open(&kept.scratch.path().join("kept.db")).unwrap();
        let wanted = record.seal().unwrap().map_or("None".to_string(), |seal| seal.to_string());
        assert_eq!(seal_by_script(&path), wanted, "{}", path.display());
        let extract = kept.scratch.path().join("extract.db");
        record.extract_to(&extract, EntrantId(0)).unwrap();
        assert_eq!(seal_by_script(&extract), wanted, "an extract of {}", path.display());
        // A forger of an extract can make the links of its chain fit, but not the seal.
        let db = Connection::open(&extract).unwrap();
        if db
            .execute("UPDATE left_out SET sha256 = zeroblob(32) WHERE id = (SELECT min(id) FROM left_out)", [])
            .unwrap()
            > 0
        {
            assert_ne!(seal_by_script(&extract), wanted, "a forged extract of {}", path.display());
        }
    }
}

fn seal_by_script(record: &Path) -> String {
    let ran = std::process::Command::new("python3").arg(checkout("docs/seal.py")).arg(record).output();
    let ran = ran.expect("python3 can be run");
    assert!(ran.status.success(), "{}: {}", record.display(), String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("it prints ASCII").trim_end().to_string()
}

/// Every contest of the checkout, and every contest that was written for the records, has a record.
fn every_contest_has_a_record() {
    let records: BTreeSet<String> = files("tests/data/records", "db").iter().map(|path| stem(path)).collect();
    let contests = files("contests", "toml").into_iter().chain(files("tests/data/records", "toml"));
    // A record of a game that is a program needs what runs it, so `tests/judges.rs` plays that contest instead.
    let names = contests.map(|path| stem(&path)).filter(|name| name != "pahtum-finals");
    let missing: Vec<String> = names.filter(|name| !records.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn every_format_game_fault_and_remark_is_in_a_record() {
    let mut found = BTreeSet::new();
    for path in files("tests/data/records", "db") {
        let kept = Kept::copy(&path);
        let standings = kept.standings();
        let mut add = |kind, words: Vec<&str>| found.extend(words.iter().map(|word| (kind, word.to_string())));
        add("format", texts(&standings["stages"], "format"));
        add("fault", texts(&standings["forfeits"], "kind"));
        add("remark", texts(&standings["remarks"], "kind"));
        for game in kept.games() {
            add("game", game["game"].as_str().into_iter().collect());
            let moves = game["moves"].as_array().expect("moves").iter();
            add("remark of a move", moves.filter_map(|made| made["remarks"].as_str()).collect());
        }
    }
    let games: Vec<&str> = cornerman_cli::games::all().iter().map(|game| game.kit.id()).collect();
    for (kind, words) in COVERED.into_iter().chain([("game", &games[..])]) {
        for word in words {
            assert!(found.contains(&(kind, word.to_string())), "no record has the {kind} {word}");
        }
    }
}
