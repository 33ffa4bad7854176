//! Failures of the sandbox itself. A program's misbehaviour is in its report instead.

use super::level::{Level, Refusal};
use super::wire::ServerReply;
use std::io;
use std::time::Duration;

/// Why a sandbox cannot be opened or used; never a bot's fault.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program did not call [`serve_if_asked`](crate::serve_if_asked).
    #[error("this program cannot open a sandbox: its main does not begin with sandbox::serve_if_asked()")]
    NotReady,
    /// This process is itself in a sandbox, which does not allow the system calls that start another one.
    #[error(
        "this program is itself in a sandbox, in which it can start none: enter the bot itself, or play with \
         `--isolation restricted --isolation-at-most restricted`"
    )]
    InSandbox,
    /// The server's process, the channel to it or its control group could not be made.
    #[error("cannot start a sandbox server: {0}{limit}", limit = limit_on_files(.0))]
    Start(#[source] io::Error),
    /// The server ended or did not answer, or a bot's pipes or control group could not be used.
    #[error("the sandbox server stopped answering: {0}")]
    Lost(#[source] io::Error),
    /// The sandbox was to be opened in a pool that was [ended](crate::SandboxPool::end).
    #[error("the sandbox was ended with all others")]
    Ended,
    /// A bot waited for a processor until its deadline could not be extended further: the machine was too busy.
    #[error("the machine was too busy: a program spent {waited:.1?} of {wall:.1?} waiting for a processor")]
    Starved {
        /// How long the bot took.
        wall: Duration,
        /// The part of `wall` in which it waited for a processor.
        waited: Duration,
    },
    /// The machine refused a step of setting up a level.
    #[error("the machine refuses to {}: {}", .0.step, .0.why)]
    Refused(Refusal),
    /// The server could not carry out a request.
    #[error("the sandbox failed: {0}")]
    Failed(String),
    /// No level as strong as the one demanded is available, or none was to be tried.
    #[error("isolation `{demanded}` is not available on this machine: {why}")]
    LevelRefused {
        /// The level that was demanded.
        demanded: Level,
        /// The steps that the machine refused, each with its error and advice, if any was tried.
        why: String,
    },
}

/// A hint about the limit on open files, if `error` says that this process has reached it.
fn limit_on_files(error: &io::Error) -> String {
    if error.raw_os_error() != Some(libc::EMFILE) {
        return String::new();
    }
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    most.map_or(String::new(), |most| format!("; `ulimit -n` allows {most}, and `ulimit -n 1024` more"))
}

/// Describes the refused steps, with advice for each.
pub(super) fn describe_refusals(refused: &[Refusal]) -> String {
    let describe = |r: &Refusal| format!("\n  to {}: {}; {}", r.step, r.why, r.advice());
    match refused {
        [] => "a stronger level was not tried".to_string(),
        refused => refused.iter().map(describe).collect(),
    }
}

impl SandboxError {
    /// The error for a reply that is not the answer to the request.
    pub(super) fn unexpected(reply: &ServerReply) -> SandboxError {
        match reply {
            ServerReply::Failed(why) => SandboxError::Failed(why.clone()),
            ServerReply::Refused(refusal) => SandboxError::Refused(refusal.clone()),
            other => SandboxError::Failed(format!("the server sent a reply to another request: {other:?}")),
        }
    }
}

/// The content of a reply of the expected kind, and an error for any other.
macro_rules! expect_reply {
    ($reply:expr, $kind:ident) => {
        match $reply {
            $crate::wire::ServerReply::$kind(content) => Ok(content),
            other => Err($crate::error::SandboxError::unexpected(&other)),
        }
    };
}
pub(super) use expect_reply;
