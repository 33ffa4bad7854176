//! Workers on other machines: a tournament whose games are played wherever a worker runs.
//!
//! The manager ([`NatsWorkers`]) plans, assigns and records; each [`worker`] plays. Between them is NATS JetStream, a
//! server that keeps messages on its disk until they are acknowledged. The manager decides which worker plays which
//! game, since both games of a pair are to be played on one machine, and it believes no result that it cannot derive
//! from the game's moves. `docs/many-machines.md` describes the streams and messages.
//!
//! The parts: [`Assignment`](assignment) is which worker plays what, without any network; `wire` speaks with the
//! server for the manager; [`message`] is everything that is sent.

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
pub use manager::{Bundles, Joined, NatsWorkers, Overview, Settings};
pub use names::TournamentId;
pub use requirements::Requirements;
pub use rights::{API, Attempt, Certificate, Rights, configuration, forbidden};
pub use server::{Identity, Say, Server, make_key};
