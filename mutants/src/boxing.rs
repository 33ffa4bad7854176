//! Boxing bots with one fault each. `boxing/bot.rs` has the faultless one as a sequence of steps; each other file has a
//! group of faults, and each fault replaces a single step.

mod board;
mod bot;
mod bytes;
mod form;
pub mod kinds;
mod memory;
mod odd;
mod running;
mod shape;
mod state;
mod time;

use bot::Bot;

/// The bot of `kind`, if it is one of these.
pub fn bot(kind: &str) -> Option<Bot> {
    [form::bot, bytes::bot, shape::bot, board::bot, state::bot, time::bot, running::bot, odd::bot]
        .into_iter()
        .find_map(|group| group(kind))
}
