//! The run of a set of games, whatever they are for: offers workers the games that a planner asks for, and reports to
//! sinks what becomes of them.
//!
//! A plan is a function of the results, so a run resumes by asking the planner again, which returns the games that are
//! due and have no result, for whatever reason.
//!
//! [`Workers`] play the games; they are threads of this process, other machines, or the caller itself. If one fails,
//! only the games that it was playing are lost, and they are offered again, up to [`MAX_OFFERS`] times in all.

mod context;
mod local;
mod order;
mod play_on;
#[cfg(test)]
mod tests;
pub use context::{GameContext, setup_for};
pub use local::{LocalWorkers, MAX_IDLE_SANDBOXES, OwnThread, reserve_open_files};
pub use play_on::PlayingOn;

use crate::record::{GameRecord, RecordError, Writer};
use cornerman::format::{EntrantId, GameId, Pairing, Plan, Results};
use cornerman::game::Setup;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};
use tracing::{debug, trace};

/// How many times a run offers a game to workers before it gives up on it. The next run tries as many times again,
/// because the machine may have been repaired.
pub const MAX_OFFERS: u32 = 3;

/// The most jobs that wait for each worker: enough to keep it busy during planning, but not all of a large tournament,
/// whose boards would take up memory.
const MAX_WAITING_PER_WORKER: usize = 100;

/// The most games that are recorded together.
const MAX_AT_ONCE: usize = 64;

/// The longest time that a game waits for others to be recorded with it.
const MOST_DELAY: Duration = Duration::from_millis(20);

/// How long the manager waits for a report before it checks whether it should stop.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// A step in the progress of a run.
#[derive(Debug)]
pub enum Progress {
    /// A new plan was made.
    Planned {
        /// The number of games without a result that may be played now.
        open: usize,
    },
    /// A worker has begun a game.
    Begun {
        /// The game.
        id: GameId,
        /// Its entrants, by seat.
        seats: Vec<EntrantId>,
    },
    /// No game was over when the run looked for reports.
    Waiting,
    /// Games are over, and are to be recorded together.
    Played(Vec<GameRecord>),
    /// A game is over that an earlier run offered and that the plan does not ask for any more: its result does not
    /// count.
    Late(Box<GameRecord>),
    /// A game was lost because its worker failed.
    Lost {
        /// The game.
        id: GameId,
        /// What went wrong.
        why: String,
        /// Whether this was the last of [`MAX_OFFERS`], so that this run will not play the game.
        given_up: bool,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The planner asks for no more games.
    Finished,
    /// It was [asked to stop](Until::stop). Games in progress were played to their end.
    Stopped,
    /// Some games were given up. All games that do not depend on them have been played.
    Unplayed,
    /// Its [time](Until::by) was over. Games in progress do not count.
    TimeIsOver,
    /// It was [asked to end](Until::end) at once. Games in progress do not count.
    Ended,
}

/// When a run ends before the planner says so: when it is asked to stop or to end, or at a time. Clones share what was
/// asked, so any thread can ask.
#[derive(Clone, Debug, Default)]
pub struct Until {
    asked: Arc<AtomicU8>,
    /// What is asked of the whole run, if this is for [a part](Until::apart) of it.
    outer: Option<Arc<AtomicU8>>,
    time: Option<Instant>,
}

impl Until {
    const STOP: u8 = 1;
    const END: u8 = 2;

    /// The same, but with this time in place of its own: the run and the games in progress also end then. `None` for no
    /// time.
    pub fn by(&self, time: Option<Instant>) -> Until {
        Until { time, ..self.clone() }
    }

    /// One for a part of the run, which also ends with the run. What is asked of the part is not asked of the run.
    pub fn apart(&self) -> Until {
        Until { asked: Arc::default(), outer: Some(Arc::clone(&self.asked)), time: self.time }
    }

    fn asked(&self) -> u8 {
        let outer = self.outer.as_ref().map_or(0, |outer| outer.load(Ordering::Relaxed));
        self.asked.load(Ordering::Relaxed).max(outer)
    }

    /// Asks that no more games begin.
    pub fn stop(&self) {
        self.asked.fetch_max(Until::STOP, Ordering::Relaxed);
    }

