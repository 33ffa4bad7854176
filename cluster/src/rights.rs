//! What each user of a server may do there, and the server's configuration that says so.

use crate::names::{TOURNAMENTS, fitted, inbox};
use std::collections::BTreeSet;

/// The manager in the names of its inbox and its consumer: no worker can be called so, and workers may use only those of
/// their name.
pub const MANAGER: &str = "=manager";

/// In a worker's account, the prefix of the subjects by which the server is asked about the manager's streams: those that
/// begin with `$JS.API` are about the worker's own, and it has none.
pub const API: &str = "manager.JS.API";

/// What a worker may use; `*` stands for one part of a subject and `>` for all that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    /// The subjects to which it may publish: in the manager's account, and in its own.
    pub publish: Vec<(String, String)>,
    /// Those to which it may subscribe.
    pub subscribe: Vec<String>,
}

impl Rights {
    /// Those of the worker called `name`: it says that it is there, takes its own jobs, gives results under its own name,
    /// and reads bots. It can make or delete nothing, and read no other worker's messages.
    pub fn of_worker(name: &str) -> Rights {
        let name = &fitted(name);
        let same = |subject: String| (subject.clone(), subject);
        let asked = |request: String| (format!("$JS.API.{request}"), format!("{API}.{request}"));
        let publish = [
            same(format!("cornerman.*.hello.{name}.*")),
            same(format!("cornerman.*.status.{name}.*")),
            same(format!("cornerman.*.result.{name}.*")),
            asked(format!("CONSUMER.INFO.*.{name}")),
            asked(format!("CONSUMER.MSG.NEXT.*.{name}")),
            same(format!("$JS.ACK.*.{name}.>")),
            // Only of streams that allow it, which is that of bots.
            asked("DIRECT.GET.*".to_string()),
        ];
        Rights { publish: publish.into(), subscribe: vec![TOURNAMENTS.to_string(), format!("{}.>", inbox(name))] }
    }
}

/// Something that a user may try at a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// To publish to this subject.
    Publish(String),
    /// To subscribe to this subject.
    Subscribe(String),
}

impl Attempt {
    /// Its subject.
    pub fn subject(&self) -> &str {
        let (Attempt::Publish(subject) | Attempt::Subscribe(subject)) = self;
        subject
    }
}

/// What a worker could do to others if its key allowed it, in words, each with an attempt that changes nothing: it is about
/// a tournament that does not exist.
pub fn forbidden() -> Vec<(&'static str, Attempt)> {
    let jobs = "CORNERMAN_none_JOBS";
    let results = "CORNERMAN_none_RESULTS";
    let publish = |words, subject: String| (words, Attempt::Publish(subject));
    let subscribe = |words, subject: &str| (words, Attempt::Subscribe(subject.to_string()));
    vec![
        publish("announce tournaments", TOURNAMENTS.to_string()),
        publish("join under the name of another worker", "cornerman.none.hello.another.1".to_string()),
        publish("say that another worker leaves", "cornerman.none.status.another.1".to_string()),
        publish("send jobs to workers", "cornerman.none.job.another.1".to_string()),
        publish("give results under the name of another worker", "cornerman.none.result.another.1".to_string()),
        publish("replace bots", "cornerman.none.object.0".to_string()),
        publish("answer in the manager's place", "_INBOX.another.1".to_string()),
        subscribe("read the games of other workers", "cornerman.*.job.>"),
        subscribe("read the results of other workers", "cornerman.*.result.>"),
        subscribe("read what others say of themselves", "cornerman.*.status.>"),
        subscribe("read the answers to others", "_INBOX.>"),
        subscribe("read what others ask of the server", "$JS.>"),
        publish("make a stream", "$JS.API.STREAM.CREATE.CORNERMAN_none".to_string()),
        publish("change a stream", format!("$JS.API.STREAM.UPDATE.{jobs}")),
        publish("delete a stream", format!("$JS.API.STREAM.DELETE.{results}")),
        publish("empty a stream", format!("$JS.API.STREAM.PURGE.{results}")),
        publish("list the streams", "$JS.API.STREAM.LIST".to_string()),
        publish("read messages of any stream", format!("$JS.API.STREAM.MSG.GET.{results}")),
        publish("delete a message", format!("$JS.API.STREAM.MSG.DELETE.{results}")),
        publish("make a consumer", format!("$JS.API.CONSUMER.CREATE.{results}")),
        publish("make a consumer with a name", format!("$JS.API.CONSUMER.CREATE.{results}.any.cornerman.x")),
        publish("make a lasting consumer", format!("$JS.API.CONSUMER.DURABLE.CREATE.{results}.any")),
        publish("delete the manager's consumer", format!("$JS.API.CONSUMER.DELETE.{results}.{MANAGER}")),
        publish("take results from the manager", format!("$JS.API.CONSUMER.MSG.NEXT.{results}.{MANAGER}")),
        publish("take the games of another worker", format!("$JS.API.CONSUMER.MSG.NEXT.{jobs}.another")),
        publish("acknowledge results away", format!("$JS.ACK.{results}.{MANAGER}.1.1.1.1.1")),
        publish("acknowledge the games of another worker", format!("$JS.ACK.{jobs}.another.1.1.1.1.1")),
    ]
}

