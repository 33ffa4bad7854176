//! A worker at play: jobs come, games are played, results go. A job is acknowledged once its result is stored.

use super::bots::Built;
use super::{ANSWER_WITHIN, Announcements, GLANCE, Joining, Left, Member};
use crate::message::{self, Context, JobKey, Played, SentJob, SentResult, Status, Token};
use crate::names::{Messages, TournamentId};
use crate::{Say, names::WorkerKey};
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{self, AckKind};
use cornerman::format::GameId;
use cornerman_harness::sandbox::{Conditions, SandboxPool};
use cornerman_harness::tournament::{GameContext, LocalWorkers, WorkerReport, Workers};
use futures_util::StreamExt;
use std::collections::btree_map::Entry;
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
    token: Token,
    /// The message that it came with, which is acknowledged when the last of its jobs is dropped here.
    message: Arc<JobMessage>,
    /// Whether its game has ended and its result is being stored.
    over: bool,
}

/// A message of jobs.
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
    /// The results of all its jobs are stored, or others have been sent in their place.
    fn drop(&mut self) {
        let acker = Arc::clone(&self.acker);
        self.runtime.spawn(async move { acker.ack().await });
    }
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
    results: UnboundedSender<SentResult>,
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
    let at_least = Some(worker.at_least(context));
    let conditions = Conditions { at_least, at_most: context.at_most, ..Conditions::default() };
    let sandboxes = Arc::new(SandboxPool::new(worker.places));
    let game_context = GameContext { ruleset: member.ruleset.clone(), bots: bots.bots(), conditions, sandboxes };
    let mut workers = LocalWorkers::new(game_context, usize::from(worker.threads), worker.pinned);
    let mut reports = forward(&mut workers);
    let jetstream = member.jetstream.clone();
    let (results, mut stored_ones) = store_all(member);
    let mut jobs = fetch(jetstream, member.tournament.clone(), consumer.to_string(), Arc::clone(&worker.say));
    let mut playing = Playing {
        member: &*member,
        workers,
        held: BTreeMap::new(),
        at_play: BTreeMap::new(),
        done: VecDeque::new(),
        is_done: BTreeSet::new(),
        results,
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
            Some((jobs, acker)) = jobs.recv(), if !leaving => {
                let message = JobMessage::new(acker);
                for job in jobs { playing.take(job, &message); }
            }
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
) -> UnboundedReceiver<(Vec<SentJob>, Acker)> {
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
                            Ok(jobs) => drop(sender.send((jobs, acker))),
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
    fn take(&mut self, job: SentJob, message: &Arc<JobMessage>) {
        if self.is_done.contains(&message::message_id(&job.run, job.key, job.attempt)) {
            return;
        }
        if let Some(why) = self.is_odd(&job) {
            (self.member.worker.say)(&format!("ignored a job that is not of this tournament: {why}"));
            return;
        }
        let SentJob { run, attempt, token, .. } = job;
        let held = Held { run, attempt, token, message: Arc::clone(message), over: false };
        match self.held.entry(job.key) {
            Entry::Vacant(place) => {
                place.insert(held);
                self.at_play.entry(job.key.id).or_default().push_back(job.key);
                self.workers.offer(vec![job.job]);
            }
            // It is being played already; the result goes with the newer job.
            Entry::Occupied(mut place) => {
                let over = place.get().over;
                place.insert(Held { over, ..held });
            }
        }
    }

    /// Why no game of the tournament can be this one.
    fn is_odd(&self, job: &SentJob) -> Option<&'static str> {
        let seats = &job.job.pairing.seats;
        let entrants = self.member.facts.len();
        let (least, most) = self.member.ruleset.seats;
        match () {
            () if job.key.id != job.job.pairing.id => Some("it has two names"),
            () if seats.iter().any(|seat| seat.index() >= entrants) => Some("it has other entrants"),
            () if !(usize::from(least)..=usize::from(most)).contains(&seats.len()) => Some("it has other seats"),
            () => None,
        }
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
        let Held { run, attempt, token, .. } = &*held;
        let mut result = SentResult { run: run.clone(), key, attempt: *attempt, token: *token, played };
        if let Played::Over(game) = &mut result.played {
            game.host.clone_from(&self.member.worker.machine.name);
        }
        let size = message::to_bytes(&result).len();
        let most = self.member.client.server_info().max_payload;
        // Room for the headers, and for results that go with it.
        if size > most / 2 {
            let why = format!(
                "its result has {size} bytes, and the NATS server takes messages of {most} (`max_payload`)"
            );
            result.played = Played::Lost(why);
        }
        self.results.send(result).ok();
    }

    fn on_stored(&mut self, key: JobKey) {
        let Some(held) = self.held.remove(&key) else { return };
        let id = message::message_id(&held.run, key, held.attempt);
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
        let messages: BTreeMap<*const JobMessage, &Arc<JobMessage>> =
            self.held.values().map(|held| (Arc::as_ptr(&held.message), &held.message)).collect();
        for message in messages.values() {
            let told = message.acker.ack_with(AckKind::Progress);
            tokio::time::timeout(ANSWER_WITHIN, told).await.ok();
        }
    }
}

