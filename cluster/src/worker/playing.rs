//! A worker at play: jobs come, games are played, results go. A job is acknowledged once its result is stored.

use super::bots::Built;
use super::{ANSWER_WITHIN, Announcements, GLANCE, Joining, Left, Member};
use crate::message::{self, Context, JobKey, Played, SentJob, SentResult, Status};
use crate::names::{Messages, TournamentId};
use crate::{Say, names::WorkerKey};
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{self, AckKind};
use cornerman::format::GameId;
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use cornerman_harness::tournament::{GameContext, LocalWorkers, WorkerReport, Workers};
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How often a worker tells what it holds.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// How often a worker tells the server that it is still playing what it holds.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// A worker that holds no game leaves a tournament whose manager was silent for this long; it joins again when the
/// manager is back.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// How many finished jobs are remembered, in case the server sends one again.
const REMEMBERED: usize = 10_000;

/// A job that this worker has.
struct Held {
    run: String,
    attempt: u32,
    acker: Acker,
    /// Whether its game has ended and its result is being stored.
    over: bool,
}

/// What the jobs of this worker are doing.
struct Playing<'a> {
    member: &'a Member<'a>,
    workers: LocalWorkers,
    held: BTreeMap<JobKey, Held>,
    /// The games that the threads have, in the order of their jobs: a game may be held twice, to be compared.
    at_play: BTreeMap<GameId, VecDeque<JobKey>>,
    done: VecDeque<String>,
    is_done: BTreeSet<String>,
    stored: UnboundedSender<JobKey>,
    /// Where a manager that does not know this worker asks it to join.
    inbox: String,
}

/// Plays until the tournament ends or the worker is to stop.
pub async fn play(
    member: &mut Member<'_>,
    context: &Context,
    bots: Built,
    consumer: &str,
    heard: &mut Announcements,
    stop: &AtomicBool,
) -> Result<Left, String> {
    let worker = member.worker;
    let conditions = Conditions { at_least: context.at_least, at_most: context.at_most, ..Conditions::default() };
    let sandboxes = Arc::new(SandboxPool::new(worker.places));
    let game_context = GameContext { ruleset: member.ruleset.clone(), bots: bots.bots(), conditions, sandboxes };
    let mut workers = LocalWorkers::new(game_context, usize::from(worker.threads), worker.pinned);
    let mut reports = forward(&mut workers);
    let jetstream = jetstream::new(member.client.clone());
    let (stored, mut stored_ones) = unbounded_channel();
    let mut jobs = fetch(jetstream, member.tournament.clone(), consumer.to_string(), Arc::clone(&worker.say));
    let mut playing = Playing {
        member: &*member,
        workers,
        held: BTreeMap::new(),
        at_play: BTreeMap::new(),
        done: VecDeque::new(),
        is_done: BTreeSet::new(),
        stored,
        inbox: member.client.new_inbox(),
    };
    let listening = member.client.subscribe(playing.inbox.clone()).await;
    let mut unknown =
        listening.map_err(|error| format!("the NATS server does not let this worker listen: {error}"))?;
    let mut tell = tokio::time::interval(TELL_EVERY);
    let mut progress = tokio::time::interval(PROGRESS_EVERY);
    let mut glance = tokio::time::interval(GLANCE);
    heard.at = Instant::now();
    let mut leaving = false;
    loop {
        tokio::select! {
            Some((job, acker)) = jobs.recv(), if !leaving => playing.take(job, acker),
            Some(report) = reports.recv() => playing.on_report(report),
            Some(key) = stored_ones.recv() => playing.on_stored(key),
            // The manager was started again, or has not heard of this worker for too long.
            Some(_) = unknown.next(), if !leaving => {
                if let Joining::Not(left) = playing.member.join(heard, stop).await? {
                    return Ok(left);
                }
                while futures_util::FutureExt::now_or_never(unknown.next()).flatten().is_some() {}
            }
            _ = tell.tick() => playing.tell(leaving).await,
            _ = progress.tick() => playing.say_progress().await,
            _ = glance.tick() => {
                heard.drain(&playing.member.tournament);
                if heard.is_over(&playing.member.tournament) {
                    return Ok(Left::Over);
                }
                if stop.load(Ordering::Relaxed) && !leaving {
                    leaving = true;
                    playing.drop_waiting();
                    playing.tell(leaving).await;
                }
                if leaving && playing.held.is_empty() {
                    // The manager need not wait for silence.
                    playing.tell(leaving).await;
                    return Ok(Left::Stopped);
                }
                if playing.held.is_empty() && heard.silence() > PATIENCE {
                    return Ok(Left::Over);
                }
            }
        }
    }
}

