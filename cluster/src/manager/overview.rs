//! What is shown of the workers, and recorded of their machines.

use super::count;
use cornerman::format::EntrantId;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::BuildFacts;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A worker that has joined, for the record.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Its machine.
    pub machine: Machine,
    /// What it has built.
    pub builds: Vec<(EntrantId, BuildFacts)>,
}

/// What is going on, to be shown while the workers play. Clones show the same.
#[derive(Clone, Default)]
pub struct Overview(Arc<Mutex<Seen>>);

#[derive(Default)]
pub(super) struct Seen {
    /// The workers to be recorded.
    pub joined: Vec<Joined>,
    /// How many workers there are, how many games they play at a time, and how many they were given.
    pub extent: (usize, u32, usize),
    /// The names of the workers.
    pub names: Vec<String>,
}

impl Seen {
    fn words(&self, names: &str) -> String {
        let (workers, threads, given) = self.extent;
        let workers = count(workers, "worker");
        let given = count(given, "game");
        format!("{workers}{names}, {threads} at a time, {given} under way")
    }
}

impl Overview {
    /// The workers that have joined since the last time.
    pub fn take_joined(&self) -> Vec<Joined> {
        std::mem::take(&mut self.lock().joined)
    }

    /// Such as `3 workers, 24 at a time, 51 games under way`.
    pub fn words(&self) -> String {
        self.lock().words("")
    }

    /// The same with the names of the first few workers.
    pub fn words_with_names(&self) -> String {
        const NAMED: usize = 20;
        let seen = self.lock();
        let named = seen.names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        match seen.names.len() {
            0 => seen.words(""),
            names => seen.words(&format!(" ({named}{})", if names > NAMED { ", …" } else { "" })),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
