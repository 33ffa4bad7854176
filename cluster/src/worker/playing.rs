//! Plays the games of a tournament: receives jobs, plays them and stores their results on the server.
//!
//! A job that is played is acknowledged only once its result is stored, so that no game is lost if the worker dies.

use super::bots::BuiltBots;
use super::{ANSWER_TIMEOUT, Announcements, CHECK_EVERY, JoinOutcome, LeaveReason, Membership};
use crate::LogFn;
use crate::message::{self, Context, JobKey, JobOutcome, SentJob, SentResult, Status, Token};
use crate::names::{Messages, WorkerKey};
use crate::server::publish_stored;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{self, AckKind};
use cornerman::format::{EntrantId, Pairing};
use cornerman_harness::run::{GameContext, LocalWorkers, Until, WorkerReport, Workers};
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use futures_util::StreamExt;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How often a worker reports the games that it holds to the manager.
const STATUS_EVERY: Duration = Duration::from_secs(1);

/// How often a worker reports to the server that it is still working on its jobs, so that none is delivered again.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// A worker without games leaves a tournament whose manager has been silent for this long. It joins again when the
/// manager is back.
pub(super) const LEAVE_AFTER: Duration = Duration::from_secs(120);

/// How many finished jobs are remembered, in case the server sends one again.
const MAX_REMEMBERED: usize = 10_000;

/// Identifies a job that this worker holds. The pairing is part of it because a decision may change who plays a game,
/// while this worker still plays it as it was before.
type HeldKey = (JobKey, Pairing);

struct HeldJob {
    run: String,
    attempt: u32,
    token: Token,
    /// The message that contained the job. Dropping the last job of a message acknowledges the message.
    message: Arc<JobMessage>,
    /// Whether the game has ended and its result is being stored.
    over: bool,
}

/// A message with jobs, acknowledged when it is dropped.
struct JobMessage {
    acker: Arc<Acker>,
    runtime: tokio::runtime::Handle,
}

impl JobMessage {
    fn new(acker: Acker) -> Arc<JobMessage> {
        Arc::new(JobMessage { acker: Arc::new(acker), runtime: tokio::runtime::Handle::current() })
    }
}

impl Drop for JobMessage {
    /// Acknowledges the message: no job of it is held any more. Usually their results are stored; others were ignored,
    /// replaced by newer jobs, or dropped because the worker leaves.
    fn drop(&mut self) {
        let acker = Arc::clone(&self.acker);
        self.runtime.spawn(async move { acker.ack().await });
    }
}

/// The state of this worker's jobs.
struct Playing<'a> {
    member: &'a Membership<'a>,
    context: &'a Context,
    workers: LocalWorkers,
    held: BTreeMap<HeldKey, HeldJob>,
    /// The jobs that the threads have, by game and in the order in which they came. A worker may hold one game twice:
    /// to record it, and to compare its moves.
    in_play: BTreeMap<Pairing, VecDeque<JobKey>>,
    /// The names of the jobs whose results were stored last, at most [`MAX_REMEMBERED`].
    done: BTreeSet<String>,
    /// The same names, in the order in which the results were stored.
    done_order: VecDeque<String>,
    results: UnboundedSender<(SentResult, Pairing)>,
    /// The subject on which a manager that does not know this worker asks it to join.
    inbox: String,
}

