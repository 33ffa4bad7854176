//! What games in lines share: a bot is held in dialogue by a script, and all that was said is the evidence.
//!
//! A game's suite writes [`Scene`]s: what the bot is started with, and a script that talks to it through a [`Talk`] and
//! returns the first [`Fault`](crate::fault::Fault). A [`Bench`](crate::bench::Bench) holds them and gives back the
//! [`Held`] dialogue. [`crate::settle`] decides which check each fault is laid to.

pub mod protocol;
pub(crate) mod runtime;
mod scene;
mod talk;
mod transcript;

pub use scene::{GRACE, Held, Scene};
pub use talk::{Heard, Script, Talk, Unasked};
pub use transcript::{Entry, Said, Transcript};
