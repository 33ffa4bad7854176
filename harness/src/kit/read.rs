//! What comes of reading a game's table of a ruleset file.

/// What a ruleset file says of a game.
pub struct Read<R> {
    /// The rules.
    pub rules: R,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// One byte a seat, as many as the most seats.
    pub marks: Vec<u8>,
}

impl<R> Read<R> {
    /// Rules of a game for two, whose seats have these marks.
    pub fn for_two(rules: R, marks: [u8; 2]) -> Read<R> {
        Read { rules, seats: (2, 2), marks: marks.to_vec() }
    }
}

/// What is wrong with a table of a file.
pub struct KeyError {
    /// The byte of the file's text where it stands.
    pub at: usize,
    /// In words.
    pub words: String,
}
