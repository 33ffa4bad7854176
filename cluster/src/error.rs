//! Why a manager or worker cannot start. Once it has started, it logs failures of the network and retries.

use std::io;
use std::path::PathBuf;

/// Why a manager or worker cannot use a server.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A mistake of the user's, such as a wrong address or key.
    #[error("{0}")]
    Mistake(String),
    /// A file of keys or certificates cannot be used.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: async_nats::Error,
    },
    /// The server does not admit this user.
    #[error(
        "the NATS server at {url} refuses this user ({why}): is the key of `--creds` one of its users, and not expired?"
    )]
    Refused {
        /// The server's address.
        url: String,
        /// The server's message.
        why: String,
    },
    /// There is no server at this address, or TLS fails.
    #[error("cannot reach the NATS server at {url}: {why}")]
    Unreachable {
        /// The server's address.
        url: String,
        /// Why.
        why: String,
    },
    /// The server does not carry out a request.
    #[error("the NATS server at {url} cannot {what}: {why}{hint}")]
    Server {
        /// The server's address.
        url: String,
        /// What it was asked to do, as a verb phrase.
        what: String,
        /// Why it does not.
        why: String,
        /// What may help.
        hint: String,
    },
    /// This machine fails, for instance because it refuses a thread.
    #[error("cannot {what}: {why}")]
    Machine {
        /// What failed, as a verb phrase.
        what: String,
        /// Why it failed.
        why: io::Error,
    },
}

impl ClusterError {
    /// The error of the server at `url`, which does not do `what` for a user with or without a key.
    pub(crate) fn of_server(url: &str, has_key: bool, what: &str, error: &dyn std::fmt::Display) -> ClusterError {
        let why = error.to_string();
        let is_off =
            why.contains("jetstream is not enabled") || why.contains("no responders") || why.contains("timed out");
        let hint = match (is_off, has_key) {
            (false, _) => "",
            // A server does not answer requests that the user may not make.
            (true, true) => {
                " (either JetStream is off, `jetstream { … }` in its configuration, or this key is not the manager's)"
            }
            (true, false) => {
                " (JetStream must be on: `jetstream { … }` in its configuration, or `nats-server -js`)"
            }
        };
        ClusterError::Server { url: url.to_string(), what: what.to_string(), why, hint: hint.to_string() }
    }

    /// Whether the user made a mistake, rather than something having failed.
    pub fn is_mistake(&self) -> bool {
        matches!(self, ClusterError::Mistake(_) | ClusterError::File { .. } | ClusterError::Refused { .. })
    }
}
