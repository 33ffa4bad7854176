//! How text looks: optional colours, and names with control characters escaped.

use anstyle::AnsiColor;
pub use cornerman_harness::style::Style;
use cornerman_harness::text::plain;

/// The most characters shown of a name: longer ones would break tables.
const LONGEST_NAME: usize = 40;

/// Untrusted text, safe for a terminal: control characters and those that change the direction of writing are escaped,
/// and text of more than 40 characters is cut.
pub fn shown(text: &str) -> String {
    let mut clean = plain(text);
    if let Some((cut, _)) = clean.char_indices().nth(LONGEST_NAME) {
        clean.truncate(cut);
        clean.push('…');
    }
    clean
}

/// Colours for eight seats that can be told apart even with red-green blindness: no two neighbours share both hue and
/// brightness, and the marks themselves stay readable.
const SEATS: [AnsiColor; 8] = [
    AnsiColor::Blue,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::BrightRed,
    AnsiColor::BrightGreen,
    AnsiColor::BrightBlue,
    AnsiColor::BrightYellow,
];

/// The style of the seat with this number, from 0.
pub fn seat_style(seat: usize) -> anstyle::Style {
    SEATS[seat % SEATS.len()].on_default().bold()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("Jäb \"\x1b[31m\n"), "Jäb \"\\u{1b}[31m\\n");
        assert_eq!(shown("gull\u{202e}nret\u{9b}"), "gull\\u{202e}nret\\u{9b}");
        assert_eq!(shown(&"é".repeat(50)), "é".repeat(40) + "…");
    }
}
