//! The messages between the manager and the workers.
//!
//! Small messages are JSON. Jobs and results are numerous, so they are in the format of
//! [postcard](https://docs.rs/postcard); their headers name the games in text.

use crate::names::{TournamentId, WorkerKey};
use cornerman::contest::Versions;
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{BuildFacts, GameRecord};
use cornerman_harness::ruleset::Ruleset;
use cornerman_harness::run::Job;
use cornerman_harness::sandbox::{Level, Limits};
use cornerman_harness::text::{Reason, from_hex, hex};
use cornerman_harness::version;
use nkeys::KeyPair;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version and commit of this build of Cornerman, with a hash of its sources. A worker plays only for a manager of
/// the same build, because another build may have different messages, rules or sandboxes.
pub fn kit() -> String {
    [version::get(), env!("CORNERMAN_SOURCES")].join("/")
}

/// An [`Announcement`] as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The announcement as JSON.
    pub text: String,
    /// The manager's public key; empty on a server without keys.
    pub key: String,
    /// The signature of the text, in hexadecimal digits.
    pub signature: String,
}

impl Signed {
    /// Signs an announcement with the manager's key, if it has one.
    pub fn new(announcement: &Announcement, key: Option<&KeyPair>) -> Signed {
        let text = String::from_utf8_lossy(&to_json(announcement)).into_owned();
        let signature =
            key.and_then(|key| key.sign(text.as_bytes()).ok()).map_or(String::new(), |bytes| hex(&bytes));
        Signed { text, key: key.map_or(String::new(), KeyPair::public_key), signature }
    }

    /// Returns the announcement, if `manager` has signed it. Without a `manager`, the signature is not checked.
    ///
    /// # Errors
    /// When it is not signed, another key has signed it, or it cannot be read.
    pub fn announcement(&self, manager: Option<&str>) -> Result<Announcement, SignedError> {
        if let Some(manager) = manager {
            match self.key.as_str() {
                "" => return Err(SignedError::NotSigned),
                key if key != manager => return Err(SignedError::OtherKey(key.to_string())),
                _ => {}
            }
            let verified = KeyPair::from_public_key(manager)
                .and_then(|key| key.verify(self.text.as_bytes(), &from_hex(&self.signature).unwrap_or_default()));
            verified.map_err(|_| SignedError::WrongSignature)?;
        }
        Ok(from_json(self.text.as_bytes())?)
    }
}

/// Why an announcement is not taken for a manager's.
#[derive(Debug, thiserror::Error)]
pub enum SignedError {
    /// It has no signature.
    #[error("it is not signed")]
    NotSigned,
    /// The signature is by this key.
    #[error("{0} has signed it")]
    OtherKey(String),
    /// The signature does not fit the text.
    #[error("its signature is wrong")]
    WrongSignature,
    /// It is not an announcement.
    #[error(transparent)]
    Unreadable(#[from] serde_json::Error),
}

/// Sent by a manager once a second while its tournament is under way, and when it is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The tournament.
    pub tournament: TournamentId,
    /// The contest's name, for messages.
    pub contest: String,
    /// The manager's run. A manager that was killed and started again has a new one.
    pub run: String,
    /// The manager's [`kit`].
    pub kit: String,
    /// The SHA-256 of the [`Context`], which is its name in the store.
    pub context: String,
    /// Whether the tournament has ended.
    pub over: bool,
}

/// What all games share. Workers read it from the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The text of the ruleset.
    pub ruleset: String,
    /// The [fingerprint](rules_print) of the rules.
    pub rules: String,
    /// The weakest isolation that the tournament allows.
    pub at_least: Option<Level>,
    /// The strongest isolation that the tournament allows.
    pub at_most: Option<Level>,
    /// The entrants, the organizer's bots, and the bots and versions that decisions added, in the order of their
    /// numbers.
    pub entrants: Vec<SentBot>,
    /// Which version of each entrant plays its games.
    pub versions: Versions,
}

/// A bot for workers to build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentBot {
    /// Its number.
    pub entrant: EntrantId,
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
        /// The files that were handed in beside a source file.
        with: Vec<String>,
    },
    /// A bot that workers have themselves: `@name` for one of Cornerman's own, or `PROTOCOL:COMMAND` for an installed
    /// engine.
    Named(String),
}

/// A worker's request to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerHello {
    /// The worker.
    pub worker: WorkerKey,
    /// The SHA-256 of the [`Context`] whose bots it has built.
    pub context: String,
    /// Its machine, under the name that the record uses.
    pub machine: Machine,
    /// Its [`kit`].
    pub kit: String,
    /// The [fingerprint](rules_print) of its rules.
    pub rules: String,
    /// The isolation that its sandboxes reach.
    pub level: Level,
    /// How many games it plays at a time.
    pub threads: u16,
    /// How noisy its clock is, in words; `None` if it is quiet.
    pub noise: Option<String>,
    /// Why the worker refuses this tournament, if it does.
    pub refuses: Option<String>,
    /// For each of the entrants of the context, in their order, what the worker has built, or why it could not.
    pub bots: Vec<Result<BuildFacts, Reason>>,
}