    /// Asks that the games that are being played end at once.
    pub fn end(&self) {
        self.asked.fetch_max(Until::END, Ordering::Relaxed);
    }

    /// Whether no more games may begin.
    pub fn is_stopping(&self) -> bool {
        self.asked() >= Until::STOP || self.ended().is_some()
    }

    /// How the run ends, if it must end at once.
    pub fn ended(&self) -> Option<RunEnd> {
        if self.asked() == Until::END {
            return Some(RunEnd::Ended);
        }
        self.time.is_some_and(|time| Instant::now() >= time).then_some(RunEnd::TimeIsOver)
    }

    /// How long to wait: for `most`, or until the [time](Until::by) if that comes first.
    fn wait(&self, most: Duration) -> Duration {
        self.time.map_or(most, |time| most.min(time.saturating_duration_since(Instant::now())))
    }
}

/// Says which games to play next. A function of the results is one.
pub trait Planner {
    /// The games to play next, by the results so far.
    fn plan(&mut self, done: &Results) -> Plan;

    /// Whether it needs the results. If not, they are not kept, so that a run can have any number of games.
    fn needs_results(&self) -> bool {
        true
    }
}

impl<F: FnMut(&Results) -> Plan> Planner for F {
    fn plan(&mut self, done: &Results) -> Plan {
        self(done)
    }
}

/// Receives the progress of a run. A function is one.
pub trait Sink<E> {
    /// Receives what happened. `results` are those from before: sinks see a played game before its result counts, so
    /// that one of them can record it first.
    ///
    /// # Errors
    /// When the run must end, for example because the disk is full.
    fn on(&mut self, progress: &Progress, results: &Results) -> Result<(), E>;
}

impl<E, F: FnMut(&Progress, &Results) -> Result<(), E>> Sink<E> for F {
    fn on(&mut self, progress: &Progress, results: &Results) -> Result<(), E> {
        self(progress, results)
    }
}

/// The sink that records games, and which ones could not be played.
pub struct Recorder<'a>(pub &'a mut Writer);

impl<E: From<RecordError>> Sink<E> for Recorder<'_> {
    fn on(&mut self, progress: &Progress, _: &Results) -> Result<(), E> {
        match progress {
            Progress::Played(games) => self.0.add_games(games)?,
            Progress::Lost { id, why, given_up: true } => self.0.add_unplayed(*id, MAX_OFFERS, why)?,
            _ => {}
        }
        Ok(())
    }
}

/// A run of games: the one loop in which games are played.
pub struct Run<'a, 's, E> {
    /// Which games are played.
    pub planner: &'a mut dyn Planner,
    /// The start of a game.
    pub setup: &'a dyn Fn(&Pairing) -> Setup,
    /// The workers that play them.
    pub workers: &'a mut dyn Workers,
    /// When it ends before the planner says so.
    pub until: &'a Until,
    /// What receives the progress, in this order.
    pub sinks: &'a mut [&'s mut dyn Sink<E>],
}

impl<E> Run<'_, '_, E> {
    /// Plays until the planner asks for no more. `results` initially has the results of earlier runs, and the new ones
    /// are added to it.
    ///
    /// # Errors
    /// The first error of a sink. Results so far are kept.
    pub fn play(self, results: &mut Results) -> Result<RunEnd, E> {
        let due = VecDeque::new();
        let open = BTreeMap::new();
        let losses = BTreeMap::new();
        Manager { run: self, results, due, open, waiting: 0, settled: 0, losses }.run()
    }
}

/// A run in progress.
struct Manager<'a, 's, 'r, E> {
    run: Run<'a, 's, E>,
    results: &'r mut Results,
    /// The games that the plan asks for and that have not been offered yet.
    due: VecDeque<Pairing>,
    /// The games that have been offered to workers and are not over.
    open: BTreeMap<GameId, OfferedGame>,
    /// How many of the open games no worker has begun.
    waiting: usize,
    /// How many games are over and recorded.
    settled: usize,
    /// How many times each game has been lost.
    losses: BTreeMap<GameId, u32>,
}

/// A game that has been offered to the workers.
struct OfferedGame {
    /// Its entrants, by seat.
    seats: Vec<EntrantId>,
    begun: bool,
}

