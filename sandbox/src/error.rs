//! Failures of the sandbox itself: what a program does wrong is in its report.

use super::level::{Level, Refusal};
use super::wire::Reply;
use std::io;
use std::time::Duration;

/// A failure of the sandbox itself, never of a bot.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program did not call [`serve_if_asked`].
    #[error("this program cannot open a sandbox: its main does not begin with sandbox::serve_if_asked()")]
    NotReady,
    /// The server could not be started.
    #[error("cannot start a sandbox server: {0}")]
    Start(#[source] io::Error),
    /// The server did not answer.
    #[error("the sandbox server stopped answering: {0}")]
    Lost(#[source] io::Error),
    /// A bot waited for a processor until nothing more could be granted: the machine could not give it its time.
    #[error("the machine was too busy: of {wall:.1?} a program spent {waited:.1?} waiting for a processor")]
    Starved {
        /// How long it was waited for.
        wall: Duration,
        /// The part of that in which it only waited.
        waited: Duration,
    },
    /// The server could not do what was asked.
    #[error("the sandbox failed: {0}")]
    Failed(String),
    /// The machine does not give the level that was demanded.
    #[error("isolation `{demanded}` cannot be had on this machine: {why}")]
    LevelRefused {
        /// What was demanded.
        demanded: Level,
        /// The step that failed, and the machine's answer.
        why: String,
    },
}

/// Refused steps in words, with what would help.
pub(super) fn in_words(refused: &[Refusal]) -> String {
    let one = |r: &Refusal| format!("\n  to {}: {}; {}", r.step, r.why, r.advice());
    match refused {
        [] => "no better level was to be tried".to_string(),
        refused => refused.iter().map(one).collect(),
    }
}

impl SandboxError {
    /// An answer that does not belong to the question.
    pub(super) fn unexpected(reply: &Reply) -> SandboxError {
        match reply {
            Reply::Failed(why) => SandboxError::Failed(why.clone()),
            other => SandboxError::Failed(format!("an answer to another question came: {other:?}")),
        }
    }
}
