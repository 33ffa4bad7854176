//! The manager's workers: jobs go to other machines, results come back, and none is believed that its moves deny.

mod overview;
mod results;
mod wire;

use crate::assignment::Assignment;
use crate::message::{self, Announcement, Context, Hello, JobKey, Secret, SentJob, Status, Welcome};
use crate::names::WorkerKey;
use crate::sample::Samples;
use crate::{ClusterError, Requirements, Say, Server, TournamentId};
use async_nats::Subject;
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::bot::bundle;
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::tournament::{GameSeeds, Job, WorkerReport, Workers};
use nkeys::KeyPair;
pub use overview::{Joined, Overview};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Event, Receipt, Wire};

/// How often the manager looks for workers that are lost.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A worker that starts under the name of another takes its place once the other was silent for this long.
const REPLACED_AFTER: Duration = Duration::from_secs(3);

/// How long games wait that no worker can play, in case that another worker joins.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most games that a worker may play at a time.
const MOST_THREADS: u16 = 1024;

/// How often it is said that there is no worker.
const REMIND_EVERY: Duration = Duration::from_secs(60);

/// `1 game`, `2 games`.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Bundles, as bytes, by their SHA-256.
pub type Bundles = BTreeMap<String, Vec<u8>>;

/// A tournament to be played by workers on other machines.
pub struct Settings<'a> {
    /// Its name on the server.
    pub tournament: TournamentId,
    /// The contest's name for people.
    pub contest: String,
    /// What workers need.
    pub context: Context,
    /// The bundles of the bots, by their SHA-256.
    pub bundles: Bundles,
    /// The toolchain of each entrant on the manager's machine.
    pub toolchains: Vec<Option<String>>,
    /// What workers must offer.
    pub required: Requirements,
    /// The part of the games that is played again on another machine, from 0 to 1.
    pub again: f64,
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// The board of a number (from 0).
    pub boards: Box<dyn Fn(u32) -> Vec<u8> + 'a>,
    /// The seeds of its games.
    pub seeds: GameSeeds,
    /// The games that the record has.
    pub recorded: BTreeSet<GameId>,
}

/// Workers that are reached through a NATS server.
pub struct NatsWorkers<'a> {
    wire: Wire,
    settings: Settings<'a>,
    run: String,
    say: Say,
    overview: Overview,
    assignment: Assignment,
    samples: Samples,
    /// What is sent to the worker that is given the game.
    jobs: BTreeMap<JobKey, Job>,
    /// The machine of each worker that has joined in this run, even if it has left, and why it could not build entrants.
    machines: BTreeMap<WorkerKey, String>,
    cannot: BTreeMap<EntrantId, String>,
    /// The names of workers that gave a wrong result, with what they did.
    banned: BTreeMap<String, String>,
    /// Results of games that the plan has not asked for yet in this run.
    early: BTreeMap<GameId, (String, Box<GameRecord>, Arc<Receipt>)>,
    reports: VecDeque<WorkerReport>,
    /// The results to be acknowledged once they are recorded.
    unrecorded: Vec<Arc<Receipt>>,
    /// How many results came for games that were recorded before.
    late: usize,
    /// How many results came that this worker was not asked for.
    unasked: usize,
    secret: Secret,
    said: BTreeSet<String>,
    next_look: Instant,
    next_reminder: Instant,
    stuck_since: Option<Instant>,
}

