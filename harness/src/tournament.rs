//! A tournament run: games offered to workers as the plan asks for them, results taken in as they come.
//!
//! The plan is a function of the results, so nothing else has to be remembered: whatever was not finished when a
//! run ended, for whatever reason, is asked for again by the next one.
//!
//! [`Workers`] play the games: threads here, or other machines. A worker that fails, for whatever reason, loses the one
//! game that it was playing: the plan asks for it again, and all others go on.

mod context;
mod local;
#[cfg(test)]
mod tests;
mod workers;

pub use context::{GameContext, Setups};
pub use local::LocalWorkers;
pub use workers::{Arrival, Job, Workers};

use crate::record::GameRecord;
use cornerman::format::{EntrantId, Pairing, PairingId, Plan, Results};
use cornerman::game::Setup;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many times a run offers a game to workers before it gives the game up. The next run offers it as many times
/// again: what was wrong with the machine may have been mended.
pub const OFFERS: u32 = 3;

/// How many jobs wait for each worker, if there are as many: enough while the manager plans, and not all of a large
/// tournament, whose boards would take up memory.
const AHEAD: usize = 100;

/// How long the manager waits for news before it looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(200);

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
    /// A game was lost: its worker failed.
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
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// Which games to play next, by the results so far.
    pub plan: &'a dyn Fn(&Results) -> Plan,
    /// What a game starts from.
    pub setup: &'a dyn Fn(&Pairing) -> Setup,
    /// How many games are played at a time: when fewer wait, the plan is asked again.
    pub workers: usize,
    /// Set when no more games are to begin.
    pub stop: &'a AtomicBool,
}

/// Has `workers` play what the plan asks for until it asks for nothing more. `results` are those of earlier runs, and
/// hold the new ones in the end; `watch` is sent every [`Progress`] with the results so far, and of each game before its
/// result counts.
///
/// # Errors
/// When `watch` fails, for example because the disk is full. What was played stays played.
pub fn run<E>(
    workers: &mut dyn Workers,
    running: Running,
    results: &mut Results,
    watch: &mut dyn FnMut(Progress, &Results) -> Result<(), E>,
) -> Result<Ended, E> {
    let (due, open, losses) = (VecDeque::new(), BTreeMap::new(), BTreeMap::new());
    Manager { workers, running, results, watch, due, open, waiting: 0, losses }.run()
}

struct Manager<'a, E> {
    workers: &'a mut dyn Workers,
    running: Running<'a>,
    results: &'a mut Results,
    watch: &'a mut dyn FnMut(Progress, &Results) -> Result<(), E>,
    /// The games that the plan asks for and that have not been offered.
    due: VecDeque<Pairing>,
    /// The games that workers were offered and that have not ended.
    open: BTreeMap<PairingId, Open>,
    /// How many of these no worker has begun.
    waiting: usize,
    /// How many times workers have lost a game.
    losses: BTreeMap<PairingId, u32>,
}

/// A game that was offered.
struct Open {
    /// Who sits where.
    seats: Vec<EntrantId>,
    /// Whether a worker has begun it.
    begun: bool,
}

impl<E> Manager<'_, E> {
    fn run(&mut self) -> Result<Ended, E> {
        let mut finished = false;
        // The results and the losses that the plan was last made with.
        let mut planned_with = None;
        loop {
            let stopping = self.running.stop.load(Ordering::Relaxed);
            if stopping {
                self.due.clear();
                for job in self.workers.take_back() {
                    self.close(job.pairing.id);
                }
            }
            // Planning costs time in large tournaments: it waits until few games wait and something is new.
            let few_wait = self.due.len() + self.waiting < self.running.workers.max(1);
            let news = Some((self.results.len(), self.losses.values().sum::<u32>()));
            if !stopping && !finished && few_wait && planned_with != news {
                planned_with = news;
                finished = self.plan()?;
            }
            self.offer();
            if self.open.is_empty() {
                return Ok(match (finished, stopping) {
                    (true, _) => Ended::Finished,
                    (false, true) => Ended::Stopped,
                    (false, false) => Ended::Unplayed,
                });
            }
            if let Some(arrival) = self.workers.next(PATIENCE) {
                self.take_in(arrival)?;
            }
        }
    }

    /// Looks what is due by the results so far; says whether the plan asks for nothing more.
    fn plan(&mut self) -> Result<bool, E> {
        let Plan::Play(mut games) = (self.running.plan)(self.results) else { return Ok(true) };
        games.retain(|pairing| self.losses.get(&pairing.id).is_none_or(|times| *times < OFFERS));
        (self.watch)(Progress::Planned { open: games.len() }, self.results)?;
        games.retain(|pairing| !self.open.contains_key(&pairing.id));
        self.due = games.into();
        Ok(false)
    }

    /// Offers games that are due.
    fn offer(&mut self) {
        let room = (AHEAD * self.running.workers.max(1)).saturating_sub(self.waiting);
        let mut jobs = Vec::new();
        let without_result = |pairing: &Pairing| self.results.get(pairing.id).is_none();
        for pairing in self.due.drain(..room.min(self.due.len())).filter(without_result) {
            self.open.insert(pairing.id, Open { seats: pairing.seats.clone(), begun: false });
            jobs.push(Job { setup: (self.running.setup)(&pairing), pairing });
        }
        if !jobs.is_empty() {
            self.waiting += jobs.len();
            self.workers.offer(jobs);
        }
    }

    /// A game is no longer open; says whether it was.
    fn close(&mut self, id: PairingId) -> bool {
        let open = self.open.remove(&id);
        self.waiting -= usize::from(open.as_ref().is_some_and(|open| !open.begun));
        open.is_some()
    }

    /// Takes in what a worker reports. Workers far away may report late or twice: a game that has a result, or was never
    /// offered, changes nothing.
    fn take_in(&mut self, arrival: Arrival) -> Result<(), E> {
        match arrival {
            Arrival::Begun(id) => {
                let Some(open) = self.open.get_mut(&id).filter(|open| !open.begun) else { return Ok(()) };
                open.begun = true;
                self.waiting -= 1;
                let seats = open.seats.clone();
                (self.watch)(Progress::Begun { id, seats }, self.results)
            }
            Arrival::Over(game) => {
                let (id, outcome) = (game.pairing.id, game.outcome.clone());
                let was_offered = self.open.contains_key(&id) || self.losses.contains_key(&id);
                if !was_offered || self.results.get(id).is_some() {
                    return Ok(());
                }
                (self.watch)(Progress::Played(game), self.results)?;
                self.close(id);
                self.results.insert(id, outcome);
                Ok(())
            }
            Arrival::Lost { id, why } => {
                if !self.close(id) {
                    return Ok(());
                }
                // The next plan asks for it again.
                let times = self.losses.entry(id).or_default();
                *times += 1;
                let given_up = *times == OFFERS;
                (self.watch)(Progress::Lost { id, why, given_up }, self.results)
            }
        }
    }
}
