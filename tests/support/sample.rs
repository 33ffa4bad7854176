//! Chooses the trials of large matrices that run.
//!
//! A matrix is many trials of one kind, such as mutants, or languages at levels of isolation. `cargo test` runs a sample of
//! each: of every group of similar trials one in a given number, but at least one. Every day has another sample. With
//! `ALL_TRIALS=1` in the environment, or if trials are named on the command line, all of them run. `TRIALS_SHARE=1/4`
//! leaves a quarter of what would run, named or not: `0/4`, `2/4` and `3/4` are the rest.

use libtest_mimic::{Arguments, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

/// Trials of one kind.
pub struct Matrix {
    /// What its trials are, for people.
    pub what: &'static str,
    /// Of each group, one in this number runs.
    pub one_in: usize,
    /// The group of the trial with this name; `None` if it is not of this matrix.
    pub group: fn(&str) -> Option<String>,
}

/// Whether nothing is left out.
pub fn runs_all() -> bool {
    std::env::var_os("ALL_TRIALS").is_some_and(|set| set == "1")
}

/// Leaves out trials of the matrices, unless all trials are asked for, or `arguments` name some. Prints how many run.
pub fn choose(arguments: &Arguments, matrices: &[Matrix], mut trials: Vec<Trial>) -> Vec<Trial> {
    if runs_all() || arguments.list {
        return trials;
    }
    if let Some((share, shares)) = share() {
        trials.retain(|trial| place_today(trial.name()) % shares == share);
    }
    if arguments.filter.is_some() {
        return trials;
    }
    for matrix in matrices {
        let mut groups: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for name in trials.iter().map(Trial::name) {
            if let Some(group) = (matrix.group)(name) {
                groups.entry(group).or_default().push((place_today(name), name.to_string()));
            }
        }
        let all: usize = groups.values().map(Vec::len).sum();
        let mut chosen = BTreeSet::new();
        for members in groups.values_mut() {
            members.sort();
            chosen.extend(members.drain(..).step_by(matrix.one_in).map(|(_, name)| name));
        }
        println!(
            "{}: {} of {all} trials, tomorrow others; with ALL_TRIALS=1 in the environment all",
            matrix.what,
            chosen.len()
        );
        trials.retain(|trial| (matrix.group)(trial.name()).is_none() || chosen.contains(trial.name()));
    }
    trials
}

/// The share of the trials that the environment asks for: its number, from 0, and the number of shares.
fn share() -> Option<(u64, u64)> {
    let set = std::env::var("TRIALS_SHARE").ok()?;
    let parsed = set.split_once('/').and_then(|(share, shares)| Some((share.parse().ok()?, shares.parse().ok()?)));
    Some(parsed.filter(|(share, shares)| share < shares).unwrap_or_else(|| panic!("TRIALS_SHARE is `{set}`")))
}

/// Where a trial stands today in the order in which trials are drawn.
fn place_today(name: &str) -> u64 {
    let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let mut hasher = DefaultHasher::new();
    (day, name).hash(&mut hasher);
    hasher.finish()
}
