//! A bot that plays a whole game in one process and speaks in lines (R3–R7, G3–G5).

use super::conversation::Conversation;
use super::dialect::{Dialect, Time};
use super::tongue::{Heard, Tongue};
use super::{Answer, Conduct, Idle, Player};
use crate::bot::Bot;
use crate::sandbox::{Conditions, Isolation, SandboxError};
use cornerman::game::{Seat, Setup};

/// A bot of a line protocol in its seat.
pub struct Lines {
    talk: Conversation,
    dialect: Dialect,
}

impl Lines {
    /// Seats `bot` in a sandbox of its own. `ponders`: it may think while it is not its turn.
    ///
    /// # Errors
    /// When no sandbox can be opened under `conditions`.
    pub fn open(
        bot: &Bot,
        dialect: Dialect,
        ponders: bool,
        conditions: Conditions,
    ) -> Result<Lines, SandboxError> {
        Ok(Lines { talk: Conversation::open(bot, dialect.rules, ponders, conditions)?, dialect })
    }
}

/// What a bot is told when its budget is used up (G4).
const TIME: &[u8] = b"time\n";

impl Tongue for Dialect {
    fn question(&mut self, view: &[u8], time_is_up: bool) -> Vec<u8> {
        if time_is_up { [TIME, view].concat() } else { view.to_vec() }
    }

    fn time_is_up(&mut self) -> Vec<u8> {
        TIME.to_vec()
    }

    fn hear(&mut self, line: Vec<u8>) -> Heard {
        let is_answer = self.is_answer.as_ref().is_none_or(|is| is(&line));
        if is_answer { Heard::Answer(Ok(line)) } else { Heard::Garbage }
    }
}

impl Player for Lines {
    fn name(&self) -> &str {
        self.talk.name()
    }

    fn isolation(&self) -> Option<&Isolation> {
        Some(self.talk.isolation())
    }

    fn start(&mut self, _setup: &Setup, _seat: Seat) -> Result<(), SandboxError> {
        self.talk.start(&self.dialect.args, self.dialect.time)?;
        self.dialect.greeting.map_or(Ok(()), |limit| self.talk.greet(limit))
    }

    fn ask_while(&mut self, view: &[u8], idle: Idle) -> Result<Answer, SandboxError> {
        match self.dialect.time {
            Time::EachAnswer { soft, hard } => self.talk.within(view, soft, hard, idle),
            Time::WholeGame(_) => self.talk.by_the_clock(view, &mut self.dialect, idle),
        }
    }

    fn begin(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        match self.dialect.time {
            Time::EachAnswer { hard, .. } => self.talk.begin(view, hard),
            // Whoever has a clock for the whole game is asked alone.
            Time::WholeGame(_) => Ok(()),
        }
    }

    fn rest(&mut self) -> Result<bool, SandboxError> {
        self.talk.rest()
    }

    fn tell(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        self.talk.tell(view)
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.talk.finish()
    }
}
