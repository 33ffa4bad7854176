//! What each user of a NATS server may do there, and a server configuration that enforces it.

use crate::names::{TOURNAMENTS, fitted, inbox};
use std::collections::BTreeSet;

/// The name of the manager's inbox and consumer. Workers may use only those of their own name, and no worker can have
/// this name because of the `=`.
pub(crate) const MANAGER: &str = "=manager";

/// The prefix of the subjects with which a worker asks the server about the manager's streams. In the worker's own
/// account, subjects that begin with `$JS.API` are about its own streams, and it has none.
pub const API: &str = "manager.JS.API";

/// The subjects that a worker may use. `*` stands for one part of a subject and `>` for all that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    /// The subjects to which it may publish: as named in the manager's account, and in its own.
    pub publish: Vec<(String, String)>,
    /// The subjects to which it may subscribe.
    pub subscribe: Vec<String>,
}

impl Rights {
    /// The rights of the worker called `name`. It may report that it is there, take its own jobs, store results under
    /// its own name, and read bots. It cannot make or delete anything, or read messages of other workers.
    pub fn of_worker(name: &str) -> Rights {
        let name = &fitted(name);
        let in_both = |subject: String| (subject.clone(), subject);
        let api_request = |request: String| (format!("$JS.API.{request}"), format!("{API}.{request}"));
        let publish = [
            in_both(format!("cornerman.*.hello.{name}.*")),
            in_both(format!("cornerman.*.status.{name}.*")),
            in_both(format!("cornerman.*.result.{name}.*")),
            api_request(format!("CONSUMER.INFO.*.{name}")),
            api_request(format!("CONSUMER.MSG.NEXT.*.{name}")),
            in_both(format!("$JS.ACK.*.{name}.>")),
            // Only streams that allow it can be read directly: the one with the bots.
            api_request("DIRECT.GET.*".to_string()),
        ];
        Rights { publish: publish.into(), subscribe: vec![TOURNAMENTS.to_string(), format!("{}.>", inbox(name))] }
    }
}

/// Something that a user can try to do at a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// To publish to this subject.
    Publish(String),
    /// To subscribe to this subject.
    Subscribe(String),
}

impl Attempt {
    /// The subject that it uses.
    pub fn subject(&self) -> &str {
        let (Attempt::Publish(subject) | Attempt::Subscribe(subject)) = self;
        subject
    }
}

/// What a worker's key must not allow, each in words and as an attempt. The attempts are about a tournament
/// that does not exist, so they change nothing even if they succeed.
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

/// The paths of a server's certificate and its key.
pub struct Certificate {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// The configuration of a server that listens at `listen` and admits a manager and workers, each by its public key.
/// `workers` contains the name and the key of each.
///
/// Every worker has an account of its own, which imports from the manager's account only the subjects that the worker
/// may use. One account for all would not be safe: within an account, the server sends its answers to whatever
/// subject a request names, so a worker could make it publish a request to delete a stream.
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
    text += "    # With nats-server 2.10 or later: nothing is lost if the power fails.\n";
    text += "    # sync_interval: always\n}\n";
    let rights: Vec<Rights> = workers.iter().map(|(name, _)| Rights::of_worker(name)).collect();
    // A set, because some subjects are the same for all workers.
    let exported: BTreeSet<&String> =
        rights.iter().flat_map(|rights| &rights.publish).map(|(theirs, _)| theirs).collect();
    let exports: Vec<String> =
        exported.iter().map(|subject| format!("{{ service: {subject:?}, response_type: stream }}")).collect();
    let users = format!("{{ nkey: {manager} }}");
    let tournaments = format!("{{ stream: {TOURNAMENTS:?} }}");
    let exports = config_list("exports", [tournaments].into_iter().chain(exports));
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
        let imports = config_list("imports", [tournaments].into_iter().chain(publish.iter().map(import)));
        let users = config_list("users", [format!("{{ nkey: {key}, permissions: {permissions} }}")]);
        text += &format!("    {:?}: {{\n{users}{imports}    }}\n", format!("worker-{name}"));
    }
    text + "}\n"
}

/// A list in the configuration of an account.
fn config_list(name: &str, rows: impl IntoIterator<Item = String>) -> String {
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
        // None of the forbidden subjects is among them.
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
