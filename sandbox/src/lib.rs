//! Runs a stranger's program with limits, measures it, and leaves nothing of it behind.
//!
//! ```
//! use cornerman_sandbox::{Conditions, Ended, Limits, Order, Program, Sandbox};
//! use std::time::Duration;
//!
//! cornerman_sandbox::serve_if_asked(); // first in main: this program is also its own sandbox server
//! let program = Program {
//!     argv: vec!["/usr/bin/tr".into(), "a-z".into()], // then the arguments of each run
//!     folder: "/usr/bin".into(),                      // where it runs
//!     parts: vec![],                                  // what it must see besides the system's libraries and tools
//! };
//! let limits = Limits { hard: Duration::from_secs(10), memory: 256 << 20, ..Limits::default() };
//! let mut sandbox = Sandbox::open(&program, &limits, Conditions::default())?;
//! let report = sandbox.run(&Order::with_input(vec!["A-Z".into()], b"hello"))?;
//! assert_eq!((report.ended, report.output.as_slice()), (Ended::Exited(0), b"HELLO".as_slice()));
//! println!("{:?} of processor time, isolation {}", report.cpu.total(), sandbox.isolation().level);
//! # Ok::<(), cornerman_sandbox::SandboxError>(())
//! ```
//!
//! [`Sandbox::run`] is a process from its start to its end, [`Sandbox::start`] one that stays and is spoken to in
//! lines. The server is this same program started again (see [`serve_if_asked`]): small, single-threaded, and the only
//! parent that the program ever has. What the server learns about a run travels on a pipe of its own, never in the
//! program's output. What the program does wrong is in the [`RunReport`]; a [`SandboxError`] is a failure of ours.

#![deny(unsafe_code)]

mod advice;
mod answer_timer;
mod bytes;
pub mod calls;
pub mod cgroup;
mod client;
mod error;
mod keeper_handle;
mod level;
mod machine;
mod paths;
mod report;
mod run_request;
mod server;
mod session;
mod shared_tmp;
mod sys;
mod trace;
pub mod tree;
pub mod visible;
mod watch;
mod watchdog;
mod wire;

pub use answer_timer::{AnswerCost, AnswerTimer, IdleCallback};
pub use client::{Conditions, Sandbox, serve_if_asked};
pub use error::SandboxError;
pub use level::{Isolation, Level, Refusal};
pub use report::{Cpu, Ended, FileViolation, FileViolationKind, RunReport, Tasks, Usage};
pub use run_request::{
    AtDeadline, Environment, Input, LimitOverrides, Limits, Output, Program, RunRequest, at_deadline,
};
pub use server::PATH;
pub use session::{Line, ReadStatus, SendStatus, Session, StartOutcome};
pub use shared_tmp::{MarkClaim, claim_marks};
pub use sys::landlock_version;
pub use trace::Trace;
