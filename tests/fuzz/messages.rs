//! Fuzzes the messages of other machines.

use cornerman_cluster::message::{
    self, Announcement, Context, SentJob, SentResult, Signed, Status, Welcome, WorkerHello,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The input as each of the messages between a manager and its workers.
pub fn cluster(input: &[u8]) {
    in_bytes::<SentJob>(input);
    in_bytes::<SentResult>(input);
    if let Some(signed) = in_json::<Signed>(input) {
        drop(signed.announcement(None));
        drop(signed.announcement(Some(&signed.key)));
    }
    in_json::<Announcement>(input);
    in_json::<Context>(input);
    in_json::<WorkerHello>(input);
    in_json::<Welcome>(input);
    in_json::<Status>(input);
}

/// Checks that a message that can be read stays the same when it is written and read again.
fn in_bytes<T: Serialize + DeserializeOwned + PartialEq + Debug>(input: &[u8]) {
    if let Ok(read) = message::from_bytes::<T>(input) {
        assert_eq!(message::from_bytes::<T>(&message::to_bytes(&read)).as_ref(), Ok(&read));
    }
}

fn in_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(input: &[u8]) -> Option<T> {
    let read = message::from_json::<T>(input).ok()?;
    assert_eq!(message::from_json::<T>(&message::to_json(&read)).ok().as_ref(), Some(&read));
    Some(read)
}
