//! Why a cluster cannot begin. Once it has begun, failures of the network are said and waited out.

use std::path::PathBuf;

/// Why a manager or worker cannot use a server.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The user's mistake: an address or a file.
    #[error("{0}")]
    Mistake(String),
    /// A file of keys or certificates cannot be used.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The server does not let this user in.
    #[error(
        "the NATS server at {url} refuses this user ({why}): is the key of `--creds` one of its users, and not expired?"
    )]
    Refused {
        /// The server's address.
        url: String,
        /// Its words.
        why: String,
    },
    /// There is no server, or it does not speak TLS as asked.
    #[error("cannot reach the NATS server at {url}: {why}")]
    Unreachable {
        /// The server's address.
        url: String,
        /// Why.
        why: String,
    },
    /// The server does not do what is asked.
    #[error("the NATS server at {url} cannot {what}: {why}{hint}")]
    Server {
        /// The server's address.
        url: String,
        /// What was asked.
        what: String,
        /// Why not.
        why: String,
        /// What may help.
        hint: String,
    },
    /// This machine fails, such as a disk that is full.
    #[error("cannot {what}: {why}")]
    Machine {
        /// What was to be done.
        what: String,
        /// Why it failed.
        why: String,
    },
}

impl ClusterError {
    /// A server at `url` does not do `what`, for a user with a key or without.
    pub(crate) fn of_server(url: &str, has_key: bool, what: &str, error: &dyn std::fmt::Display) -> ClusterError {
        let why = error.to_string();
        let is_off =
            why.contains("jetstream is not enabled") || why.contains("no responders") || why.contains("timed out");
        let hint = match (is_off, has_key) {
            (false, _) => "",
            // A server does not answer what a user may not ask.
            (true, true) => {
                " (either JetStream is off, `jetstream { … }` in its configuration, or this key is not the manager's)"
            }
            (true, false) => {
                " (JetStream must be on: `jetstream { … }` in its configuration, or `nats-server -js`)"
            }
        };
        ClusterError::Server { url: url.to_string(), what: what.to_string(), why, hint: hint.to_string() }
    }

    /// Whether the user can mend it, rather than the machine.
    pub fn is_mistake(&self) -> bool {
        matches!(self, ClusterError::Mistake(_) | ClusterError::File { .. } | ClusterError::Refused { .. })
    }
}
