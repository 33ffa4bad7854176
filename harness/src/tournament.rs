//! A tournament run: games handed to workers as the plan asks for them, results taken in as they come.
//!
//! The plan is a function of the results, so nothing else has to be remembered: whatever was not finished when a
//! run ended, for whatever reason, is asked for again by the next one.
//!
//! A sandbox that fails, or a panic, loses the one game that was being played: the plan asks for it again, and all
//! others go on.

use crate::bot::Bot;
use crate::player::Player;
use crate::player::seating::{self, Seated};
use crate::record::{GameRecord, Scribe};
use crate::referee;
use crate::ruleset::Ruleset;
use crate::sandbox::Conditions;
use cornerman::format::{EntrantId, Pairing, PairingId, Plan, Results};
use cornerman::game::{Seat, Setup};
use rustix::thread::CpuSet;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How many times a run offers a game to workers before it gives the game up. The next run offers it as many times
/// again: what was wrong with the machine may have been mended.
pub const OFFERS: u32 = 3;

/// Everything that a game of a tournament is played with.
pub struct Hall {
    /// The rules in force.
    pub ruleset: Ruleset,
    /// The bots, by entrant.
    pub bots: Vec<Bot>,
    /// The boards, by number.
    pub boards: Box<dyn Fn(u32) -> Vec<u8> + Send + Sync>,
    /// The contest's seed.
    pub seed: u64,
    /// How well bots are shut in.
    pub conditions: Conditions,
}

/// How far a tournament is.
#[derive(Debug)]
pub enum Progress {
    /// The plan was made anew: these many games may start now and have no result.
    Planned {
        /// How many.
        open: usize,
    },
    /// A game begins.
    Begun {
        /// Which one.
        id: PairingId,
        /// Who sits where.
        seats: Vec<EntrantId>,
    },
    /// A game is over.
    Played(Box<GameRecord>),
    /// A game was lost: its sandbox failed, or its worker panicked.
    Lost {
        /// Which one.
        id: PairingId,
        /// What went wrong.
        why: String,
        /// Whether it was the last of [`OFFERS`], so that this run does not play the game.
        given_up: bool,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing more to play.
    Finished,
    /// It was to stop; the games under way were played to their end.
    Stopped,
    /// Games were given up, and everything that does not depend on them has been played.
    Unplayed,
}

/// How a tournament is run.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a> {
    /// Games played at a time.
    pub workers: usize,
    /// Whether each worker keeps to a processor of its own, with its bots.
    pub pinned: bool,
    /// Set when no more games are to begin.
    pub stop: &'a AtomicBool,
}

/// Plays what `plan` asks for until it asks for nothing more. `results` are those of earlier runs, and hold the
/// new ones in the end; `watch` is told of progress with the results so far, and of each game before its result
/// counts.
///
/// # Errors
/// When `watch` fails, for example because the disk is full. What was played stays played.
pub fn run<E>(
    hall: &Hall,
    plan: &dyn Fn(&Results) -> Plan,
    results: &mut Results,
    running: Running,
    watch: &mut dyn FnMut(Progress, &Results) -> Result<(), E>,
) -> Result<Ended, E> {
    let queue = Queue::default();
    let (done, arrivals) = channel();
    thread::scope(|scope| {
        for worker in 0..running.workers.max(1) {
            let (queue, done) = (&queue, done.clone());
            scope.spawn(move || {
                if running.pinned {
                    keep_to(worker);
                }
                work(hall, queue, &done);
            });
        }
        drop(done);
        let ended = manage(plan, results, running, &queue, &arrivals, watch);
        queue.close();
        ended
    })
}

