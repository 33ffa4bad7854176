//! Workers of this process: threads that take jobs from a common queue, or the caller's own thread. Also how many files
//! they may have open.

use super::{GameContext, Job, Until, WorkerReport, Workers};
use crate::machine;
use crate::record::GameRecord;
use crate::sandbox::{Level, SandboxPool};
use crate::{judge, text};
use cornerman::format::{EntrantId, GameId};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::any::Any;
use std::collections::VecDeque;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tracing::debug;

/// How many waiting jobs are compared, to find one whose bots are ready.
const MAX_COMPARED: usize = 16;

/// How long a job waits for a sandbox that another game uses: about as long as it takes to open another one and close
/// it.
const PATIENCE: Duration = Duration::from_millis(5);

/// Threads that play games. Dropping them waits for the games in progress, or ends them if the run is to end at once.
pub struct LocalWorkers {
    queue: Arc<Queue>,
    reports: Receiver<WorkerReport>,
    threads: Vec<JoinHandle<()>>,
    /// When the run ends at once, and the sandboxes that are closed then; `None` if its games are always played to
    /// their end.
    ends: Option<(Until, Arc<SandboxPool>)>,
}

impl LocalWorkers {
    /// Starts this many threads, at least one, that play games in `context` for the run that `until` ends. If
    /// `pinned`, each thread and its bots run on one processor, its own as long as there are enough.
    ///
    /// Games are preferred whose bots' sandboxes are open and idle, because opening one takes longer than a short game.
    pub fn new(context: GameContext, threads: usize, pinned: bool, until: &Until) -> LocalWorkers {
        let sandboxes = Arc::clone(&context.sandboxes);
        let keeps_sandboxes = context.conditions.isolation().is_ok_and(|found| found.level == Level::Namespaced);
        let patience = if keeps_sandboxes { PATIENCE } else { Duration::ZERO };
        let context = Arc::new(context);
        let player = Arc::clone(&context);
        let is_ready = move |job: &Job| context.is_ready(job);
        LocalWorkers::start_threads(move |job| player.play(job), is_ready, patience, threads, pinned)
            .ended_by(until, sandboxes)
    }

    /// These workers for the run that `until` ends: if it ends at once, the `sandboxes` of its games are closed.
    pub fn ended_by(mut self, until: &Until, sandboxes: Arc<SandboxPool>) -> LocalWorkers {
        self.ends = Some((until.clone(), sandboxes));
        self
    }

    /// Like [`LocalWorkers::new`], with `play` to play a game. Its error, or its panic, loses the game.
    pub fn with(
        play: impl Fn(Job) -> Result<GameRecord, Box<dyn Error>> + Send + Sync + 'static,
        threads: usize,
        pinned: bool,
    ) -> LocalWorkers {
        LocalWorkers::start_threads(play, |_| true, Duration::ZERO, threads, pinned)
    }

    /// The reports, to be received by another thread while this one offers jobs. [`LocalWorkers::next`] then has none.
    pub fn take_reports(&mut self) -> Receiver<WorkerReport> {
        std::mem::replace(&mut self.reports, channel().1)
    }

    /// Starts the threads. `is_ready` says whether a job can begin at once. If no waiting job can, because each has a
    /// bot that plays another game, a thread waits for `patience` before it begins one of them.
    fn start_threads(
        play: impl Fn(Job) -> Result<GameRecord, Box<dyn Error>> + Send + Sync + 'static,
        is_ready: impl Fn(&Job) -> bool + Send + Sync + 'static,
        patience: Duration,
        threads: usize,
        pinned: bool,
    ) -> LocalWorkers {
        let (sender, reports) = channel();
        let queue = Arc::new(Queue::default());
        let play = Arc::new(play);
        let is_ready = Arc::new(is_ready);
        let worker = |number| {
            let queue = Arc::clone(&queue);
            let play = Arc::clone(&play);
            let sender = sender.clone();
            let is_ready = Arc::clone(&is_ready);
            thread::spawn(move || {
                if pinned {
                    machine::pin(number);
                }
                let next = || queue.next(&*is_ready, patience);
                work(number, &*play, &next, &queue, &sender);
            })
        };
        let threads = (0..threads.max(1)).map(worker).collect();
        LocalWorkers { queue, reports, threads, ends: None }
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

    fn next(&mut self, wait: Duration) -> Option<WorkerReport> {
        self.reports.recv_timeout(wait).ok()
    }

    fn at_once(&self) -> usize {
        self.threads.len()
    }

    fn places(&self) -> usize {
        self.ends.as_ref().map_or(MAX_IDLE_SANDBOXES, |(_, sandboxes)| sandboxes.places())
    }
}

impl Drop for LocalWorkers {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.jobs.clear();
        waiting.closed = true;
        drop(waiting);
        self.queue.changed.notify_all();
        let ended =
            self.ends.as_ref().filter(|(until, _)| until.ended().is_some()).map(|(_, sandboxes)| sandboxes);
        if let Some(sandboxes) = ended {
            sandboxes.end();
        }
        for thread in self.threads.drain(..) {
            // A thread reports panics of its games itself, so the result of joining it adds nothing.
            thread.join().ok();
        }
        // Other workers may follow these, such as those that go on after a decision.
        if let Some(sandboxes) = ended {
            sandboxes.reopen();
        }
    }
}

