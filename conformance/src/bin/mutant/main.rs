//! `mutant KIND`: a bot that keeps every rule but one, for the suite to be tested on.
//!
//! [`kinds`] names each fault and what the suite must say of it. For Boxing [`bot`] is the faultless bot as a row of
//! steps; each of the other modules holds one group of faults, every fault a single step replaced. [`hands`] is the
//! same for rock-paper-scissors, and [`stones`] for Go. A link or
//! copy of the program that bears the name of a kind is that kind, and takes its mark as the first argument.

#![forbid(unsafe_code)]

mod board;
mod bot;
mod form;
mod hands;
mod kinds;
mod memory;
mod odd;
mod running;
mod shape;
mod state;
mod stones;
mod time;

use bot::Bot;
use hands::kinds::RPS_KINDS;
use kinds::{KINDS, Kind};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;
use stones::kinds::GO_KINDS;

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let called = args.next().unwrap_or_default();
    if let Some(kind) = Path::new(&called).file_name().and_then(named) {
        return play(kind, args.collect());
    }
    let Some(first) = args.next() else { return usage("no kind was given") };
    if let Some(code) = first.to_str().and_then(running::helper) {
        return code;
    }
    match named(&first) {
        Some(kind) => play(kind, args.collect()),
        None if first == "--list" => list(),
        None => usage(&format!("there is no kind `{}`", first.display())),
    }
}

fn named(name: &OsStr) -> Option<&'static Kind> {
    all().find(|kind| name == kind.name)
}

fn all() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().chain(RPS_KINDS).chain(GO_KINDS)
}

fn play(kind: &Kind, args: Vec<OsString>) -> ExitCode {
    if let Some(bot) = stones::bot(kind.name) {
        return bot.run(&args);
    }
    if let Some(bot) = hands::bot(kind.name) {
        return bot.run();
    }
    bot_of(kind.name).expect("every kind in the table is in one of the groups").run(args)
}

fn bot_of(kind: &str) -> Option<Bot> {
    [form::bot, shape::bot, board::bot, state::bot, time::bot, running::bot, odd::bot]
        .into_iter()
        .find_map(|group| group(kind))
}

fn list() -> ExitCode {
    for Kind { name, fault, expect } in all() {
        let expect = if expect.is_empty() { "passes".to_string() } else { expect.join(" ") };
        println!("{name:28} {expect:18} {fault}");
    }
    ExitCode::SUCCESS
}

fn usage(what: &str) -> ExitCode {
    eprintln!(
        "error: {what}\nusage: mutant KIND MARK <old.arena >new.arena\n       mutant rps-KIND\n       \
         mutant go-KIND black|white [SIZE]\n       mutant --list"
    );
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_bot() {
        for kind in KINDS {
            assert!(bot_of(kind.name).is_some(), "no group knows `{}`", kind.name);
        }
        for kind in RPS_KINDS {
            assert!(hands::bot(kind.name).is_some(), "nobody knows `{}`", kind.name);
        }
        for kind in GO_KINDS {
            assert!(stones::bot(kind.name).is_some(), "nobody knows `{}`", kind.name);
        }
    }
}
