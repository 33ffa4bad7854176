//! The order in which trials run, how many run at once, and how long each took.
//!
//! Most of the time of most trials is spent waiting for bots that sleep, so there are more threads than processors.

use libtest_mimic::{Arguments, Trial};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The trials that take the longest, by the beginnings of their names. They start first, so that none of them runs alone at
/// the end. Browser trials wait for a tournament that they share, so most of them start later.
const LONGEST: [&str; 19] = [
    "browser::axe_finds_nothing",
    "browser::nothing_scrolls_sideways",
    "cluster::losses::",
    "rejudge::what_is_known",
    "tournament::hanging::",
    "own_game::",
    "cluster::",
    "check::reference::",
    "check::stones::",
    "compare::",
    "tournament::stopping::",
    "go::",
    "rules::",
    "check::judged::",
    "check::intake::",
    "folders::files_that_are_too_large_are_refused",
    "browser::",
    "fuzz::",
    "check::",
];

/// The trials that have run: how long each took, and its name.
static TIMES: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// The order in which trials start: those that take the longest first.
pub fn in_order(mut trials: Vec<Trial>) -> Vec<Trial> {
    trials.sort_by_key(|trial| {
        LONGEST.iter().position(|start| trial.name().starts_with(start)).unwrap_or(LONGEST.len())
    });
    trials
}

/// Sets the number of trials that run at once, unless the user has.
pub fn fill_in_threads(arguments: &mut Arguments) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert((3 * processors).clamp(4, 16));
}

/// Runs the body of the trial `name`, and notes how long it took, even if it fails.
pub fn run(name: &str, body: impl FnOnce()) {
    let _stopwatch = Stopwatch { name, began: Instant::now() };
    body();
}

struct Stopwatch<'a> {
    name: &'a str,
    began: Instant,
}

impl Drop for Stopwatch<'_> {
    fn drop(&mut self) {
        let took = (self.began.elapsed(), self.name.to_string());
        TIMES.lock().unwrap_or_else(PoisonError::into_inner).push(took);
    }
}

/// Prints the trials that took the longest, as many as `TRIAL_TIMES` in the environment says.
pub fn print_slowest() {
    let Some(count) = std::env::var("TRIAL_TIMES").ok() else { return };
    let count: usize = count.parse().expect("TRIAL_TIMES is a number of trials");
    let mut times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    times.sort_by(|one, other| other.cmp(one));
    println!("the slowest trials:");
    for (took, name) in times.iter().take(count) {
        println!("{:8.1} s  {name}", took.as_secs_f64());
    }
}
