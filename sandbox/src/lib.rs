//! Runs an untrusted program within limits, measures it, and cleans up after it.
//!
//! ```
//! use cornerman_sandbox::{Conditions, Ended, Limits, RunRequest, Program, Sandbox};
//! use std::time::Duration;
//!
//! cornerman_sandbox::serve_if_asked(); // first in main: sandboxes are served by this program, started again
//! let program = Program {
//!     argv: vec!["/usr/bin/tr".into(), "a-z".into()], // each run appends its own arguments
//!     folder: "/usr/bin".into(),                      // the working directory
//!     parts: vec![],                                  // files it needs besides the system's libraries and tools
//! };
//! let limits = Limits { hard: Duration::from_secs(10), memory: 256 << 20, ..Limits::default() };
//! let mut sandbox = Sandbox::open(&program, &limits, Conditions::default())?;
//! let report = sandbox.run(&RunRequest::with_input(vec!["A-Z".into()], b"hello"))?;
//! assert_eq!((report.ended, report.output.as_slice()), (Ended::Exited(0), b"HELLO".as_slice()));
//! println!("{:?} of processor time, isolation {}", report.cpu.total(), sandbox.isolation().level);
//! # Ok::<(), cornerman_sandbox::SandboxError>(())
//! ```
//!
//! [`Sandbox::run`] runs one process from its start to its end. [`Sandbox::start`] starts one that keeps running
//! and exchanges lines with its caller. A bot's parent is always a *server*: this same program, started again (see
//! [`serve_if_asked`]), small and with a single thread. The server reports on a run through a pipe of its own, so
//! nothing that a bot writes can be mistaken for a report. A bot's misbehaviour is in the [`RunReport`], and is never a
//! [`SandboxError`].

#![warn(unreachable_pub)]
#![warn(clippy::disallowed_macros)]

#[cfg(not(target_os = "linux"))]
compile_error!(
    "Cornerman contains bots by means that only Linux has, from version 5.10 on. On Windows it runs in WSL2, on other \
     systems in a virtual machine with Linux."
);
#[cfg(not(target_arch = "x86_64"))]
compile_error!(
    "Cornerman runs on x86-64 only: the system calls that bots may make are listed and tested for that."
);

mod advice;
mod answer_timer;
pub mod calls;
pub mod cgroup;
mod client;
mod encoding;
mod error;
mod keeper_handle;
mod launcher;
mod level;
mod machine;
mod pool;
pub mod promises;
mod report;
mod run_request;
mod sanitizer;
mod server;
mod session;
mod sys;
pub mod tree;
pub mod visible;
mod watch;
mod watchdog;
mod wire;

/// Parsers of what another process sends, public only so that the fuzz targets can call them.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::wire::read_as_messages as messages;
}

pub use answer_timer::{AnswerCost, AnswerTimer, IdleCallback};
pub use client::{CallTrace, Conditions, Sandbox, serve_if_asked};
pub use error::SandboxError;
pub use level::{Isolation, Level, Refusal};
pub use machine::kernel_is_at_least;
pub use pool::SandboxPool;
pub use report::{
    Activity, Cpu, Ended, FileViolation, FileViolationKind, Moment, RunReport, StderrPart, TaskCounts, Tasks,
    Usage,
};
pub use run_request::{Environment, Input, LimitOverrides, Limits, Output, Program, RunRequest};
pub use server::PATH;
pub use session::{ReadLine, SendStatus, Session, StartOutcome};
pub use sys::landlock_version;
