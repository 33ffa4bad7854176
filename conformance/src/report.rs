//! Reports: for people ([`human`], [`table`]) and for programs ([`json`], [`junit`]).
//!
//! Everything that comes from a bot is escaped, so that its output can never control the terminal. Colours appear only
//! if the [`Style`] asks for them.

mod human;
mod json;
mod junit;
mod reproduce;
mod table;

pub(crate) use cornerman_harness::plain::plain as shown;
pub use cornerman_harness::style::Style;
use cornerman_harness::style::wrapped;
pub use human::human;
pub use json::{SCHEMA, json};
pub use junit::junit;
pub use reproduce::quoted;
pub use table::table;

/// The greatest width of a game's picture, in columns, on a terminal that is wide enough.
pub const PICTURE: usize = 75;
