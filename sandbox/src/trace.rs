//! Which system calls a bot makes: a diagnosis, for a bot that fails in its sandbox and does not say why.

use super::calls::ObservedCall;
use super::client::Sandbox;
use super::error::SandboxError;
use super::report::RunReport;
use super::run_request::RunRequest;
use super::wire::{Reply, Request};
use std::borrow::Cow;

/// What was seen of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Each call that the bot, or what it started, made, by its number.
    pub calls: Vec<ObservedCall>,
    /// How it ended, and what it wrote. Its times are those of a run that is held up at each call.
    pub report: RunReport,
}

impl Sandbox {
    /// Runs the bot once and sees which system calls it makes. It gets its input whole, and the sandbox must have been
    /// opened with [`traces`](super::Conditions::traces). The filter in force is the usual one.
    ///
    /// # Errors
    /// When the sandbox failed, or the system does not let the server see its calls.
    pub fn trace(&mut self, request: &RunRequest) -> Result<Trace, SandboxError> {
        match self.ask(&Request::Trace(Cow::Borrowed(request)))? {
            Reply::Traced(calls, report) => Ok(Trace { calls, report }),
            other => Err(SandboxError::unexpected(&other)),
        }
    }
}
