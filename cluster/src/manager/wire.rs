//! The manager's side of the connection.
//!
//! Once connected, the manager does not wait for the server: background tasks send, and retry what the server refuses.

use crate::message::{self, Announcement, SentJob, SentResult, Signed, Status, Welcome, WorkerHello};
use crate::names::{EVERY_WORKER, Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use crate::objects::Objects;
use crate::rights::MANAGER;
use crate::server::{publish_stored, runtime};
use crate::{ClusterError, Identity, LogFn, ServerAccess};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Message, Subject};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);

/// How long to wait before retrying a request that the server did not carry out.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The most messages of results that the manager may have received and not acknowledged yet.
const MAX_UNRECORDED: i64 = 2_000;

/// How long the server waits before it delivers a job again that the worker has neither acknowledged nor reported to be
/// playing. There is one wait for each further delivery.
const BACKOFF: [Duration; 4] =
    [Duration::from_secs(30), Duration::from_secs(60), Duration::from_secs(120), Duration::from_secs(240)];

/// The server removes a consumer that no worker has used for this long.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3600);

/// Something that arrived from a worker.
pub(super) enum Arrival {
    /// A worker asks to join; the answer goes to this subject.
    Hello(Box<WorkerHello>, Subject),
    /// A worker is there. If it is unknown, it can be asked on this subject to join.
    Status(WorkerKey, Status, Option<Subject>),
    /// The results of jobs, or why they cannot be read. Each result must be acknowledged.
    Results(WorkerKey, postcard::Result<Vec<SentResult>>, Arc<Receipt>),
}

/// A message with results. The server is sent its acknowledgement once each result is acknowledged.
pub(super) struct Receipt {
    acker: Acker,
    /// How many of its results are not acknowledged yet.
    left: AtomicUsize,
}

/// The connection to the server, and the tasks that use it.
pub(super) struct Wire {
    runtime: Runtime,
    shared: Arc<WireShared>,
    events: Receiver<Arrival>,
}

struct WireShared {
    client: Client,
    jetstream: Context,
    tournament: TournamentId,
    announcement: Announcement,
    url: String,
    log: LogFn,
    /// Signs the announcements.
    identity: Identity,
    /// When each kind of failure was last logged.
    last_logged: Mutex<BTreeMap<&'static str, Instant>>,
    /// Which worker each consumer is for, by the consumer's name.
    consumers: tokio::sync::Mutex<BTreeMap<String, WorkerKey>>,
    /// How many messages were ignored because their sender may not send them, they cannot be read, or too many were
    /// waiting.
    ignored: AtomicUsize,
    /// How many events the manager has not taken yet.
    waiting: AtomicUsize,
}

impl Wire {
    /// Connects, prepares the streams and the store, and announces the tournament. Puts `objects` into the store under
    /// their names.
    pub(super) fn begin(
        server: &ServerAccess,
        announcement: Announcement,
        objects: &BTreeMap<String, Vec<u8>>,
        log: &LogFn,
    ) -> Result<Wire, ClusterError> {
        let runtime = runtime()?;
        let (sender, events) = channel();
        let identity = server.identity()?;
        let shared = runtime.block_on(async {
            let client = server.connect("cornerman manager", &format!("_INBOX.{MANAGER}"), log).await?;
            let shared = WireShared {
                jetstream: jetstream::new(client.clone()),
                client,
                tournament: announcement.tournament.clone(),
                announcement,
                url: server.url.clone(),
                log: Arc::clone(log),
                identity,
                last_logged: Mutex::default(),
                consumers: Default::default(),
                ignored: AtomicUsize::new(0),
                waiting: AtomicUsize::new(0),
            };
            shared.prepare(objects).await?;
            Ok::<_, ClusterError>(Arc::new(shared))
        })?;
        runtime.spawn(Arc::clone(&shared).announce());
        runtime.spawn(Arc::clone(&shared).receive_hellos(sender.clone()));
        runtime.spawn(Arc::clone(&shared).receive_statuses(sender.clone()));
        runtime.spawn(Arc::clone(&shared).receive_results(sender));
        Ok(Wire { runtime, shared, events })
    }

    /// Returns the next event; `None` if nothing arrives within `wait`.
    pub(super) fn next(&self, wait: Duration) -> Option<Arrival> {
        let event = self.events.recv_timeout(wait).ok()?;
        self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(event)
    }

    /// How many messages were ignored, for one of the reasons of [`WireShared::ignored`].
    pub(super) fn ignored(&self) -> usize {
        self.shared.ignored.load(Ordering::Relaxed)
    }

