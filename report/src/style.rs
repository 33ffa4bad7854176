//! How text for people is formatted: with or without colours, and how wide.

use anstyle::{AnsiColor, Style as Paint};

/// How to format text for a terminal or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours (ANSI escape codes).
    pub colour: bool,
    /// Columns at which text is wrapped; at least 40 are used.
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
        if self.colour && !text.is_empty() {
            format!("{}{text}{}", paint.render(), paint.render_reset())
        } else {
            text.to_string()
        }
    }

    /// A heading, or other text that should stand out.
    pub fn heading(self, text: &str) -> String {
        self.painted(Paint::new().bold(), text)
    }

    /// Text of minor importance.
    pub fn faint(self, text: &str) -> String {
        self.painted(Paint::new().dimmed(), text)
    }

    /// An explanation of minor importance, wrapped to the width.
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
        self.painted(AnsiColor::Red.on_default().bold(), text)
    }
}

/// `text` wrapped at blanks into lines of at most `width` characters. A longer word is not broken.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_coloured_style_writes_codes() {
        assert_eq!(Style::plain().bad("lost"), "lost");
        assert_eq!(Style::coloured().bad("lost"), "\x1b[1m\x1b[31mlost\x1b[0m");
        assert_eq!(Style::coloured().bad(""), "");
    }
}
