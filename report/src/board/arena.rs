//! An arena as a picture: a colour for each mark, the squares of the last move reversed.

use crate::style::{Style, seat_style};
use anstyle::Style as Paint;

/// `board` with row and column numbers, the spots that differ from `before` reversed: 17 lines.
pub fn picture(board: &[u8], before: Option<&[u8]>, marks: &[u8], style: Style) -> String {
    let mut text = ruler();
    for (row, line) in board.chunks(33).enumerate() {
        text.push_str(&format!("{:>3} ", row + 1));
        for (column, &spot) in line.iter().take(32).enumerate() {
            let fresh = before.is_some_and(|before| before.get(row * 33 + column) != Some(&spot));
            text.push_str(&one(spot, fresh, marks, style));
        }
        text.push('\n');
    }
    text
}

/// The line of column numbers: every fifth, ending above its column.
fn ruler() -> String {
    let mut line = " ".repeat(4);
    for column in (5..=30).step_by(5) {
        line.push_str(&format!("{column:>5}"));
    }
    line.push('\n');
    line
}

fn one(spot: u8, fresh: bool, marks: &[u8], style: Style) -> String {
    let shown = if spot.is_ascii_graphic() { char::from(spot) } else { '?' };
    let paint = match marks.iter().position(|&mark| mark == spot) {
        Some(seat) if fresh => seat_style(seat).invert(),
        Some(seat) => seat_style(seat),
        None => Paint::new().dimmed(),
    };
    style.painted(paint, &shown.to_string())
}
