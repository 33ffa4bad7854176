//! Lists the system calls that a bot makes, to diagnose a bot that fails in its sandbox without saying why.

use super::calls::ObservedCall;
use super::client::Sandbox;
use super::error::SandboxError;
use super::report::RunReport;
use super::run_request::RunRequest;
use super::wire::{Reply, Request};
use std::borrow::Cow;

/// A run whose system calls were listed.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The system calls that the bot and the processes it started made, in the order of their numbers.
    pub calls: Vec<ObservedCall>,
    /// How the run ended, and its output. Its times are too long, because the run is stopped at each call.
    pub report: RunReport,
}

impl Sandbox {
    /// Runs the bot once and lists the system calls that it makes, under the usual filter. The bot gets its input
    /// all at once. The sandbox must have been opened with [`can_trace`](super::Conditions::can_trace).
    ///
    /// # Errors
    /// When the sandbox failed, or the system does not let the server trace the bot.
    pub fn trace(&mut self, request: &RunRequest) -> Result<Trace, SandboxError> {
        match self.ask(&Request::Trace(Cow::Borrowed(request)))? {
            Reply::Traced(calls, report) => Ok(Trace { calls, report }),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}
