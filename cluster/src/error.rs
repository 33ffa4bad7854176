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
    /// Whether the user can mend it, rather than the machine.
    pub fn is_mistake(&self) -> bool {
        matches!(self, ClusterError::Mistake(_) | ClusterError::File { .. } | ClusterError::Refused { .. })
    }
}
