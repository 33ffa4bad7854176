//! Languages whose runtime starts threads by itself, which are not the author's fault (R8).

use cornerman_harness::sandbox::Program;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Interpreters and virtual machines that start threads of their own.
const THREADED: [&str; 14] = [
    "java", "node", "nodejs", "deno", "bun", "dotnet", "mono", "ruby", "erl", "escript", "beam.smp", "scala",
    "clojure", "julia",
];

/// The marker that the Go toolchain puts into every program, backwards: this program must not contain it.
const BUILT_BY_GO_BACKWARDS: &[u8] = b":fnidliub oG \xff";

/// The greatest number of bytes of a program that are searched.
const MOST: u64 = 256 << 20;

/// Whether `program` runs in a runtime that starts threads by itself.
pub fn has_threads(program: &Program) -> bool {
    let Some(first) = program.argv.first().map(Path::new) else { return false };
    // The interpreter may be the second word, as in `env java`.
    let words = || program.argv.iter().take(2).filter_map(|word| Path::new(word).file_name());
    words().any(|name| THREADED.iter().any(|known| name == OsStr::new(known))) || built_by_go(first)
}

fn built_by_go(program: &Path) -> bool {
    let mut content = Vec::new();
    let read = File::open(program).and_then(|file| file.take(MOST).read_to_end(&mut content));
    let is_marker = |at: &[u8]| at[0] == b'\xff' && at.iter().rev().eq(BUILT_BY_GO_BACKWARDS);
    read.is_ok() && content.starts_with(b"\x7fELF") && content.windows(BUILT_BY_GO_BACKWARDS.len()).any(is_marker)
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
        check(&["/proc/self/exe"], false);
    }
}
