//! A pool of workers, one per processor, that take jobs from one queue.

use cornerman_harness::machine;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};

/// The number of workers that use all processors: one per processor.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The number of workers that use all processors although each waits for the kernel now and then, as it does when
/// a sandbox starts a bot. With more workers, bots that compute much would only slow each other down.
pub fn workers_that_wait() -> usize {
    workers() + workers().div_ceil(2)
}

/// Slots for work that keeps processors busy. Work that only waits for a while gives its slot to other work meanwhile.
#[derive(Clone, Debug)]
pub struct Slots(Arc<(Mutex<usize>, Condvar)>);

impl Slots {
    /// This many free slots.
    pub fn new(count: usize) -> Slots {
        Slots(Arc::new((Mutex::new(count), Condvar::new())))
    }

    /// Does `work` in a slot, once one is free.
    pub fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.take();
        let done = work();
        self.give();
        done
    }

    /// Does `wait`, and meanwhile lends the slot that the caller holds to other work.
    pub fn lend<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.give();
        let done = wait();
        self.take();
        done
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

/// Does `jobs` with the given number of `workers`, each of which runs on one processor unless it is the only one.
/// Each takes a state of its own from `idle`, or calls `open` for one, and `work` for each job; if `open` fails,
/// the worker ends. `take` receives every result, also that of a failed `open`, as it arrives. At the end the
/// states are in `idle`.
pub fn spread<J: Send, W: Send, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    idle: &mut Vec<W>,
    open: impl Fn() -> Result<W, R> + Sync,
    work: impl Fn(&mut W, J) -> R + Sync,
    take: &mut dyn FnMut(R),
) {
    let workers = workers.min(jobs.len());
    let queue = Mutex::new(VecDeque::from(jobs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let states = Mutex::new(std::mem::take(idle));
    let states_now = || states.lock().unwrap_or_else(PoisonError::into_inner);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let sender = sender.clone();
            let next = &next;
            let open = &open;
            let work = &work;
            let states_now = &states_now;
            scope.spawn(move || {
                if workers > 1 {
                    machine::pin(worker);
                }
                let known = states_now().pop();
                let mut own = match known.map_or_else(open, Ok) {
                    Ok(own) => own,
                    Err(failed) => return drop(sender.send(failed)),
                };
                while let Some(job) = next() {
                    if sender.send(work(&mut own, job)).is_err() {
                        return;
                    }
                }
                states_now().push(own);
            });
        }
        drop(sender);
        results.iter().for_each(take);
    });
    *idle = states.into_inner().unwrap_or_else(PoisonError::into_inner);
}