impl<'a> NatsWorkers<'a> {
    /// Connects to `server` and lets workers join. `say` prints what happens.
    ///
    /// # Errors
    /// If the server cannot be used.
    pub fn begin(server: &Server, settings: Settings<'a>, say: Say) -> Result<NatsWorkers<'a>, ClusterError> {
        let context = message::to_json(&settings.context);
        let run = nuid::next().to_string();
        let announcement = Announcement {
            tournament: settings.tournament.clone(),
            contest: settings.contest.clone(),
            run: run.clone(),
            kit: message::kit(),
            context: bundle::sha256(&context),
            over: false,
        };
        let mut objects = settings.bundles.clone();
        objects.insert(announcement.context.clone(), context);
        let secret = Secret::from_key(server.identity()?.key.as_deref());
        // A key is random, which the name of a run is not.
        let lots = KeyPair::new_user().seed().unwrap_or_default();
        let wire = Wire::begin(server, announcement, &objects, &say)?;
        let samples = Samples::new(settings.again, &lots);
        let now = Instant::now();
        Ok(NatsWorkers {
            wire,
            settings,
            run,
            say,
            overview: Overview::default(),
            assignment: Assignment::default(),
            samples,
            jobs: BTreeMap::new(),
            machines: BTreeMap::new(),
            cannot: BTreeMap::new(),
            banned: BTreeMap::new(),
            early: BTreeMap::new(),
            reports: VecDeque::new(),
            unrecorded: Vec::new(),
            late: 0,
            unasked: 0,
            secret,
            said: BTreeSet::new(),
            next_look: now,
            next_reminder: now + Duration::from_secs(5),
            stuck_since: None,
        })
    }

    /// What is going on.
    pub fn overview(&self) -> Overview {
        self.overview.clone()
    }

    /// Ends the tournament's use of the server. If it is `over`, games that are being compared are played to their end
    /// first, and everything on the server is removed; otherwise it stays for the run that resumes.
    pub fn end(mut self, over: bool) {
        while over && self.jobs.keys().any(|key| key.look > 0) {
            // There are no reports any more, except of games that came twice.
            self.next(LOOK_EVERY);
            self.reports.clear();
            let only_again = !self.assignment.unplayable().is_empty() || self.assignment.extent().0 == 0;
            if only_again && self.jobs.keys().all(|key| key.look > 0) {
                let keys: Vec<JobKey> = self.jobs.keys().copied().collect();
                for key in keys {
                    self.give_up(key);
                }
            }
        }
        if self.samples.same + self.samples.different > 0 {
            let same = self.samples.same;
            let different = self.samples.different;
            (self.say)(&format!(
                "played again on another machine: {} games, {different} of them with other moves",
                same + different
            ));
        }
        if self.late > 0 {
            (self.say)(&format!(
                "{} results came for games that were recorded before, and were ignored",
                self.late
            ));
        }
        let ignored = self.unasked + self.wire.ignored();
        if ignored > 0 {
            (self.say)(&format!("{ignored} messages came from workers that may not send them, and were ignored"));
        }
        self.recorded();
        self.wire.end(over);
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Hello(hello, reply) => {
                let worker = hello.worker.clone();
                let welcome = self.welcome(*hello);
                self.wire.answer(worker, reply, welcome);
            }
            Event::Status(worker, status, reply) => self.on_status(&worker, &status, reply),
            Event::Results(worker, results, receipt) => self.on_results(&worker, results, &receipt),
        }
    }

    fn welcome(&mut self, hello: Hello) -> Welcome {
        let Hello { worker, machine, threads, bots, .. } = &hello;
        let name = &machine.name;
        let now = Instant::now();
        let banned = self.banned.get(worker.name()).cloned();
        let toolchains = &self.settings.toolchains;
        let odd = || {
            // What a machine with very many processors plays at a time.
            let too_many = (*threads > MOST_THREADS).then_some("the number of games that it plays at a time");
            machine
                .unrecordable()
                .or(bots.iter().flatten().find(|bot| !bot.is_recordable()).map(|_| "a build"))
                .or(too_many)
        };
        let refused = banned.or_else(|| odd().map(|what| format!("{what} is not one that can be recorded")));
        let refused =
            refused.or_else(|| self.settings.required.refuse(&hello, &self.settings.context, toolchains));
        if let Some(why) = refused {
            self.say_once(format!("{name} gets no games: {why}"));
            return Welcome::Refused(why);
        }
        match self.assignment.named(name, now) {
            Some((other, heard)) if other != *worker && heard < REPLACED_AFTER => {
                return Welcome::NotYet(format!(
                    "a worker called {name} is there already; `--name` gives another name"
                ));
            }
            Some((other, _)) if other != *worker => self.lose(&other, "was started again"),
            _ => {}
        }
        if !self.machines.contains_key(worker) {
            let mut builds = Vec::new();
            let mut cannot = BTreeSet::new();
            for (id, (bot, built)) in (0..).map(EntrantId).zip(self.settings.context.entrants.iter().zip(bots)) {
                match built {
                    Ok(facts) => builds.push((id, facts.clone())),
                    Err(why) => {
                        let why = why.lines().next().unwrap_or_default();
                        (self.say)(&format!("{name} cannot play {}: {why}", bot.name));
                        self.cannot.insert(id, format!("{name} cannot play {}: {why}", bot.name));
                        cannot.insert(id);
                    }
                }
            }
            (self.say)(&format!(
                "{name} has joined: {} at a time, isolation {}, {}",
                count(usize::from(*threads), "game"),
                hello.level,
                machine.processor
            ));
            self.machines.insert(worker.clone(), name.clone());
            self.overview.lock().joined.push(Joined { machine: machine.clone(), builds });
            self.assignment.join(worker.clone(), name, *threads, cannot, now);
        }
        Welcome::Joined { consumer: worker.name().to_string() }
    }

    fn on_status(&mut self, worker: &WorkerKey, status: &Status, reply: Option<Subject>) {
        if self.assignment.machine(worker).is_none() {
            // It was silent for too long, or has joined an earlier manager.
            return self.wire.ask_to_join(reply.filter(|_| !status.leaving));
        }
        self.assignment.hear(worker, &status.held, status.leaving, Instant::now());
        if status.leaving && status.held.is_empty() {
            self.lose(worker, "has left");
        }
    }

    /// Removes a worker, and says why.
    fn lose(&mut self, worker: &WorkerKey, why: &str) {
        let name = self.machines.remove(worker).unwrap_or_else(|| worker.to_string());
        let (had, worn) = self.assignment.lose(worker);
        let are = if had == 1 { "is" } else { "are" };
        let then =
            if had == 0 { String::new() } else { format!("; {} {are} begun anew elsewhere", count(had, "game")) };
        (self.say)(&format!("{name} {why}{then}"));
        self.wire.forget(worker);
        for key in worn {
            let why = "every worker that was given it was lost".to_string();
            self.jobs.remove(&key);
            self.reports.push_back(WorkerReport::Lost { id: key.id, why });
        }
    }

