//! A small bot in every language is built and speaks exactly as it should; and what builds promise.
//!
//! A language whose tools are not on the machine has its trial ignored, with what to install.

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
        // What is built for tests is not the user's, and a variable can be set for a new process only.
        let again = std::env::current_exe()
            .map(|own| Command::new(own).args(std::env::args_os().skip(1)).env("XDG_CACHE_HOME", &cache).exec());
        panic!("cannot start again with a cache of its own: {again:?}");
    }
    let args = Arguments::from_args();
    let trials = dialogue::trials().into_iter().chain(builds::trials()).collect();
    libtest_mimic::run(&args, trials).exit();
}
