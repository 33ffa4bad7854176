//! A worker: joins the tournaments that are announced and plays their games.

mod bots;
mod playing;

use crate::message::{self, Announcement, Context, Hello, SentBot, Signed, Welcome};
use crate::names::{Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use crate::objects::Objects;
use crate::server::runtime;
use crate::{ClusterError, Say, Server};
use async_nats::jetstream;
use async_nats::{Client, Subscriber};
use cornerman_harness::bot::Bot;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::BuildFacts;
use cornerman_harness::ruleset::{Games, Ruleset};
use cornerman_harness::sandbox::Level;
use futures_util::StreamExt;
use nkeys::KeyPair;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a worker looks whether it is to stop, and whether the manager is still there.
const GLANCE: Duration = Duration::from_millis(200);

/// How long a worker waits for an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The most bytes of a tournament's context.
const MOST_OF_CONTEXT: usize = 64 << 20;

/// Loads a bot by its path or name, with the files that are handed in beside it.
pub type Load = Arc<dyn Fn(&str, &[String], LoadBounds) -> Result<Bot, String> + Send + Sync>;

/// The bounds of the isolation that a tournament asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadBounds {
    /// At least this level.
    pub at_least: Option<Level>,
    /// At most this level.
    pub at_most: Option<Level>,
}

/// What a worker allows, whatever a tournament asks for.
#[derive(Clone, Debug)]
pub struct Floor {
    /// At least this isolation, for games and for builds.
    pub isolation: Level,
    /// The most memory of a bot, in bytes.
    pub memory: u64,
    /// The most processes of a bot.
    pub processes: u64,
    /// The largest file of a bot, in bytes.
    pub file: u64,
    /// The longest time that a bot may have for a move.
    pub time: Duration,
}

/// What a worker is.
#[derive(Clone)]
pub struct Worker {
    /// Its machine, by the name that it has in the record.
    pub machine: Machine,
    /// How many games it plays at a time.
    pub threads: u16,
    /// Whether each game has a processor of its own.
    pub pinned: bool,
    /// How many bots' sandboxes stay open between games.
    pub places: usize,
    /// The isolation that its sandboxes reach.
    pub level: Level,
    /// What it allows.
    pub floor: Floor,
    /// The manager whose tournaments it plays, by the public key; `None` for anyone's.
    pub manager: Option<String>,
    /// How noisy its clock is, in words; `None` if it is quiet.
    pub noise: Option<String>,
    /// The games that it knows.
    pub games: Games,
    /// Loads bots.
    pub load: Load,
    /// Prints what happens.
    pub say: Say,
}

/// How a worker's time in a tournament ended.
enum Left {
    /// The tournament is over, or its manager has long been silent.
    Over,
    /// It gets no games, from this run of the manager.
    Refused,
    /// It was asked to stop.
    Stopped,
}

impl Worker {
    /// Plays in one tournament after another until `stop` becomes true; the running games are played to their end.
    ///
    /// # Errors
    /// If the server cannot be used at first. Later failures are said and waited out.
    pub fn run(&self, server: &Server, stop: &AtomicBool) -> Result<(), ClusterError> {
        let runtime = runtime()?;
        let ended = runtime.block_on(self.serve(server, stop));
        runtime.shutdown_background();
        ended
    }

