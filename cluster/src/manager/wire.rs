//! The manager's side of the connection. Nothing here waits for the server: what it does not take is sent again.

use crate::message::{self, Announcement, Hello, SentJob, SentResult, Signed, Status, Welcome};
use crate::names::{EVERY_WORKER, Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use crate::objects::Objects;
use crate::rights::MANAGER;
use crate::server::runtime;
use crate::{ClusterError, Identity, Say, Server};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Subject};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// How often the tournament is announced.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);

/// How long to wait before something is tried again that the server did not do.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Results that the manager has received and not recorded yet, at most.
const MOST_UNRECORDED: i64 = 2_000;

/// When a worker is asked again to take a job that it neither answers nor says that it is playing, and how many times.
const BACKOFF: [Duration; 4] =
    [Duration::from_secs(30), Duration::from_secs(60), Duration::from_secs(120), Duration::from_secs(240)];

/// A consumer that nobody asks for this long is removed.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3600);

/// What arrives from workers.
pub enum Event {
    /// A worker asks to join; the answer goes to this subject.
    Hello(Box<Hello>, Subject),
    /// A worker is there, and listens on this subject whether it is known.
    Status(WorkerKey, Status, Option<Subject>),
    /// What became of jobs, or why it cannot be read. Each result is to be acknowledged.
    Results(WorkerKey, Result<Vec<SentResult>, String>, Arc<Receipt>),
}

/// A message of results. It is acknowledged when all of them are.
pub struct Receipt {
    acker: Acker,
    left: AtomicUsize,
}

/// The connection, and the tasks that use it.
pub struct Wire {
    runtime: Runtime,
    parts: Arc<Parts>,
    events: Receiver<Event>,
}

struct Parts {
    client: Client,
    jetstream: Context,
    tournament: TournamentId,
    announcement: Announcement,
    url: String,
    say: Say,
    /// Who signs the announcements.
    identity: Identity,
    /// What was said about each thing that fails, and when.
    said: Mutex<BTreeMap<&'static str, Instant>>,
    /// The worker that the consumer of each name is for.
    consumers: tokio::sync::Mutex<BTreeMap<String, WorkerKey>>,
    /// How many messages were ignored because their sender may not send them, or there were too many.
    ignored: AtomicUsize,
    /// How many events wait for the manager.
    waiting: AtomicUsize,
}

impl Wire {
    /// Connects, prepares the streams and the store, and announces the tournament. `objects` are put into the store under
    /// their names.
    ///
    /// # Errors
    /// If the server cannot be used.
    pub fn begin(
        server: &Server,
        announcement: Announcement,
        objects: &BTreeMap<String, Vec<u8>>,
        say: &Say,
    ) -> Result<Wire, ClusterError> {
        let runtime = runtime()?;
        let (sender, events) = channel();
        let identity = server.identity()?;
        let parts = runtime.block_on(async {
            let client = server.connect("cornerman manager", &format!("_INBOX.{MANAGER}"), say).await?;
            let tournament = announcement.tournament.clone();
            let url = server.url.clone();
            let say = Arc::clone(say);
            let jetstream = jetstream::new(client.clone());
            let parts = Parts {
                client,
                jetstream,
                tournament,
                announcement,
                url,
                say,
                identity,
                said: Mutex::default(),
                consumers: Default::default(),
                ignored: AtomicUsize::new(0),
                waiting: AtomicUsize::new(0),
            };
            parts.prepare(objects).await?;
            Ok::<_, ClusterError>(Arc::new(parts))
        })?;
        runtime.spawn(Arc::clone(&parts).announce());
        runtime.spawn(Arc::clone(&parts).hear_hellos(sender.clone()));
        runtime.spawn(Arc::clone(&parts).hear_statuses(sender.clone()));
        runtime.spawn(Arc::clone(&parts).hear_results(sender));
        Ok(Wire { runtime, parts, events })
    }

    /// What arrives next; `None` if nothing does within `wait`.
    pub fn next(&self, wait: Duration) -> Option<Event> {
        let event = self.events.recv_timeout(wait).ok()?;
        self.parts.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(event)
    }

