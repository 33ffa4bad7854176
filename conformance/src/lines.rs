//! What games in lines share: a bot is held in dialogue by a script, and all that was said is the evidence.
//!
//! A game's suite writes [`Dialogue`]s: what the bot is started with, and a script that talks to it through a [`DialogueSession`] and
//! returns the first [`Fault`](crate::fault::Fault). A [`BotRunner`](crate::bench::Bench) holds them and gives back the
//! [`DialogueResult`] dialogue. [`crate::attribution`] decides which check each fault is laid to.

mod dialogue;
pub mod protocol;
pub(crate) mod runtime;
mod session;
mod transcript;

pub use dialogue::{Dialogue, DialogueResult, GRACE};
pub use session::{DialogueSession, LineRead, Script, UnsolicitedOutput};
pub use transcript::{Entry, LineEvent, Transcript};