/// The answer to [`WorkerHello`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Welcome {
    /// Jobs come from this consumer of the stream of jobs.
    Joined {
        /// The consumer.
        consumer: String,
    },
    /// The worker may ask again in a moment. Says why it cannot join now.
    NotYet(String),
    /// The worker gets no games of this tournament. Says why.
    Refused(String),
}

/// Sent by a worker once a second, to show that it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The games that it has, and whose results are not stored yet.
    pub held: Vec<JobKey>,
    /// Whether it is leaving: then it begins no games besides these.
    pub leaving: bool,
}

/// One play of a game. Some games are played again by another worker, to compare the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobKey {
    /// The game.
    pub id: GameId,
    /// How many times the game was played before: 0 for the play that is recorded.
    pub look: u8,
}

impl JobKey {
    /// The play of the game that is recorded.
    pub fn first(id: GameId) -> JobKey {
        JobKey { id, look: 0 }
    }
}

/// A job as it is sent. A message contains one or several, all for one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentJob {
    /// The manager's run.
    pub run: String,
    /// Which game.
    pub key: JobKey,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// What to play.
    pub job: Job,
    /// Proves that the manager gave the job to this worker.
    pub token: Token,
}

/// The result of a job. A message contains one or several, all from one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentResult {
    /// The run of the manager that sent the job.
    pub run: String,
    /// Which game.
    pub key: JobKey,
    /// Which attempt.
    pub attempt: u32,
    /// The token of the job.
    pub token: Token,
    /// How the job ended.
    pub played: JobOutcome,
}

/// A proof that goes out with a job and must come back with its result.
pub type Token = [u8; 16];

/// A secret from which the manager makes tokens. It is the same in each of its runs.
#[derive(Clone, Copy)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret of the manager with this key. Without a key, the secret is public: such a server protects nothing.
    pub fn from_key(key: Option<&KeyPair>) -> Secret {
        let seed = key.and_then(|key| key.seed().ok()).unwrap_or_default();
        Secret(Sha256::digest(format!("cornerman jobs {seed}")).into())
    }

    /// The token of a job for `worker`, to play the game `seated` with these versions of bots in its seats.
    pub fn token(&self, run: &str, key: JobKey, attempt: u32, worker: &WorkerKey, seated: &Pairing) -> Token {
        let job = Sha256::digest(format!("{} for {worker}", job_name(run, key, attempt)));
        let hash = Sha256::new().chain_update(self.0).chain_update(job).chain_update(to_bytes(seated)).finalize();
        *hash.first_chunk().expect("a hash is longer")
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobOutcome {
    /// The game is over.
    Over(Box<GameRecord>),
    /// The worker failed to play the game, for this reason.
    Lost(String),
}

/// The name of an attempt at a job. A message of jobs has the name of the first as its id, and a message of results the
/// worker's key and the name of the first job: if it is sent again, the server keeps it only once.
pub fn job_name(run: &str, key: JobKey, attempt: u32) -> String {
    format!("{run}/{}/{}/{attempt}", key.id, key.look)
}

/// The games of a message, for its header. Only people read it.
pub fn games_of(keys: impl Iterator<Item = JobKey>) -> String {
    keys.map(|key| key.id.to_string()).collect::<Vec<_>>().join(" ")
}

/// A fingerprint of the rules. The text is enough to compare them between equal builds (see [`kit`]); some boards are
/// included to detect a processor on which they are generated differently.
pub fn rules_print(ruleset: &Ruleset) -> String {
    let mut hash = Sha256::new().chain_update(ruleset.text.as_bytes());
    for seed in 1..=3 {
        hash.update(ruleset.board(seed));
    }
    hex(&hash.finalize())
}

/// Writes a small message as JSON.
pub fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have no maps with odd keys")
}

/// Reads a small message from JSON.
///
/// # Errors
/// When it is not JSON, or not of this type.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// Writes jobs or results as bytes.
pub fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(message).expect("messages have lengths")
}

/// Reads jobs or results.
///
/// # Errors
/// When the bytes are not of this type.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> postcard::Result<T> {
    postcard::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_these_bots_on_this_board_alone() {
        let id = GameId { stage: 0, round: 1, table: 2, game: 0, attempt: 0 };
        let seated = Pairing { id, seats: vec![EntrantId(3), EntrantId(5)], board: 1 };
        let worker = WorkerKey::new("one");
        let token = |game: &Pairing| Secret([7; 32]).token("run", JobKey::first(id), 1, &worker, game);
        // Another version of the second bot, the others first, another board.
        for other in [
            Pairing { seats: vec![EntrantId(3), EntrantId(9)], ..seated.clone() },
            Pairing { seats: vec![EntrantId(5), EntrantId(3)], ..seated.clone() },
            Pairing { board: 2, ..seated.clone() },
        ] {
            assert_ne!(token(&other), token(&seated), "{other:?}");
        }
        assert_eq!(token(&seated.clone()), token(&seated));
    }
}