    /// How many messages were ignored because their sender may not send them.
    pub fn ignored(&self) -> usize {
        self.parts.ignored.load(Ordering::Relaxed)
    }

    /// Answers a worker that asked to join. One that joins gets a consumer first.
    pub fn answer(&self, worker: WorkerKey, to: Subject, welcome: Welcome) {
        let parts = Arc::clone(&self.parts);
        self.runtime.spawn(async move {
            if let Welcome::Joined { consumer } = &welcome {
                let mut consumers = parts.consumers.lock().await;
                let before = consumers.insert(consumer.clone(), worker.clone());
                if before.is_none_or(|before| before != worker) {
                    // That of an earlier worker of this name, or of an earlier run.
                    parts.jetstream.delete_consumer_from_stream(consumer, parts.tournament.jobs()).await.ok();
                }
                let filter_subject = parts.tournament.subject(Messages::Job, worker.as_str());
                let config = pull::Config {
                    durable_name: Some(consumer.clone()),
                    filter_subject,
                    ack_policy: AckPolicy::Explicit,
                    backoff: BACKOFF.to_vec(),
                    max_deliver: BACKOFF.len() as i64 + 1,
                    max_ack_pending: 20_000,
                    inactive_threshold: FORGOTTEN_AFTER,
                    ..pull::Config::default()
                };
                let made = parts.jetstream.create_consumer_on_stream(config, parts.tournament.jobs()).await;
                if let Err(error) = made {
                    // The worker asks again.
                    return parts.complain("create a consumer", &error);
                }
                drop(consumers);
            }
            parts.client.publish(to, message::to_json(&welcome).into()).await.ok();
        });
    }

    /// Asks a worker that is not known to join, if it listens.
    pub fn ask_to_join(&self, worker: Option<Subject>) {
        let parts = Arc::clone(&self.parts);
        if let Some(worker) = worker {
            self.runtime.spawn(async move { parts.client.publish(worker, Default::default()).await.ok() });
        }
    }

    /// Sends jobs to a worker, as often as it takes.
    pub fn send(&self, worker: &WorkerKey, jobs: &[SentJob]) {
        let Some(first) = jobs.first() else { return };
        let subject = self.parts.tournament.subject(Messages::Job, worker.as_str());
        let parts = Arc::clone(&self.parts);
        let message = PublishMessage::build()
            .message_id(message::message_id(&first.run, first.key, first.attempt))
            .header("Cornerman-Games", message::games_of(jobs.iter().map(|job| job.key)))
            .payload(message::to_bytes(&jobs).into());
        self.runtime.spawn(async move {
            loop {
                let sent = match parts.jetstream.send_publish(subject.clone(), message.clone()).await {
                    Ok(stored) => stored.await.map(drop),
                    Err(error) => Err(error),
                };
                match sent {
                    Ok(()) => return,
                    Err(error) => parts.complain("take jobs", &error),
                }
                tokio::time::sleep(AGAIN_AFTER).await;
            }
        });
    }

    /// Acknowledges one result each of these messages. Messages whose acknowledgement is lost come again.
    pub fn acknowledge(&self, results: impl IntoIterator<Item = Arc<Receipt>>) {
        let is_done = |receipt: &Arc<Receipt>| receipt.left.fetch_sub(1, Ordering::Relaxed) == 1;
        let done: Vec<Arc<Receipt>> = results.into_iter().filter(is_done).collect();
        if !done.is_empty() {
            self.runtime.spawn(async move {
                for receipt in done {
                    receipt.acker.ack().await.ok();
                }
            });
        }
    }

    /// Takes back what a worker was sent and has not fetched.
    pub fn forget(&self, worker: &WorkerKey) {
        let worker = worker.clone();
        let parts = Arc::clone(&self.parts);
        self.runtime.spawn(async move {
            let jobs = parts.tournament.jobs();
            let mut consumers = parts.consumers.lock().await;
            if consumers.get(worker.name()) == Some(&worker) {
                consumers.remove(worker.name());
                parts.jetstream.delete_consumer_from_stream(worker.name(), &jobs).await.ok();
            }
            drop(consumers);
            if let Ok(stream) = parts.jetstream.get_stream_no_info(&jobs).await {
                let subject = parts.tournament.subject(Messages::Job, worker.as_str());
                stream.purge().filter(subject).await.ok();
            }
        });
    }

