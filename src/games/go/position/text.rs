//! Boards as text: one line per row for files and records, and a diagram for people.

use super::{Point, Position};
use crate::game::{SetupError, Spot};
use crate::games::go::{Colour, column_letter, vertex};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const EMPTY: u8 = b'.';
const BLACK: u8 = b'X';
const WHITE: u8 = b'O';

impl Position {
    /// Reads `size` lines of `size` points: `.` is an empty point, `X` black and `O` white. Lines may end with CR LF,
    /// and the last line feed may be missing.
    ///
    /// # Errors
    /// The text has another format, or a stone has no liberty.
    ///
    /// # Panics
    /// If `size` is not one of [`SIZES`](crate::games::go::SIZES).
    pub fn parse(text: &[u8], size: u8) -> Result<Position, SetupError> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let rows: Vec<&[u8]> =
            text.split(|&byte| byte == b'\n').map(|row| row.strip_suffix(b"\r").unwrap_or(row)).collect();
        if rows.len() != usize::from(size) {
            return Err(SetupError(format!("{} rows instead of {size}", rows.len())));
        }
        let mut position = Position::new(size);
        for (row, line) in (0..).zip(&rows) {
            if line.len() != usize::from(size) {
                return Err(SetupError(format!("row {} has {} points instead of {size}", row + 1, line.len())));
            }
            for (col, &byte) in (0..).zip(*line) {
                let spot = Spot { row, col };
                match byte {
                    EMPTY => {}
                    BLACK => position.place(position.point(spot), Colour::Black),
                    WHITE => position.place(position.point(spot), Colour::White),
                    other => {
                        let shown = other.escape_ascii();
                        return Err(SetupError(format!(
                            "`{shown}` at {spot} is not `.`, `X` (black) or `O` (white)"
                        )));
                    }
                }
            }
        }
        match position.points().find(|&point| position.has_no_liberty(point)) {
            Some(stone) => {
                Err(SetupError(format!("the stone at {} has no liberty", vertex(position.spot(stone), size))))
            }
            None => Ok(position),
        }
    }

    /// The board as text, in the format that [`parse`](Position::parse) reads.
    pub fn to_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for point in self.points() {
            text.push(match self.at(point) {
                None => EMPTY,
                Some(Colour::Black) => BLACK,
                Some(Colour::White) => WHITE,
            });
            if self.spot(point).col + 1 == self.size {
                text.push(b'\n');
            }
        }
        text
    }

    /// The board drawn as in the tournament's announcement: `@` is black, `O` white and `+` an empty point, with
    /// letters and numbers on all sides. The stone at `last` is in brackets.
    pub fn diagram(&self, last: Option<Spot>) -> String {
        let letters: String = (0..self.size).flat_map(|col| [' ', column_letter(col)]).collect();
        let letters = format!("     {letters}\n");
        let mut text = letters.clone();
        for row in 0..self.size {
            let number = self.size - row;
            text.push_str(&format!("  {number:2} "));
            for col in 0..self.size {
                let spot = Spot { row, col };
                // A bracket replaces the space between two points.
                text.push(match last {
                    Some(last) if last == spot => '(',
                    Some(last) if last.row == row && last.col + 1 == col => ')',
                    _ => ' ',
                });
                text.push(match self.at(self.point(spot)) {
                    None => '+',
                    Some(Colour::Black) => '@',
                    Some(Colour::White) => 'O',
                });
            }
            let bracket = last == Some(Spot { row, col: self.size - 1 });
            text.push_str(&format!("{} {number}\n", if bracket { ')' } else { ' ' }));
        }
        text + &letters
    }

    /// Whether `point` holds a stone whose chain has no liberty.
    fn has_no_liberty(&self, point: Point) -> bool {
        self.at(point).is_some() && self.tally_at(point).pseudo_liberties == 0
    }
}
