//! Work spread over threads that take jobs from one queue.

use crate::machine;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The number of workers that use all processors although each waits for the kernel now and then, as it does when
/// a sandbox starts a bot. With more workers, bots that compute much would only slow each other down.
pub fn workers_that_wait() -> usize {
    machine::cores() + machine::cores().div_ceil(2)
}

/// Runs `work` on this many threads. Each receives its number, from 0, and a channel to `take`, which receives what is
/// sent as it arrives.
///
/// # Panics
/// If `work` panics, with the same payload.
pub fn run<R: Send>(threads: usize, work: impl Fn(usize, &Sender<R>) + Sync, take: &mut dyn FnMut(R)) {
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let work = &work;
        let spawn = |number| {
            let sender = sender.clone();
            scope.spawn(move || work(number, &sender))
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        drop(sender);
        for result in &results {
            take(result);
        }
        for worker in workers {
            // The panic keeps its payload, which may be the failure of a judge.
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// The results of `work` for `jobs` on this many threads, in the order of the jobs.
///
/// # Panics
/// If `work` panics, with the same payload.
pub fn map<J: Send, R: Send>(
    jobs: impl IntoIterator<Item = J>,
    threads: usize,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::new();
    let Ok(()) = in_order(jobs.into_iter(), threads, work, &mut |result| {
        results.push(result);
        Ok::<(), Infallible>(())
    });
    results
}

/// Does `work` for `jobs` on this many threads and calls `take` with the results in the order of the jobs, until `take`
/// fails. The calling thread asks for jobs, at most four for each thread beyond the results it has taken, and takes the
/// results. A single job is done by the calling thread itself.
///
/// # Errors
/// That of `take`.
///
/// # Panics
/// If `work` panics, with the same payload.
pub fn in_order<J: Send, R: Send, E>(
    jobs: impl Iterator<Item = J>,
    threads: usize,
    work: impl Fn(J) -> R + Sync,
    take: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut jobs = jobs.enumerate().peekable();
    let first = jobs.next();
    if jobs.peek().is_none() {
        return match first {
            None => Ok(()),
            Some((_, job)) => take(work(job)),
        };
    }
    let mut jobs = first.into_iter().chain(jobs);
    let (give, queue) = mpsc::channel::<(usize, J)>();
    let (sender, results) = mpsc::channel();
    let queue = Mutex::new(queue);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let work = &work;
            let next = &next;
            scope.spawn(move || {
                while let Ok((at, job)) = next() {
                    let done = catch_unwind(AssertUnwindSafe(|| work(job)));
                    if sender.send((at, done)).is_err() {
                        return;
                    }
                }
            });
        }
        // Moved here, so that they are dropped with this closure. Then the threads end too.
        let give = give;
        let results = results;
        let mut waiting = BTreeMap::new();
        let mut given = 0;
        let mut taken = 0;
        loop {
            while given - taken < 4 * threads {
                let Some(job) = jobs.next() else { break };
                given += 1;
                give.send(job).ok();
            }
            if taken == given {
                return Ok(());
            }
            while !waiting.contains_key(&taken) {
                let (at, done) = results.recv().expect("the threads wait for jobs");
                waiting.insert(at, done);
            }
            let done = waiting.remove(&taken).expect("it is there");
            taken += 1;
            take(done.unwrap_or_else(|panic| resume_unwind(panic)))?;
        }
    })
}

/// Slots for work that keeps processors busy. Work that only waits for a while gives its slot to other work meanwhile.
#[derive(Clone, Debug)]
pub struct Slots(Arc<(Mutex<usize>, Condvar)>);

impl Slots {
    /// This many free slots.
    pub fn new(count: usize) -> Slots {
        Slots(Arc::new((Mutex::new(count), Condvar::new())))
    }

    /// Does `work` in a slot, once one is free. The slot is free again even if `work` panics, as it does when a judge
    /// fails.
    pub fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.take();
        let _held = OnDrop(|| self.give());
        work()
    }

    /// Does `wait`, and meanwhile lends the slot that the caller holds to other work.
    pub fn lend<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.give();
        let _lent = OnDrop(|| self.take());
        wait()
    }

    fn take(&self) {
        let (free, changed) = &*self.0;
        let free = free.lock().unwrap_or_else(PoisonError::into_inner);
        *changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner) -= 1;
    }

    fn give(&self) {
        let (free, changed) = &*self.0;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        changed.notify_one();
    }
}

/// Calls a function at the end of a block, however that ends.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Does `work` for `jobs` with at most the given number of `workers`. Each of them is pinned to one processor, so that
/// bots that ask for the number of processors get the same answer in all jobs.
///
/// Each worker takes a state from `idle`, or else calls `open` for one; if `open` fails, the worker ends. `take`
/// receives every result as it arrives, also that of a failed `open`. At the end the states are in `idle` again.
///
/// # Panics
/// If `open` or `work` panics, with the same payload.
pub fn spread<J: Send, W: Send, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    idle: &mut Vec<W>,
    open: impl Fn() -> Result<W, R> + Sync,
    work: impl Fn(&mut W, J) -> R + Sync,
    take: &mut dyn FnMut(R),
) {
    /// Work that is spread at the same time begins with different processors.
    static FIRST: AtomicUsize = AtomicUsize::new(0);
    let workers = workers.min(jobs.len());
    let first = FIRST.fetch_add(workers, Ordering::Relaxed);
    let queue = Mutex::new(jobs.into_iter());
    let states = Mutex::new(std::mem::take(idle));
    let states_now = || states.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |worker, sender: &Sender<R>| {
        machine::pin(first + worker);
        let known = states_now().pop();
        let mut own = match known.map_or_else(&open, Ok) {
            Ok(own) => own,
            Err(failed) => return drop(sender.send(failed)),
        };
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(job) = next() {
            if sender.send(work(&mut own, job)).is_err() {
                return;
            }
        }
        states_now().push(own);
    };
    run(workers, work, take);
    *idle = states.into_inner().unwrap_or_else(PoisonError::into_inner);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_again_after_a_panic() {
        let slots = Slots::new(1);
        for _ in 0..2 {
            catch_unwind(AssertUnwindSafe(|| slots.hold(|| slots.lend(|| resume_unwind(Box::new(()))))))
                .unwrap_err();
        }
    }
}