    /// Ends the connection. If the tournament is `over`, workers are told, and all that was stored is removed.
    pub fn end(self, over: bool) {
        let parts = &self.parts;
        self.runtime.block_on(async {
            if over {
                let last = parts.signed(&Announcement { over, ..parts.announcement.clone() });
                parts.client.publish(TOURNAMENTS, last.into()).await.ok();
                let id = &parts.tournament;
                let deleted = async {
                    parts.jetstream.delete_stream(id.jobs()).await?;
                    parts.jetstream.delete_stream(id.results()).await?;
                    parts.jetstream.delete_stream(id.objects()).await?;
                    Ok::<_, async_nats::Error>(())
                };
                let late = || "it does not answer".into();
                let deleted = tokio::time::timeout(Duration::from_secs(10), deleted).await;
                if let Err(why) = deleted.unwrap_or_else(|_| Err(late())) {
                    let jobs = id.jobs();
                    let results = id.results();
                    let objects = id.objects();
                    (parts.say)(&format!(
                        "the NATS server did not remove everything ({why}): the streams {jobs}, {results} and {objects} \
                         can be deleted"
                    ));
                }
            }
            tokio::time::timeout(Duration::from_secs(5), parts.client.flush()).await.ok();
        });
        self.runtime.shutdown_background();
    }
}

impl Parts {
    fn failed(&self, what: &str, error: &dyn std::fmt::Display) -> ClusterError {
        ClusterError::of_server(&self.url, self.identity.key.is_some(), what, error)
    }

    /// Says that the server does not do something, once a minute.
    fn complain(&self, what: &'static str, error: &dyn std::fmt::Display) {
        const EVERY: Duration = Duration::from_secs(60);
        let Ok(mut said) = self.said.lock() else { return };
        if said.get(what).is_none_or(|last| last.elapsed() > EVERY) {
            said.insert(what, Instant::now());
            (self.say)(&format!("the NATS server at {} does not {what} ({error}); trying again", self.url));
        }
    }

    async fn prepare(&self, objects: &BTreeMap<String, Vec<u8>>) -> Result<(), ClusterError> {
        let id = &self.tournament;
        let stream = |name: String, messages| Config {
            name,
            subjects: vec![id.subject(messages, EVERY_WORKER)],
            retention: RetentionPolicy::WorkQueue,
            ..Config::default()
        };
        for config in [stream(id.jobs(), Messages::Job), stream(id.results(), Messages::Result)] {
            let made = self.jetstream.get_or_create_stream(config).await;
            made.map_err(|error| self.failed("make a stream", &error))?;
        }
        // What an earlier run has asked for is played already, or asked for again.
        let jobs = self.jetstream.get_stream_no_info(id.jobs()).await;
        let jobs = jobs.map_err(|error| self.failed("find a stream", &error))?;
        jobs.purge().await.map_err(|error| self.failed("empty a stream", &error))?;
        let store = Objects::make(&self.jetstream, id).await;
        let store = store.map_err(|error| self.failed("make a stream", &error))?;
        for (name, bytes) in objects {
            store.put(name, bytes).await.map_err(|error| self.failed("store the bots", &error))?;
        }
        Ok(())
    }

    fn signed(&self, announcement: &Announcement) -> Vec<u8> {
        message::to_json(&Signed::new(announcement, self.identity.key.as_deref()))
    }

    /// Where `worker` may be answered. Nothing is sent elsewhere: the manager may use subjects that workers may not.
    fn answerable(&self, worker: &WorkerKey, reply: Option<Subject>) -> Option<Subject> {
        /// Where the server itself passes an answer on to the account of the worker that asked.
        const OTHER_ACCOUNT: &str = "_R_.";
        let own = format!("{}.", inbox(worker.name()));
        let reply = reply?;
        if !reply.starts_with(&own) && !reply.starts_with(OTHER_ACCOUNT) {
            self.ignore();
            return None;
        }
        Some(reply)
    }