impl<E> Manager<'_, '_, '_, E> {
    /// Plans, offers and settles games until the run ends.
    fn run(&mut self) -> Result<RunEnd, E> {
        let mut finished = false;
        // The numbers of results and losses at the last planning.
        let mut planned_with = None;
        loop {
            let stopping = self.run.until.is_stopping();
            if stopping {
                self.due.clear();
                for job in self.run.workers.take_back() {
                    self.close(job.pairing.id);
                }
            }
            if let Some(ended) = self.run.until.ended() {
                return Ok(ended);
            }
            // Planning takes time in large tournaments, so it is put off until few games wait and something is new.
            let few_wait = self.due.len() + self.waiting < self.at_once();
            let news = Some((self.settled, self.losses.values().sum::<u32>()));
            if !stopping && !finished && few_wait && planned_with != news {
                planned_with = news;
                finished = self.plan()?;
            } else if planned_with != news {
                trace!(stopping, finished, due = self.due.len(), waiting = self.waiting, "the next plan waits");
            }
            self.offer();
            let is_idle = self.open.is_empty();
            let over = self.gather()?;
            if is_idle && over.is_empty() {
                self.run.workers.recorded();
                return Ok(match (finished, stopping) {
                    (true, _) => RunEnd::Finished,
                    (false, true) => RunEnd::Stopped,
                    (false, false) => RunEnd::Unplayed,
                });
            }
            if over.is_empty() {
                self.tell(&Progress::Waiting)?;
            }
            self.settle(over)?;
            self.run.workers.recorded();
        }
    }

    /// Waits for a report if games are open, and returns the games that are over. To record one game takes longer than
    /// to play a short one, and to record several takes little longer than one. So this waits for more of them while
    /// the workers have enough to do.
    fn gather(&mut self) -> Result<Vec<GameRecord>, E> {
        let mut over = Vec::new();
        let mut wait = if self.open.is_empty() { Duration::ZERO } else { self.run.until.wait(POLL_INTERVAL) };
        let mut first = None;
        while over.len() < MAX_AT_ONCE
            && let Some(report) = self.run.workers.next(wait)
        {
            self.on_report(report, &mut over)?;
            let since = first.get_or_insert_with(Instant::now).elapsed();
            let busy = self.waiting >= self.at_once();
            wait = if busy { MOST_DELAY.saturating_sub(since) } else { Duration::ZERO };
        }
        Ok(over)
    }

    /// Lets the games that are `over` be recorded; then their results count.
    fn settle(&mut self, over: Vec<GameRecord>) -> Result<(), E> {
        if over.is_empty() {
            return Ok(());
        }
        let outcomes: Vec<_> = over.iter().map(|game| (game.pairing.id, game.outcome.clone())).collect();
        self.tell(&Progress::Played(over))?;
        self.settled += outcomes.len();
        if self.run.planner.needs_results() {
            for (id, outcome) in outcomes {
                self.results.insert(id, outcome);
            }
        }
        Ok(())
    }

    /// How many games are played at a time. When fewer are waiting, the planner is asked again.
    fn at_once(&self) -> usize {
        self.run.workers.at_once().max(1)
    }

    /// Tells the sinks what happened.
    fn tell(&mut self, progress: &Progress) -> Result<(), E> {
        self.run.sinks.iter_mut().try_for_each(|sink| sink.on(progress, self.results))
    }

    /// Asks the planner which games are due. Returns whether the tournament is over.
    fn plan(&mut self) -> Result<bool, E> {
        let plan = self.run.planner.plan(self.results);
        self.run.workers.on_plan(if let Plan::Play(games) = &plan { games } else { &[] });
        let Plan::Play(mut games) = plan else { return Ok(true) };
        games.retain(|pairing| self.losses.get(&pairing.id).is_none_or(|times| *times < MAX_OFFERS));
        debug!(results = self.results.len(), open = games.len(), under_way = self.open.len(), "planned");
        self.tell(&Progress::Planned { open: games.len() })?;
        games.retain(|pairing| !self.open.contains_key(&pairing.id));
        order::bring_together(&mut games, self.run.workers.places());
        self.due = games.into();
        Ok(false)
    }

    /// Offers due games to the workers, up to the limit for waiting ones.
    fn offer(&mut self) {
        let room = (MAX_WAITING_PER_WORKER * self.at_once()).saturating_sub(self.waiting);
        let mut jobs = Vec::new();
        let without_result = |pairing: &Pairing| self.results.get(pairing.id).is_none();
        for pairing in self.due.drain(..room.min(self.due.len())).filter(without_result) {
            self.open.insert(pairing.id, OfferedGame { seats: pairing.seats.clone(), begun: false });
            jobs.push(Job { setup: (self.run.setup)(&pairing), pairing });
        }
        if !jobs.is_empty() {
            self.waiting += jobs.len();
            self.run.workers.offer(jobs);
        }
    }

    /// Removes a game from the open ones. Returns whether it was open.
    fn close(&mut self, id: GameId) -> bool {
        let open = self.open.remove(&id);
        self.waiting -= usize::from(open.as_ref().is_some_and(|open| !open.begun));
        open.is_some()
    }

    /// Handles a report; a game that is over is added to `over`. Remote workers may report late or twice, so reports on
    /// games that have a result or were never offered are ignored.
    fn on_report(&mut self, report: WorkerReport, over: &mut Vec<GameRecord>) -> Result<(), E> {
        match report {
            WorkerReport::Begun(id) => {
                let Some(open) = self.open.get_mut(&id).filter(|open| !open.begun) else { return Ok(()) };
                open.begun = true;
                self.waiting -= 1;
                let seats = open.seats.clone();
                self.tell(&Progress::Begun { id, seats })
            }
            WorkerReport::Over(game) => {
                let id = game.pairing.id;
                let was_offered = self.close(id) || self.losses.contains_key(&id);
                let is_known = self.results.get(id).is_some() || over.iter().any(|game| game.pairing.id == id);
                over.extend((was_offered && !is_known).then_some(*game));
                Ok(())
            }
            WorkerReport::Late(game) => self.tell(&Progress::Late(game)),
            WorkerReport::Lost { id, why } => {
                if !self.close(id) {
                    return Ok(());
                }
                // The next plan will ask for this game again.
                let times = self.losses.entry(id).or_default();
                *times += 1;
                let given_up = *times == MAX_OFFERS;
                self.tell(&Progress::Lost { id, why, given_up })
            }
        }
    }
}

