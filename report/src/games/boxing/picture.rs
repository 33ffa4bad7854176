//! An arena as a picture: a colour for each mark, and the last move reversed or, without colours, in its own character.

use crate::style::{Style, seat_style};
use crate::view::Picture;
use anstyle::Style as Paint;

/// Characters for new spots without colours. The first that neither the arena nor a mark uses is taken.
const NEW: &[u8] = b"#*+@%&=$~";

/// The board with row and column numbers, 17 lines. Spots that differ from the board before are reversed; without
/// colours they have their own character, which a line below explains.
pub(super) fn picture(&Picture { board, before, marks }: &Picture, style: Style) -> String {
    let free = |sign: &u8| !marks.contains(sign) && !board.contains(sign);
    let new = NEW.iter().copied().find(free).unwrap_or(b'?');
    let mut text = ruler();
    let mut changed = None;
    for (row, line) in board.chunks(33).enumerate() {
        text.push_str(&format!("{:>3} ", row + 1));
        for (column, &spot) in line.iter().take(32).enumerate() {
            let fresh = before.is_some_and(|before| before.get(row * 33 + column) != Some(&spot));
            changed = changed.or(fresh.then_some(spot));
            let sign = if fresh && !style.colour { new } else { spot };
            text.push_str(&style.painted(paint(spot, fresh, marks), &visible(sign).to_string()));
        }
        text.push('\n');
    }
    if let Some(mark) = changed.filter(|_| !style.colour) {
        text.push_str(&format!("{} is a new {}\n", visible(new), visible(mark)));
    }
    text
}

/// The line of column numbers: every fifth, with the last digit above its column.
fn ruler() -> String {
    let mut line = " ".repeat(4);
    for column in (5..=30).step_by(5) {
        line.push_str(&format!("{column:>5}"));
    }
    line.push('\n');
    line
}

fn visible(spot: u8) -> char {
    if spot.is_ascii_graphic() { char::from(spot) } else { '?' }
}

fn paint(spot: u8, fresh: bool, marks: &[u8]) -> Paint {
    match marks.iter().position(|&mark| mark == spot) {
        Some(seat) if fresh => seat_style(seat).invert(),
        Some(seat) => seat_style(seat),
        None => Paint::new().dimmed(),
    }
}