    /// Answers a worker that asked to join. One that joins gets a consumer first.
    pub(super) fn answer(&self, worker: WorkerKey, to: Subject, welcome: Welcome) {
        let shared = Arc::clone(&self.shared);
        self.runtime.spawn(async move {
            if let Welcome::Joined { consumer } = &welcome {
                let mut consumers = shared.consumers.lock().await;
                let before = consumers.insert(consumer.clone(), worker.clone());
                if before.is_none_or(|before| before != worker) {
                    // An earlier worker of this name, or an earlier run, may have left its consumer.
                    shared.jetstream.delete_consumer_from_stream(consumer, shared.tournament.jobs()).await.ok();
                }
                let filter_subject = shared.tournament.subject(Messages::Job, worker.as_str());
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
                let created = shared.jetstream.create_consumer_on_stream(config, shared.tournament.jobs()).await;
                if let Err(error) = created {
                    // The worker asks again.
                    return shared.log_failure("create a consumer", &error);
                }
                drop(consumers);
            }
            shared.client.publish(to, message::to_json(&welcome).into()).await.ok();
        });
    }

    /// Asks an unknown worker to join, if it gave a subject to reply to.
    pub(super) fn ask_to_join(&self, worker: Option<Subject>) {
        let shared = Arc::clone(&self.shared);
        if let Some(worker) = worker {
            self.runtime.spawn(async move { shared.client.publish(worker, Default::default()).await.ok() });
        }
    }

    /// Sends jobs to a worker, and retries until the server takes them.
    pub(super) fn send(&self, worker: &WorkerKey, jobs: &[SentJob]) {
        let Some(first) = jobs.first() else { return };
        let subject = self.shared.tournament.subject(Messages::Job, worker.as_str());
        let shared = Arc::clone(&self.shared);
        let message = PublishMessage::build()
            .message_id(message::job_name(&first.run, first.key, first.attempt))
            .header("Cornerman-Games", message::games_of(jobs.iter().map(|job| job.key)))
            .payload(message::to_bytes(&jobs).into());
        self.runtime.spawn(async move {
            while let Err(error) = publish_stored(&shared.jetstream, &subject, &message).await {
                shared.log_failure("take jobs", &error);
                tokio::time::sleep(RETRY_AFTER).await;
            }
        });
    }

    /// Acknowledges one result of each of these messages. The server delivers a message again if its acknowledgement is
    /// lost.
    pub(super) fn acknowledge(&self, results: impl IntoIterator<Item = Arc<Receipt>>) {
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

    /// Deletes the consumer of a worker that is gone, and its jobs that are still on the server.
    pub(super) fn forget(&self, worker: &WorkerKey) {
        let worker = worker.clone();
        let shared = Arc::clone(&self.shared);
        self.runtime.spawn(async move {
            let jobs = shared.tournament.jobs();
            let mut consumers = shared.consumers.lock().await;
            if consumers.get(worker.name()) == Some(&worker) {
                consumers.remove(worker.name());
                shared.jetstream.delete_consumer_from_stream(worker.name(), &jobs).await.ok();
            }
            drop(consumers);
            if let Ok(stream) = shared.jetstream.get_stream_no_info(&jobs).await {
                let subject = shared.tournament.subject(Messages::Job, worker.as_str());
                stream.purge().filter(subject).await.ok();
            }
        });
    }

    /// Ends the connection. If the tournament is `over`, announces that to workers and deletes everything stored for
    /// it.
    pub(super) fn end(self, over: bool) {
        let shared = &self.shared;
        self.runtime.block_on(async {
            if over {
                let last = shared.signed(&Announcement { over, ..shared.announcement.clone() });
                shared.client.publish(TOURNAMENTS, last.into()).await.ok();
                let id = &shared.tournament;
                let deleted = async {
                    shared.jetstream.delete_stream(id.jobs()).await?;
                    shared.jetstream.delete_stream(id.results()).await?;
                    shared.jetstream.delete_stream(id.objects()).await?;
                    Ok::<_, async_nats::Error>(())
                };
                let deleted = tokio::time::timeout(Duration::from_secs(10), deleted).await;
                if let Err(why) = deleted.unwrap_or_else(|_| Err("it does not answer".into())) {
                    let [jobs, results, objects] = [id.jobs(), id.results(), id.objects()];
                    (shared.log)(&format!(
                        "the NATS server did not remove everything ({why}): the streams {jobs}, {results} and \
                         {objects} can be deleted"
                    ));
                }
            }
            tokio::time::timeout(Duration::from_secs(5), shared.client.flush()).await.ok();
        });
        self.runtime.shutdown_background();
    }
}

impl WireShared {
    fn server_error(&self, what: &str, error: &dyn std::fmt::Display) -> ClusterError {
        ClusterError::of_server(&self.url, self.identity.key.is_some(), what, error)
    }

    /// Logs that the server does not do something, at most once a minute.
    fn log_failure(&self, what: &'static str, error: &dyn std::fmt::Display) {
        const EVERY: Duration = Duration::from_secs(60);
        let Ok(mut last_logged) = self.last_logged.lock() else { return };
        if last_logged.get(what).is_none_or(|last| last.elapsed() > EVERY) {
            last_logged.insert(what, Instant::now());
            (self.log)(&format!("the NATS server at {} does not {what} ({error}); trying again", self.url));
        }
    }

