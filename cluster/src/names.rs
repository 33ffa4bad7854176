//! The names of tournaments, streams, subjects and workers on the server.

use cornerman_harness::text::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;

/// The subject on which managers announce their tournaments.
pub const TOURNAMENTS: &str = "cornerman.tournaments";

/// In a subject, stands for all workers.
pub const EVERY_WORKER: &str = "*.*";

/// A tournament's name on the server: 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TournamentId(String);

impl TournamentId {
    /// The name for the record with this [identity](cornerman_harness::record::Record::identity). It is the same
    /// whenever the tournament resumes.
    pub fn from_record(record: &[i64]) -> TournamentId {
        let hash = Sha256::digest(record.iter().flat_map(|part| part.to_le_bytes()).collect::<Vec<u8>>());
        TournamentId(hex(&hash[..8]))
    }

    /// The stream of jobs.
    pub fn jobs(&self) -> String {
        format!("CORNERMAN_{self}_JOBS")
    }

    /// The stream of results.
    pub fn results(&self) -> String {
        format!("CORNERMAN_{self}_RESULTS")
    }

    /// The stream of objects: bundles and the context.
    pub fn objects(&self) -> String {
        format!("CORNERMAN_{self}_OBJECTS")
    }

    /// The subject for the parts of the object with this SHA-256; `*` stands for all objects.
    pub fn object(&self, sha256: &str) -> String {
        format!("cornerman.{self}.object.{sha256}")
    }

    /// The subject for these messages from or to a worker; [`EVERY_WORKER`] stands for all workers.
    pub fn subject(&self, messages: Messages, worker: &str) -> String {
        let messages = match messages {
            Messages::Hello => "hello",
            Messages::Status => "status",
            Messages::Job => "job",
            Messages::Result => "result",
        };
        format!("cornerman.{self}.{messages}.{worker}")
    }
}

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The kinds of messages that concern one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// A worker asks to join.
    Hello,
    /// A worker reports which games it holds.
    Status,
    /// The manager sends games to play.
    Job,
    /// A worker sends the results of games.
    Result,
}

/// Identifies a worker while it takes part in a tournament, by its name and a new id. A worker that was killed and
/// started again knows nothing of its earlier games, so it must not be taken for the same one. Subjects end in
/// `NAME.ID`, so that a server can restrict a user to a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WorkerKey(Arc<str>);

impl WorkerKey {
    /// A new key for a worker called `name`.
    pub fn new(name: &str) -> WorkerKey {
        let id = nuid::next();
        WorkerKey(format!("{}.{}", fitted(name), &id[id.len().saturating_sub(8)..]).into())
    }

    /// Whether this is a worker called `name`.
    pub fn is_of(&self, name: &str) -> bool {
        self.name() == fitted(name)
    }

    /// Its name, [fitted].
    pub fn name(&self) -> &str {
        self.0.split_once('.').map_or(&*self.0, |(name, _)| name)
    }

    /// The worker at the end of a subject.
    pub fn of_subject(subject: &str) -> WorkerKey {
        let mut parts = subject.rsplitn(3, '.');
        let id = parts.next().unwrap_or_default();
        let name = parts.next().unwrap_or_default();
        WorkerKey(format!("{name}.{id}").into())
    }

    /// The key as it appears in subjects: `NAME.ID`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The prefix of the subjects on which the workers called `name` receive answers.
pub fn inbox(name: &str) -> String {
    format!("_INBOX.{}", fitted(name))
}

/// Turns a name into one part of a subject: its first 40 characters, of which all but ASCII letters, digits, `-` and
/// `_` become `_`.
pub fn fitted(name: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let fitted: String = name.chars().take(40).map(fits).collect();
    if fitted.is_empty() { "_".to_string() } else { fitted }
}

impl fmt::Display for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_keeps_its_tournament_and_another_has_another() {
        let id = TournamentId::from_record(&[1994, 5]);
        assert_eq!(id, TournamentId::from_record(&[1994, 5]));
        assert_ne!(id, TournamentId::from_record(&[1994, 6]));
        assert_eq!(id.to_string().len(), 16);
    }

    #[test]
    fn a_worker_fits_into_a_subject_and_is_found_in_it() {
        let one = WorkerKey::new("ring 1.example");
        let two = WorkerKey::new("ring 1.example");
        assert!(one.as_str().starts_with("ring_1_example."), "{one}");
        assert!(one.is_of("ring 1.example") && !one.is_of("ring 2.example"), "{one}");
        assert_ne!(one, two);
        let subject = TournamentId::from_record(&[]).subject(Messages::Job, one.as_str());
        assert_eq!((WorkerKey::of_subject(&subject), one.name()), (one.clone(), "ring_1_example"));
        assert_eq!((fitted(""), inbox("a.b")), ("_".to_string(), "_INBOX.a_b".to_string()));
    }
}