/// Plays until the tournament ends or the worker must stop.
pub(super) async fn play(
    member: &Membership<'_>,
    context: &Context,
    bots: BuiltBots,
    consumer: &str,
    announcements: &mut Announcements,
    until: &Until,
) -> Result<LeaveReason, async_nats::Error> {
    let worker = member.worker;
    let at_least = Some(worker.min_isolation(context));
    let conditions = Conditions { at_least, at_most: context.at_most, ..Conditions::default() };
    let sandboxes = Arc::new(SandboxPool::new(worker.places));
    let ruleset = member.ruleset.clone();
    let versions = context.versions.clone();
    let game_context = GameContext { ruleset, bots: bots.bots(), versions, conditions, sandboxes };
    let mut workers = LocalWorkers::new(game_context, usize::from(worker.threads), worker.pinned, until);
    let mut reports = forward_reports(&mut workers);
    let (results, mut stored_keys) = spawn_store(member);
    let mut jobs = spawn_fetch(member, consumer.to_string());
    let mut playing = Playing {
        member,
        context,
        workers,
        held: BTreeMap::new(),
        in_play: BTreeMap::new(),
        done_order: VecDeque::new(),
        done: BTreeSet::new(),
        results,
        inbox: member.client.new_inbox(),
    };
    let listening = member.client.subscribe(playing.inbox.clone()).await;
    let mut join_requests =
        listening.map_err(|error| format!("the NATS server does not let this worker listen: {error}"))?;
    let mut status_timer = tokio::time::interval(STATUS_EVERY);
    let mut progress_timer = tokio::time::interval(PROGRESS_EVERY);
    let mut check_timer = tokio::time::interval(CHECK_EVERY);
    announcements.last_seen = Instant::now();
    let mut leaving = false;
    loop {
        tokio::select! {
            Some((jobs, acker)) = jobs.recv(), if !leaving => {
                let message = JobMessage::new(acker);
                for job in jobs { playing.take_job(job, &message); }
            }
            Some(report) = reports.recv() => playing.on_report(report),
            Some(key) = stored_keys.recv() => playing.on_stored(&key),
            // The manager was restarted, or has received nothing from this worker for too long.
            Some(_) = join_requests.next(), if !leaving => {
                if let JoinOutcome::NotJoined(left) = playing.member.join(announcements, until).await? {
                    return Ok(left);
                }
                while futures_util::FutureExt::now_or_never(join_requests.next()).flatten().is_some() {}
            }
            _ = status_timer.tick() => playing.send_status(leaving).await,
            _ = progress_timer.tick() => playing.send_progress().await,
            _ = check_timer.tick() => {
                announcements.drain(&playing.member.tournament);
                if announcements.is_over(&playing.member.tournament) {
                    return Ok(LeaveReason::Over);
                }
                if announcements.has_changed(&playing.member.tournament, &playing.member.context) {
                    return Ok(LeaveReason::Changed);
                }
                if until.is_stopping() && !leaving {
                    leaving = true;
                    playing.drop_waiting();
                    playing.send_status(leaving).await;
                }
                if leaving && playing.held.is_empty() {
                    // Lets the manager know at once, so that it need not wait for a time-out.
                    playing.send_status(leaving).await;
                    return Ok(LeaveReason::Stopped);
                }
                if playing.held.is_empty() && announcements.silence() > LEAVE_AFTER {
                    return Ok(LeaveReason::Over);
                }
            }
        }
    }
}

