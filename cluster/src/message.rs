//! What manager and workers send each other.
//!
//! Small messages are JSON. Jobs and results, of which there are many, are [postcard](https://docs.rs/postcard); their
//! headers say in text which game they are about.

use crate::names::{TournamentId, WorkerKey};
use cornerman::format::{EntrantId, GameId};
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{BuildFacts, GameRecord};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::sandbox::{Level, Limits};
use cornerman_harness::tournament::Job;
use nkeys::KeyPair;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of a kit, with a hash of its sources: a worker plays only for a manager of the same one, since others may
/// have other messages, rules or sandboxes.
pub fn kit() -> String {
    concat!(env!("CARGO_PKG_VERSION"), "/", env!("CORNERMAN_SOURCES")).to_string()
}

/// An [`Announcement`] as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The announcement as JSON.
    pub text: String,
    /// The manager's public key; empty at a server without keys.
    pub key: String,
    /// Its signature of the text, in hexadecimal digits.
    pub signature: String,
}

impl Signed {
    /// The announcement, signed with the manager's key if it has one.
    pub fn new(announcement: &Announcement, key: Option<&KeyPair>) -> Signed {
        let text = String::from_utf8_lossy(&to_json(announcement)).into_owned();
        let signature =
            key.and_then(|key| key.sign(text.as_bytes()).ok()).map_or(String::new(), |bytes| hex(&bytes));
        Signed { text, key: key.map_or(String::new(), KeyPair::public_key), signature }
    }

    /// The announcement, if `manager` has signed it. Without a `manager` it is that of anyone.
    ///
    /// # Errors
    /// When it is not signed, another key has signed it, or it cannot be read.
    pub fn announcement(&self, manager: Option<&str>) -> Result<Announcement, String> {
        if let Some(manager) = manager {
            let other = || {
                if self.key.is_empty() {
                    "it is not signed".to_string()
                } else {
                    format!("{} has signed it", self.key)
                }
            };
            if self.key != manager {
                return Err(other());
            }
            let key = KeyPair::from_public_key(manager).map_err(|error| error.to_string())?;
            let verified = key.verify(self.text.as_bytes(), &from_hex(&self.signature).unwrap_or_default());
            verified.map_err(|_| "its signature is wrong".to_string())?;
        }
        from_json(self.text.as_bytes())
    }
}

/// A manager's word that its tournament is under way, once a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The tournament.
    pub tournament: TournamentId,
    /// The contest's name for people.
    pub contest: String,
    /// The manager's run: a manager that was killed and started again has another.
    pub run: String,
    /// The manager's [`kit`].
    pub kit: String,
    /// The SHA-256 of the [`Context`], its name in the store.
    pub context: String,
    /// Whether the tournament has ended.
    pub over: bool,
}

/// What all games share, in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The text of the ruleset.
    pub ruleset: String,
    /// The [print](rules_print) of the rules.
    pub rules: String,
    /// The bounds of the isolation.
    pub at_least: Option<Level>,
    /// See `at_least`.
    pub at_most: Option<Level>,
    /// The entrants and then the organizer's bots, in the order of their numbers.
    pub entrants: Vec<SentBot>,
}

/// A bot for workers to build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentBot {
    /// Its name, for messages.
    pub name: String,
    /// What to build or start.
    pub source: BotSource,
    /// Its limits.
    pub limits: Limits,
}

/// Where a worker finds a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BotSource {
    /// A [bundle](cornerman_harness::bot::bundle::Bundle), in the store under its SHA-256.
    Bundle {
        /// 64 hexadecimal digits.
        sha256: String,
        /// The files that are handed in beside a source file.
        with: Vec<String>,
    },
    /// What every kit or machine has: `@name`, or an engine's `PROTOCOL:COMMAND`.
    Named(String),
}