    async fn serve(&self, server: &Server, stop: &AtomicBool) -> Result<(), ClusterError> {
        if let Some(manager) = &self.manager
            && KeyPair::from_public_key(manager).is_err()
        {
            let why = format!("--manager {manager}: expected the manager's public key, which begins with U");
            return Err(ClusterError::Mistake(why));
        }
        let name = &self.machine.name;
        let client = server.connect(&format!("cornerman worker {name}"), &inbox(name), &self.say).await?;
        let jetstream = server.identity()?.jetstream(&client);
        let mut heard = Announcements::subscribe(&client, self).await?;
        (self.say)(&format!("{} waits for tournaments at {}", self.machine.name, server.url));
        let mut refused = None;
        while !stop.load(Ordering::Relaxed) {
            let Some(announced) = heard.next().await else { continue };
            if announced.over || refused.as_ref() == Some(&announced.run) {
                continue;
            }
            match self.take_part((&client, &jetstream), &announced, &mut heard, stop).await {
                Ok(Left::Over) => (self.say)(&format!("{}: over; waiting for the next", announced.contest)),
                Ok(Left::Refused) => refused = Some(announced.run),
                Ok(Left::Stopped) => break,
                Err(why) => {
                    (self.say)(&format!("{}: {why}; trying again", announced.contest));
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            }
        }
        // Without the server nothing more can be said.
        tokio::time::timeout(ANSWER_WITHIN, client.flush()).await.ok();
        Ok(())
    }

    /// Builds the bots of a tournament, joins it, and plays until it ends.
    async fn take_part(
        &self,
        (client, jetstream): (&Client, &jetstream::Context),
        announced: &Announcement,
        heard: &mut Announcements,
        stop: &AtomicBool,
    ) -> Result<Left, String> {
        if announced.kit != message::kit() {
            let own = message::kit();
            (self.say)(&format!(
                "{}: its manager has the version {}, and this is {own}",
                announced.contest, announced.kit
            ));
            return Ok(Left::Refused);
        }
        let objects = Objects::open(jetstream, &announced.tournament).await?;
        let context: Context = message::from_json(&objects.get(&announced.context, MOST_OF_CONTEXT).await?)?;
        let ruleset =
            self.games.parse(Path::new("ruleset.toml"), &context.ruleset).map_err(|wrong| wrong.to_string())?;
        let refuses = self.refuses(&context);
        if refuses.is_none() {
            (self.say)(&format!("{}: building {} bots", announced.contest, context.entrants.len()));
        }
        // A worker that does not play says so to the manager.
        let built = match refuses {
            Some(_) => Ok(bots::Built::nothing(&context)),
            None => bots::Built::fetch(self, &context, &objects, stop).await,
        };
        let bots = built?;
        if stop.load(Ordering::Relaxed) {
            return Ok(Left::Stopped);
        }
        let mut member = Member {
            worker: self,
            key: WorkerKey::new(&self.machine.name),
            client,
            jetstream: jetstream.clone(),
            tournament: announced.tournament.clone(),
            ruleset,
            facts: bots.facts(),
            refuses,
        };
        let consumer = match member.join(heard, stop).await? {
            Joining::Joined(consumer) => consumer,
            Joining::Not(left) => return Ok(left),
        };
        (self.say)(&format!("{}: joined as {}", announced.contest, self.machine.name));
        playing::play(&mut member, &context, bots, &consumer, heard, stop).await
    }

    /// The isolation at which it plays this tournament, at least.
    fn at_least(&self, context: &Context) -> Level {
        context.at_least.map_or(self.floor.isolation, |level| level.max(self.floor.isolation))
    }

    /// Why it plays none of its games: it asks for more than this worker allows.
    fn refuses(&self, context: &Context) -> Option<String> {
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
                ("memory", limits.memory >> 20, memory >> 20, " MiB"),
                ("processes", limits.processes, *processes, ""),
                ("files", limits.file >> 20, file >> 20, " MiB"),
                ("time for a move", longest.as_secs(), time.as_secs(), " s"),
            ];
            let (what, asked, most, unit) = asked.into_iter().find(|(_, asked, most, _)| asked > most)?;
            Some(format!("{name} may have {what} up to {asked}{unit}, and this worker allows {most}{unit}"))
        };
        context.entrants.iter().find_map(of_bot)
    }
}

/// A worker in a tournament.
struct Member<'a> {
    worker: &'a Worker,
    key: WorkerKey,
    client: &'a Client,
    jetstream: jetstream::Context,
    tournament: TournamentId,
    ruleset: Ruleset,
    facts: Vec<Result<BuildFacts, String>>,
    /// Why it plays no games, if so.
    refuses: Option<String>,
}

/// How an attempt to join ended.
enum Joining {
    /// Jobs come from this consumer.
    Joined(String),
    Not(Left),
}

