//! What games in lines share: a bot is held in dialogue by a script, and all that was said is the evidence.
//!
//! A game's suite writes [`Scene`]s: what the bot is started with, and a script that talks to it through a
//! [`Talk`] and returns the first [`Fault`]. A [`Table`] plays them, doubts what may be the machine's doing, and
//! gives back the [`Held`] dialogue. [`settle`] decides which check each fault is laid to.

mod runtime;
mod settle;
mod table;
mod talk;
mod transcript;

pub use settle::{Seen, Trouble, results, troubles};
pub use table::{GRACE, Held, Scene, Shared, Table};
pub use talk::{Doubt, Fault, Heard, Ids, Script, Talk, Unasked};
pub use transcript::{Entry, Said, Transcript};