/// A worker's request to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The worker.
    pub worker: WorkerKey,
    /// Its machine, by the name that it has in the record.
    pub machine: Machine,
    /// Its [`kit`].
    pub kit: String,
    /// The [print](rules_print) of its rules.
    pub rules: String,
    /// The isolation that its sandboxes reach.
    pub level: Level,
    /// How many games it plays at a time.
    pub threads: u16,
    /// How noisy its clock is, in words; `None` if it is quiet.
    pub noise: Option<String>,
    /// Why it does not play this tournament's games: what it asks for is more than the worker allows.
    pub refuses: Option<String>,
    /// What it has built, by entrant, or why it could not.
    pub bots: Vec<Result<BuildFacts, String>>,
}

/// The answer to [`Hello`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Welcome {
    /// Jobs come from this consumer of the stream of jobs.
    Joined {
        /// The consumer.
        consumer: String,
    },
    /// It may ask again in a moment.
    NotYet(String),
    /// It gets no games of this tournament.
    Refused(String),
}

/// A worker's word that it is there, once a second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The games that it has and whose results are not stored yet.
    pub held: Vec<JobKey>,
    /// Whether it is leaving: it begins none that is not among them.
    pub leaving: bool,
}

/// A game and how many times it was played before: 0 the first time, and more if it is played again by another worker
/// to compare the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobKey {
    /// The game.
    pub id: GameId,
    /// 0 for the game that is recorded.
    pub look: u8,
}

impl JobKey {
    /// The game that is recorded.
    pub fn first(id: GameId) -> JobKey {
        JobKey { id, look: 0 }
    }
}

/// A job, as it is sent: a message has one or several, for one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentJob {
    /// The manager's run.
    pub run: String,
    /// Which game.
    pub key: JobKey,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// The game.
    pub job: Job,
    /// Shows that the manager gave it to this worker.
    pub token: Token,
}

/// What became of a job: a message has one or several, of one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentResult {
    /// The run of the manager that asked for it.
    pub run: String,
    /// Which game.
    pub key: JobKey,
    /// Which attempt.
    pub attempt: u32,
    /// That of the job.
    pub token: Token,
    /// What became of it.
    pub played: Played,
}

/// What a manager gives out with a job and expects with its result.
pub type Token = [u8; 16];

/// What only the manager knows, in each of its runs.
#[derive(Clone, Copy)]
pub struct Secret([u8; 32]);

impl Secret {
    /// That of the manager with this key. At a server without keys nothing is secret.
    pub fn from_key(key: Option<&KeyPair>) -> Secret {
        let seed = key.and_then(|key| key.seed().ok()).unwrap_or_default();
        Secret(Sha256::digest(format!("cornerman jobs {seed}")).into())
    }

    /// The token of a job for `worker`.
    pub fn token(&self, run: &str, key: JobKey, attempt: u32, worker: &WorkerKey) -> Token {
        let job = Sha256::digest(format!("{} for {worker}", message_id(run, key, attempt)));
        let hash = Sha256::new().chain_update(self.0).chain_update(job).finalize();
        *hash.first_chunk().expect("a hash is longer")
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Played {
    /// The game is over.
    Over(Box<GameRecord>),
    /// The worker failed, for this reason.
    Lost(String),
}

/// The name of a job. The server keeps only the first message of a name, that of its first job or result.
pub fn message_id(run: &str, key: JobKey, attempt: u32) -> String {
    format!("{run}/{}/{}/{attempt}", key.id, key.look)
}

/// The games of a message in its header, for people.
pub fn games_of(keys: impl Iterator<Item = JobKey>) -> String {
    keys.map(|key| key.id.to_string()).collect::<Vec<_>>().join(" ")
}

/// Identifies rules: the same [`kit`] reads the same from the same text. Boards that are generated otherwise, by another
/// processor, are noticed.
pub fn rules_print(ruleset: &Ruleset) -> String {
    let mut hash = Sha256::new().chain_update(ruleset.text.as_bytes());
    for seed in 1..=3 {
        hash.update(ruleset.board(seed));
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok()).collect()
}

/// A small message as JSON.
pub fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have no maps with odd keys")
}

/// Reads a small message.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

/// A job or result as bytes.
pub fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(message).expect("messages have lengths")
}

/// Reads a job or result.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| error.to_string())
}

/// The entrant with the index `at`.
pub(crate) fn entrant(at: usize) -> EntrantId {
    EntrantId(u16::try_from(at).unwrap_or(u16::MAX))
}
