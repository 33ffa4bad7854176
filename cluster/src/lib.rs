//! Plays a tournament's games with workers on other machines.
//!
//! The manager ([`NatsWorkers`]) plans, assigns and records; each [`worker`] plays. They communicate through NATS
//! JetStream, a server that keeps messages on its disk until they are acknowledged. The manager decides which worker
//! plays which game, because both games of a pair must be played on the same machine. It accepts a result only if it
//! can derive the same result from the game's moves. `docs/many-machines.md` describes the streams and messages.
//!
//! The parts: `assignment` decides which worker plays what, without any network; `wire` connects the
//! manager to the server; [`message`] defines everything that is sent.

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

mod assignment;
mod error;
mod manager;
pub mod message;
pub mod names;
pub mod objects;
mod requirements;
mod rights;
mod sample;
mod server;
pub mod worker;

pub use error::ClusterError;
pub use manager::{Bundles, Joined, ManagedTournament, NatsWorkers, WorkersOverview};
pub use names::TournamentId;
pub use requirements::Requirements;
pub use rights::{API, Attempt, Certificate, Rights, configuration, forbidden};
pub use server::{Identity, LogFn, ServerAccess, make_key};
