//! A worker: joins the tournaments that managers announce, and plays their games.

mod bots;
mod playing;

use crate::message::{self, Announcement, Context, SentBot, Signed, SignedError, Welcome, WorkerHello};
use crate::names::{Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use crate::objects::Objects;
use crate::server::runtime;
use crate::{ClusterError, LogFn, ServerAccess};
use async_nats::jetstream;
use async_nats::{Client, Subscriber};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::BuildFacts;
use cornerman_harness::ruleset::{Games, Ruleset};
use cornerman_harness::run::Until;
use cornerman_harness::sandbox::Level;
use cornerman_harness::text::Reason;
use futures_util::StreamExt;
use nkeys::KeyPair;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a worker checks whether it must stop, and whether the manager is still there.
const CHECK_EVERY: Duration = Duration::from_millis(200);

/// How long a worker waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The most bytes of a tournament's context.
const MAX_CONTEXT_BYTES: usize = 64 << 20;

/// Loads a bot by its path or name, with the files that were handed in beside it.
pub type LoadBot = Arc<dyn Fn(&str, &[String], LoadBounds) -> Result<Bot, Reason> + Send + Sync>;

/// The bounds of the isolation that a tournament asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadBounds {
    /// At least this level.
    pub at_least: Option<Level>,
    /// At most this level.
    pub at_most: Option<Level>,
}

/// The limits that a worker sets itself, whatever a tournament asks for.
#[derive(Clone, Debug)]
pub struct Floor {
    /// The weakest isolation, for games and for builds.
    pub isolation: Level,
    /// The most memory of a bot, in bytes.
    pub memory: u64,
    /// The most processes of a bot.
    pub processes: u64,
    /// The largest file of a bot, in bytes.
    pub file: u64,
    /// The longest time that a bot may have for a move, or to start.
    pub time: Duration,
}

/// A worker and what it can do.
#[derive(Clone)]
pub struct Worker {
    /// Its machine, under the name that the record uses.
    pub machine: Machine,
    /// How many games it plays at a time.
    pub threads: u16,
    /// Whether each game runs on a processor of its own.
    pub pinned: bool,
    /// How many sandboxes may stay open between games.
    pub places: usize,
    /// The isolation that its sandboxes reach.
    pub level: Level,
    /// The limits that it sets.
    pub floor: Floor,
    /// The public key of the manager whose tournaments it plays; `None` for the tournaments of every manager.
    pub manager: Option<String>,
    /// How noisy its clock is, in words; `None` if it is quiet.
    pub noise: Option<String>,
    /// The games that it can play.
    pub games: Games,
    /// Loads bots.
    pub load: LoadBot,
    /// Prints what happens.
    pub log: LogFn,
}

/// Why a worker left a tournament.
enum LeaveReason {
    /// The tournament is over, or its manager has been silent for too long.
    Over,
    /// Other bots play in the tournament now.
    Changed,
    /// This run of the manager gives it no games.
    Refused,
    /// The worker is to stop.
    Stopped,
}

impl Worker {
    /// Plays in one tournament after another until it is to stop. Running games are played to their end, unless it is
    /// to end at once.
    ///
    /// # Errors
    /// If [`Worker::manager`] is not a public key, or the server cannot be used at first. Later failures are logged,
    /// and the worker retries until they pass.
    pub fn run(&self, server: &ServerAccess, until: &Until) -> Result<(), ClusterError> {
        let runtime = runtime()?;
        let ended = runtime.block_on(async {
            tokio::select! {
                served = self.serve(server, until) => served,
                () = wait_for_end(until) => Ok(()),
            }
        });
        runtime.shutdown_background();
        ended
    }

