//! Languages whose runtime has threads of its own, which no author can help (R8).

use cornerman_harness::sandbox::Program;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Interpreters and virtual machines that run threads beside the program's.
const THREADED: [&str; 14] = [
    "java", "node", "nodejs", "deno", "bun", "dotnet", "mono", "ruby", "erl", "escript", "beam.smp", "scala",
    "clojure", "julia",
];

/// What a program of Go has in it.
const BUILT_BY_GO: &[u8] = b"\xff Go buildinf:";

/// More of a program than this is not looked through.
const MOST: u64 = 256 << 20;

/// Whether a program of this kind has threads that its author did not start.
pub fn has_threads(program: &Program) -> bool {
    let Some(first) = program.argv.first().map(Path::new) else { return false };
    // `env java` and the like.
    let words = || program.argv.iter().take(2).filter_map(|word| Path::new(word).file_name());
    words().any(|name| THREADED.iter().any(|known| name == OsStr::new(known))) || built_by_go(first)
}

fn built_by_go(program: &Path) -> bool {
    let mut content = Vec::new();
    let read = File::open(program).and_then(|file| file.take(MOST).read_to_end(&mut content));
    read.is_ok()
        && content.starts_with(b"\x7fELF")
        && content.windows(BUILT_BY_GO.len()).any(|at| at == BUILT_BY_GO)
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
    fn machines_with_threads_are_known_by_their_names() {
        check(&["/usr/bin/java", "-cp", "bot.jar", "Main"], true);
        check(&["/usr/bin/env", "node", "bot.js"], true);
        check(&["/usr/bin/python3", "bot.py"], false);
        check(&["/proc/self/exe"], false);
    }
}
