//! Handles results from workers. Each is checked by replaying the game's moves before it counts.

use super::NatsWorkers;
use super::wire::Receipt;
use crate::message::{JobKey, JobOutcome, SentResult};
use crate::names::WorkerKey;
use crate::sample::{DifferingGame, Replay};
use cornerman::format::{GameId, Pairing};
use cornerman_harness::record::GameRecord;
use cornerman_harness::run::{Job, WorkerReport};
use cornerman_harness::verify;
use std::sync::Arc;

impl NatsWorkers<'_> {
    /// Handles a message of results. A worker whose results cannot be read is banned.
    pub(super) fn on_results(
        &mut self,
        worker: &WorkerKey,
        results: postcard::Result<Vec<SentResult>>,
        receipt: &Arc<Receipt>,
    ) {
        let machine = self.machines.get(worker).cloned().unwrap_or_else(|| worker.to_string());
        match results {
            Ok(results) if results.is_empty() => self.wire.acknowledge([Arc::clone(receipt)]),
            Ok(results) => {
                for result in results {
                    self.on_result(worker, &machine, result, Arc::clone(receipt));
                }
            }
            Err(why) => {
                self.wire.acknowledge([Arc::clone(receipt)]);
                self.ban(worker, &machine, &format!("it sent a result that cannot be read: {why}"));
            }
        }
    }

    /// Handles one result: accepts, reports or keeps it, or else ignores and acknowledges it.
    fn on_result(&mut self, worker: &WorkerKey, machine: &str, result: SentResult, receipt: Arc<Receipt>) {
        if self.banned.contains_key(worker.name()) {
            return self.wire.acknowledge([receipt]);
        }
        let SentResult { run, key, attempt, token, played } = result;
        let game = match &played {
            JobOutcome::Over(game) => Some(&game.pairing),
            // A game that was lost in an earlier run is given to a worker again in this one.
            JobOutcome::Lost(_) if run != self.run => return self.wire.acknowledge([receipt]),
            JobOutcome::Lost(_) => {
                let recorded = || self.settings.recorded.iter().find(|game| game.id == key.id);
                self.jobs.get(&key).map(|job| &job.pairing).or_else(recorded)
            }
        };
        let versions = &self.settings.context.versions;
        let fits_token =
            |game: &&Pairing| token == self.secret.token(&run, key, attempt, worker, &versions.seated(game));
        let Some(game) = game.filter(fits_token) else {
            self.unasked += 1;
            self.log_once(format!(
                "{machine} sent a result of game {}, which it was not given, or not with these bots: ignored",
                key.id
            ));
            return self.wire.acknowledge([receipt]);
        };
        if key.look == 0 && self.settings.recorded.contains(game) {
            self.late += 1;
            return self.wire.acknowledge([receipt]);
        }
        let is_held = self.assignment.holds(worker, key);
        match (played, self.jobs.contains_key(&key)) {
            // The game was requested before a decision that has changed who plays it.
            (JobOutcome::Over(game), true) if game.pairing != self.jobs[&key].pairing => {
                if key.look == 0 {
                    self.report_late(machine.to_string(), game, receipt);
                } else {
                    self.wire.acknowledge([receipt]);
                }
            }
            (JobOutcome::Over(mut game), true) => {
                game.host = machine.to_string();
                if let Some(why) = self.why_wrong(key, &game) {
                    self.wire.acknowledge([receipt]);
                    return self.ban(worker, machine, &format!("its result of game {} is wrong: {why}", key.id));
                }
                self.accept(key, game, receipt);
            }
            // If the game has gone to another worker since, it is not lost.
            (JobOutcome::Lost(why), true) if is_held => {
                self.wire.acknowledge([receipt]);
                if !self.assignment.finish(key, None) {
                    return;
                }
                if key.look == 0 {
                    self.report_lost(key, format!("{machine}: {why}"));
                } else {
                    self.jobs.remove(&key);
                    self.samples.give_up(key.id);
                }
            }
            // An earlier run requested this game with the same bots, perhaps from a worker that has not rejoined yet.
            (JobOutcome::Over(game), false) if key.look == 0 && run.starts_with(&self.context) => {
                let machine = if worker.is_of(&game.host) { game.host.clone() } else { machine.to_string() };
                if let Some((_, _, twice)) = self.early.insert(key.id, (machine, game, receipt)) {
                    self.wire.acknowledge([twice]);
                }
            }
            _ => self.wire.acknowledge([receipt]),
        }
    }

    /// Reports the result of a game that was requested and that is not in the plan any more.
    pub(super) fn report_late(&mut self, machine: String, game: Box<GameRecord>, receipt: Arc<Receipt>) {
        self.unrecorded.push(receipt);
        self.reports.push_back(WorkerReport::Late(Box::new(GameRecord { host: machine, ..*game })));
    }

    /// Why a result is wrong under the rules; `None` if it is right.
    pub(super) fn why_wrong(&self, key: JobKey, game: &GameRecord) -> Option<String> {
        let job = &self.jobs[&key];
        if (&game.pairing, &game.setup) != (&job.pairing, &job.setup) {
            return Some("it is another game than the one that was asked for".to_string());
        }
        verify::why_wrong(game, self.settings.ruleset, &job.setup)
    }

    /// Accepts the result of a game that was requested.
    pub(super) fn accept(&mut self, key: JobKey, game: Box<GameRecord>, receipt: Arc<Receipt>) {
        self.assignment.finish(key, Some(game.wall));
        let Some(job) = self.jobs.remove(&key) else { return };
        if key.look > 0 {
            self.wire.acknowledge([receipt]);
            let (next, deviation) = self.samples.on_replayed(&game);
            self.offer_replay(next, job);
            return self.log_deviation(key.id, deviation);
        }
        self.settings.recorded.insert(game.pairing.clone());
        let next = self.samples.on_recorded(&game);
        self.offer_replay(next, job);
        self.unrecorded.push(receipt);
        self.reports.push_back(WorkerReport::Over(game));
    }

    /// Offers the `next` play of a game whose comparison goes on, if there is one. It starts as `job` did.
    fn offer_replay(&mut self, next: Option<Replay>, job: Job) {
        if let Some(Replay { key, excluded }) = next {
            self.offer_game(key, &job, excluded);
            self.jobs.insert(key, job);
        }
    }

    /// Gives up on playing a game again, because no worker can.
    pub(super) fn give_up(&mut self, key: JobKey) {
        self.assignment.finish(key, None);
        self.jobs.remove(&key);
        let deviation = self.samples.give_up(key.id);
        if deviation.is_none() {
            self.log_once("some games could not be played again: there is no other machine that can".to_string());
        }
        self.log_deviation(key.id, deviation);
    }

    fn log_deviation(&mut self, id: GameId, deviation: Option<DifferingGame>) {
        let Some(DifferingGame { outlier, others, at: (number, seat) }) = deviation else { return };
        let seat = seat.map_or(String::new(), |seat| format!(" of {seat}"));
        let others = others.join(" and ");
        (self.log)(&match outlier {
            Some(outlier) => format!(
                "game {id}: {outlier} has other moves than {others}, from move {number}{seat}: do not trust {outlier}"
            ),
            None => format!(
                "game {id}: {others} have different moves, from move {number}{seat}: either that bot plays differently \
                 each time, or one of these machines is not to be trusted"
            ),
        });
    }
}
