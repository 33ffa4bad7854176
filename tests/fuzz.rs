//! Fuzzing: no input from outside makes Cornerman panic or take long.
//!
//! Each [target](targets) has a corpus in `tests/fuzz/corpus/`. A test run tries the corpus and forty mutated inputs,
//! always the same; with `ALL_TRIALS=1` in the environment three hundred. With `FUZZ_SECONDS=600` it tries mutated inputs
//! for 600 seconds, and adds one that fails to the corpus, where it stays after the bug is fixed. `fuzz/run` tries inputs
//! that reach new code.

mod change;
mod targets;

use crate::support::{checkout, sample, trial};
use change::Changer;
use libtest_mimic::Trial;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// The number of mutated inputs in a test run, and in one with `ALL_TRIALS=1`.
const CHANGED: u64 = 40;
const ALL_CHANGED: u64 = 300;

/// In a long run, an input that takes longer than this counts as a failure. Inputs usually take milliseconds, but the
/// machine may be busy.
const TOO_LONG: Duration = Duration::from_secs(60);

pub fn trials() -> Vec<Trial> {
    let seconds = std::env::var("FUZZ_SECONDS").ok().map(|seconds| seconds.parse().expect("a number of seconds"));
    let time = seconds.map(Duration::from_secs);
    let target = |(name, target): (&'static str, Target)| {
        trial(&format!("fuzz::{name}"), &[], move || fuzz(name, target, time))
    };
    TARGETS.into_iter().map(target).collect()
}

fn corpus(name: &str) -> PathBuf {
    checkout("tests/fuzz/corpus").join(name)
}

fn fuzz(name: &str, target: Target, time: Option<Duration>) {
    let files = fs::read_dir(corpus(name)).expect("there is a corpus").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let inputs: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("it can be read")).collect();
    for (file, input) in files.iter().zip(&inputs) {
        assert!(catch_unwind(AssertUnwindSafe(|| target(input))).is_ok(), "{} fails", file.display());
    }
    let seed = time.map_or(1, |_| u64::from(std::process::id()));
    let mut changer = Changer::new(&inputs, seed);
    let began = Instant::now();
    let changed = if sample::runs_all() { ALL_CHANGED } else { CHANGED };
    let mut run = 0;
    let mut slowest = Duration::ZERO;
    while time.map_or(run < changed, |time| began.elapsed() < time) {
        let input = changer.input();
        let start = Instant::now();
        let failed = catch_unwind(AssertUnwindSafe(|| target(&input))).is_err();
        run += 1;
        slowest = slowest.max(start.elapsed());
        if failed || (time.is_some() && start.elapsed() > TOO_LONG) {
            let file = if time.is_some() { corpus(name) } else { std::env::temp_dir() };
            let file = file.join(format!("found-{seed}-{run}"));
            fs::write(&file, &input).expect("it can be written");
            panic!("{} {}", file.display(), if failed { "fails" } else { "takes too long" });
        }
    }
    if time.is_some() {
        println!("{name}: {run} inputs, the slowest {slowest:?}");
    }
}