/// Stores results on the server, as they come: those that come together as one message. Returns where to send them, and
/// the jobs whose results are stored.
fn store_all(member: &Member) -> (UnboundedSender<SentResult>, UnboundedReceiver<JobKey>) {
    /// How long a result waits for others.
    const WAIT: Duration = Duration::from_millis(10);
    /// The most results of a message, and the most bytes of those before the last.
    const MOST: (usize, usize) = (64, 200_000);
    let (results, mut waiting) = unbounded_channel::<SentResult>();
    let (stored, stored_ones) = unbounded_channel();
    let client = member.client.clone();
    let say = Arc::clone(&member.worker.say);
    let worker = member.key.clone();
    let subject = member.tournament.subject(Messages::Result, worker.as_str());
    let most_bytes = client.server_info().max_payload;
    // Whether it was said that the server takes none.
    let said = Arc::new(AtomicBool::new(false));
    tokio::spawn(async move {
        while let Some(first) = waiting.recv().await {
            let mut bytes = message::to_bytes(&first).len();
            let mut together = vec![first];
            // Several messages may be under way at a time, so nothing waits for the server here.
            while together.len() < MOST.0
                && bytes < MOST.1.min(most_bytes / 4)
                && let Ok(Some(next)) = tokio::time::timeout(WAIT, waiting.recv()).await
            {
                bytes += message::to_bytes(&next).len();
                together.push(next);
            }
            let client = client.clone();
            let subject = subject.clone();
            let worker = worker.clone();
            let say = Arc::clone(&say);
            let said = Arc::clone(&said);
            let stored = stored.clone();
            tokio::spawn(async move {
                store(client, subject, &worker, &together, &say, &said).await;
                for result in &together {
                    stored.send(result.key).ok();
                }
            });
        }
    });
    (results, stored_ones)
}

/// Stores results on the server, as often as it takes. `said` is whether the user knows that the server takes none.
async fn store(
    client: async_nats::Client,
    subject: String,
    worker: &WorkerKey,
    results: &[SentResult],
    say: &Say,
    said: &AtomicBool,
) {
    let first = &results[0];
    let id = message::message_id(&first.run, first.key, first.attempt);
    let message = PublishMessage::build()
        .message_id(format!("{worker}/{id}"))
        .header("Cornerman-Games", message::games_of(results.iter().map(|result| result.key)))
        .payload(message::to_bytes(&results).into());
    let jetstream = jetstream::new(client);
    loop {
        let sent = match jetstream.send_publish(subject.clone(), message.clone()).await {
            Ok(stored) => stored.await.map(drop),
            Err(error) => Err(error),
        };
        match sent {
            Ok(()) => {
                if said.swap(false, Ordering::Relaxed) {
                    say("the NATS server takes results again");
                }
                return;
            }
            Err(error) => {
                if !said.swap(true, Ordering::Relaxed) {
                    say(&format!("the NATS server does not take results ({error}); trying again"));
                }
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
