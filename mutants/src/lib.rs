//! `mutant KIND`: a bot that breaks one rule, or only looks as if it did, for tests of the suite.
//!
//! The tables in `kinds/` list the kinds of mutant: every fault, and the checks that must find it, if any. A bot is
//! made of steps; a mutant is the faultless bot of its game with one step replaced or, rarely, several. Faults of a
//! protocol are shared by the games that have it. One of these games is Nim, in a version for each protocol; its only
//! checks are those of the protocol.
//!
//! A link to the program, or a copy, whose name is a kind plays that kind; its arguments are then those after KIND.

#![forbid(unsafe_code)]

mod boxing;
mod filter;
mod go;
mod lines;
mod nim;
mod process;
mod protocol;
mod rps;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

/// One kind of mutant.
pub struct MutantKind {
    /// Its name, the program's first argument.
    pub name: &'static str,
    /// Its fault, in words.
    pub fault: &'static str,
    /// The ids of all checks that fail; empty for a bot that must pass.
    pub expect: Vec<&'static str>,
}

/// The kinds of `game` in a table of the folder `kinds/`, whose head says what a row has. Their names begin with
/// `prefix`.
fn kinds_of(game: &str, table: &'static str, prefix: &str) -> Vec<MutantKind> {
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rows = rows.map(|line| line.split('|').map(str::trim).collect::<Vec<&str>>());
    let head = rows.next().expect("the first row names the columns");
    let column = head.iter().position(|cell| *cell == game).expect("the table has a column for the game");
    let is_of_game = |row: &Vec<&str>| row[column] != "-";
    let kind = |row: Vec<&'static str>| MutantKind {
        name: format!("{prefix}{}", row[0]).leak(),
        fault: row[row.len() - 1],
        expect: row[column].split_whitespace().collect(),
    };
    rows.filter(is_of_game).map(kind).collect()
}

/// The mutants of a game.
pub struct Mutants {
    /// The id of the game.
    pub id: &'static str,
    /// The beginning of the names of its kinds.
    prefix: &'static str,
    /// Every kind, read from its table only when needed: bots are started often.
    pub kinds: LazyLock<Vec<MutantKind>>,
    usage: &'static str,
    /// Plays as the kind of this name; `None` if there is no such bot.
    play: fn(&str, Vec<OsString>) -> Option<ExitCode>,
}

/// The games.
pub static GAMES: LazyLock<[Mutants; 5]> =
    LazyLock::new(|| [boxing::mutants(), rps::mutants(), go::mutants(), nim::mutants(), nim::filter_mutants()]);

/// The kinds of the game with this id.
///
/// # Panics
/// If there is no such game.
pub fn kinds(game: &str) -> &'static [MutantKind] {
    &GAMES.iter().find(|other| other.id == game).expect("a game that has mutants").kinds
}

/// Plays the kind that the program's name or its first argument names.
pub fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let called = args.next().unwrap_or_default();
    if let Some((game, kind)) = Path::new(&called).file_name().and_then(named) {
        return play(game, kind, args.collect());
    }
    let Some(first) = args.next() else { return usage("no kind given") };
    if let Some(code) = first.to_str().and_then(process::helper) {
        return code;
    }
    match named(&first) {
        Some((game, kind)) => play(game, kind, args.collect()),
        None if first == "--list" => list(),
        None => usage(&format!("unknown kind `{}`", first.display())),
    }
}

/// The kind called `name`, and its game.
fn named(name: &OsStr) -> Option<(&'static Mutants, &'static MutantKind)> {
    // Boxing, whose kinds have no prefix, is the first game and thus tried last.
    let mut games = GAMES.iter().rev().filter(|game| name.as_bytes().starts_with(game.prefix.as_bytes()));
    games.find_map(|game| Some((game, game.kinds.iter().find(|kind| name == kind.name)?)))
}

fn play(game: &Mutants, kind: &MutantKind, args: Vec<OsString>) -> ExitCode {
    (game.play)(kind.name, args).expect("every kind in the table has a bot")
}

fn list() -> ExitCode {
    for MutantKind { name, fault, expect } in GAMES.iter().flat_map(|game| &*game.kinds) {
        let expect = if expect.is_empty() { "passes".to_string() } else { expect.join(" ") };
        println!("{name:28} {expect:18} {fault}");
    }
    ExitCode::SUCCESS
}

fn usage(what: &str) -> ExitCode {
    let lines: String = GAMES.iter().map(|game| format!("       mutant {}\n", game.usage)).collect();
    eprintln!("error: {what}\nusage:\n{lines}       mutant --list");
    ExitCode::from(2)
}
