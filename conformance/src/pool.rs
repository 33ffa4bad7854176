//! Work for all processors: jobs from one queue, a worker a processor, each with something of its own.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, mpsc};

/// How many workers there are at most: one a processor.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does `jobs` with so many `workers`. Every worker gets its own from `open`, or `take` what `open` gives instead of
/// it, and does one job after another with `work`; `take` hears of each, in the order in which they are done.
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
