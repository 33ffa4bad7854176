//! Tests of the harness with real bots: games of lines, tournaments, builds in every language, records whose writer is
//! killed, and GNU Go as the judge of our games.
//!
//! They are one program, because linking takes longer than most of them, and because most of their time is spent
//! waiting.

mod builds;
mod dialogue;
mod gnugo;
mod lines;
mod record;
#[path = "../../tests/support/sample.rs"]
mod sample;
mod shell;
mod tournament;

use libtest_mimic::Arguments;
use sample::Matrix;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Some languages play in each run, and all of them in `.ci/run`.
const MATRICES: &[Matrix] = &[Matrix {
    what: "bots in each language",
    one_in: 3,
    group: |name| name.starts_with("dialogue::").then(String::new),
}];

fn main() {
    record::write_if_asked();
    cornerman_harness::sandbox::serve_if_asked();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages-cache");
    if std::env::var_os("XDG_CACHE_HOME").is_none_or(|set| set != *cache) {
        // Tests must not build into the user's cache, and an environment variable can only be set for a new process.
        let again = std::env::current_exe()
            .map(|own| Command::new(own).args(std::env::args_os().skip(1)).env("XDG_CACHE_HOME", &cache).exec());
        panic!("cannot restart with a separate cache: {again:?}");
    }
    let mut args = Arguments::from_args();
    // Most trials wait for bots that sleep.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    args.test_threads.get_or_insert(4 * processors);
    let files = [
        lines::trials(),
        dialogue::trials(),
        builds::trials(),
        tournament::trials(),
        record::trials(),
        gnugo::trials(),
    ];
    let trials = sample::choose(&args, MATRICES, files.into_iter().flatten().collect());
    libtest_mimic::run(&args, trials).exit();
}
