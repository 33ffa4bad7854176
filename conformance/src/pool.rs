//! A pool of workers, one per processor, that take jobs from one queue.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, mpsc};

/// The greatest number of workers: one per processor.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does `jobs` with the given number of `workers`. Each worker calls `open` once for a state of its own and `work` for
/// each job; if `open` fails, the worker ends. `take` receives every result, also that of a failed `open`, as it
/// arrives.
pub fn spread<J: Send, W, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    open: impl Fn() -> Result<W, R> + Sync,
    work: impl Fn(&mut W, J) -> R + Sync,
    take: &mut dyn FnMut(R),
) {
    let workers = workers.min(jobs.len());
    let queue = Mutex::new(VecDeque::from(jobs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, open, work) = (sender.clone(), &next, &open, &work);
            scope.spawn(move || {
                let mut own = match open() {
                    Ok(own) => own,
                    Err(failed) => return drop(sender.send(failed)),
                };
                while let Some(job) = next() {
                    if sender.send(work(&mut own, job)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.iter().for_each(take);
    });
}
