//! Bad input: exit code 2, words that name the place, what was expected and the nearest that exists; nothing
//! runs, and nothing is written.

use crate::support::{Ran, Scratch, small_arena, trial};
use libtest_mimic::Trial;
use std::fs;

pub fn trials() -> Vec<Trial> {
    vec![trial("bad_input::dump", &[], dump)]
}

/// A folder with every kind of thing that is no bot, and one that is.
fn fixture() -> Scratch {
    let scratch = Scratch::new();
    scratch.script("witness.sh", ": > \"$here/ran\"\nmove");
    scratch.file("notes.txt", "a few words\n");
    scratch.file("plain.sh", "#!/bin/sh\ncat\n");
    scratch.executable("orphan", "#!/opt/no-such-interpreter -x\n");
    scratch.executable("alien", elf_header(243));
    scratch.file("no-toml/champion.py", "print(1)\n");
    scratch.file("empty/readme", "");
    scratch.file("unknown-key/bot.toml", "name = \"N\"\n\nautor = \"me\"\nrun = [\"./n\"]\n");
    scratch.file("wrong-type/bot.toml", "name = \"N\"\nrun = \"./n\"\n");
    scratch.file("empty-run/bot.toml", "name = \"N\"\nrun = []\n");
    scratch.file("no-run/bot.toml", "name = \"N\"\n");
    scratch.file("not-toml/bot.toml", "name = \"N\"\nrun = [\"./n\"\n");
    scratch.file("no-tool/bot.toml", "run = [\"no-such-tool\", \"bot.x\"]\n");
    scratch.file("no-build-tool/bot.toml", "build = [\"no-such-tool\"]\nrun = [\"./n\"]\n");
    scratch.file("no-program/bot.toml", "run = [\"./n\"]\n");
    scratch.file(
        "bad-build/bot.toml",
        "build = [\"sh\", \"-c\", \"echo it cannot be built; exit 1\"]\nrun = [\"./n\"]\n",
    );
    scratch.file("long-build/bot.toml", "build = [\"sh\", \"-c\", \"seq 1 100; exit 1\"]\nrun = [\"./n\"]\n");
    scratch.file("broken.c", "int main(void) { return nothing; }\n");
    scratch.file("good.arena", small_arena(4));
    scratch.file("full.arena", small_arena(0));
    scratch.file("short.arena", &small_arena(4)[33..]);
    scratch.file("wide.arena", small_arena(4).replacen("o\n", "oo\n", 3));
    scratch.file("dos.arena", small_arena(4).replace('\n', "\r\n"));
    scratch.file("untidy.arena", format!("{}\n", small_arena(4)));
    scratch
}

/// The beginning of a 64-bit program for the machine of this number.
fn elf_header(machine: u8) -> Vec<u8> {
    let mut header = b"\x7fELF\x02\x01\x01".to_vec();
    header.resize(64, 0);
    (header[16], header[18]) = (2, machine);
    header
}

fn dump() {
    let rows: &[&[&str]] = &[
        &["play", "witness.sg", "witness.sh"],
        &["play", "sub/witness.sh", "witness.sh"],
        &["play", "@gredy", "witness.sh"],
        &["play", "@", "witness.sh"],
        &["play", "", "witness.sh"],
        &["play", "greedy", "witness.sh"],
        &["play", "plain.sh", "witness.sh"],
        &["play", "notes.txt", "witness.sh"],
        &["play", "orphan", "witness.sh"],
        &["play", "alien", "witness.sh"],
        &["play", "no-toml", "witness.sh"],
        &["play", "empty", "witness.sh"],
        &["play", "unknown-key", "witness.sh"],
        &["play", "wrong-type", "witness.sh"],
        &["play", "empty-run", "witness.sh"],
        &["play", "no-run", "witness.sh"],
        &["play", "not-toml", "witness.sh"],
        &["play", "no-tool", "witness.sh"],
        &["play", "no-build-tool", "witness.sh"],
        &["play", "no-program", "witness.sh"],
        &["play", "bad-build", "witness.sh"],
        &["play", "long-build", "witness.sh"],
        &["play", "broken.c", "witness.sh"],
        &["play", "no-such", "@nobody", "notes.txt"],
        &["play", "witness.sh", "witness.sh", "--board", "god.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "empty"],
        &["play", "witness.sh", "witness.sh", "--board", "full.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "short.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "wide.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "dos.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "untidy.arena"],
        &["play", "witness.sh", "witness.sh", "--board", "empty/readme"],
        &["play", "witness.sh", "witness.sh", "--board", "good.arena", "--seed", "4"],
        &["play", "witness.sh", "witness.sh", "--marks", "A-"],
        &["play", "witness.sh", "witness.sh", "--marks", "oA"],
        &["play", "witness.sh", "witness.sh", "--marks", "ABC"],
        &["play", "witness.sh", "witness.sh", "--marks", "A"],
        &["play", "witness.sh", "witness.sh", "--marks", ""],
        &["play", "witness.sh", "witness.sh", "--marks", "AA"],
        &["play", "witness.sh", "witness.sh", "--marks", "A\t"],
        &["play", "witness.sh", "witness.sh", "--marks", "Aé"],
        &["play", "witness.sh", "witness.sh", "--marks", "é"],
        &["play", "witness.sh", "witness.sh", "--seed", "-1"],
        &["play", "witness.sh", "witness.sh", "--seed", "x"],
        &["play", "witness.sh"],
        &["play"],
        &[
            "play",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
            "witness.sh",
        ],
        &["play", "witness.sh", "witness.sh", "--isolation", "restrict"],
        &["play", "witness.sh", "witness.sh", "--format", "jsn"],
        &["play", "witness.sh", "witness.sh", "--sed", "4"],
        &["paly", "witness.sh", "witness.sh"],
        &["new", "x/../y"],
        &["new", "left hook"],
        &["new", ""],
        &["new", "."],
        &["new", "/"],
        &["new", "empty"],
        &["new", "notes.txt/bot"],
        &["new", "bot", "--lang", "pyton"],
        &["new", "bot", "--lang", "go"],
        &["new", "bot", "--game", "boxng"],
        &["completions", "bsh"],
    ];
    for args in rows {
        let s = fixture();
        let before = s.listing();
        let ran = Ran::of(s.cornerman(*args));
        println!(
            "$ cornerman {}\n{}{}=> {:?} same {}\n",
            args.join(" "),
            ran.stdout,
            ran.stderr,
            ran.code,
            s.listing() == before
        );
    }
    let _ = fs::metadata("x");
}
