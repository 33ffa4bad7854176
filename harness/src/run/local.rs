//! Workers of this process: threads that take jobs from a common queue, the caller's own thread, and the files that they may
//! open.

use super::{GameContext, Job, Until, WorkerReport, Workers};
use crate::machine;
use crate::record::GameRecord;
use crate::sandbox::SandboxPool;
use crate::{judge, text};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::any::Any;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tracing::debug;

/// How many waiting jobs are compared, to find one whose bots are ready.
const MAX_COMPARED: usize = 16;

/// Threads that play games. Dropping them waits for the games in progress, or ends them if the run is to end at once.
pub struct LocalWorkers {
    queue: Arc<Queue>,
    reports: Receiver<WorkerReport>,
    threads: Vec<JoinHandle<()>>,
    /// When the games in progress are ended, and the sandboxes that they are played in.
    ends: Option<(Until, Arc<SandboxPool>)>,
}

impl LocalWorkers {
    /// Starts this many threads, at least one, that play games in `context` for a run that ends with `until`. If
    /// `pinned`, each thread and its bots run on one processor, its own as long as there are enough.
    ///
    /// Games are preferred whose bots' sandboxes are open and idle, because opening one takes longer than a short game.
    pub fn new(context: GameContext, threads: usize, pinned: bool, until: &Until) -> LocalWorkers {
        let sandboxes = Arc::clone(&context.sandboxes);
        let context = Arc::new(context);
        let player = Arc::clone(&context);
        let choose = move |jobs: &VecDeque<Job>| {
            jobs.iter().take(MAX_COMPARED).position(|job| context.is_ready(job)).unwrap_or(0)
        };
        LocalWorkers::start_threads(move |job| player.play(job), choose, threads, pinned)
            .ended_by(until, sandboxes)
    }

    /// The same for a run that ends with `until`, and whose games are played in `sandboxes`.
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
        LocalWorkers::start_threads(play, |_| 0, threads, pinned)
    }

    /// The reports, to be received by another thread while this one offers jobs. [`LocalWorkers::next`] then has none.
    pub fn take_reports(&mut self) -> Receiver<WorkerReport> {
        std::mem::replace(&mut self.reports, channel().1)
    }

    /// Starts the threads. Given the waiting jobs, of which there is at least one, `choose` returns the index of
    /// the next.
    fn start_threads(
        play: impl Fn(Job) -> Result<GameRecord, Box<dyn Error>> + Send + Sync + 'static,
        choose: impl Fn(&VecDeque<Job>) -> usize + Send + Sync + 'static,
        threads: usize,
        pinned: bool,
    ) -> LocalWorkers {
        let (sender, reports) = channel();
        let queue = Arc::new(Queue::default());
        let play = Arc::new(play);
        let choose = Arc::new(choose);
        let worker = |number| {
            let queue = Arc::clone(&queue);
            let play = Arc::clone(&play);
            let sender = sender.clone();
            let choose = Arc::clone(&choose);
            thread::spawn(move || {
                if pinned {
                    machine::pin(number);
                }
                work(number, &*play, &*choose, &queue, &sender);
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

/// Plays one game after another in the thread that waits for reports, for those who watch the games there.
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
    choose: &dyn Fn(&VecDeque<Job>) -> usize,
    queue: &Queue,
    sender: &Sender<WorkerReport>,
) {
    while let Some(job) = queue.next(choose) {
        let id = job.pairing.id;
        // If the manager is gone, no report is needed.
        sender.send(WorkerReport::Begun(id)).ok();
        debug!(worker, %id, seats = ?job.pairing.seats, "plays");
        // A panic cannot leave shared state half changed: each game has its own players, and the context is only read.
        let report = match catch_unwind(AssertUnwindSafe(|| play(job))) {
            Ok(Ok(game)) => WorkerReport::Over(Box::new(game)),
            Ok(Err(failed)) => WorkerReport::Lost { id, why: failed.to_string() },
            Err(panic) => WorkerReport::Lost { id, why: why(&*panic) },
        };
        match &report {
            WorkerReport::Lost { why, .. } => debug!(worker, %id, ?why, "lost the game"),
            _ => debug!(worker, %id, "has played"),
        }
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

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    /// Whether no more jobs will come.
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for jobs, of which `choose` returns the index of the next; `None` if the queue is closed and empty.
    fn next(&self, choose: &dyn Fn(&VecDeque<Job>) -> usize) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if !waiting.jobs.is_empty() {
                let chosen = choose(&waiting.jobs);
                return waiting.jobs.remove(chosen);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The files that a run needs besides its workers: the record, the page, builds, and a sandbox to try levels.
const BASE: u64 = 48;

/// The files that the sandbox of one seat needs: two pipes and a socket for messages, a handle of its process,
/// five files of its control group, and two pipes to the bot.
const PER_SEAT: u64 = 11;

/// The most sandboxes that wait for the next game of their bots. Each has two small processes.
pub const MAX_IDLE_SANDBOXES: usize = 64;

/// Raises this process's limit on open files to what this many `workers` need that play games of this many `seats`, and
/// further for idle sandboxes. Returns how many of these the limit permits, at most [`MAX_IDLE_SANDBOXES`].
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooFewFiles {
    workers: usize,
    needed: u64,
    /// What the machine says, in words.
    why: String,
}

impl std::error::Error for TooFewFiles {}

impl fmt::Display for TooFewFiles {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let TooFewFiles { workers, needed, why } = self;
        let them = if *workers == 1 { "a worker needs" } else { &format!("{workers} workers need") };
        let fewer = if *workers == 1 { "" } else { ", or use fewer workers" };
        write!(f, "{them} to open {needed} files at a time, but {why}: raise it with `ulimit -n {needed}`{fewer}")
    }
}