    /// Makes the streams and the store unless they exist, removes old jobs, and stores `objects`.
    async fn prepare(&self, objects: &BTreeMap<String, Vec<u8>>) -> Result<(), ClusterError> {
        let id = &self.tournament;
        let stream = |name: String, messages| Config {
            name,
            subjects: vec![id.subject(messages, EVERY_WORKER)],
            retention: RetentionPolicy::WorkQueue,
            ..Config::default()
        };
        for config in [stream(id.jobs(), Messages::Job), stream(id.results(), Messages::Result)] {
            let created = self.jetstream.get_or_create_stream(config).await;
            created.map_err(|error| self.server_error("make a stream", &error))?;
        }
        // The games that an earlier run requested are played already, or will be requested again.
        let jobs = self.jetstream.get_stream_no_info(id.jobs()).await;
        let jobs = jobs.map_err(|error| self.server_error("find a stream", &error))?;
        jobs.purge().await.map_err(|error| self.server_error("empty a stream", &error))?;
        let store = Objects::make(&self.jetstream, id).await;
        let store = store.map_err(|error| self.server_error("make a stream", &error))?;
        for (name, bytes) in objects {
            store.put(name, bytes).await.map_err(|error| self.server_error("store the bots", &error))?;
        }
        Ok(())
    }

    fn signed(&self, announcement: &Announcement) -> Vec<u8> {
        message::to_json(&Signed::new(announcement, self.identity.key.as_deref()))
    }

    /// Returns `reply` if it is a subject at which `worker` may be answered. The manager may publish to subjects that
    /// workers may not, so a worker must not be able to make it publish to one of those.
    fn answerable(&self, worker: &WorkerKey, reply: Option<Subject>) -> Option<Subject> {
        /// The server itself forwards answers on these subjects to the account of the worker that asked.
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

    /// Passes an event on to the manager, or ignores it if too many are waiting. Workers send hellos and statuses
    /// again.
    fn pass_on(&self, events: &Sender<Arrival>, event: Arrival) {
        /// As many events as ten thousand workers send in a second.
        const MAX_WAITING: usize = 10_000;
        /// A hello may be large, so it is ignored if this many events, or more, are waiting.
        const MAX_BEFORE_HELLO: usize = 256;
        let most = if matches!(event, Arrival::Hello(..)) { MAX_BEFORE_HELLO } else { MAX_WAITING };
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

    /// Calls `on_message` for each message of this kind, with the worker that sent it.
    async fn listen(&self, messages: Messages, on_message: impl Fn(WorkerKey, Message)) {
        let subject = self.tournament.subject(messages, EVERY_WORKER);
        loop {
            match self.client.subscribe(subject.clone()).await {
                Ok(mut messages) => {
                    while let Some(received) = messages.next().await {
                        on_message(WorkerKey::of_subject(&received.subject), received);
                    }
                }
                Err(error) => self.log_failure("let the manager listen", &error),
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }

    async fn receive_hellos(self: Arc<Self>, events: Sender<Arrival>) {
        let on_hello = |worker: WorkerKey, received: Message| {
            let hello = message::from_json::<WorkerHello>(&received.payload).ok();
            let own = hello.filter(|hello| hello.worker == worker && worker.is_of(&hello.machine.name));
            let (Some(hello), Some(reply)) = (own, received.reply) else { return self.ignore() };
            if let Some(reply) = self.answerable(&worker, Some(reply)) {
                self.pass_on(&events, Arrival::Hello(Box::new(hello), reply));
            }
        };
        self.listen(Messages::Hello, on_hello).await;
    }

    async fn receive_statuses(self: Arc<Self>, events: Sender<Arrival>) {
        let on_status = |worker: WorkerKey, received: Message| match message::from_json(&received.payload) {
            Ok(status) => {
                let reply = self.answerable(&worker, received.reply);
                self.pass_on(&events, Arrival::Status(worker, status, reply));
            }
            Err(_) => self.ignore(),
        };
        self.listen(Messages::Status, on_status).await;
    }

    async fn receive_results(self: Arc<Self>, events: Sender<Arrival>) {
        let stream = self.tournament.results();
        // Without the old consumer, the server delivers at once what an earlier run received but did not record.
        self.jetstream.delete_consumer_from_stream(MANAGER, &stream).await.ok();
        loop {
            let config = pull::Config {
                durable_name: Some(MANAGER.to_string()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: Duration::from_secs(120),
                max_ack_pending: MAX_UNRECORDED,
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
                    while let Some(Ok(received)) = messages.next().await {
                        let (message, acker) = received.split();
                        let worker = WorkerKey::of_subject(&message.subject);
                        let results = message::from_bytes::<Vec<SentResult>>(&message.payload);
                        let left = AtomicUsize::new(results.as_ref().map_or(1, |results| results.len().max(1)));
                        self.waiting.fetch_add(1, Ordering::Relaxed);
                        events.send(Arrival::Results(worker, results, Arc::new(Receipt { acker, left }))).ok();
                    }
                }
                Err(error) => self.log_failure("give results", &error),
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }
}
