//! How text for people is set: colours, if they are asked for, and the width that there is.

use anstyle::{AnsiColor, Style as Paint};

/// How text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether with colours, as escape codes.
    pub colour: bool,
    /// Columns of the terminal, where text is broken into lines; at least 40 are used.
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

    /// `text` in this paint, where there are colours.
    pub fn painted(self, paint: Paint, text: &str) -> String {
        match self.colour && !text.is_empty() {
            true => format!("{}{text}{}", paint.render(), paint.render_reset()),
            false => text.to_string(),
        }
    }

    /// A heading, or what else stands out.
    pub fn heading(self, text: &str) -> String {
        self.painted(Paint::new().bold(), text)
    }

    /// What matters less.
    pub fn faint(self, text: &str) -> String {
        self.painted(Paint::new().dimmed(), text)
    }

    /// What is as it should be.
    pub fn good(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default().bold(), text)
    }

    /// What should be otherwise.
    pub fn warning(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.painted(AnsiColor::Red.on_default().bold(), text)
    }
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
