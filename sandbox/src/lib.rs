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
mod bytes;
pub mod calls;
pub mod cgroup;
mod client;
mod error;
mod level;
mod live;
mod machine;
mod order;
mod overdue;
mod paths;
mod report;
mod server;
mod session;
mod shared_tmp;
mod sys;
mod thinking;
mod trace;
pub mod tree;
pub mod visible;
mod watch;
mod wire;

pub use client::{Conditions, Sandbox, serve_if_asked};
pub use error::SandboxError;
pub use level::{Isolation, Level, Refusal};
pub use order::{Environment, Grant, Input, LimitOverrides, Limits, Order, Output, Program, grant};
pub use report::{Cpu, Ended, RunReport, Tasks, Trespass, TrespassKind, Usage};
pub use server::PATH;
pub use session::{Came, Line, Sent, Session};
pub use shared_tmp::{MarkClaim, claim_marks};
pub use sys::landlock_version;
pub use thinking::{Idle, Thinking, Used};
pub use trace::Trace;