    /// Connects, and plays in the tournaments that are announced, until the worker is to stop.
    async fn serve(&self, server: &ServerAccess, until: &Until) -> Result<(), ClusterError> {
        if let Some(manager) = &self.manager
            && KeyPair::from_public_key(manager).is_err()
        {
            let why = format!("--manager {manager}: expected the manager's public key, which begins with U");
            return Err(ClusterError::Mistake(why));
        }
        let name = &self.machine.name;
        let client = server.connect(&format!("cornerman worker {name}"), &inbox(name), &self.log).await?;
        let jetstream = server.identity()?.jetstream(&client);
        let mut announcements = Announcements::subscribe(&client, self).await?;
        (self.log)(&format!("{} waits for tournaments at {}", self.machine.name, server.url));
        let mut refused = None;
        while !until.is_stopping() {
            let Some(announced) = announcements.next().await else { continue };
            if announced.over || refused.as_ref() == Some(&announced.run) {
                continue;
            }
            // Replaces an announcement that the tournament is over: one of its games may have been annulled since.
            announcements.note(announced.clone(), &announced.tournament);
            match self.take_part(&client, &jetstream, &announced, &mut announcements, until).await {
                Ok(LeaveReason::Over) => (self.log)(&format!("{}: over; waiting for the next", announced.contest)),
                Ok(LeaveReason::Changed) => (self.log)(&format!("{}: other bots play now", announced.contest)),
                Ok(LeaveReason::Refused) => refused = Some(announced.run),
                Ok(LeaveReason::Stopped) => break,
                Err(why) => {
                    (self.log)(&format!("{}: {why}; trying again", announced.contest));
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            }
        }
        // If the server is gone, the last messages cannot be sent.
        tokio::time::timeout(ANSWER_TIMEOUT, client.flush()).await.ok();
        Ok(())
    }

    /// Builds the bots of a tournament, joins it, and plays until it ends.
    async fn take_part(
        &self,
        client: &Client,
        jetstream: &jetstream::Context,
        announced: &Announcement,
        announcements: &mut Announcements,
        until: &Until,
    ) -> Result<LeaveReason, async_nats::Error> {
        if announced.kit != message::kit() {
            let own = message::kit();
            (self.log)(&format!(
                "{}: its manager has the version {}, and this is {own}",
                announced.contest, announced.kit
            ));
            return Ok(LeaveReason::Refused);
        }
        let objects = Objects::open(jetstream, &announced.tournament).await?;
        let context: Context = message::from_json(&objects.get(&announced.context, MAX_CONTEXT_BYTES).await?)?;
        let ruleset = self.games.parse(Path::new("ruleset.toml"), &context.ruleset)?;
        let refusal = self.refusal(&context);
        if refusal.is_none() {
            (self.log)(&format!("{}: building {} bots", announced.contest, context.entrants.len()));
        }
        // A worker that refuses builds nothing, but still sends its hello so that the manager learns why.
        let bots = match refusal {
            Some(_) => bots::BuiltBots::nothing(&context),
            None => bots::BuiltBots::fetch(self, &context, &objects, until).await?,
        };
        if until.is_stopping() {
            return Ok(LeaveReason::Stopped);
        }
        let member = Membership {
            worker: self,
            key: WorkerKey::new(&self.machine.name),
            client,
            jetstream: jetstream.clone(),
            tournament: announced.tournament.clone(),
            context: announced.context.clone(),
            ruleset,
            facts: bots.facts(),
            refusal,
        };
        let consumer = match member.join(announcements, until).await? {
            JoinOutcome::Joined(consumer) => consumer,
            JoinOutcome::NotJoined(left) => return Ok(left),
        };
        (self.log)(&format!("{}: joined as {}", announced.contest, self.machine.name));
        playing::play(&member, &context, bots, &consumer, announcements, until).await
    }

    /// The weakest isolation at which the worker plays this tournament.
    fn min_isolation(&self, context: &Context) -> Level {
        context.at_least.map_or(self.floor.isolation, |level| level.max(self.floor.isolation))
    }

    /// Why the worker refuses this tournament; `None` if it does not.
    fn refusal(&self, context: &Context) -> Option<String> {
        let Floor { isolation, memory, processes, file, time } = &self.floor;
        if let Some(level) = context.at_most.filter(|level| level < isolation) {
            return Some(format!(
                "it is to be played at {level} at most, and this worker plays at {isolation} at least"
            ));
        }
        if self.level < *isolation {
            return Some(format!(
                "this worker plays at {isolation} at least, and its machine offers {}",
                self.level
            ));
        }
        let of_bot = |bot: &SentBot| {
            let SentBot { name, limits, .. } = bot;
            let longest = limits.hard.max(limits.start);
            let asked = [
                ("memory", limits.memory, *memory, 1 << 20, " MiB"),
                ("processes", limits.processes, *processes, 1, ""),
                ("files", limits.file, *file, 1 << 20, " MiB"),
                ("time for a move", longest.as_millis() as u64, time.as_millis() as u64, 1000, " s"),
            ];
            let (what, asked, most, size, unit) = asked.into_iter().find(|(_, asked, most, ..)| asked > most)?;
            let (asked, most) = (asked.div_ceil(size), most / size);
            Some(format!("{name} may have {what} up to {asked}{unit}, and this worker allows {most}{unit}"))
        };
        context.entrants.iter().find_map(of_bot)
    }
}

/// Waits until the worker is to end at once.
async fn wait_for_end(until: &Until) {
    while until.ended().is_none() {
        tokio::time::sleep(CHECK_EVERY).await;
    }
}

/// A worker in a tournament.
struct Membership<'a> {
    worker: &'a Worker,
    key: WorkerKey,
    client: &'a Client,
    jetstream: jetstream::Context,
    tournament: TournamentId,
    /// The SHA-256 of the [`Context`].
    context: String,
    ruleset: Ruleset,
    facts: Vec<Result<BuildFacts, Reason>>,
    /// Why it refuses to play, if it does.
    refusal: Option<String>,
}

enum JoinOutcome {
    /// Jobs come from this consumer.
    Joined(String),
    NotJoined(LeaveReason),
}

