//! Showing what was found: to people ([`human`], [`table`]) and to programs ([`json`], [`junit`]).
//!
//! Whatever comes from a bot is escaped on its way, so that no output of a bot is ever an order to a terminal.
//! There are no colours but those that a [`Style`] asks for.

mod again;
mod cutout;
mod human;
mod json;
mod junit;
mod table;

pub use again::quoted;
pub(crate) use cornerman_harness::plain::plain as shown;
pub use cutout::{answer, bytes};
pub use human::{human, verdict};
pub use json::{SCHEMA, json};
pub use junit::junit;
pub use table::table;

use anstyle::{AnsiColor, Style as Paint};

/// How text for people is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether with colours, as escape codes.
    pub colour: bool,
    /// Columns of the terminal; at least 40 are used.
    pub width: usize,
}

impl Style {
    /// No colours, 100 columns: for files and pipes.
    pub fn plain() -> Style {
        Style { colour: false, width: 100 }
    }

    fn painted(self, paint: Paint, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{}{text}{}", paint.render(), paint.render_reset())
        } else {
            text.to_string()
        }
    }

    fn bad(self, text: &str) -> String {
        self.painted(AnsiColor::Red.on_default().bold(), text)
    }

    fn warning(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn good(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default().bold(), text)
    }

    fn strong(self, text: &str) -> String {
        self.painted(Paint::new().bold(), text)
    }

    fn faint(self, text: &str) -> String {
        self.painted(Paint::new().dimmed(), text)
    }
}

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
