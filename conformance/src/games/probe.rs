//! Finds out which game a bot plays if it does not say so: each suite looks at a first run or a first line of it.

use cornerman_harness::bot::Bot;
use cornerman_harness::player::marks::{claim_marks, mark_of};
use cornerman_harness::sandbox::{
    AnswerTimer, Conditions, Ended, ReadLine, RunReport, RunRequest, Sandbox, SandboxError, Session, StartOutcome,
};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The longest first line that is read, in bytes.
const MAX_LINE: usize = 4096;

/// How long a bot that is to write a line must be seen to wait for input instead.
const STILL: Duration = Duration::from_millis(80);

/// The answer of a suite about a bot that it has probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// It does not seem to play this game.
    No,
    /// It seems to play this game, for this reason, which is shown to the user.
    Yes(&'static str),
}

/// A bot that is being probed.
pub struct Probe<'a> {
    bot: &'a Bot,
    conditions: Conditions,
    /// `None` during a dialogue and after a failure.
    sandbox: Option<Sandbox>,
    /// Whether the bot cannot be started.
    pub cannot_start: bool,
}

impl<'a> Probe<'a> {
    /// Opens a sandbox for probing `bot`.
    pub(crate) fn open(bot: &'a Bot, conditions: Conditions) -> Result<Probe<'a>, SandboxError> {
        let sandbox = Some(bot.sandbox(conditions)?);
        Ok(Probe { bot, conditions, sandbox, cannot_start: false })
    }

    fn sandbox(&mut self) -> Result<Sandbox, SandboxError> {
        let open = || self.bot.sandbox(self.conditions);
        self.sandbox.take().map_or_else(open, Ok)
    }

    /// Runs the bot once, without a state file.
    pub(crate) fn run(&mut self, request: &RunRequest) -> Result<RunReport, SandboxError> {
        let mut sandbox = self.sandbox()?;
        let mark = request.state_file.as_deref().and_then(mark_of);
        let marks: Vec<u8> = mark.filter(|_| sandbox.isolation().level.shares_tmp()).into_iter().collect();
        let claim = claim_marks(&marks).map_err(SandboxError::Start)?;
        let report = sandbox.run(request)?;
        self.cannot_start = matches!(report.ended, Ended::CannotStart { .. });
        if let Some(path) = &request.state_file {
            sandbox.clear_state(path)?;
        }
        drop(claim);
        self.sandbox = Some(sandbox);
        Ok(report)
    }

    /// Starts the bot with `args` and returns what `script` finds in a dialogue with it; false if the bot cannot be
    /// started.
    pub(crate) fn hold_dialogue(
        &mut self,
        args: Vec<OsString>,
        script: impl FnOnce(&mut ProbeSession) -> Result<bool, SandboxError>,
    ) -> Result<bool, SandboxError> {
        let session = match self.sandbox()?.start(&RunRequest::for_game(args))? {
            StartOutcome::Running(session) => session,
            StartOutcome::CannotStart(_, sandbox) => {
                (self.sandbox, self.cannot_start) = (Some(sandbox), true);
                return Ok(false);
            }
        };
        let mut probe = ProbeSession { session, bot: self.bot };
        let found = script(&mut probe)?;
        self.sandbox = Some(probe.session.finish(self.bot.limits.hard)?.1);
        Ok(found)
    }
}

/// The beginning of a dialogue with a bot.
pub(crate) struct ProbeSession<'a> {
    session: Session,
    bot: &'a Bot,
}

impl ProbeSession<'_> {
    /// The bot's next line, without its line feed; `None` if no line arrives within the hard limit, or the bot is
    /// seen to wait for input instead.
    pub(crate) fn line(&mut self) -> Result<Option<Vec<u8>>, SandboxError> {
        let limit = self.bot.limits.hard;
        let mut thinking = AnswerTimer::begin().watching(STILL, limit);
        match thinking.line_within(&mut self.session, MAX_LINE, limit, &mut || Ok(false))? {
            ReadLine::Read(line) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// Ends the bot's input, and returns its next lines, but no more than `most`: a bot may hold back what it writes.
    pub(crate) fn last_lines(&mut self, most: usize) -> Result<Vec<Vec<u8>>, SandboxError> {
        self.session.close_input();
        let mut lines = Vec::new();
        while lines.len() < most {
            let Some(line) = self.line()? else { break };
            lines.push(line);
        }
        Ok(lines)
    }

    /// Sends `bytes` to the bot.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), SandboxError> {
        let deadline = Instant::now() + self.bot.limits.hard;
        self.session.send(bytes, deadline).map(drop).map_err(SandboxError::Lost)
    }
}
