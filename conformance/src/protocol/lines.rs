//! Games in lines, in which a bot is one process that reads and writes lines: a script holds a dialogue with the bot
//! and judges its answers, and the transcript is the evidence.
//!
//! A game's suite defines [`Dialogue`]s: how the bot is started, and a script that talks to it through a
//! [`DialogueSession`] until something is wrong. A [`BotRunner`](crate::runner::BotRunner) runs them and returns a
//! [`DialogueResult`]. [`crate::attribution`] decides which check each finding fails.
//!
//! In most dialogues a game is played, by the same code for all games. What differs from game to game is in a
//! `LineGame`: how the game begins, what an answer is, and what else may be wrong with an answer.

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