/// The manager: keeps the queue filled and takes results in.
fn manage<E>(
    plan: &dyn Fn(&Results) -> Plan,
    results: &mut Results,
    running: Running,
    queue: &Queue,
    arrivals: &Receiver<Arrival>,
    watch: &mut dyn FnMut(Progress, &Results) -> Result<(), E>,
) -> Result<Ended, E> {
    let mut given: BTreeSet<PairingId> = BTreeSet::new();
    let mut losses: BTreeMap<PairingId, u32> = BTreeMap::new();
    let mut finished = false;
    let mut planned_with = None;
    loop {
        let stopping = running.stop.load(Ordering::Relaxed);
        if stopping {
            for pairing in queue.take_back() {
                given.remove(&pairing.id);
            }
        }
        // Planning costs time in large tournaments: it waits until the queue runs low and something is new.
        if !stopping && !finished && queue.len() < running.workers && planned_with != Some(results.len()) {
            planned_with = Some(results.len());
            match plan(results) {
                Plan::Finished => finished = true,
                Plan::Play(mut open) => {
                    open.retain(|pairing| losses.get(&pairing.id) != Some(&OFFERS));
                    watch(Progress::Planned { open: open.len() }, results)?;
                    let fresh = open.into_iter().filter(|pairing| given.insert(pairing.id)).collect();
                    queue.fill(fresh);
                }
            }
        }
        if given.is_empty() {
            return Ok(match (finished, stopping) {
                (true, _) => Ended::Finished,
                (false, true) => Ended::Stopped,
                (false, false) => Ended::Unplayed,
            });
        }
        match arrivals.recv_timeout(Duration::from_millis(200)) {
            Ok(Arrival::Begun(pairing)) => {
                let (id, seats) = (pairing.id, pairing.seats);
                watch(Progress::Begun { id, seats }, results)?;
            }
            Ok(Arrival::Over(game)) => {
                let (id, outcome) = (game.pairing.id, game.outcome.clone());
                watch(Progress::Played(game), results)?;
                given.remove(&id);
                results.insert(id, outcome);
            }
            Ok(Arrival::Lost { id, why }) => {
                let times = losses.entry(id).or_default();
                *times += 1;
                watch(Progress::Lost { id, why, given_up: *times == OFFERS }, results)?;
                given.remove(&id);
                // The next plan asks for it again, behind all games that wait.
                planned_with = None;
            }
            // Nothing new: time to look whether to stop.
            Err(_) => {}
        }
    }
}

enum Arrival {
    Begun(Pairing),
    Over(Box<GameRecord>),
    Lost { id: PairingId, why: String },
}

/// A worker: one game after another, until the queue is closed.
fn work(hall: &Hall, queue: &Queue, done: &Sender<Arrival>) {
    while let Some(pairing) = queue.next() {
        // A manager that is gone needs no news.
        done.send(Arrival::Begun(pairing.clone())).ok();
        let id = pairing.id;
        // Nothing that a game could have left half done outlives it: its players are its own, and the hall is only read.
        let arrival = match catch_unwind(AssertUnwindSafe(|| play(hall, pairing))) {
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

/// Plays one game.
fn play(hall: &Hall, pairing: Pairing) -> Result<GameRecord, Box<dyn Error>> {
    let seats = pairing.seats.len();
    let setup = Setup {
        seats: seats as u8,
        board: (hall.boards)(pairing.board),
        marks: hall.ruleset.marks[..seats].to_vec(),
        seed: seed_of(hall.seed, &pairing),
    };
    let wrong_board = |wrong| format!("board {}: {wrong}", pairing.board + 1);
    let mut table = hall.ruleset.open(&setup).map_err(wrong_board)?;
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    for (seat, entrant) in (0u8..).map(Seat).zip(&pairing.seats) {
        players.push(seating::open(&hall.bots[entrant.index()], &hall.ruleset, seat, hall.conditions)?);
    }
    let mut seated = Seated::new(players, &setup.marks)?;
    let mut scribe = Scribe::new(pairing, setup.clone());
    referee::play_unseen(&mut *table, &setup, &mut seated.players, &mut |event| scribe.hear(&event))?;
    Ok(scribe.record().expect("the referee tells of the end of every game"))
}

/// The seed of a game: of the contest's and of what the game is, so that it is the same whenever it is played. Games
/// of a match on one board have the same, whoever sits where: so the sides have each other's lots in turn (R1).
fn seed_of(contest: u64, pairing: &Pairing) -> u64 {
    let id = pairing.id;
    let place = u64::from(id.stage) << 56 | u64::from(id.round) << 40 | u64::from(id.table) << 8;
    let place =
        place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(pairing.board).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    cornerman::lots::Lots::new(contest ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).draw()
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

/// Games that wait for a worker.
#[derive(Default)]
struct Queue {
    waiting: Mutex<(VecDeque<Pairing>, bool)>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, (VecDeque<Pairing>, bool)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn len(&self) -> usize {
        self.lock().0.len()
    }

    fn fill(&self, fresh: Vec<Pairing>) {
        self.lock().0.extend(fresh);
        self.changed.notify_all();
    }

    /// Everything that no worker has begun.
    fn take_back(&self) -> VecDeque<Pairing> {
        std::mem::take(&mut self.lock().0)
    }

    fn close(&self) {
        let mut waiting = self.lock();
        waiting.0.clear();
        waiting.1 = true;
        self.changed.notify_all();
    }

    /// The next game; waits for one. `None` when there will be none.
    fn next(&self) -> Option<Pairing> {
        let mut waiting = self.lock();
        loop {
            if let Some(pairing) = waiting.0.pop_front() {
                return Some(pairing);
            }
            if waiting.1 {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
