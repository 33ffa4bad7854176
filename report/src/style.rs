//! How text for people is formatted: with or without colours, and how wide.

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style as Paint};

/// The paint of headings, and of other text that should stand out.
pub const HEADING: Paint = Paint::new().bold();
/// The paint of secondary text.
pub const FAINT: Paint = Paint::new().dimmed();
/// The paint of failures.
pub const BAD: Paint = AnsiColor::Red.on_default().bold();

/// How to format text for a terminal or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours (ANSI escape codes).
    pub colour: bool,
    /// Columns at which text is wrapped.
    pub width: usize,
}

impl Style {
    /// No colours, 100 columns: for files and pipes.
    pub fn plain() -> Style {
        Style { colour: false, width: 100 }
    }

    /// With colours: for terminals.
    pub fn coloured() -> Style {
        Style { colour: true, ..Style::plain() }
    }

    /// `text` in the colour and weight of `paint`, or unchanged without colours.
    pub fn painted(self, paint: Paint, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{paint}{text}{paint:#}") } else { text.to_string() }
    }

    /// A heading, or other text that should stand out.
    pub fn heading(self, text: &str) -> String {
        self.painted(HEADING, text)
    }

    /// Secondary text.
    pub fn faint(self, text: &str) -> String {
        self.painted(FAINT, text)
    }

    /// Secondary text, wrapped to the width.
    pub fn caption(self, text: &str) -> String {
        wrapped(text, self.width).iter().map(|line| self.faint(line)).collect::<Vec<_>>().join("\n")
    }

    /// A success.
    pub fn good(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default().bold(), text)
    }

    /// A warning.
    pub fn warning(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// A failure.
    pub fn bad(self, text: &str) -> String {
        self.painted(BAD, text)
    }
}

/// `text` wrapped at blanks into lines of at most `columns` characters. A longer word is not broken.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    lines_of_words(text.split(' '), 0, columns)
}

/// `line`, which may be coloured, wrapped at blanks into lines of at most `columns` characters, of which all but the
/// first begin with `indent` blanks. It is not broken between backticks, because readers copy what is there.
pub fn folded_at(line: &str, indent: usize, columns: usize) -> String {
    let mut in_ticks = false;
    let words = line.split(|c| {
        in_ticks ^= c == '`';
        c == ' ' && !in_ticks
    });
    lines_of_words(words, indent, columns).join("\n")
}

/// Puts words, with a blank between them, into lines of at most `columns` characters. All but the first line begin with
/// `indent` blanks, unless their first word would not fit then.
fn lines_of_words<'a>(words: impl Iterator<Item = &'a str>, indent: usize, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for (at, word) in words.enumerate() {
        let width = strip_str(word).to_string().chars().count();
        if at > 0 && used + 1 + width > columns && used > indent {
            lines.push(line.trim_end().to_string());
            used = if indent + width > columns { 0 } else { indent };
            line = " ".repeat(used);
        } else if at > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += width;
    }
    lines.push(line);
    lines
}

/// The column, from 0, where the last column of a table begins in `line`: it has two blanks before it, and a third of
/// `columns` or more to its right. Otherwise 2 columns from where the line begins.
pub fn last_column(line: &str, columns: usize) -> usize {
    let line: Vec<char> = strip_str(line).to_string().chars().collect();
    let first = line.iter().take_while(|c| **c == ' ').count();
    let begins = |at: &usize| line[*at] != ' ' && line[at - 2..*at] == [' ', ' '];
    (first + 3..line.len().min(columns * 2 / 3)).rev().find(begins).unwrap_or(first + 2)
}

/// `line`, which may be coloured, cut to `columns`. Characters beyond ASCII count as two columns, because some are that
/// wide.
pub fn cut(line: &str, columns: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_coloured_style_writes_codes() {
        assert_eq!(Style::plain().bad("lost"), "lost");
        assert_eq!(Style::coloured().bad("lost"), "\x1b[1m\x1b[31mlost\x1b[0m");
        assert_eq!(Style::coloured().bad(""), "");
    }

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
