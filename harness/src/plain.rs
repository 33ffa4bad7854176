//! Makes text from strangers (a bot's name, its standard error, a file name) safe to print.
//!
//! Terminals obey control characters, including C1 ones such as U+009B, and both terminals and browsers reverse text
//! at bidirectional controls such as U+202E. These are escaped; letters of all languages stay as they are.

use std::fmt::{Display, Write};

/// Whether a character is invisible itself but changes how the text around it is displayed.
pub fn alters_display(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// `text` with every character that a terminal or a browser would act on escaped: `\n`, `\u{202e}`.
pub fn plain(text: impl Display) -> String {
    let text = text.to_string();
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => plain.extend(c.escape_default()),
            c if alters_display(c) => plain.extend(c.escape_unicode()),
            c => plain.push(c),
        }
    }
    plain
}

/// Like [`plain`], but line feeds stay.
pub fn plain_lines(text: impl Display) -> String {
    let text = text.to_string();
    let lines = text.split('\n').map(|line| plain(line.trim_end_matches('\r')));
    lines.collect::<Vec<_>>().join("\n")
}

/// `json` with every such character in its strings escaped as in `\u202e`. It parses to the same value.
pub fn plain_json(json: impl Display) -> String {
    let json = json.to_string();
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Such characters occur only in strings, where JSON has already escaped those below U+0020.
            c if alters_display(c) && c >= ' ' => {
                write!(plain, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind: C0, DEL, C1, bidirectional controls and invisible characters.
    const ALTERING: &str = "\x1b\x7f\u{80}\u{9b}\u{9f}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}";

    #[test]
    fn control_characters_are_escaped_and_letters_stay() {
        let check = |text: &str, wanted: &str| assert_eq!(plain(text), wanted);
        check("Jäb \"\x1b[31m\n", "Jäb \"\\u{1b}[31m\\n");
        check("gull\u{202e}nret\u{9b}", "gull\\u{202e}nret\\u{9b}");
        check("שלום 日本 e\u{301}", "שלום 日本 e\u{301}");
        assert!(!plain(ALTERING).chars().any(alters_display));
        assert_eq!(plain_lines("a\r\nb\u{9b}\n"), "a\nb\\u{9b}\n");
    }

    #[test]
    fn json_keeps_its_value() {
        let quoted = format!("[\"a\\n{}\", 1]\n", ALTERING.replace('\x1b', "\\u001b"));
        let printed = plain_json(&quoted);
        assert!(!printed.trim_end().chars().any(alters_display), "{printed}");
        assert!(printed.starts_with("[\"a\\n\\u001b\\u007f\\u0080\\u009b"), "{printed}");
    }
}
