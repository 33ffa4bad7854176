//! The manager's side: sends jobs to workers on other machines, and accepts their results.
//!
//! Workers are not trusted: a result counts only if the game's moves, replayed under the rules, lead to it.

mod overview;
mod results;
mod wire;

use crate::assignment::Assignment;
use crate::message::{self, Announcement, Context, JobKey, Secret, SentJob, Status, Welcome, WorkerHello};
use crate::names::WorkerKey;
use crate::sample::Samples;
use crate::{ClusterError, LogFn, Requirements, ServerAccess, TournamentId};
use async_nats::Subject;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman_harness::record::GameRecord;
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::{Job, WorkerReport, Workers};
use cornerman_harness::text::{self, count};
use nkeys::KeyPair;
pub use overview::{Joined, WorkersOverview};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Arrival, Receipt, Wire};

/// How often the manager checks for lost workers.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// A worker that starts under the name of another replaces it once the other has been silent for this long.
const REPLACED_AFTER: Duration = Duration::from_secs(3);

/// How long a game that no worker can play waits for another worker to join, before it is reported lost.
const UNPLAYABLE_AFTER: Duration = Duration::from_secs(10);

/// The planner is asked for more games when fewer than this many wait: enough for thousands of threads.
const MOST_AT_ONCE: usize = 256;

/// The largest number of games that a worker may play at a time.
const MAX_THREADS: u16 = 1024;

/// How often the user is reminded that no worker has joined.
const REMIND_EVERY: Duration = Duration::from_secs(60);

/// The bytes of bundles, by their SHA-256.
pub type Bundles = BTreeMap<String, Vec<u8>>;

/// A tournament to be played by workers on other machines.
pub struct ManagedTournament<'a> {
    /// Its name on the server.
    pub tournament: TournamentId,
    /// The contest's name, for messages.
    pub contest: String,
    /// What all games share: the rules and the bots.
    pub context: Context,
    /// The bundles of the bots.
    pub bundles: Bundles,
    /// The toolchain that built each entrant of the context, in their order, on the manager's machine.
    pub toolchains: Vec<Option<String>>,
    /// What workers must offer.
    pub required: Requirements,
    /// The share of games that are played again on another machine, from 0 to 1.
    pub again: f64,
    /// The rules.
    pub ruleset: &'a Ruleset,
    /// The games that are in the record already.
    pub recorded: BTreeSet<Pairing>,
    /// The bots that play nothing for now. Results of their games that come nevertheless are kept until they play
    /// again.
    pub on_hold: BTreeSet<EntrantId>,
}

/// Workers that are reached through a NATS server.
pub struct NatsWorkers<'a> {
    wire: Wire,
    settings: ManagedTournament<'a>,
    /// The SHA-256 of the context, by which workers find it in the store.
    context: String,
    /// The name of this run of the manager: it begins with `context`.
    run: String,
    log: LogFn,
    overview: WorkersOverview,
    assignment: Assignment,
    samples: Samples,
    /// What to send to the worker that gets each game that is not over yet.
    jobs: BTreeMap<JobKey, Job>,
    /// The machine of each worker that has joined in this run and was not removed since.
    machines: BTreeMap<WorkerKey, String>,
    /// Why an entrant could not be built; one reason is kept for each entrant.
    build_failures: BTreeMap<EntrantId, String>,
    /// The names of workers that sent a wrong or unreadable result, and what they did.
    banned: BTreeMap<String, String>,
    /// Results of games that the plan has not requested yet in this run, each with the name of its machine.
    early: BTreeMap<GameId, (String, Box<GameRecord>, Arc<Receipt>)>,
    reports: VecDeque<WorkerReport>,
    /// Results to acknowledge once they are recorded.
    unrecorded: Vec<Arc<Receipt>>,
    /// How many results arrived for games that were recorded before.
    late: usize,
    /// How many results were ignored because their workers had not been given the games.
    unasked: usize,
    secret: Secret,
    /// The lines that are logged only once, so far.
    logged: BTreeSet<String>,
    next_check: Instant,
    next_reminder: Instant,
    /// Since when the only games that are left are games that no worker may play.
    stuck_since: Option<Instant>,
}

