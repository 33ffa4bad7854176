//! The results of reading a game's tables of a ruleset file.

/// The rules that the table `[rules]` of a ruleset file describes.
pub struct ParsedRules<R> {
    /// The rules, as a value of the game.
    pub rules: R,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// The mark of each seat, one byte each: as many as the most seats.
    pub marks: Vec<u8>,
}

impl<R> ParsedRules<R> {
    /// The rules of a game for two, whose seats have these marks.
    pub fn for_two(rules: R, marks: [u8; 2]) -> ParsedRules<R> {
        ParsedRules { rules, seats: (2, 2), marks: marks.to_vec() }
    }
}

/// A mistake in a table of a ruleset file.
pub struct KeyError {
    /// Where it is: a byte offset into the text of the file.
    pub at: usize,
    /// What is wrong, for people.
    pub message: String,
}