/// A game to be played: what a worker needs in addition to the [context](GameContext) that all games share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Which game of the contest it is, and the entrants by seat.
    pub pairing: Pairing,
    /// Its start: the board, the marks and the seed.
    pub setup: Setup,
}

/// A message from a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerReport {
    /// It has begun this game.
    Begun(GameId),
    /// A game is over.
    Over(Box<GameRecord>),
    /// A game is over that an earlier run offered, and that is not in the plan of this one.
    Late(Box<GameRecord>),
    /// A game cannot be finished, for example because the worker panicked, its sandbox failed, or it disconnected.
    Lost {
        /// The game.
        id: GameId,
        /// What went wrong.
        why: String,
    },
}

/// Those that play the games of a run.
///
/// Each job that is offered and not taken back ends: it is reported [over](WorkerReport::Over), or, once for each
/// offer, [lost](WorkerReport::Lost). A worker that was considered lost may still report its game as over, even after
/// another worker has played it.
pub trait Workers {
    /// Appends jobs to those that wait for a worker; they are begun in about this order.
    fn offer(&mut self, jobs: Vec<Job>);

    /// Takes back every job that no worker has begun.
    fn take_back(&mut self) -> Vec<Job>;

    /// The next report; `None` if none arrives within `wait`.
    fn next(&mut self, wait: Duration) -> Option<WorkerReport>;

    /// How many games they play at a time.
    fn at_once(&self) -> usize;

    /// How many bots' sandboxes they keep open between games.
    fn places(&self) -> usize {
        MAX_IDLE_SANDBOXES
    }

    /// Receives the games that are due now. Workers that may still play games of an earlier run report those that are
    /// not due as [late](WorkerReport::Late).
    fn on_plan(&mut self, _due: &[Pairing]) {}

    /// Confirms that every game reported over so far has been recorded, or is not needed. Until then, workers that
    /// can be asked again for their reports must keep them.
    fn recorded(&mut self) {}
}