impl Membership<'_> {
    /// Asks the manager to let the worker join, until it agrees or refuses, the worker is to stop, or the tournament
    /// ends or changes.
    async fn join(
        &self,
        announcements: &mut Announcements,
        until: &Until,
    ) -> Result<JoinOutcome, async_nats::Error> {
        let Worker { machine, threads, level, noise, log, .. } = self.worker;
        let hello = WorkerHello {
            worker: self.key.clone(),
            context: self.context.clone(),
            machine: machine.clone(),
            kit: message::kit(),
            rules: message::rules_print(&self.ruleset),
            level: *level,
            threads: *threads,
            noise: noise.clone(),
            refuses: self.refusal.clone(),
            bots: self.facts.clone(),
        };
        let subject = self.tournament.subject(Messages::Hello, self.key.as_str());
        let hello = message::to_json(&hello);
        let mut last_logged = String::new();
        while !until.is_stopping() {
            let request = self.client.request(subject.clone(), hello.clone().into());
            let welcome = match tokio::time::timeout(ANSWER_TIMEOUT, request).await {
                Ok(Ok(answer)) => Some(message::from_json::<Welcome>(&answer.payload)?),
                // No manager is listening at the moment.
                Ok(Err(_)) | Err(_) => None,
            };
            match welcome {
                Some(Welcome::Joined { consumer }) => return Ok(JoinOutcome::Joined(consumer)),
                Some(Welcome::Refused(why)) => {
                    log(&format!("the manager gives {} no games: {why}", machine.name));
                    return Ok(JoinOutcome::NotJoined(LeaveReason::Refused));
                }
                Some(Welcome::NotYet(why)) if why != last_logged => {
                    log(&why);
                    last_logged = why;
                }
                Some(Welcome::NotYet(_)) | None => {}
            }
            if announcements.is_over(&self.tournament) || announcements.silence() > playing::LEAVE_AFTER {
                return Ok(JoinOutcome::NotJoined(LeaveReason::Over));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            announcements.drain(&self.tournament);
            if announcements.has_changed(&self.tournament, &self.context) {
                return Ok(JoinOutcome::NotJoined(LeaveReason::Changed));
            }
        }
        Ok(JoinOutcome::NotJoined(LeaveReason::Stopped))
    }
}

/// Receives the announcements of managers. If the worker plays for one manager only, ignores those that this manager
/// has not signed.
struct Announcements {
    subscriber: Subscriber,
    manager: Option<String>,
    log: LogFn,
    ignored: u64,
    /// The last announcement of the tournament in which the worker takes part.
    last: Option<Announcement>,
    last_seen: Instant,
}

impl Announcements {
    async fn subscribe(client: &Client, worker: &Worker) -> Result<Announcements, ClusterError> {
        let subscriber =
            client.subscribe(TOURNAMENTS).await.map_err(|error| ClusterError::Mistake(error.to_string()))?;
        let log = Arc::clone(&worker.log);
        let manager = worker.manager.clone();
        Ok(Announcements { subscriber, manager, log, ignored: 0, last: None, last_seen: Instant::now() })
    }

    /// Reads an announcement; `None` if it is ignored.
    fn read(&mut self, payload: &[u8]) -> Option<Announcement> {
        let signed = message::from_json::<Signed>(payload).map_err(SignedError::from);
        match signed.and_then(|signed| signed.announcement(self.manager.as_deref())) {
            Ok(announcement) => Some(announcement),
            Err(why) => {
                self.ignored += 1;
                if self.ignored.is_power_of_two() {
                    (self.log)(&format!(
                        "ignored {} announcements that are not the manager's: {why}",
                        self.ignored
                    ));
                }
                None
            }
        }
    }

    /// Returns the next announcement; `None` if none arrives within [`CHECK_EVERY`], or one arrives that is ignored.
    async fn next(&mut self) -> Option<Announcement> {
        let received = tokio::time::timeout(CHECK_EVERY, self.subscriber.next()).await.ok()?;
        let Some(received) = received else {
            // Only this program closes the connection for good.
            tokio::time::sleep(CHECK_EVERY).await;
            return None;
        };
        self.read(&received.payload)
    }

    /// Remembers an announcement if it is of this tournament.
    fn note(&mut self, received: Announcement, tournament: &TournamentId) {
        if received.tournament == *tournament {
            (self.last, self.last_seen) = (Some(received), Instant::now());
        }
    }

    /// Reads the announcements that have already arrived, without waiting.
    fn drain(&mut self, tournament: &TournamentId) {
        while let Some(Some(received)) = futures_util::FutureExt::now_or_never(self.subscriber.next()) {
            if let Some(received) = self.read(&received.payload) {
                self.note(received, tournament);
            }
        }
    }

    fn is_over(&self, tournament: &TournamentId) -> bool {
        self.last.as_ref().is_some_and(|last| last.over && last.tournament == *tournament)
    }

    /// Whether the tournament was last announced with another context than this one.
    fn has_changed(&self, tournament: &TournamentId, context: &str) -> bool {
        self.last.as_ref().is_some_and(|last| last.tournament == *tournament && last.context != context)
    }

    /// How long ago the tournament was last announced.
    fn silence(&self) -> Duration {
        self.last_seen.elapsed()
    }
}
