//! How things look on a terminal: colours, arenas, times. Plain text comes out wherever colour is not wanted.

pub mod arena;

use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::time::Duration;

/// Of what is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Of names.
pub const NAME: Style = Style::new().bold();
/// Of what matters less.
pub const DIM: Style = Style::new().dimmed();

/// `what` in `style`, to be printed through `anstream`, which takes the colour off where it is not wanted.
pub fn paint(style: Style, what: impl Display) -> String {
    format!("{style}{what}{style:#}")
}

/// A number of things: `1 mark`, `2 marks`, `3 processes`.
pub fn count(number: impl Into<i64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number if thing.ends_with('s') => format!("{number} {thing}es"),
        number => format!("{number} {thing}s"),
    }
}

/// A duration as people read it: `0.8 ms`, `120 ms`, `1.25 s`.
pub fn time(duration: Duration) -> String {
    let ms = duration.as_secs_f64() * 1e3;
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1e3),
    }
}

/// The terminal's width in columns, at most what is comfortable to read; 100 where there is no terminal.
pub fn width() -> usize {
    const COMFORTABLE: usize = 120;
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).min(COMFORTABLE))
}

/// A name without what a terminal would take for an order.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).collect()
}
