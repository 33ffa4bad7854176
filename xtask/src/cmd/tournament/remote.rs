//! `tournament --nats URL`: the games are played by workers on other machines.

#[cfg(feature = "cluster")]
#[path = "remote/with.rs"]
mod built;
#[cfg(not(feature = "cluster"))]
#[path = "remote/without.rs"]
mod built;

#[cfg(feature = "cluster")]
pub use built::server;
pub use built::{Overview, Remote, RemoteWorkers};

/// How many games are planned as if that many workers played: enough for thousands of threads.
pub const MOST_WORKERS: usize = 256;

/// What is said where a build leaves this out.
#[cfg(not(feature = "cluster"))]
pub const LEFT_OUT: &str = "this build plays on this machine only: `cargo cluster …` in place of `cargo xtask …` builds \
                            what many machines need (docs/many-machines.md)";
