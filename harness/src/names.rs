//! Names that strangers give: short, and without characters that change what stands around them.

use crate::plain::acts;

/// The most characters of a name.
pub const LONGEST: usize = 100;

/// What is wrong with `name`, if anything is.
pub fn fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length > LONGEST {
        return Some(format!("has {length} characters, and {LONGEST} is the most"));
    }
    let character = name.chars().find(|&c| acts(c))?;
    let code = u32::from(character);
    Some(format!("holds the character U+{code:04X}, which is not shown or changes how others are shown"))
}

/// `name` cut to what a name may have, with U+FFFD for each character that a name may not hold.
pub fn tidy(name: &str) -> String {
    name.chars().take(LONGEST).map(|c| if acts(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_all_scripts_are_fine_and_orders_to_terminals_are_not() {
        for name in ["", "left-hook", "Łódź 2", "桜", "שלום", &"é".repeat(100)] {
            assert_eq!((fault(name), tidy(name)), (None, name.to_string()));
        }
        for unfit in ["\u{7f}", "\n", "\u{1b}", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200f}", "\0"] {
            assert!(fault(&format!("a{unfit}b")).is_some(), "{unfit:?}");
            assert_eq!(tidy(&format!("a{unfit}b")), "a\u{fffd}b");
        }
        assert_eq!(
            fault("a\u{202e}").unwrap(),
            "holds the character U+202E, which is not shown or changes how others are shown"
        );
        assert_eq!(fault(&"é".repeat(101)).unwrap(), "has 101 characters, and 100 is the most");
        assert_eq!(tidy(&"é".repeat(101)), "é".repeat(100));
    }
}
