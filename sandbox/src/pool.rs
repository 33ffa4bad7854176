//! A pool of open sandboxes: a bot's sandbox is expensive to set up, so it is kept from one game to the next.

use super::client::{Conditions, Sandbox};
use super::error::SandboxError;
use super::keeper_handle::Ender;
use super::level::Level;
use super::run_request::{Limits, Program};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Sandboxes that are idle between games. Each belongs to one bot: it is used only for the same program with the same
/// limits and conditions, and renewed before the next game (see [`Sandbox::renew`]). Threads can share a pool.
///
/// Only sandboxes at [`Level::Namespaced`] are kept, because only there does renewing remove everything that the last
/// game left. A pool has a limited number of places. If all are taken, the sandbox that has been idle longest is
/// closed. An idle sandbox contains no process of its bot.
#[derive(Debug)]
pub struct SandboxPool {
    /// Idle sandboxes, in the order in which they were given back.
    idle: Mutex<Vec<Sandbox>>,
    places: usize,
    ender: Ender,
    /// Threads that close sandboxes.
    closing: Mutex<Vec<JoinHandle<()>>>,
}

impl SandboxPool {
    /// An empty pool with this number of places for idle sandboxes.
    pub fn new(places: usize) -> SandboxPool {
        SandboxPool { idle: Mutex::default(), places, ender: Ender::default(), closing: Mutex::default() }
    }

    /// The number of places for idle sandboxes.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Takes an idle sandbox for `program`, or opens one. An idle one must be [renewed](Sandbox::renew) before a run;
    /// [`Sandbox::start`] does that itself.
    ///
    /// # Errors
    /// Those of [`Sandbox::open`], and when the pool was [ended](SandboxPool::end).
    pub fn take(
        &self,
        program: &Program,
        limits: &Limits,
        conditions: Conditions,
    ) -> Result<Sandbox, SandboxError> {
        let mut idle = self.lock();
        // The one that was given back last is the most likely to be in the processor's caches.
        if let Some(at) = idle.iter().rposition(|sandbox| sandbox.is_for(program, limits, conditions)) {
            return Ok(idle.remove(at));
        }
        drop(idle);
        Sandbox::open_with(program, limits, conditions, self.ender.clone())
    }

    /// Whether a sandbox for `program` with exactly these limits and conditions is idle.
    pub fn has(&self, program: &Program, limits: &Limits, conditions: Conditions) -> bool {
        self.lock().iter().any(|sandbox| sandbox.is_for(program, limits, conditions))
    }

    /// Gives back a sandbox in which nothing runs. It is closed if it is below [`Level::Namespaced`]. If no place is
    /// left for it, the sandbox that has been idle longest is closed.
    pub fn give_back(&self, sandbox: Sandbox) {
        if sandbox.isolation().level < Level::Namespaced {
            return;
        }
        let mut idle = self.lock();
        idle.push(sandbox);
        let oldest = (idle.len() > self.places).then(|| idle.remove(0));
        // Closing a sandbox takes some milliseconds, so first let other threads use the pool.
        drop(idle);
        drop(oldest);
    }

    /// Begins to close all idle sandboxes. Dropping the pool waits until they are closed.
    pub fn begin_to_close(&self) {
        let mut idle = std::mem::take(&mut *self.lock());
        if !idle.is_empty() {
            for sandbox in &mut idle {
                sandbox.begin_to_close();
            }
            // If no thread can be started, the closure is dropped, and this thread closes the sandboxes.
            let closing = thread::Builder::new().spawn(move || drop(idle));
            self.closing.lock().unwrap_or_else(PoisonError::into_inner).extend(closing);
        }
    }

    /// Ends everything in all sandboxes of this pool, even in those that are in use: requests to them fail, and the
    /// pool opens no more.
    pub fn end(&self) {
        self.ender.end();
    }

    /// Lets the pool open sandboxes again after [`SandboxPool::end`]. Call this only when no sandbox that was ended is
    /// still in use.
    pub fn reopen(&self) {
        self.lock().clear();
        self.ender.reopen();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Sandbox>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SandboxPool {
    /// Closes all idle sandboxes at the same time.
    fn drop(&mut self) {
        self.begin_to_close();
        for thread in self.closing.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            thread.join().ok();
        }
    }
}