/// The reports of the threads, as a task can wait for them.
fn forward(workers: &mut LocalWorkers) -> UnboundedReceiver<WorkerReport> {
    let (reports, (sender, receiver)) = (workers.take_reports(), unbounded_channel());
    std::thread::spawn(move || {
        while let Ok(report) = reports.recv() {
            if sender.send(report).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The jobs of `consumer`. What interrupts them is said once, and waited out.
fn fetch(
    jetstream: jetstream::Context,
    tournament: TournamentId,
    consumer: String,
    say: Say,
) -> UnboundedReceiver<(SentJob, Acker)> {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        let mut said = false;
        while !sender.is_closed() {
            match messages(&jetstream, &tournament, &consumer).await {
                Ok(mut messages) => {
                    while let Some(Ok(heard)) = messages.next().await {
                        said = false;
                        let (message, acker) = heard.split();
                        match message::from_bytes(&message.payload) {
                            Ok(job) => drop(sender.send((job, acker))),
                            Err(why) => say(&format!("a job cannot be read: {why}")),
                        }
                    }
                }
                Err(error) if !said => {
                    said = true;
                    say(&format!("the NATS server gives no jobs ({error}); trying again"));
                }
                Err(_) => {}
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    receiver
}

async fn messages(
    jetstream: &jetstream::Context,
    tournament: &TournamentId,
    consumer: &str,
) -> Result<pull::Stream, String> {
    let consumer: PullConsumer = jetstream
        .get_consumer_from_stream(consumer, tournament.jobs())
        .await
        .map_err(|error| error.to_string())?;
    let messages = consumer.stream().max_messages_per_batch(100).expires(Duration::from_secs(30));
    messages.heartbeat(Duration::from_secs(5)).messages().await.map_err(|error| error.to_string())
}

impl Playing<'_> {
    fn take(&mut self, job: SentJob, acker: Acker) {
        let id = message::message_id(&job.run, job.key, job.attempt);
        if self.is_done.contains(&id) {
            tokio::spawn(async move { acker.ack().await });
            return;
        }
        let held = Held { run: job.run, attempt: job.attempt, acker, over: false };
        if let Some(earlier) = self.held.insert(job.key, held) {
            // It is being played already; the result goes with the newer job.
            tokio::spawn(async move { earlier.acker.ack().await });
            if let Some(held) = self.held.get_mut(&job.key) {
                held.over = earlier.over;
            }
            return;
        }
        self.at_play.entry(job.key.id).or_default().push_back(job.key);
        self.workers.offer(vec![job.job]);
    }

    fn on_report(&mut self, report: WorkerReport) {
        let (id, played) = match report {
            WorkerReport::Begun(_) => return,
            WorkerReport::Over(game) => (game.pairing.id, Played::Over(game)),
            WorkerReport::Lost { id, why } => (id, Played::Lost(why)),
        };
        let key = self.at_play.get_mut(&id).and_then(VecDeque::pop_front);
        if self.at_play.get(&id).is_some_and(VecDeque::is_empty) {
            self.at_play.remove(&id);
        }
        let Some((key, held)) = key.and_then(|key| Some((key, self.held.get_mut(&key)?))) else { return };
        held.over = true;
        let mut result = SentResult { run: held.run.clone(), key, attempt: held.attempt, played };
        if let Played::Over(game) = &mut result.played {
            game.host.clone_from(&self.member.worker.machine.name);
        }
        let (size, most) = (message::to_bytes(&result).len(), self.member.client.server_info().max_payload);
        // Room for the headers.
        if most > 0 && size + 1024 > most {
            let why = format!("its result has {size} bytes, and the NATS server takes {most} (`max_payload`)");
            result.played = Played::Lost(why);
        }
        let subject = self.member.tournament.subject(Messages::Result, self.member.key.as_str());
        let (client, say, stored) =
            (self.member.client.clone(), Arc::clone(&self.member.worker.say), self.stored.clone());
        let worker = self.member.key.clone();
        tokio::spawn(async move {
            store(client, subject, &worker, &result, &say).await;
            stored.send(key).ok();
        });
    }

    fn on_stored(&mut self, key: JobKey) {
        let Some(held) = self.held.remove(&key) else { return };
        let id = message::message_id(&held.run, key, held.attempt);
        tokio::spawn(async move { held.acker.ack().await });
        self.is_done.insert(id.clone());
        self.done.push_back(id);
        if self.done.len() > REMEMBERED
            && let Some(oldest) = self.done.pop_front()
        {
            self.is_done.remove(&oldest);
        }
    }

    /// Gives up the jobs that no thread has begun.
    fn drop_waiting(&mut self) {
        for job in self.workers.take_back() {
            let key = self.at_play.get_mut(&job.pairing.id).and_then(VecDeque::pop_back);
            key.map(|key| self.held.remove(&key));
        }
    }

    async fn tell(&self, leaving: bool) {
        let status = Status { held: self.held.keys().copied().collect(), leaving };
        let subject = self.member.tournament.subject(Messages::Status, self.member.key.as_str());
        let message = message::to_json(&status).into();
        let told = self.member.client.publish_with_reply(subject, self.inbox.clone(), message);
        tokio::time::timeout(ANSWER_WITHIN, told).await.ok();
    }

    async fn say_progress(&self) {
        for held in self.held.values() {
            let told = held.acker.ack_with(AckKind::Progress);
            tokio::time::timeout(ANSWER_WITHIN, told).await.ok();
        }
    }
}

/// Stores a result on the server, as often as it takes.
async fn store(client: async_nats::Client, subject: String, worker: &WorkerKey, result: &SentResult, say: &Say) {
    let id = message::message_id(&result.run, result.key, result.attempt);
    let message = PublishMessage::build()
        .message_id(format!("{worker}/{id}"))
        .header("Cornerman-Game", result.key.id.to_string())
        .header("Cornerman-Attempt", result.attempt.to_string())
        .payload(message::to_bytes(result).into());
    let jetstream = jetstream::new(client);
    let mut said = false;
    loop {
        let sent = match jetstream.send_publish(subject.clone(), message.clone()).await {
            Ok(stored) => stored.await.map(drop),
            Err(error) => Err(error),
        };
        match sent {
            Ok(()) => return,
            Err(error) if !said => {
                said = true;
                say(&format!("the NATS server does not take results ({error}); trying again"));
            }
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
