//! Moves as text: a letter and a number for the lines that cross, such as `G7`, or `pass` (G1).

use super::{Move, SIZES};
use crate::game::Spot;
use alloc::format;
use alloc::string::String;

/// The letters of the columns from the left: I is left out (G1).
const LETTERS: &[u8; *SIZES.end() as usize] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The letter of a column, 0-based from the left.
///
/// # Panics
/// When no board has that many columns.
pub fn column_letter(col: u8) -> char {
    char::from(LETTERS[usize::from(col)])
}

/// The name of `spot` on a board of `size` lines a side: rows count from the bottom.
///
/// # Panics
/// When the spot is not on the board.
pub fn vertex(spot: Spot, size: u8) -> String {
    format!("{}{}", column_letter(spot.col), size - spot.row)
}

/// Whether `line` is a move on a board of `size` lines a side, legal or not; any other line of a bot is garbage (G5).
pub fn is_move(line: &[u8], size: u8) -> bool {
    parse_move(line, size).is_some()
}

/// The move that `line` names on a board of `size` lines a side, if it names one: in capitals or not, with blanks
/// around it, but a number as people write it (`G7`, not `G07`) and nothing else.
pub fn parse_move(line: &[u8], size: u8) -> Option<Move> {
    let word = line.trim_ascii();
    if word.eq_ignore_ascii_case(b"pass") {
        return Some(Move::Pass);
    }
    let (letter, digits) = word.split_first()?;
    let col = LETTERS.iter().position(|l| l.eq_ignore_ascii_case(letter))? as u8;
    let number = match digits {
        [d @ b'1'..=b'9'] => d - b'0',
        [t @ b'1'..=b'9', d @ b'0'..=b'9'] => (t - b'0') * 10 + (d - b'0'),
        _ => return None,
    };
    (col < size && number <= size).then(|| Move::Place(Spot { row: size - number, col }))
}
