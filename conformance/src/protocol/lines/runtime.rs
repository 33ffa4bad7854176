//! Languages whose runtime starts threads by itself, which are not the author's fault (R8).

use cornerman_harness::sandbox::Program;
use memchr::memmem;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Interpreters and virtual machines that start threads of their own.
const THREADED: [&str; 23] = [
    "java",
    "node",
    "nodejs",
    "deno",
    "bun",
    "dotnet",
    "mono",
    "ruby",
    "erl",
    "escript",
    "beam.smp",
    "scala",
    "clojure",
    "julia",
    "guile",
    "sbcl",
    "swipl",
    "runghc",
    "runhaskell",
    "elixir",
    "kotlin",
    "groovy",
    "raku",
];

/// The markers that the toolchains of Go and Haskell put into every program, backwards: this program must not contain
/// them.
const MARKERS_BACKWARDS: [&[u8]; 2] = [b":fnidliub oG \xff", b"STR CHG"];

/// The greatest number of bytes of a program that are searched.
const MOST: u64 = 256 << 20;

/// Whether `program` runs in a runtime that starts threads by itself.
pub(crate) fn has_threads(program: &Program) -> bool {
    let Some(first) = program.argv.first().map(Path::new) else { return false };
    // The interpreter may be the second word, as in `env java`.
    program.argv.iter().take(2).any(|word| is_threaded(Path::new(word))) || file_has_threads(first)
}

fn is_threaded(word: &Path) -> bool {
    word.file_name().is_some_and(|name| THREADED.iter().any(|known| name == OsStr::new(known)))
}

/// Whether the file is a script for such a runtime, or was built with one.
fn file_has_threads(program: &Path) -> bool {
    let mut content = Vec::new();
    let read = File::open(program).and_then(|file| file.take(MOST).read_to_end(&mut content));
    if let Some(line) = content.strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next()) {
        let line = String::from_utf8_lossy(line);
        return line.split_whitespace().any(|word| is_threaded(Path::new(word)));
    }
    let has = |backwards: &[u8]| {
        let marker: Vec<u8> = backwards.iter().rev().copied().collect();
        memmem::find(&content, &marker).is_some()
    };
    read.is_ok() && content.starts_with(b"\x7fELF") && MARKERS_BACKWARDS.into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(argv: &[&str], threads: bool) {
        let argv = argv.iter().map(Into::into).collect();
        assert_eq!(has_threads(&Program { argv, folder: "/".into(), parts: Vec::new() }), threads);
    }

    #[test]
    fn runtimes_with_threads_are_known_by_their_names() {
        check(&["/usr/bin/java", "-cp", "bot.jar", "Main"], true);
        check(&["/usr/bin/env", "node", "bot.js"], true);
        check(&["/usr/bin/python3", "bot.py"], false);
        check(&["/usr/bin/guile", "-s", "bot.scm"], true);
        check(&["/proc/self/exe"], false);
    }
}
