//! Where a bot runs: a sandbox server for each seat, which starts the bot, judges nothing and reports all.
//!
//! The server is this same program started again (see [`serve_if_asked`]): small, single-threaded, and the
//! only parent a bot ever has. What it learns about a run travels on a pipe of its own, never in a bot's output.
//! A bot's misbehaviour is in the [`RunReport`]; a [`SandboxError`] is a failure of ours.

mod advice;
pub mod cgroup;
mod client;
mod level;
mod order;
mod overdue;
mod report;
mod secrets;
mod server;
mod session;
mod shared_tmp;
mod sys;
mod watch;
mod wire;

pub use client::{Conditions, Sandbox, SandboxError, serve_if_asked};
pub use level::{Isolation, Level, Refusal};
pub use order::{Environment, Input, Limits, Order, Output, Program};
pub use report::{Cpu, Ended, RunReport, Tasks, Trespass, TrespassKind, Usage};
pub use server::PATH;
pub use session::{Came, Line, Sent, Session};
pub use shared_tmp::{MarkClaim, claim_marks};
pub use sys::landlock_version;
