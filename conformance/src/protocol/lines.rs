//! Dialogues with bots, for the suites of games in lines: a script sends lines to a bot and judges its answers, and the
//! transcript is the evidence.
//!
//! A game's suite defines [`Dialogue`]s: how the bot is started, and a script that talks to it through a
//! [`DialogueSession`] and returns the first [`Cause`](crate::finding::Cause). A [`BotRunner`](crate::runner::BotRunner)
//! runs them and returns a [`DialogueResult`]. [`crate::attribution`] decides which check each finding fails.
//!
//! Most dialogues are games, whose conversation is the same for all of them. What a game adds to it is a
//! `LineGame`: how it is opened, what an answer is, and what else may be wrong with one.

pub(crate) mod conditions;
mod diagnosis;
mod dialogue;
pub(crate) mod game;
mod play;
mod session;
pub(crate) mod suite;
pub(crate) mod transcript;

pub use dialogue::{Dialogue, DialogueResult, GRACE};
pub use session::{DialogueSession, LineRead, Played, Script, Stop, UnsolicitedOutput};
pub use transcript::{LineEvent, TimedEvent, Transcript};
