//! `mutant KIND`: a bot that breaks exactly one rule, for tests of the suite.
//!
//! Each game has a folder. Its list of kinds names every fault and the checks that must find it; its bots are a
//! faultless one with a single step replaced. The faults of a protocol are those of all games that have it, among them Nim,
//! which has either protocol and no checks but those of the protocol. A link to the program, or a copy, whose name is a kind plays that kind;
//! its arguments are then those after KIND.

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
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

/// One kind of mutant.
#[derive(Clone)]
pub struct MutantKind {
    /// Its name, the program's first argument.
    pub name: &'static str,
    /// Its fault, in words.
    pub fault: &'static str,
    /// The ids of all checks that fail; empty for a bot that must pass.
    pub expect: &'static [&'static str],
}

/// A kind, by name, fault and failing checks.
pub const fn kind(name: &'static str, fault: &'static str, expect: &'static [&'static str]) -> MutantKind {
    MutantKind { name, fault, expect }
}

/// The mutants of a game.
pub struct Mutants {
    /// The id of the game.
    pub id: &'static str,
    /// Every kind, made when it is asked for: bots are started often.
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
    GAMES.iter().find_map(|game| Some((game, game.kinds.iter().find(|kind| name == kind.name)?)))
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
