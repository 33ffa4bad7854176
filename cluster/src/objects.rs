//! Stores objects on the server, each under its SHA-256: the bundles of bots, and the context of a tournament.
//!
//! An object is a sequence of messages on one subject. NATS has an object store of its own, but a worker that reads
//! from it must make a consumer on the server, which no worker may.

use crate::TournamentId;
use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, Stream};
use cornerman_harness::text;
use std::time::Duration;

/// The size of a part: well below the limit on messages of a server with the usual settings, which is 1 MiB.
const PART_BYTES: usize = 128 << 10;

/// The header that says which part a message is, and of how many: `3/7`.
const PART_NUMBER: &str = "Cornerman-Part";

/// How long to wait for a part.
const PART_TIMEOUT: Duration = Duration::from_secs(20);

/// The objects of a tournament.
pub struct Objects {
    stream: Stream<()>,
    jetstream: Context,
    tournament: TournamentId,
}

impl Objects {
    /// Opens the objects of `tournament`, without asking the server for anything yet.
    ///
    /// # Errors
    /// If the name of the stream is wrong.
    pub async fn open(jetstream: &Context, tournament: &TournamentId) -> Result<Objects, async_nats::Error> {
        let stream = jetstream.get_stream_no_info(tournament.objects()).await?;
        Ok(Objects { stream, jetstream: jetstream.clone(), tournament: tournament.clone() })
    }

    /// Makes the stream of objects, unless it exists.
    ///
    /// # Errors
    /// If the server refuses.
    pub async fn make(jetstream: &Context, tournament: &TournamentId) -> Result<Objects, async_nats::Error> {
        let config = Config {
            name: tournament.objects(),
            subjects: vec![tournament.object("*")],
            allow_direct: true,
            ..Config::default()
        };
        jetstream.get_or_create_stream(config).await?;
        Objects::open(jetstream, tournament).await
    }

    /// Stores `bytes` as an object, unless the server has it already.
    ///
    /// # Errors
    /// If the server does not take it.
    pub async fn put(&self, sha256: &str, bytes: &[u8]) -> Result<(), async_nats::Error> {
        let subject = self.tournament.object(sha256);
        let parts: Vec<&[u8]> = if bytes.is_empty() { vec![bytes] } else { bytes.chunks(PART_BYTES).collect() };
        let last = self.stream.direct_get_last_for_subject(subject.clone()).await;
        let whole = format!("{0}/{0}", parts.len());
        if last.is_ok_and(|last| last.headers.get(PART_NUMBER).is_some_and(|number| number.as_str() == whole)) {
            return Ok(());
        }
        // Removes the parts that an earlier, interrupted run may have left.
        self.stream.purge().filter(subject.clone()).await?;
        for (number, part) in (1..).zip(&parts) {
            let mut headers = HeaderMap::new();
            headers.insert(PART_NUMBER, format!("{number}/{}", parts.len()));
            let payload = part.to_vec().into();
            self.jetstream.publish_with_headers(subject.clone(), headers, payload).await?.await?;
        }
        Ok(())
    }

    /// Returns the object with this SHA-256, of at most `most` bytes.
    ///
    /// # Errors
    /// If it does not exist, is larger, or has another hash, or the server does not answer in time.
    pub async fn get(&self, sha256: &str, most: usize) -> Result<Vec<u8>, async_nats::Error> {
        let failed =
            |why: &str| format!("the NATS server does not give {}: {why}", &sha256[..sha256.len().min(12)]);
        let subject = self.tournament.object(sha256);
        let mut bytes = Vec::new();
        let mut from = None;
        for number in 1.. {
            let part = self.stream.direct_get_next_for_subject(subject.clone(), from);
            let part = tokio::time::timeout(PART_TIMEOUT, part).await.map_err(|_| failed("it takes too long"))?;
            let part = part.map_err(|error| failed(&error.to_string()))?;
            let numbers = part.headers.get(PART_NUMBER).and_then(|words| words.as_str().split_once('/'));
            let Some((at, of)) = numbers else { return Err(failed("a part has no number").into()) };
            bytes.extend_from_slice(&part.payload);
            if bytes.len() > most {
                return Err(failed(&format!("it has more than {} MiB", most >> 20)).into());
            }
            if at != number.to_string() {
                return Err(failed("its parts are in another order").into());
            }
            if at == of {
                break;
            }
            from = Some(part.sequence + 1);
        }
        match text::sha256(&bytes) {
            found if found == sha256 => Ok(bytes),
            found => Err(failed(&format!("what it gave is not what was asked for, but {}", &found[..12])).into()),
        }
    }
}