    fn ignore(&self) {
        self.ignored.fetch_add(1, Ordering::Relaxed);
    }

    /// Passes on an event that comes again, unless too many wait already.
    fn pass_on(&self, events: &Sender<Event>, event: Event) {
        /// As many as ten thousand workers send in a second, and few of those that may be large.
        const MOST_WAITING: [usize; 2] = [10_000, 256];
        let most = MOST_WAITING[usize::from(matches!(event, Event::Hello(..)))];
        if self.waiting.fetch_add(1, Ordering::Relaxed) < most {
            events.send(event).ok();
        } else {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            self.ignore();
        }
    }

    async fn announce(self: Arc<Self>) {
        let announcement = self.signed(&self.announcement);
        loop {
            self.client.publish(TOURNAMENTS, announcement.clone().into()).await.ok();
            tokio::time::sleep(ANNOUNCE_EVERY).await;
        }
    }

    async fn hear_hellos(self: Arc<Self>, events: Sender<Event>) {
        let subject = self.tournament.subject(Messages::Hello, EVERY_WORKER);
        loop {
            match self.client.subscribe(subject.clone()).await {
                Ok(mut hellos) => {
                    while let Some(heard) = hellos.next().await {
                        let worker = WorkerKey::of_subject(&heard.subject);
                        let hello = message::from_json::<Hello>(&heard.payload);
                        let its = |hello: &Hello| hello.worker == worker && worker.is_of(&hello.machine.name);
                        let reply = self.answerable(&worker, heard.reply);
                        match (hello.ok().filter(its), reply) {
                            (Some(hello), Some(reply)) => {
                                self.pass_on(&events, Event::Hello(Box::new(hello), reply));
                            }
                            _ => self.ignore(),
                        }
                    }
                }
                Err(error) => self.complain("let the manager listen", &error),
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }

    async fn hear_statuses(self: Arc<Self>, events: Sender<Event>) {
        let subject = self.tournament.subject(Messages::Status, EVERY_WORKER);
        loop {
            match self.client.subscribe(subject.clone()).await {
                Ok(mut statuses) => {
                    while let Some(heard) = statuses.next().await {
                        let worker = WorkerKey::of_subject(&heard.subject);
                        match message::from_json(&heard.payload) {
                            Ok(status) => {
                                let reply = self.answerable(&worker, heard.reply);
                                self.pass_on(&events, Event::Status(worker, status, reply));
                            }
                            Err(_) => self.ignore(),
                        }
                    }
                }
                Err(error) => self.complain("let the manager listen", &error),
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }

    async fn hear_results(self: Arc<Self>, events: Sender<Event>) {
        let stream = self.tournament.results();
        // What an earlier run has received and not recorded comes again at once.
        self.jetstream.delete_consumer_from_stream(MANAGER, &stream).await.ok();
        loop {
            let config = pull::Config {
                durable_name: Some(MANAGER.to_string()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: Duration::from_secs(120),
                max_ack_pending: MOST_UNRECORDED,
                ..pull::Config::default()
            };
            let consumer = self.jetstream.create_consumer_on_stream(config, stream.clone()).await;
            let messages = match consumer {
                Ok(consumer) => {
                    let messages = consumer.stream().max_messages_per_batch(200).expires(Duration::from_secs(30));
                    let messages = messages.heartbeat(Duration::from_secs(5)).messages().await;
                    messages.map_err(|error| error.to_string())
                }
                Err(error) => Err(error.to_string()),
            };
            match messages {
                Ok(mut messages) => {
                    while let Some(Ok(heard)) = messages.next().await {
                        let (message, acker) = heard.split();
                        let worker = WorkerKey::of_subject(&message.subject);
                        let results = message::from_bytes::<Vec<SentResult>>(&message.payload);
                        let left = AtomicUsize::new(results.as_ref().map_or(1, |results| results.len().max(1)));
                        self.waiting.fetch_add(1, Ordering::Relaxed);
                        events.send(Event::Results(worker, results, Arc::new(Receipt { acker, left }))).ok();
                    }
                }
                Err(error) => self.complain("give results", &error),
            }
            tokio::time::sleep(AGAIN_AFTER).await;
        }
    }
}
