//! Showing what was found: to people ([`human`], [`table`]) and to programs ([`json`], [`junit`]).
//!
//! Whatever comes from a bot is escaped on its way, so that no output of a bot is ever an order to a terminal.
//! There are no colours but those that a [`Style`] asks for.

mod human;
mod json;
mod junit;
mod reproduce;
mod table;

pub(crate) use cornerman_harness::plain::plain as shown;
pub use cornerman_harness::style::Style;
pub use human::human;
pub use json::{SCHEMA, json};
pub use junit::junit;
pub use reproduce::quoted;
pub use table::table;

/// Columns that a game's picture of a place takes at most, if the terminal has them.
pub const PICTURE: usize = 75;

/// `text` in lines of at most `width` characters, broken at blanks; a longer word is left whole.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}
