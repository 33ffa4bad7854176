//! What the user sees of the workers, and what the record keeps of their machines.

use super::count;
use crate::assignment::WorkerCounts;
use cornerman::format::EntrantId;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::BuildFacts;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A worker that has joined, for the record.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Its machine.
    pub machine: Machine,
    /// The entrants that it has built.
    pub builds: Vec<(EntrantId, BuildFacts)>,
}

/// The current state of the workers, for display while they play. Clones share the same state.
#[derive(Clone, Default)]
pub struct WorkersOverview(Arc<Mutex<OverviewState>>);

#[derive(Default)]
pub(super) struct OverviewState {
    /// The workers that are not in the record yet.
    pub joined: Vec<Joined>,
    pub counts: WorkerCounts,
    /// The names of the machines on which the workers are.
    pub names: Vec<String>,
}

impl OverviewState {
    fn words(&self, names: &str) -> String {
        let WorkerCounts { threads, .. } = self.counts;
        let workers = count(self.counts.workers, "worker");
        let given = count(self.counts.given, "game");
        format!("{workers}{names}, {threads} at a time, {given} under way")
    }
}

impl WorkersOverview {
    /// Returns the workers that have joined since the last call.
    pub fn take_joined(&self) -> Vec<Joined> {
        std::mem::take(&mut self.lock().joined)
    }

    /// A summary such as `3 workers, 24 at a time, 51 games under way`.
    pub fn words(&self) -> String {
        self.lock().words("")
    }

    /// Like [`WorkersOverview::words`], with the names of the first twenty of their machines.
    pub fn words_with_names(&self) -> String {
        const NAMED: usize = 20;
        let state = self.lock();
        let named = state.names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        match state.names.len() {
            0 => state.words(""),
            names => state.words(&format!(" ({named}{})", if names > NAMED { ", …" } else { "" })),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, OverviewState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
