//! Formats text for the terminal: colours, times, numbers, and text from outside. Colours are written as escape codes,
//! which `anstream` removes where they are not wanted.

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
pub(crate) use cornerman_harness::text::{count, duration, plain, plain_json, plain_lines, rounded_duration};
use cornerman_report::json::JsonOutput;
pub(crate) use cornerman_report::seat_style;
use serde::Serialize;
use std::fmt::Display;

/// A line of JSON: this content with the version of the format.
pub(crate) fn json(content: impl Serialize) -> String {
    let text = serde_json::to_string(&JsonOutput::new(content));
    plain_json(text.expect("what is printed has only what JSON can express"))
}

/// The style of errors and failures.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The style of names and headings.
pub(crate) const NAME: Style = Style::new().bold();
/// The style of secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();

/// `what` in `style`, to be printed through `anstream`.
pub(crate) fn paint(style: Style, what: impl Display) -> String {
    format!("{style}{what}{style:#}")
}

/// The style of reports that are written to `out`. Where colours would be removed, it marks changes with signs instead.
pub(crate) fn style_for<S: RawStream>(out: &AutoStream<S>) -> cornerman_report::Style {
    cornerman_report::Style { colour: out.current_choice() != ColorChoice::Never, ..style() }
}

/// The style for what `anstream` prints, which takes colours off where they are not wanted.
pub(crate) fn style() -> cornerman_report::Style {
    cornerman_report::Style { colour: true, width: width() }
}

/// The terminal's width in columns, at most 120, which is still easy to read; 100 if there is no terminal.
pub(crate) fn width() -> usize {
    const COMFORTABLE: usize = 120;
    terminal().map_or(100, |(columns, _)| columns.min(COMFORTABLE))
}

/// The columns and lines of the terminal; `None` if standard output is not one.
pub(crate) fn terminal() -> Option<(usize, usize)> {
    terminal_size::terminal_size_of(std::io::stdout())
        .map(|(columns, lines)| (usize::from(columns.0), usize::from(lines.0)))
}

/// `line`, which may be coloured, cut to `columns`. Characters beyond ASCII count as two columns, because some are that
/// wide.
pub(crate) fn cut(line: &str, columns: usize) -> String {
    let mut shown = String::new();
    let mut used = 0;
    let mut in_code = false;
    for c in line.chars() {
        let starts_code = c == '\x1b';
        if !in_code && !starts_code {
            used += if c.is_ascii() { 1 } else { 2 };
        }
        // Colour codes behind the cut are kept: they end the colour.
        if in_code || starts_code || used <= columns {
            shown.push(c);
        }
        in_code = starts_code || (in_code && c != 'm');
    }
    shown
}

/// `line`, which may be coloured, broken at blanks so that it fits on the terminal; all but its first line begin with
/// `indent` blanks. It stays as it is where there is no terminal.
pub(crate) fn folded(line: &str, indent: usize) -> String {
    terminal().map_or(line.to_string(), |(columns, _)| folded_at(line, indent, columns))
}

/// An error message, which is one line or several that stay as they are, for standard error.
pub(crate) fn folded_error(message: &str) -> String {
    let columns = terminal_size::terminal_size_of(std::io::stderr()).map(|(columns, _)| usize::from(columns.0));
    let columns = columns.filter(|_| !message.contains('\n'));
    columns.map_or(message.to_string(), |columns| folded_at(message, 2, columns))
}

/// The lines of a text, each [`folded`] and ended by a line feed. What continues a line begins below its last column.
pub(crate) fn folded_lines(text: &str) -> String {
    let Some((columns, _)) = terminal() else { return text.to_string() };
    text.lines().map(|line| folded_at(line, last_column(line, columns), columns) + "\n").collect()
}

/// Where the last column of a line begins that leaves a third of the terminal to it. Two blanks separate columns.
fn last_column(line: &str, columns: usize) -> usize {
    let line: Vec<char> = anstream::adapter::strip_str(line).to_string().chars().collect();
    let first = line.iter().take_while(|c| **c == ' ').count();
    let begins = |at: &usize| line[*at] != ' ' && line[at - 2..*at] == [' ', ' '];
    (first + 3..line.len().min(columns * 2 / 3)).rev().find(begins).unwrap_or(first + 2)
}

/// Breaks a line at blanks, but not between backticks, because readers copy what is there. A word for which the indented
/// lines are too narrow is not indented.
pub(crate) fn folded_at(line: &str, indent: usize, columns: usize) -> String {
    let mut shown = String::new();
    let mut used = 0;
    let mut in_ticks = false;
    let words = line.split(|c| {
        in_ticks ^= c == '`';
        c == ' ' && !in_ticks
    });
    for (at, word) in words.enumerate() {
        let wide = anstream::adapter::strip_str(word).to_string().chars().count();
        if at > 0 && used + 1 + wide > columns && used > indent {
            used = if indent + wide > columns { 0 } else { indent };
            shown.truncate(shown.trim_end().len());
            shown += &format!("\n{}", " ".repeat(used));
        } else if at > 0 {
            shown.push(' ');
            used += 1;
        }
        shown += word;
        used += wide;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_only_at_blanks() {
        let check = |line: &str, expected: &str| assert_eq!(folded_at(line, 2, 10), expected);
        check("a bc", "a bc");
        check("a bc def gh", "a bc def\n  gh");
        check("  a bc def gh ij klm", "  a bc def\n  gh ij\n  klm");
        check("abcdefghijklmn op", "abcdefghijklmn\n  op");
        check("abc `de fg` h", "abc\n  `de fg`\n  h");
        check("seal 0123456789", "seal\n0123456789");
        check("\x1b[1mabcde\x1b[0m fghi", "\x1b[1mabcde\x1b[0m fghi");
    }

    #[test]
    fn what_continues_a_line_begins_below_its_last_column() {
        let check = |line: &str, expected: &str| {
            assert_eq!(folded_at(line, last_column(line, 24), 24), expected);
        };
        check("BX-A  must  B8  plays on to the end", "BX-A  must  B8  plays on\n            to the end");
        check("BX-A  must  plays to the end", "BX-A  must  plays to the\n            end");
        check(" 12 answers to a view that it had", " 12 answers to a view\n   that it had");
        check("12 games and 20 moves follow", "12 games and 20 moves\n  follow");
    }

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
