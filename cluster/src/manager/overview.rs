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
}

impl Overview {
    /// The workers that have joined since the last time.
    pub fn take_joined(&self) -> Vec<Joined> {
        std::mem::take(&mut self.lock().joined)
    }

    /// Such as `3 workers, 24 at a time, 51 games under way`.
    pub fn words(&self) -> String {
        let (workers, threads, given) = self.lock().extent;
        format!("{}, {threads} at a time, {} under way", count(workers, "worker"), count(given, "game"))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