impl Member<'_> {
    /// Asks the manager for games until it answers.
    async fn join(&self, heard: &mut Announcements, stop: &AtomicBool) -> Result<Joining, String> {
        let Worker { machine, threads, level, noise, say, .. } = self.worker;
        let hello = Hello {
            worker: self.key.clone(),
            machine: machine.clone(),
            kit: message::kit(),
            rules: message::rules_print(&self.ruleset),
            level: *level,
            threads: *threads,
            noise: noise.clone(),
            refuses: self.refuses.clone(),
            bots: self.facts.clone(),
        };
        let subject = self.tournament.subject(Messages::Hello, self.key.as_str());
        let hello = message::to_json(&hello);
        let mut said = String::new();
        while !stop.load(Ordering::Relaxed) {
            let request = self.client.request(subject.clone(), hello.clone().into());
            let answer = tokio::time::timeout(ANSWER_WITHIN, request).await;
            match answer.map(|answer| answer.map(|answer| message::from_json::<Welcome>(&answer.payload))) {
                Ok(Ok(Ok(Welcome::Joined { consumer }))) => return Ok(Joining::Joined(consumer)),
                Ok(Ok(Ok(Welcome::Refused(why)))) => {
                    say(&format!("the manager gives {} no games: {why}", machine.name));
                    return Ok(Joining::Not(Left::Refused));
                }
                Ok(Ok(Ok(Welcome::NotYet(why)))) => {
                    if said != why {
                        say(&why);
                        said = why;
                    }
                }
                Ok(Ok(Err(wrong))) => return Err(wrong),
                // Nobody listens just now.
                Ok(Err(_)) | Err(_) => {}
            }
            if heard.is_over(&self.tournament) || heard.silence() > playing::PATIENCE {
                return Ok(Joining::Not(Left::Over));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            heard.drain(&self.tournament);
        }
        Ok(Joining::Not(Left::Stopped))
    }
}

/// What managers announce. What the worker's manager has not signed is ignored.
struct Announcements {
    subscriber: Subscriber,
    manager: Option<String>,
    say: Say,
    /// How many were ignored.
    ignored: u64,
    last: Option<Announcement>,
    at: Instant,
}

impl Announcements {
    async fn subscribe(client: &Client, worker: &Worker) -> Result<Announcements, ClusterError> {
        let subscriber =
            client.subscribe(TOURNAMENTS).await.map_err(|error| ClusterError::Mistake(error.to_string()))?;
        let say = Arc::clone(&worker.say);
        let manager = worker.manager.clone();
        Ok(Announcements { subscriber, manager, say, ignored: 0, last: None, at: Instant::now() })
    }

    fn read(&mut self, payload: &[u8]) -> Option<Announcement> {
        let signed = message::from_json::<Signed>(payload);
        match signed.and_then(|signed| signed.announcement(self.manager.as_deref())) {
            Ok(announcement) => Some(announcement),
            Err(why) => {
                self.ignored += 1;
                if self.ignored.is_power_of_two() {
                    (self.say)(&format!(
                        "ignored {} announcements that are not the manager's: {why}",
                        self.ignored
                    ));
                }
                None
            }
        }
    }

    /// The next announcement; `None` if none comes for a moment.
    async fn next(&mut self) -> Option<Announcement> {
        let heard = tokio::time::timeout(GLANCE, self.subscriber.next()).await.ok()?;
        let Some(heard) = heard else {
            // The connection was closed for good, which only this program does.
            tokio::time::sleep(GLANCE).await;
            return None;
        };
        self.read(&heard.payload)
    }

    /// Notes an announcement of a tournament.
    fn note(&mut self, heard: Announcement, tournament: &TournamentId) {
        if heard.tournament == *tournament {
            (self.last, self.at) = (Some(heard), Instant::now());
        }
    }

    /// Notes what has been announced of a tournament so far, without waiting.
    fn drain(&mut self, tournament: &TournamentId) {
        while let Some(Some(heard)) = futures_util::FutureExt::now_or_never(self.subscriber.next()) {
            if let Some(heard) = self.read(&heard.payload) {
                self.note(heard, tournament);
            }
        }
    }

    fn is_over(&self, tournament: &TournamentId) -> bool {
        self.last.as_ref().is_some_and(|last| last.over && last.tournament == *tournament)
    }

    /// For how long nothing was announced.
    fn silence(&self) -> Duration {
        self.at.elapsed()
    }
}
