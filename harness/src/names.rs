//! Names of bots and authors come from strangers: they must be short and must not alter the text around them.

use crate::plain::alters_display;

/// The most characters that a name may have.
pub const LONGEST: usize = 100;

/// The reason why `name` is not allowed, worded to follow the name of a key; `None` if it is allowed.
pub fn problem(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length > LONGEST {
        return Some(format!("has {length} characters; at most {LONGEST} are allowed"));
    }
    let character = name.chars().find(|&c| alters_display(c))?;
    let code = u32::from(character);
    Some(format!("contains the control or invisible character U+{code:04X}"))
}

/// An allowed name made from `name`: cut to [`LONGEST`] characters, each forbidden one replaced by U+FFFD.
pub fn sanitized(name: &str) -> String {
    name.chars().take(LONGEST).map(|c| if alters_display(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_are_allowed_and_control_characters_are_not() {
        for name in ["", "left-hook", "Łódź 2", "桜", "שלום", &"é".repeat(100)] {
            assert_eq!((problem(name), sanitized(name)), (None, name.to_string()));
        }
        for forbidden in ["\u{7f}", "\n", "\u{1b}", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200f}", "\0"] {
            assert!(problem(&format!("a{forbidden}b")).is_some(), "{forbidden:?}");
            assert_eq!(sanitized(&format!("a{forbidden}b")), "a\u{fffd}b");
        }
        assert_eq!(problem("a\u{202e}").unwrap(), "contains the control or invisible character U+202E");
        assert_eq!(problem(&"é".repeat(101)).unwrap(), "has 101 characters; at most 100 are allowed");
        assert_eq!(sanitized(&"é".repeat(101)), "é".repeat(100));
    }
}
