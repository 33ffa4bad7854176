//! A look at a bot that does not say which game it plays: a first run or line of it, and what a suite says of that.

use cornerman_harness::bot::Bot;
use cornerman_harness::sandbox::{
    Conditions, Line, RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome, claim_marks,
};
use std::ffi::OsString;
use std::time::Instant;

/// No first word is longer.
const LONGEST: usize = 4096;

/// What a suite says of a bot that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// Nothing shows that it plays this game.
    No,
    /// It plays this game, and nothing needs to be said of that.
    Certain,
    /// It plays this game; what gave it away.
    Likely(&'static str),
}

/// A bot that is looked at.
pub struct Probe<'a> {
    bot: &'a Bot,
    conditions: Conditions,
    /// None while a bot is in dialogue, and after a failure.
    sandbox: Option<Sandbox>,
}

impl<'a> Probe<'a> {
    /// A look at `bot` in a sandbox of its own.
    ///
    /// # Errors
    /// When none is available.
    pub fn open(bot: &'a Bot, conditions: Conditions) -> Result<Probe<'a>, SandboxError> {
        let sandbox = Some(Sandbox::open(&bot.program, &bot.limits, conditions)?);
        Ok(Probe { bot, conditions, sandbox })
    }

    fn sandbox(&mut self) -> Result<Sandbox, SandboxError> {
        let open = || Sandbox::open(&self.bot.program, &self.bot.limits, self.conditions);
        self.sandbox.take().map_or_else(open, Ok)
    }

    /// One run, without a state file.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn run(&mut self, order: &RunRequest) -> Result<RunReport, SandboxError> {
        let mut sandbox = self.sandbox()?;
        let marks: Vec<u8> = order.mark.filter(|_| sandbox.isolation().level.shares_tmp()).into_iter().collect();
        let claim = claim_marks(&marks).map_err(SandboxError::Start)?;
        let report = sandbox.run(order)?;
        if let Some(mark) = order.mark {
            sandbox.clear_state(mark)?;
        }
        drop(claim);
        self.sandbox = Some(sandbox);
        Ok(report)
    }

    /// What `script` finds in a dialogue with the bot, started with `args`; false if it cannot be started.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn talk(
        &mut self,
        args: Vec<OsString>,
        script: impl FnOnce(&mut Opening) -> Result<bool, SandboxError>,
    ) -> Result<bool, SandboxError> {
        let session = match self.sandbox()?.start(&RunRequest::of_game(args))? {
            StartOutcome::Running(session) => session,
            StartOutcome::CannotStart(_, sandbox) => {
                self.sandbox = Some(sandbox);
                return Ok(false);
            }
        };
        let mut opening = Opening { session, bot: self.bot };
        let found = script(&mut opening)?;
        self.sandbox = Some(opening.session.finish(self.bot.limits.hard)?.1);
        Ok(found)
    }
}

/// The first lines of a dialogue.
pub struct Opening<'a> {
    session: Session,
    bot: &'a Bot,
}

impl Opening<'_> {
    /// The next line, if one comes within the hard limit.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn line(&mut self) -> Result<Option<Vec<u8>>, SandboxError> {
        let deadline = Instant::now() + self.bot.limits.hard;
        match self.session.line(LONGEST, deadline).map_err(SandboxError::Lost)? {
            Line::Read(line) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// Sends `bytes`.
    ///
    /// # Errors
    /// When the sandbox fails.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), SandboxError> {
        let deadline = Instant::now() + self.bot.limits.hard;
        self.session.send(bytes, deadline).map(drop).map_err(SandboxError::Lost)
    }
}