/// Forwards the reports of the threads to a channel on which a task can wait.
fn forward_reports(workers: &mut LocalWorkers) -> UnboundedReceiver<WorkerReport> {
    let reports = workers.take_reports();
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        while let Ok(report) = reports.recv() {
            if sender.send(report).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Starts a task that receives the jobs of `consumer`. It logs an interruption once, and retries until it passes.
fn spawn_fetch(member: &Membership, consumer: String) -> UnboundedReceiver<(Vec<SentJob>, Acker)> {
    let (sender, receiver) = unbounded_channel();
    let jetstream = member.jetstream.clone();
    let jobs = member.tournament.jobs();
    let log = Arc::clone(&member.worker.log);
    tokio::spawn(async move {
        let mut is_logged = false;
        while !sender.is_closed() {
            match job_messages(&jetstream, &jobs, &consumer).await {
                Ok(mut messages) => {
                    while let Some(Ok(received)) = messages.next().await {
                        is_logged = false;
                        let (message, acker) = received.split();
                        match message::from_bytes(&message.payload) {
                            Ok(jobs) => drop(sender.send((jobs, acker))),
                            Err(why) => {
                                log(&format!("a job cannot be read: {why}"));
                                // Otherwise the server would deliver it again.
                                acker.ack_with(AckKind::Term).await.ok();
                            }
                        }
                    }
                }
                Err(error) if !is_logged => {
                    is_logged = true;
                    log(&format!("the NATS server gives no jobs ({error}); trying again"));
                }
                Err(_) => {}
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    receiver
}

/// The messages with the jobs of `consumer`.
async fn job_messages(
    jetstream: &jetstream::Context,
    jobs: &str,
    consumer: &str,
) -> Result<pull::Stream, async_nats::Error> {
    let consumer: PullConsumer = jetstream.get_consumer_from_stream(consumer, jobs).await?;
    let messages = consumer.stream().max_messages_per_batch(100).expires(Duration::from_secs(30));
    Ok(messages.heartbeat(Duration::from_secs(5)).messages().await?)
}

impl Playing<'_> {
    /// Begins a job, unless its result is stored already or it is not of this tournament.
    fn take_job(&mut self, job: SentJob, message: &Arc<JobMessage>) {
        if self.done.contains(&message::job_name(&job.run, job.key, job.attempt)) {
            return;
        }
        if let Some(why) = self.why_foreign(&job) {
            (self.member.worker.log)(&format!("ignored a job that is not of this tournament: {why}"));
            return;
        }
        let SentJob { run, attempt, token, .. } = job;
        let held = HeldJob { run, attempt, token, message: Arc::clone(message), over: false };
        match self.held.entry((job.key, job.job.pairing.clone())) {
            Entry::Vacant(place) => {
                place.insert(held);
                self.in_play.entry(job.job.pairing.clone()).or_default().push_back(job.key);
                self.workers.offer(vec![job.job]);
            }
            // The game is being played already. Its result will answer the newer job.
            Entry::Occupied(mut place) => {
                let over = place.get().over;
                place.insert(HeldJob { over, ..held });
            }
        }
    }

    /// Why a job cannot belong to this tournament; `None` if it can.
    fn why_foreign(&self, job: &SentJob) -> Option<&'static str> {
        let seats = &job.job.pairing.seats;
        let is_known = |seat: &EntrantId| self.context.entrants.iter().any(|bot| bot.entrant == *seat);
        let (least, most) = self.member.ruleset.seats;
        if job.key.id != job.job.pairing.id {
            Some("it has two names")
        } else if !seats.iter().all(is_known) {
            Some("it has other entrants")
        } else if !(usize::from(least)..=usize::from(most)).contains(&seats.len()) {
            Some("it has other seats")
        } else {
            None
        }
    }

    /// Lets the result of a game that has ended be stored.
    fn on_report(&mut self, report: WorkerReport) {
        let (game, played) = match report {
            WorkerReport::Begun(_) | WorkerReport::Late(_) => return,
            WorkerReport::Over(game) => (Some(game.pairing.clone()), JobOutcome::Over(game)),
            WorkerReport::Lost { id, why } => {
                (self.in_play.keys().find(|game| game.id == id).cloned(), JobOutcome::Lost(why))
            }
        };
        let Some(game) = game else { return };
        let key = self.in_play.get_mut(&game).and_then(VecDeque::pop_front);
        if self.in_play.get(&game).is_some_and(VecDeque::is_empty) {
            self.in_play.remove(&game);
        }
        let Some(key) = key else { return };
        let Some(held) = self.held.get_mut(&(key, game.clone())) else { return };
        held.over = true;
        let HeldJob { run, attempt, token, .. } = &*held;
        let mut result = SentResult { run: run.clone(), key, attempt: *attempt, token: *token, played };
        if let JobOutcome::Over(game) = &mut result.played {
            game.host.clone_from(&self.member.worker.machine.name);
        }
        let size = message::to_bytes(&result).len();
        let most = self.member.client.server_info().max_payload;
        // Leaves room for the headers, and for results in the same message.
        if size > most / 2 {
            let why = format!(
                "its result has {size} bytes, and the NATS server takes messages of {most} (`max_payload`)"
            );
            result.played = JobOutcome::Lost(why);
        }
        self.results.send((result, game)).ok();
    }

    /// Notes that the result of a job is stored.
    fn on_stored(&mut self, key: &HeldKey) {
        let Some(held) = self.held.remove(key) else { return };
        let id = message::job_name(&held.run, key.0, held.attempt);
        self.done.insert(id.clone());
        self.done_order.push_back(id);
        if self.done_order.len() > MAX_REMEMBERED
            && let Some(oldest) = self.done_order.pop_front()
        {
            self.done.remove(&oldest);
        }
    }

    /// Drops the jobs that no thread has begun.
    fn drop_waiting(&mut self) {
        for job in self.workers.take_back() {
            let key = self.in_play.get_mut(&job.pairing).and_then(VecDeque::pop_back);
            if let Some(key) = key {
                self.held.remove(&(key, job.pairing));
            }
        }
    }

    async fn send_status(&self, leaving: bool) {
        let status = Status { held: self.held.keys().map(|(key, _)| *key).collect(), leaving };
        let subject = self.member.tournament.subject(Messages::Status, self.member.key.as_str());
        let message = message::to_json(&status).into();
        let sent = self.member.client.publish_with_reply(subject, self.inbox.clone(), message);
        tokio::time::timeout(ANSWER_TIMEOUT, sent).await.ok();
    }

    async fn send_progress(&self) {
        let messages: BTreeMap<*const JobMessage, &Arc<JobMessage>> =
            self.held.values().map(|held| (Arc::as_ptr(&held.message), &held.message)).collect();
        for message in messages.values() {
            let sent = message.acker.ack_with(AckKind::Progress);
            tokio::time::timeout(ANSWER_TIMEOUT, sent).await.ok();
        }
    }
}

/// Starts a task that stores results on the server, and combines those that come together into one message. Returns
/// where to send results, and a channel with the jobs whose results are stored.
fn spawn_store(member: &Membership) -> (UnboundedSender<(SentResult, Pairing)>, UnboundedReceiver<HeldKey>) {
    /// How long to wait for each further result of a message.
    const WAIT: Duration = Duration::from_millis(10);
    /// The most results in a message.
    const MAX_RESULTS: usize = 64;
    /// No further result is added to a message of this many bytes.
    const FULL_BYTES: usize = 200_000;
    let (results, mut waiting) = unbounded_channel::<(SentResult, Pairing)>();
    let (stored, stored_keys) = unbounded_channel();
    let most_bytes = member.client.server_info().max_payload;
    let store = Arc::new(ResultStore {
        jetstream: jetstream::new(member.client.clone()),
        subject: member.tournament.subject(Messages::Result, member.key.as_str()),
        worker: member.key.clone(),
        log: Arc::clone(&member.worker.log),
        is_refusal_logged: AtomicBool::new(false),
    });
    tokio::spawn(async move {
        while let Some((first, game)) = waiting.recv().await {
            let mut bytes = message::to_bytes(&first).len();
            let mut keys = vec![(first.key, game)];
            let mut together = vec![first];
            while together.len() < MAX_RESULTS
                && bytes < FULL_BYTES.min(most_bytes / 4)
                && let Ok(Some((next, game))) = tokio::time::timeout(WAIT, waiting.recv()).await
            {
                bytes += message::to_bytes(&next).len();
                keys.push((next.key, game));
                together.push(next);
            }
            let store = Arc::clone(&store);
            let stored = stored.clone();
            // Each message is sent in a task of its own, so that the results after it need not wait for the server.
            tokio::spawn(async move {
                store.put(&together).await;
                for key in keys {
                    stored.send(key).ok();
                }
            });
        }
    });
    (results, stored_keys)
}

/// Where a worker's results are stored on the server.
struct ResultStore {
    jetstream: jetstream::Context,
    subject: String,
    worker: WorkerKey,
    log: LogFn,
    is_refusal_logged: AtomicBool,
}

impl ResultStore {
    /// Stores results in one message, and retries until that succeeds.
    async fn put(&self, results: &[SentResult]) {
        let first = &results[0];
        let id = message::job_name(&first.run, first.key, first.attempt);
        let message = PublishMessage::build()
            .message_id(format!("{}/{id}", self.worker))
            .header("Cornerman-Games", message::games_of(results.iter().map(|result| result.key)))
            .payload(message::to_bytes(&results).into());
        while let Err(error) = publish_stored(&self.jetstream, &self.subject, &message).await {
            if !self.is_refusal_logged.swap(true, Ordering::Relaxed) {
                (self.log)(&format!("the NATS server does not take results ({error}); trying again"));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        if self.is_refusal_logged.swap(false, Ordering::Relaxed) {
            (self.log)("the NATS server takes results again");
        }
    }
}