/// A server's certificate and its key, as paths.
pub struct Certificate {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// The configuration of a server that listens at `listen` and lets in a manager and workers, each by its public key.
///
/// Every worker has an account of its own, into which only what it may use of the manager's is imported. Within one account
/// a server sends its answers wherever a request says, so that a worker could lead it to delete a stream.
pub fn configuration(
    listen: &str,
    certificate: Option<&Certificate>,
    manager: &str,
    workers: &[(String, String)],
) -> String {
    let mut text = format!("# A NATS server for tournaments of Cornerman.\nlisten: {listen:?}\n");
    if let Some(Certificate { certificate, key }) = certificate {
        text += &format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n");
    }
    text += "jetstream {\n    store_dir: \"nats-store\"\n";
    text += "    # With nats-server 2.10 or later: nothing is lost if the power fails.\n    # sync_interval: always\n}\n";
    let rights: Vec<Rights> = workers.iter().map(|(name, _)| Rights::of_worker(name)).collect();
    // Each once: some are the same for all workers.
    let used: BTreeSet<&String> =
        rights.iter().flat_map(|rights| &rights.publish).map(|(theirs, _)| theirs).collect();
    let exports: Vec<String> =
        used.iter().map(|subject| format!("{{ service: {subject:?}, response_type: stream }}")).collect();
    let users = format!("{{ nkey: {manager} }}");
    let tournaments = format!("{{ stream: {TOURNAMENTS:?} }}");
    let exports = list("exports", [tournaments].into_iter().chain(exports));
    text += &format!(
        "accounts: {{\n    manager: {{\n        jetstream: enabled\n        users: [{users}]\n{exports}    }}\n"
    );
    for ((name, key), Rights { publish, subscribe }) in workers.iter().zip(&rights) {
        let own: Vec<&String> = publish.iter().map(|(_, own)| own).collect();
        let permissions = format!("{{ publish: {own:?}, subscribe: {subscribe:?} }}");
        let import = |(theirs, own): &(String, String)| {
            format!("{{ service: {{ account: manager, subject: {theirs:?} }}, to: {own:?} }}")
        };
        let tournaments = format!("{{ stream: {{ account: manager, subject: {TOURNAMENTS:?} }} }}");
        let imports = list("imports", [tournaments].into_iter().chain(publish.iter().map(import)));
        let users = list("users", [format!("{{ nkey: {key}, permissions: {permissions} }}")]);
        text += &format!("    {:?}: {{\n{users}{imports}    }}\n", format!("worker-{name}"));
    }
    text + "}\n"
}

/// A list of an account's configuration.
fn list(name: &str, rows: impl IntoIterator<Item = String>) -> String {
    let rows: String = rows.into_iter().map(|row| format!("            {row}\n")).collect();
    format!("        {name}: [\n{rows}        ]\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_has_rights_under_its_own_name_only() {
        let Rights { publish, subscribe } = Rights::of_worker("ring 1");
        let publish: Vec<String> = publish.into_iter().flat_map(|(theirs, own)| [theirs, own]).collect();
        let bound = |subject: &&String| subject.contains(".ring_1");
        let others: Vec<&String> = publish.iter().chain(&subscribe).filter(|subject| !bound(subject)).collect();
        assert_eq!(others, ["$JS.API.DIRECT.GET.*", "manager.JS.API.DIRECT.GET.*", TOURNAMENTS]);
        // What is forbidden is not among them.
        let matches = |right: &str, subject: &str| {
            let mut right = right.split('.');
            let mut subject = subject.split('.');
            loop {
                match (right.next(), subject.next()) {
                    (Some(">"), Some(_)) | (None, None) => return true,
                    (Some(part), Some(own)) if part == "*" || part == own => {}
                    _ => return false,
                }
            }
        };
        for (words, attempt) in forbidden() {
            let rights = if matches!(attempt, Attempt::Publish(_)) { &publish } else { &subscribe };
            assert!(!rights.iter().any(|right| matches(right, attempt.subject())), "{words}");
        }
    }
}