/// Plays one game after another in the thread that waits for reports, for callers that watch the games in that thread.
pub struct OwnThread<'a> {
    play: &'a mut dyn FnMut(Job) -> Result<GameRecord, Box<dyn Error>>,
    waiting: VecDeque<Job>,
    begun: Option<Job>,
}

impl<'a> OwnThread<'a> {
    /// Games are played by `play`, whose error loses the game.
    pub fn new(play: &'a mut dyn FnMut(Job) -> Result<GameRecord, Box<dyn Error>>) -> OwnThread<'a> {
        OwnThread { play, waiting: VecDeque::new(), begun: None }
    }
}

impl Workers for OwnThread<'_> {
    fn offer(&mut self, jobs: Vec<Job>) {
        self.waiting.extend(jobs);
    }

    fn take_back(&mut self) -> Vec<Job> {
        self.waiting.drain(..).collect()
    }

    fn next(&mut self, _: Duration) -> Option<WorkerReport> {
        if let Some(job) = self.begun.take() {
            let id = job.pairing.id;
            return Some(match (self.play)(job) {
                Ok(game) => WorkerReport::Over(Box::new(game)),
                Err(failed) => WorkerReport::Lost { id, why: failed.to_string() },
            });
        }
        self.begun = self.waiting.pop_front();
        self.begun.as_ref().map(|job| WorkerReport::Begun(job.pairing.id))
    }

    fn at_once(&self) -> usize {
        1
    }
}

/// The main loop of a worker: plays one game after another until the queue is closed.
fn work(
    worker: usize,
    play: &dyn Fn(Job) -> Result<GameRecord, Box<dyn Error>>,
    next: &dyn Fn() -> Option<Job>,
    queue: &Queue,
    sender: &Sender<WorkerReport>,
) {
    while let Some(job) = next() {
        let id = job.pairing.id;
        // If the manager is gone, no report is needed.
        sender.send(WorkerReport::Begun(id)).ok();
        debug!(worker, %id, seats = ?job.pairing.seats, "plays");
        // A panic leaves no shared state half changed: each game has its own players, and the pool of sandboxes a lock.
        let report = match catch_unwind(AssertUnwindSafe(|| play(job))) {
            Ok(Ok(game)) => WorkerReport::Over(Box::new(game)),
            Ok(Err(failed)) => WorkerReport::Lost { id, why: failed.to_string() },
            Err(panic) => WorkerReport::Lost { id, why: why(&*panic) },
        };
        match &report {
            WorkerReport::Lost { why, .. } => debug!(worker, %id, ?why, "lost the game"),
            _ => debug!(worker, %id, "has played"),
        }
        queue.finish(id);
        if sender.send(report).is_err() {
            return;
        }
    }
}

/// Why a game ended in a panic: its judge failed, or our code did.
fn why(panic: &(dyn Any + Send)) -> String {
    if let Some(failure) = judge::failure::caught(panic) {
        return text::with_sources(failure);
    }
    let literal = panic.downcast_ref::<&str>().copied();
    let message = literal.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message");
    format!("the worker panicked: {message}")
}

/// Jobs that wait for a worker.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// The content of a [`Queue`].
#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// The games that are being played.
    playing: Vec<(GameId, Vec<EntrantId>)>,
    /// Whether no more jobs will come.
    closed: bool,
}

