//! A bot that plays a whole game in one process and speaks in lines (R3–R7, G3–G5).

use super::clock::GameClock;
use super::codec::LineCodec;
use super::conversation::Conversation;
use super::protocol::Lines;
use super::{Answer, Conduct, IdleCallback, Player, Turn};
use crate::bot::Bot;
use crate::sandbox::{Isolation, Sandbox, SandboxError};
use cornerman::game::{Seat, Setup};
use std::time::Duration;

/// The player for a bot that speaks a line protocol.
pub(crate) struct LinePlayer {
    conversation: Conversation,
    protocol: Lines,
    clock: Option<GameClock>,
    /// The time within which it must print its name.
    start: Duration,
    /// The soft and the hard limit of each answer, in a game without a clock (R6).
    soft: Duration,
    hard: Duration,
    /// The codec of the game in progress.
    codec: Option<Box<dyn LineCodec>>,
}

impl LinePlayer {
    /// The player for `bot`, in its `sandbox`. Without a `clock` for the whole game, the bot's limits hold for each
    /// answer. With `ponders` it may think while it is not its turn.
    pub(crate) fn new(
        bot: &Bot,
        protocol: Lines,
        clock: Option<GameClock>,
        ponders: bool,
        sandbox: Sandbox,
    ) -> LinePlayer {
        let conversation = Conversation::new(bot, protocol.faults, ponders, sandbox);
        let start = bot.limits.start;
        let soft = bot.limits.soft;
        let hard = bot.limits.hard;
        LinePlayer { conversation, protocol, clock, start, soft, hard, codec: None }
    }

    /// The conversation, and the codec of the game in progress.
    fn parts(&mut self) -> Result<(&mut Conversation, &mut (dyn LineCodec + 'static)), SandboxError> {
        match self.codec.as_deref_mut() {
            Some(codec) => Ok((&mut self.conversation, codec)),
            None => Err(SandboxError::Failed("no game has begun".to_string())),
        }
    }
}

impl Player for LinePlayer {
    fn name(&self) -> &str {
        self.conversation.name()
    }

    fn isolation(&self) -> Option<&Isolation> {
        Some(self.conversation.isolation())
    }

    fn start(&mut self, setup: &Setup, seat: Seat) -> Result<(), SandboxError> {
        self.codec = Some((self.protocol.codec)(setup, seat, self.clock));
        self.conversation.start(&self.protocol.args, self.clock)?;
        if self.protocol.greets { self.conversation.read_name(self.start) } else { Ok(()) }
    }

    fn ask_while(&mut self, turn: &Turn, idle: IdleCallback) -> Result<Answer, SandboxError> {
        let soft = self.soft;
        let hard = self.hard;
        let clock = self.clock;
        let (conversation, codec) = self.parts()?;
        match clock {
            None => conversation.answer_within(turn.view, codec, soft, hard, idle),
            Some(_) => conversation.answer_by_clock(turn.view, codec, idle),
        }
    }

    fn ask_ahead(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        let hard = self.hard;
        match self.clock {
            None => self.parts().and_then(|(conversation, codec)| conversation.ask_ahead(view, codec, hard)),
            // A bot with a clock for the whole game is never asked ahead.
            Some(_) => Ok(()),
        }
    }

    fn pause(&mut self) -> Result<bool, SandboxError> {
        self.conversation.pause()
    }

    fn send_final_view(&mut self, view: &[u8]) -> Result<(), SandboxError> {
        let (conversation, codec) = self.parts()?;
        conversation.send(&codec.final_message(view))
    }

    fn finish(&mut self) -> Result<Conduct, SandboxError> {
        self.conversation.finish()
    }

    fn into_sandbox(self: Box<Self>) -> Option<Sandbox> {
        self.conversation.into_sandbox()
    }
}