impl<'a> NatsWorkers<'a> {
    /// Connects to `server` and lets workers join. `log` prints what happens.
    ///
    /// # Errors
    /// If the server cannot be used.
    pub fn begin(
        server: &ServerAccess,
        settings: ManagedTournament<'a>,
        log: LogFn,
    ) -> Result<NatsWorkers<'a>, ClusterError> {
        let context = message::to_json(&settings.context);
        let context_sha256 = text::sha256(&context);
        // By the hash in the name, later runs recognize results for the same context, and use them.
        let run = format!("{context_sha256}-{}", nuid::next());
        let announcement = Announcement {
            tournament: settings.tournament.clone(),
            contest: settings.contest.clone(),
            run: run.clone(),
            kit: message::kit(),
            context: context_sha256.clone(),
            over: false,
        };
        let mut objects = settings.bundles.clone();
        objects.insert(context_sha256.clone(), context);
        let secret = Secret::from_key(server.identity()?.key.as_deref());
        // Workers must not be able to predict the sample. They know the name of the run, so draw a random key.
        let sampling_secret = KeyPair::new_user().seed().unwrap_or_default();
        let wire = Wire::begin(server, announcement, &objects, &log)?;
        let samples = Samples::new(settings.again, &sampling_secret);
        let now = Instant::now();
        Ok(NatsWorkers {
            wire,
            settings,
            context: context_sha256,
            run,
            log,
            overview: WorkersOverview::default(),
            assignment: Assignment::default(),
            samples,
            jobs: BTreeMap::new(),
            machines: BTreeMap::new(),
            build_failures: BTreeMap::new(),
            banned: BTreeMap::new(),
            early: BTreeMap::new(),
            reports: VecDeque::new(),
            unrecorded: Vec::new(),
            late: 0,
            unasked: 0,
            secret,
            logged: BTreeSet::new(),
            next_check: now,
            next_reminder: now + Duration::from_secs(5),
            stuck_since: None,
        })
    }

    /// A view of the workers that stays up to date while games are played.
    pub fn overview(&self) -> WorkersOverview {
        self.overview.clone()
    }

    /// Disconnects from the server. If the tournament is `over`, first waits for the games that are being compared, and
    /// removes everything from the server. Otherwise everything stays there for the run that resumes.
    pub fn end(mut self, over: bool) {
        while over && self.jobs.keys().any(|key| key.look > 0) {
            // All games are recorded, so any further report is of a game that was played twice.
            self.next(CHECK_EVERY);
            self.reports.clear();
            let only_again = !self.assignment.unplayable().is_empty() || self.assignment.counts().workers == 0;
            if only_again && self.jobs.keys().all(|key| key.look > 0) {
                let keys: Vec<JobKey> = self.jobs.keys().copied().collect();
                for key in keys {
                    self.give_up(key);
                }
            }
        }
        if self.samples.same + self.samples.different > 0 {
            let Samples { same, different, .. } = self.samples;
            let all = same + different;
            (self.log)(&format!(
                "played again on another machine: {all} games, {different} of them with other moves"
            ));
        }
        if self.late > 0 {
            let late = self.late;
            (self.log)(&format!("{late} results came for games that were recorded before, and were ignored"));
        }
        let ignored = self.unasked + self.wire.ignored();
        if ignored > 0 {
            (self.log)(&format!("{ignored} messages came from workers that may not send them, and were ignored"));
        }
        self.recorded();
        self.wire.end(over);
    }

    fn on_event(&mut self, event: Arrival) {
        match event {
            Arrival::Hello(hello, reply) => {
                let worker = hello.worker.clone();
                let welcome = self.welcome(&hello);
                self.wire.answer(worker, reply, welcome);
            }
            Arrival::Status(worker, status, reply) => self.on_status(&worker, &status, reply),
            Arrival::Results(worker, results, receipt) => self.on_results(&worker, results, &receipt),
        }
    }

    /// Lets a worker join, or says why not.
    fn welcome(&mut self, hello: &WorkerHello) -> Welcome {
        let worker = &hello.worker;
        let name = &hello.machine.name;
        if let Some(why) = self.why_refused(hello) {
            self.log_once(format!("{name} gets no games: {why}"));
            return Welcome::Refused(why);
        }
        if hello.context != self.context {
            return Welcome::NotYet(format!("{name} has built the bots of an earlier run"));
        }
        match self.assignment.find_by_machine(name, Instant::now()) {
            Some((other, silence)) if other != *worker && silence < REPLACED_AFTER => {
                return Welcome::NotYet(format!(
                    "a worker called {name} is there already; `--name` gives another name"
                ));
            }
            Some((other, _)) if other != *worker => self.remove_worker(&other, "was started again"),
            _ => {}
        }
        if !self.machines.contains_key(worker) {
            self.add_worker(hello);
        }
        Welcome::Joined { consumer: worker.name().to_string() }
    }

    /// Why a worker gets no games; `None` if it gets some.
    fn why_refused(&self, hello: &WorkerHello) -> Option<String> {
        if let Some(why) = self.banned.get(hello.worker.name()) {
            return Some(why.clone());
        }
        let unrecordable = if let Some(what) = hello.machine.unrecordable() {
            Some(what)
        } else if hello.bots.iter().flatten().any(|bot| !bot.is_recordable()) {
            Some("a build")
        } else {
            // More than any real machine plays.
            (hello.threads > MAX_THREADS).then_some("the number of games that it plays at a time")
        };
        if let Some(what) = unrecordable {
            return Some(format!("{what} is not one that can be recorded"));
        }
        self.settings.required.why_refused(hello, &self.settings.context, &self.settings.toolchains)
    }

    /// Adds a worker that joins, and logs which bots it cannot play.
    fn add_worker(&mut self, hello: &WorkerHello) {
        let WorkerHello { worker, machine, threads, bots, level, .. } = hello;
        let name = &machine.name;
        let mut builds = Vec::new();
        let mut unbuildable = BTreeSet::new();
        for (bot, built) in self.settings.context.entrants.iter().zip(bots) {
            let id = bot.entrant;
            match built {
                Ok(facts) => builds.push((id, facts.clone())),
                Err(why) => {
                    let why = why.0.lines().next().unwrap_or_default();
                    let why = format!("{name} cannot play {}: {why}", bot.name);
                    (self.log)(&why);
                    self.build_failures.insert(id, why);
                    unbuildable.insert(id);
                }
            }
        }
        let games = count(usize::from(*threads), "game");
        (self.log)(&format!("{name} has joined: {games} at a time, isolation {level}, {}", machine.processor));
        self.machines.insert(worker.clone(), name.clone());
        self.overview.lock().joined.push(Joined { machine: machine.clone(), builds });
        self.assignment.join(worker.clone(), name, *threads, unbuildable, Instant::now());
    }

    /// Handles a worker's status. A worker that has not joined is asked to join, unless it is leaving.
    fn on_status(&mut self, worker: &WorkerKey, status: &Status, reply: Option<Subject>) {
        if self.assignment.machine(worker).is_none() {
            // The worker was silent for too long, or it joined an earlier manager.
            return self.wire.ask_to_join(reply.filter(|_| !status.leaving));
        }
        self.assignment.on_status(worker, &status.held, status.leaving, Instant::now());
        if status.leaving && status.held.is_empty() {
            self.remove_worker(worker, "has left");
        }
    }

    /// Removes a worker, and logs why.
    fn remove_worker(&mut self, worker: &WorkerKey, why: &str) {
        let name = self.machines.remove(worker).unwrap_or_else(|| worker.to_string());
        let (had, abandoned) = self.assignment.remove_worker(worker);
        let are = if had == 1 { "is" } else { "are" };
        let then =
            if had == 0 { String::new() } else { format!("; {} {are} begun anew elsewhere", count(had, "game")) };
        (self.log)(&format!("{name} {why}{then}"));
        self.wire.forget(worker);
        for key in abandoned {
            if key.look > 0 {
                self.give_up(key);
            } else {
                self.report_lost(key, "every worker that was given it was lost".to_string());
            }
        }
    }

    /// Reports that a game was [lost](WorkerReport::Lost). It may be offered again.
    fn report_lost(&mut self, key: JobKey, why: String) {
        self.jobs.remove(&key);
        self.reports.push_back(WorkerReport::Lost { id: key.id, why });
    }

    /// Sends no more games to workers of this name, because of what one of them did.
    fn ban(&mut self, worker: &WorkerKey, machine: &str, what: &str) {
        (self.log)(&format!("{machine} gets no more games: {what}"));
        self.banned.insert(worker.name().to_string(), what.to_string());
        if self.assignment.machine(worker).is_some() {
            self.remove_worker(worker, "is no longer asked");
        }
    }

    /// Checks for lost workers and unplayable games, at most once every [`CHECK_EVERY`].
    fn check_workers(&mut self) {
        let now = Instant::now();
        if now < self.next_check {
            return;
        }
        self.next_check = now + CHECK_EVERY;
        for worker in self.assignment.silent_workers(now) {
            self.remove_worker(&worker, "is silent");
        }
        let counts = self.assignment.counts();
        if counts.workers == 0 && !self.jobs.is_empty() && now >= self.next_reminder {
            self.next_reminder = now + REMIND_EVERY;
            (self.log)(
                "there is no worker: games are played as soon as one joins (`worker --nats URL` on any machine)",
            );
        }
        let mut state = self.overview.lock();
        state.counts = counts;
        state.names = self.assignment.machine_names();
        drop(state);
        let stuck = self.assignment.unplayable().to_vec();
        if stuck.is_empty() {
            self.stuck_since = None;
        } else if now.duration_since(*self.stuck_since.get_or_insert(now)) >= UNPLAYABLE_AFTER {
            for key in stuck {
                self.on_unplayable(key);
            }
        }
    }

    /// Adds a game that no machine in `excluded` may play.
    fn offer_game(&mut self, key: JobKey, job: &Job, excluded: Vec<String>) {
        let versions = &self.settings.context.versions;
        let bots = job.pairing.seats.iter().map(|&entrant| versions.playing(entrant, key.id));
        self.assignment.offer(key, bots.collect(), excluded, Instant::now());
    }

    /// Gives up a game that no worker can play.
    fn on_unplayable(&mut self, key: JobKey) {
        if key.look > 0 {
            return self.give_up(key);
        }
        let bots = self.assignment.bots(key).to_vec();
        let why = bots.iter().find_map(|entrant| self.build_failures.get(entrant)).cloned();
        let why = why.unwrap_or_else(|| "no worker can play it".to_string());
        self.assignment.finish(key, None);
        self.report_lost(key, why);
    }

    /// Sends waiting games to workers with free capacity.
    fn send_jobs(&mut self) {
        /// The most jobs in a message. With boards of a few hundred bytes, such a message is far below a server's
        /// limit.
        const AT_ONCE: usize = 64;
        let mut by_worker = BTreeMap::<WorkerKey, Vec<SentJob>>::new();
        for given in self.assignment.assign(Instant::now()) {
            let Some(job) = self.jobs.get(&given.key) else { continue };
            let key = given.key;
            let attempt = given.attempt;
            let seated = self.settings.context.versions.seated(&job.pairing);
            let token = self.secret.token(&self.run, key, attempt, &given.worker, &seated);
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

    fn log_once(&mut self, words: String) {
        if !self.logged.contains(&words) {
            (self.log)(&words);
            self.logged.insert(words);
        }
    }
}

impl Workers for NatsWorkers<'_> {
    fn offer(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            let key = JobKey::first(job.pairing.id);
            self.offer_game(key, &job, Vec::new());
            self.jobs.insert(key, job);
            if let Some((machine, mut game, receipt)) = self.early.remove(&key.id) {
                game.host.clone_from(&machine);
                match self.why_wrong(key, &game) {
                    None => self.accept(key, game, receipt),
                    Some(why) => {
                        self.wire.acknowledge([receipt]);
                        self.log_once(format!(
                            "{machine}'s result of game {} is wrong, and is not used: {why}",
                            key.id
                        ));
                    }
                }
            }
        }
        self.send_jobs();
    }

    fn at_once(&self) -> usize {
        MOST_AT_ONCE
    }

    fn take_back(&mut self) -> Vec<Job> {
        let keys = self.assignment.take_back();
        keys.iter().filter_map(|key| self.jobs.remove(key)).collect()
    }

    fn next(&mut self, wait: Duration) -> Option<WorkerReport> {
        let until = Instant::now() + wait;
        loop {
            self.check_workers();
            if let Some(report) = self.reports.pop_front() {
                return Some(report);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.wire.next(left.min(CHECK_EVERY)) {
                Some(event) => {
                    self.on_event(event);
                    while let Some(event) = self.wire.next(Duration::ZERO) {
                        self.on_event(event);
                    }
                    self.send_jobs();
                }
                None if left.is_zero() => return None,
                None => {}
            }
        }
    }

    fn on_plan(&mut self, due: &[Pairing]) {
        if self.early.is_empty() {
            return;
        }
        let due: BTreeSet<&Pairing> = due.iter().collect();
        let on_hold = &self.settings.on_hold;
        let is_late = |game: &Pairing| !due.contains(game) && !game.seats.iter().any(|bot| on_hold.contains(bot));
        let early = std::mem::take(&mut self.early).into_iter();
        let (late, early): (Vec<_>, Vec<_>) = early.partition(|(_, (_, game, _))| is_late(&game.pairing));
        self.early = early.into_iter().collect();
        for (_, (machine, game, receipt)) in late {
            self.report_late(machine, game, receipt);
        }
    }

    fn recorded(&mut self) {
        // Results whose reports were not handed out yet are not recorded either. They are the last of `unrecorded`.
        let has_result = |report: &&WorkerReport| matches!(report, WorkerReport::Over(_) | WorkerReport::Late(_));
        let waiting = self.reports.iter().filter(has_result).count();
        let recorded = self.unrecorded.len().saturating_sub(waiting);
        self.wire.acknowledge(self.unrecorded.drain(..recorded));
    }
}