impl Waiting {
    /// The index of the job to begin now, of the first [`MAX_COMPARED`]: the first that is ready, or else the first
    /// whose bots play no other game, so that sandboxes have to be opened for it in any case.
    fn choose(&self, is_ready: &dyn Fn(&Job) -> bool) -> Option<usize> {
        let compared = || self.jobs.iter().take(MAX_COMPARED);
        let plays = |entrant: &EntrantId| self.playing.iter().any(|(_, seats)| seats.contains(entrant));
        let is_free = |job: &Job| !job.pairing.seats.iter().any(plays);
        compared().position(is_ready).or_else(|| compared().position(is_free))
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job that can begin, but not longer than `patience` if other jobs wait. `None` if the queue is closed
    /// and empty.
    fn next(&self, is_ready: &dyn Fn(&Job) -> bool, patience: Duration) -> Option<Job> {
        let mut waiting = self.lock();
        let mut until = None;
        loop {
            if waiting.jobs.is_empty() {
                if waiting.closed {
                    return None;
                }
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let now = Instant::now();
            let until = *until.get_or_insert(now + patience);
            if let Some(chosen) = waiting.choose(is_ready).or((now >= until).then_some(0)) {
                let job = waiting.jobs.remove(chosen)?;
                waiting.playing.push((job.pairing.id, job.pairing.seats.clone()));
                return Some(job);
            }
            let changed = self.changed.wait_timeout(waiting, until - now);
            waiting = changed.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A game is over, so its sandboxes are idle.
    fn finish(&self, game: GameId) {
        self.lock().playing.retain(|(id, _)| *id != game);
        self.changed.notify_all();
    }
}

/// The files that a run needs besides its workers: the record, the page, builds, and a sandbox to try levels.
const BASE: u64 = 48;

/// The files that the sandbox of one seat needs: two pipes and a socket for messages, a handle of its process,
/// five files of its control group, and three pipes to the bot.
const PER_SEAT: u64 = 12;

/// The most sandboxes that wait for the next game of their bots. Each has two small processes.
pub const MAX_IDLE_SANDBOXES: usize = 64;

/// Raises this process's limit on open files to what the given number of `workers` need for games of this number of
/// `seats`, and further for idle sandboxes. Returns how many idle sandboxes the limit permits, at most
/// [`MAX_IDLE_SANDBOXES`].
///
/// # Errors
/// If the machine does not permit what the workers need.
pub fn reserve_open_files(workers: usize, seats: u8) -> Result<usize, TooFewFiles> {
    let limit = getrlimit(Resource::Nofile);
    let needed = BASE + PER_SEAT * u64::from(seats) * workers as u64;
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(needed + PER_SEAT * MAX_IDLE_SANDBOXES as u64);
    let places = |now: u64| ((now - needed) / PER_SEAT).min(MAX_IDLE_SANDBOXES as u64) as usize;
    match limit.current {
        None => return Ok(MAX_IDLE_SANDBOXES),
        Some(now) if now >= needed.max(wanted) => return Ok(places(now)),
        Some(_) => {}
    }
    let raised = match limit.maximum {
        Some(most) if most < needed => Err(format!("the limit is {most}")),
        _ => setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).map_err(|no| no.to_string()),
    };
    raised.map(|()| places(wanted)).map_err(|why| TooFewFiles { workers, needed, why })
}

/// The workers cannot open as many files as they need.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} to open {needed} files at a time, but {why}: raise it with `ulimit -n {needed}`{}",
    if *workers == 1 { "a worker needs".to_string() } else { format!("{workers} workers need") },
    if *workers == 1 { "" } else { ", or use fewer workers" }
)]
pub struct TooFewFiles {
    workers: usize,
    needed: u64,
    /// What the machine says, in words.
    why: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::format::Pairing;
    use cornerman::game::Setup;

    const LONG: Duration = Duration::from_secs(3600);

    fn job(number: u32, seats: [u16; 2]) -> Job {
        let id = GameId { stage: 0, round: 0, table: number, game: 0, attempt: 0 };
        Job { pairing: Pairing { id, seats: seats.map(EntrantId).to_vec(), board: 0 }, setup: Setup::default() }
    }

    /// A queue of games between these entrants.
    fn queue<const N: usize>(games: [[u16; 2]; N]) -> Queue {
        let queue = Queue::default();
        queue.lock().jobs.extend((0..).zip(games).map(|(number, seats)| job(number, seats)));
        queue
    }

    /// Takes games from the queue, none of which ends, while those between entrants of `ready` are ready.
    #[track_caller]
    fn check<const N: usize>(games: [[u16; 2]; N], ready: &[u16], taken: [u32; N]) {
        let queue = queue(games);
        let is_ready = |job: &Job| job.pairing.seats.iter().all(|seat| ready.contains(&seat.0));
        let next = || queue.next(&is_ready, Duration::ZERO).expect("a job").pairing.id.table;
        assert_eq!(taken.map(|_| next()), taken);
    }

    #[test]
    fn games_are_preferred_whose_bots_have_sandboxes_and_then_those_whose_bots_are_free() {
        check([[0, 1], [1, 0], [2, 3]], &[], [0, 2, 1]);
        check([[0, 1], [1, 0], [2, 3]], &[0, 1, 2, 3], [0, 1, 2]);
        check([[0, 1], [4, 5], [2, 3]], &[2, 3], [2, 0, 1]);
    }

    #[test]
    fn a_game_waits_until_another_one_of_its_bots_is_over() {
        let queue = queue([[0, 1], [1, 2]]);
        let first = queue.next(&|_| false, LONG).expect("a job").pairing.id;
        let (looks, has_looked) = channel();
        thread::scope(|scope| {
            let not_ready = move |_: &Job| {
                looks.send(()).ok();
                false
            };
            let queue = &queue;
            let second = scope.spawn(move || queue.next(&not_ready, LONG).expect("a job").pairing.id);
            // It holds the lock until it waits.
            has_looked.recv().expect("the thread looks for a job");
            queue.finish(first);
            assert_ne!(second.join().expect("the thread ends"), first);
        });
    }
}
