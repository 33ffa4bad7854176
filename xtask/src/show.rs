//! How things look on a terminal: colours, times, text of strangers. Plain text comes out wherever colour is not wanted.

pub use cornerman_harness::plain::{plain, plain_json, plain_lines};
pub use cornerman_report::time;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
pub use cornerman_report::seat_style;
use std::fmt::Display;

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

/// The style for what is written to `out`: where colours are taken off, signs stand for them.
pub fn style_for<S: RawStream>(out: &AutoStream<S>) -> cornerman_report::Style {
    match out.current_choice() {
        ColorChoice::Never => cornerman_report::Style::plain(),
        _ => cornerman_report::Style::coloured(),
    }
}

/// A number of things: `1 mark`, `2 marks`, `3 processes`.
pub fn count(number: impl Into<i64>, thing: &str) -> String {
    match number.into() {
        1 => format!("1 {thing}"),
        number if thing.ends_with('s') => format!("{number} {thing}es"),
        number => format!("{number} {thing}s"),
    }
}

/// The terminal's width in columns, at most what is comfortable to read; 100 where there is no terminal.
pub fn width() -> usize {
    const COMFORTABLE: usize = 120;
    terminal().map_or(100, |(columns, _)| columns.min(COMFORTABLE))
}

/// The terminal's columns and lines, if there is one.
pub fn terminal() -> Option<(usize, usize)> {
    terminal_size::terminal_size().map(|(columns, lines)| (usize::from(columns.0), usize::from(lines.0)))
}

/// `line`, which may be painted, cut to `columns`. Letters beyond ASCII count as two, for some are that wide.
pub fn cut(line: &str, columns: usize) -> String {
    let (mut shown, mut used, mut in_code) = (String::new(), 0, false);
    for c in line.chars() {
        let starts_code = c == '\x1b';
        if !in_code && !starts_code {
            used += if c.is_ascii() { 1 } else { 2 };
        }
        // Codes go on behind the cut, so that colours come to their ends.
        if in_code || starts_code || used <= columns {
            shown.push(c);
        }
        in_code = starts_code || (in_code && c != 'm');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_to_columns_and_its_colours_end() {
        let check = |line: &str, columns, wanted: &str| assert_eq!(cut(line, columns), wanted);
        check("abc", 3, "abc");
        check("abcd", 3, "abc");
        check("\x1b[1mabcd\x1b[0m ef", 3, "\x1b[1mabc\x1b[0m");
        check("\x1b[1mab\x1b[0mcd", 3, "\x1b[1mab\x1b[0mc");
        check("日本", 3, "日");
    }
}