    /// Gives the workers of this name no more games, because of what one did.
    fn ban(&mut self, worker: &WorkerKey, machine: &str, what: &str) {
        (self.say)(&format!("{machine} gets no more games: {what}"));
        self.banned.insert(worker.name().to_string(), what.to_string());
        if self.assignment.machine(worker).is_some() {
            self.lose(worker, "is no longer asked");
        }
    }

    /// Looks for workers that are lost and games that nobody can play, every so often.
    fn look(&mut self) {
        let now = Instant::now();
        if now < self.next_look {
            return;
        }
        self.next_look = now + LOOK_EVERY;
        for worker in self.assignment.silent(now) {
            self.lose(&worker, "is silent");
        }
        let extent = self.assignment.extent();
        if extent.0 == 0 && !self.jobs.is_empty() && now >= self.next_reminder {
            self.next_reminder = now + REMIND_EVERY;
            (self.say)(
                "there is no worker: games are played as soon as one joins (`worker --nats URL` on any machine)",
            );
        }
        let mut seen = self.overview.lock();
        seen.extent = extent;
        seen.names = self.assignment.names();
        drop(seen);
        let stuck = self.assignment.unplayable().to_vec();
        if stuck.is_empty() {
            self.stuck_since = None;
        } else if now.duration_since(*self.stuck_since.get_or_insert(now)) >= PATIENCE {
            for key in stuck {
                self.on_unplayable(key);
            }
        }
    }

    fn on_unplayable(&mut self, key: JobKey) {
        if key.look > 0 {
            return self.give_up(key);
        }
        let seats = self.assignment.seats(key).to_vec();
        let why = seats.iter().find_map(|entrant| self.cannot.get(entrant)).cloned();
        let why = why.unwrap_or_else(|| "no worker can play it".to_string());
        self.assignment.over(key, None);
        self.jobs.remove(&key);
        self.reports.push_back(WorkerReport::Lost { id: key.id, why });
    }

    /// Sends waiting games to workers that have room.
    fn give(&mut self) {
        /// The most jobs of a message: with boards of some hundred bytes, far from a server's limit.
        const AT_ONCE: usize = 64;
        let mut by_worker = BTreeMap::<WorkerKey, Vec<SentJob>>::new();
        for given in self.assignment.assign(Instant::now()) {
            let Some(job) = self.jobs.get(&given.key) else { continue };
            let key = given.key;
            let attempt = given.attempt;
            let token = self.secret.token(&self.run, key, attempt, &given.worker);
            let job = SentJob { run: self.run.clone(), key, attempt, job: job.clone(), token };
            by_worker.entry(given.worker).or_default().push(job);
            if key.look == 0 {
                self.reports.push_back(WorkerReport::Begun(key.id));
            }
        }
        for (worker, jobs) in by_worker {
            for jobs in jobs.chunks(AT_ONCE) {
                self.wire.send(&worker, jobs);
            }
        }
    }

    fn say_once(&mut self, words: String) {
        if !self.said.contains(&words) {
            (self.say)(&words);
            self.said.insert(words);
        }
    }
}

impl Workers for NatsWorkers<'_> {
    fn offer(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            let key = JobKey::first(job.pairing.id);
            self.assignment.offer(key, job.pairing.seats.clone(), Vec::new(), Instant::now());
            self.jobs.insert(key, job);
            if let Some((machine, mut game, receipt)) = self.early.remove(&key.id) {
                game.host.clone_from(&machine);
                match self.wrong(key, &game) {
                    None => self.accept(key, game, receipt),
                    Some(why) => {
                        self.wire.acknowledge([receipt]);
                        self.say_once(format!(
                            "{machine}'s result of game {} is wrong, and is not used: {why}",
                            key.id
                        ));
                    }
                }
            }
        }
        self.give();
    }

    fn take_back(&mut self) -> Vec<Job> {
        let keys = self.assignment.take_back();
        keys.iter().filter_map(|key| self.jobs.remove(key)).collect()
    }

    fn next(&mut self, wait: Duration) -> Option<WorkerReport> {
        let until = Instant::now() + wait;
        loop {
            self.look();
            if let Some(report) = self.reports.pop_front() {
                return Some(report);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.wire.next(left.min(LOOK_EVERY)) {
                Some(event) => {
                    self.on_event(event);
                    while let Some(event) = self.wire.next(Duration::ZERO) {
                        self.on_event(event);
                    }
                    self.give();
                }
                None if left.is_zero() => return None,
                None => {}
            }
        }
    }

    fn recorded(&mut self) {
        if !self.unrecorded.is_empty() {
            self.wire.acknowledge(std::mem::take(&mut self.unrecorded));
        }
    }
}
