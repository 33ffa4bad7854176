//! A small bot in every language is built and answers exactly as it should. Also tests the guarantees of builds.
//!
//! The trial of a language whose tools are not installed is ignored, with the packages to install.

mod builds;
mod dialogue;

use libtest_mimic::Arguments;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

fn main() {
    cornerman_harness::sandbox::serve_if_asked();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages-cache");
    if std::env::var_os("XDG_CACHE_HOME").is_none_or(|set| set != *cache) {
        // Tests must not build into the user's cache, and an environment variable can only be set for a new process.
        let again = std::env::current_exe()
            .map(|own| Command::new(own).args(std::env::args_os().skip(1)).env("XDG_CACHE_HOME", &cache).exec());
        panic!("cannot restart with a separate cache: {again:?}");
    }
    let args = Arguments::from_args();
    let trials = dialogue::trials().into_iter().chain(builds::trials()).collect();
    libtest_mimic::run(&args, trials).exit();
}
