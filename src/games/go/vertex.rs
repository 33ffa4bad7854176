//! Moves as text: the column's letter and the row's number, such as `G7`, or `pass` (G1).

use super::{Move, SIZES};
use crate::game::Spot;
use alloc::format;
use alloc::string::String;

/// The letters of the columns from the left, without I (G1).
const LETTERS: &[u8; *SIZES.end() as usize] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The letter of column `col`, 0-based from the left.
///
/// # Panics
/// If `col` is not less than the largest of [`SIZES`].
pub fn column_letter(col: u8) -> char {
    char::from(LETTERS[usize::from(col)])
}

/// The name of `spot` on a board of `size` lines per side; rows are numbered from the bottom.
///
/// # Panics
/// If `spot` is not on the board.
pub fn vertex(spot: Spot, size: u8) -> String {
    format!("{}{}", column_letter(spot.col), size - spot.row)
}

/// Whether `line` is a move, legal or not, on a board of `size` lines per side. A bot's other lines are garbage (G5).
pub fn is_move(line: &[u8], size: u8) -> bool {
    parse_move(line, size).is_some()
}

/// The move that `line` names on a board of `size` lines per side, if it names one. Upper and lower case are equal, and
/// white space around the move is ignored; the number must not start with 0 (`G7`, not `G07`).
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
