//! Plays the games of an improvised contest that somebody asks for, one after another, and records each.

use super::{PreparedContest, ProgressLine, Stop, of_record, stop};
use crate::cli;
use crate::exit::CliError;
use crate::show::plain;
use cornerman::format::{GameId, Pairing, Plan, Results};
use cornerman::game::Outcome;
use cornerman_harness::record::{GameRecord, Record, RecordError, Writer};
use cornerman_harness::ruleset::SeedUse;
use cornerman_harness::tournament::{
    self, Job, LocalWorkers, MAX_OFFERS, Progress, RunEnd, TournamentRun, WorkerReport, Workers,
};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

/// How many equal pairs in a row show that bots only repeat themselves.
const REPEATS: usize = 4;

/// What is played, and where it is recorded.
pub(crate) struct Sparring<'a> {
    /// The contest.
    pub prepared: &'a PreparedContest,
    /// The isolation of its bots.
    pub isolation: cli::Isolation,
    /// Its record.
    pub writer: &'a mut Writer,
    /// The line that moves.
    pub line: ProgressLine,
}

impl Sparring<'_> {
    /// Plays the games that `next` asks for after the `results` so far, as many at a time as there are workers, until it
    /// asks for none, or until the time `until`: games that are under way then are given up. `watch` sees the games that
    /// are over before their results count.
    ///
    /// # Errors
    /// When games cannot be recorded.
    pub(crate) fn play(
        &mut self,
        results: &mut Results,
        next: &dyn Fn(&Results) -> Vec<Pairing>,
        until: Option<Instant>,
        watch: &mut dyn FnMut(&[GameRecord]),
    ) -> Result<RunEnd, CliError> {
        let prepared = self.prepared;
        let line = self.line.clone();
        let stop = Stop::on_signals(line.clone(), stop::to_resume())?;
        let mut workers = Hurried { workers: prepared.workers(self.isolation)?, open: BTreeSet::new(), until };
        let plan = |done: &Results| Plan::from_games(next(done));
        let setup = |pairing: &Pairing| prepared.setup(pairing);
        let running = TournamentRun {
            plan: &plan,
            setup: &setup,
            workers: prepared.workers,
            places: prepared.sandboxes.places(),
            stop: stop.asked(),
        };
        let ended = tournament::run(&mut workers, running, results, &mut |progress, _| {
            match &progress {
                Progress::Played(games) => {
                    self.writer.add_games(games)?;
                    watch(games);
                }
                Progress::Lost { .. } if is_over(until) => {}
                Progress::Lost { id, why, given_up } => {
                    let then = if *given_up { "" } else { "; it will be tried again" };
                    line.say(&plain(format!("game {id} was not played: {why}{then}")));
                    if *given_up {
                        self.writer.add_unplayed(*id, MAX_OFFERS, why)?;
                    }
                }
                Progress::Planned { .. } | Progress::Begun { .. } => {}
            }
            Ok::<(), RecordError>(())
        });
        line.end();
        if is_over(until) {
            workers.workers.abandon();
        } else {
            prepared.sandboxes.begin_to_close();
        }
        ended.map_err(of_record)
    }
}

/// Workers that give up their games at a certain time.
struct Hurried {
    workers: LocalWorkers,
    /// The games that have been offered and are not over.
    open: BTreeSet<GameId>,
    until: Option<Instant>,
}

fn is_over(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() >= until)
}

impl Workers for Hurried {
    fn offer(&mut self, jobs: Vec<Job>) {
        self.open.extend(jobs.iter().map(|job| job.pairing.id));
        self.workers.offer(jobs);
    }

    fn take_back(&mut self) -> Vec<Job> {
        let jobs = self.workers.take_back();
        for job in &jobs {
            self.open.remove(&job.pairing.id);
        }
        jobs
    }

    fn next(&mut self, wait: Duration) -> Option<WorkerReport> {
        if is_over(self.until) {
            self.workers.take_back();
            return self.open.pop_first().map(|id| WorkerReport::Lost { id, why: "the time is over".to_string() });
        }
        let report = self.workers.next(wait);
        let over = match &report {
            Some(WorkerReport::Over(game)) => Some(game.pairing.id),
            Some(WorkerReport::Lost { id, .. }) => Some(*id),
            Some(WorkerReport::Begun(_)) | None => None,
        };
        over.map(|id| self.open.remove(&id));
        report
    }
}

/// The points of a seat in a game of two, in halves: two for a win, one for a tie.
pub(crate) fn half_points(outcome: &Outcome, seat: usize) -> usize {
    match outcome.places[seat].cmp(&outcome.places[1 - seat]) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

/// Which games were equal move by move. Bots without chance play the same game again and again where there are no boards,
/// and more of it says nothing.
pub(crate) struct Echoes(Option<BTreeMap<GameId, u64>>);

impl Echoes {
    /// Of the games that the record has already. Where games begin on boards, nothing is noted: no two of them are alike.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn from_record(record: &Record, prepared: &PreparedContest) -> Result<Echoes, CliError> {
        if matches!(prepared.file.ruleset.kit().seed_use(), SeedUse::Board(_)) {
            return Ok(Echoes(None));
        }
        let mut prints = BTreeMap::new();
        record.each_full_game::<RecordError>(&mut |game| {
            prints.insert(game.pairing.id, print(&game));
            Ok(())
        })?;
        Ok(Echoes(Some(prints)))
    }

    /// Notes these games.
    pub(crate) fn add(&mut self, games: &[GameRecord]) {
        if let Some(prints) = &mut self.0 {
            prints.extend(games.iter().map(|game| (game.pairing.id, print(game))));
        }
    }

    /// Whether bots only repeat themselves: whether the games of each of these pairs are those of the pair `turns` before
    /// it, [`REPEATS`] times over.
    pub(crate) fn repeat(&self, pairs: &[Vec<Pairing>], turns: usize) -> bool {
        pairs.len() >= REPEATS * turns
            && (turns..pairs.len()).all(|at| self.are_equal(&pairs[at], &pairs[at - turns]))
    }

    /// Whether the games of two lists are equal, one by one.
    fn are_equal(&self, these: &[Pairing], those: &[Pairing]) -> bool {
        let Some(prints) = &self.0 else { return false };
        let print = |game: &Pairing| prints.get(&game.id);
        these.iter().zip(those).all(|(one, other)| print(one).is_some() && print(one) == print(other))
    }
}

/// What tells games apart: who played which moves, and how it ended.
fn print(game: &GameRecord) -> u64 {
    let mut hash = DefaultHasher::new();
    game.pairing.seats.hash(&mut hash);
    for made in &game.moves {
        made.notation.hash(&mut hash);
    }
    (&game.outcome.places, &game.outcome.points, game.faults.len()).hash(&mut hash);
    hash.finish()
}
