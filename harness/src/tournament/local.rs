//! Workers on this machine: threads that take jobs from one queue.

use super::{Arrival, GameContext, Job, Workers};
use crate::record::GameRecord;
use rustix::thread::CpuSet;
use std::any::Any;
use std::collections::VecDeque;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Threads that play games. When they are dropped, games under way are played to their end.
pub struct LocalWorkers {
    queue: Arc<Queue>,
    arrivals: Receiver<Arrival>,
    threads: Vec<JoinHandle<()>>,
}

impl LocalWorkers {
    /// This many threads, at least one, that play in `context`; `pinned`, each keeps to a processor of its own, with its
    /// bots.
    pub fn new(context: GameContext, threads: usize, pinned: bool) -> LocalWorkers {
        LocalWorkers::that(move |job| context.play(job), threads, pinned)
    }

    /// The same of threads that play as `play` says.
    pub fn that(
        play: impl Fn(Job) -> Result<GameRecord, Box<dyn Error>> + Send + Sync + 'static,
        threads: usize,
        pinned: bool,
    ) -> LocalWorkers {
        let (done, arrivals) = channel();
        let (queue, play) = (Arc::new(Queue::default()), Arc::new(play));
        let worker = |number| {
            let (queue, play, done) = (Arc::clone(&queue), Arc::clone(&play), done.clone());
            thread::spawn(move || {
                if pinned {
                    keep_to(number);
                }
                work(&*play, &queue, &done);
            })
        };
        let threads = (0..threads.max(1)).map(worker).collect();
        LocalWorkers { queue, arrivals, threads }
    }
}

impl Workers for LocalWorkers {
    fn offer(&mut self, jobs: Vec<Job>) {
        self.queue.lock().jobs.extend(jobs);
        self.queue.changed.notify_all();
    }

    fn take_back(&mut self) -> Vec<Job> {
        self.queue.lock().jobs.drain(..).collect()
    }

    fn next(&mut self, wait: Duration) -> Option<Arrival> {
        self.arrivals.recv_timeout(wait).ok()
    }
}

impl Drop for LocalWorkers {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.jobs.clear();
        waiting.closed = true;
        drop(waiting);
        self.queue.changed.notify_all();
        for thread in self.threads.drain(..) {
            // Whatever a thread had to report it has reported.
            thread.join().ok();
        }
    }
}

/// A worker: one game after another, until the queue is closed.
fn work(play: &dyn Fn(Job) -> Result<GameRecord, Box<dyn Error>>, queue: &Queue, done: &Sender<Arrival>) {
    while let Some(job) = queue.next() {
        let id = job.pairing.id;
        // A manager that is gone needs no news.
        done.send(Arrival::Begun(id)).ok();
        // Nothing that a game could have left half done outlives it: its players are its own, and what it is played
        // with is only read.
        let arrival = match catch_unwind(AssertUnwindSafe(|| play(job))) {
            Ok(Ok(game)) => Arrival::Over(Box::new(game)),
            Ok(Err(failed)) => Arrival::Lost { id, why: failed.to_string() },
            Err(panic) => Arrival::Lost { id, why: format!("the worker panicked: {}", message(&*panic)) },
        };
        if done.send(arrival).is_err() {
            return;
        }
    }
}

/// What was said when a worker panicked.
fn message(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Keeps this thread, and all it starts, to one processor of those that it may use.
fn keep_to(worker: usize) {
    let Ok(allowed) = rustix::thread::sched_getaffinity(None) else { return };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let Some(&core) = cores.get(worker % cores.len().max(1)) else { return };
    let mut own = CpuSet::new();
    own.set(core);
    // Where it is refused, games are played all the same.
    rustix::thread::sched_setaffinity(None, &own).ok();
}

/// Jobs that wait for a worker.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// Whether there will be no more.
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job; waits for one. `None` when there will be none.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.jobs.pop_front() {
                return Some(job);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
