//! Go: a board with letters and numbers as coordinates (G1).

mod sgf;
mod why;

use crate::view::{ExportError, FileForm, GameView, Picture, RecordedGame, Script, StepWords};
use crate::why::{Explanation, Lost};
use crate::{Style, count, seat_style};
use anstyle::Style as Paint;
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::go::{Go, column_letter};
use cornerman_harness::replay::Step;
use serde_json::json;

/// The view of Go.
pub const VIEW: GoView = GoView;

/// How Go is shown; its only value is [`VIEW`].
pub struct GoView;

impl GameView for GoView {
    type Rules = Go;

    fn extent(&self, rules: &Go) -> Option<(usize, usize)> {
        let size = usize::from(rules.size);
        Some((size + 1, 2 * size + 4))
    }

    /// The new stone is in brackets (G7).
    fn picture(&self, rules: &Go, picture: &Picture, style: Style) -> String {
        let size = usize::from(rules.size);
        let letters: String = (0..size).map(|col| format!(" {}", column_letter(col as u8))).collect();
        let mut text = format!("   {letters}\n");
        for row in 0..size {
            text += &format!("{:>3}", size - row);
            let mut bracket = ' ';
            for col in 0..size {
                let at = row * (size + 1) + col;
                let point = picture.board.get(at).copied().unwrap_or(b' ');
                let fresh = picture.before.is_some_and(|before| before.get(at) != Some(&point));
                let placed = fresh && point != b'.';
                text.push(if placed { '(' } else { bracket });
                text += &style.painted(paint(point, fresh), &char::from(point).to_string());
                bracket = if placed { ')' } else { ' ' };
            }
            text += if bracket == ')' { ")\n" } else { "\n" };
        }
        text
    }

    fn words(&self, _: &Go, step: &Step) -> StepWords {
        // Points that lost their stone.
        let taken = |(old, new): &(&u8, &u8)| old != new && **new == b'.';
        let captured = step.before.iter().zip(step.after).filter(taken).count();
        let follows = match captured {
            0 => String::new(),
            stones => format!("captures {}", count(stones, "stone")),
        };
        StepWords { follows, members: vec![("captured", json!(captured))] }
    }

    fn victory(&self, rules: &Go, outcome: &Outcome, seat: Seat) -> String {
        let [black, white] = [0, 1].map(|seat: usize| outcome.points[seat]);
        let _ = seat;
        match outcome.end {
            End::Forfeited => "wins by forfeit".to_string(),
            End::Played => {
                let komi = i64::from(rules.komi_halves);
                let by = (2 * black - 2 * white - komi).abs();
                format!("wins by {}: {black} against {white} and komi {}", halves(by), halves(komi))
            }
        }
    }

    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        format!("{} of area, ", count(outcome.territory[seat.index()], "point"))
    }

    fn explain(&self, lost: &Lost<Go>) -> Explanation {
        why::explain(lost)
    }

    fn script(&self) -> Script {
        // Wood, black and white.
        let colours = &[[0xef, 0xd9, 0xa7], [0x11, 0x11, 0x11], [0xff, 0xff, 0xff]];
        Script { kind: "stones", js: include_str!("go/board.js"), css: include_str!("go/board.css"), colours }
    }

    fn files(&self) -> &'static [FileForm] {
        &[FileForm { name: "sgf", sign: "AP[Cornerman:" }]
    }

    fn write(&self, _: &str, game: &RecordedGame<Go>) -> Result<String, ExportError> {
        sgf::sgf(game)
    }
}

/// A number of half points, in points: `6.5`, `-7`.
fn halves(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let half = if number % 2 == 0 { "" } else { ".5" };
    format!("{sign}{}{half}", number.abs() / 2)
}

fn paint(point: u8, fresh: bool) -> Paint {
    let paint = match point {
        b'X' => seat_style(0),
        b'O' => seat_style(1),
        _ => Paint::new().dimmed(),
    };
    if fresh { paint.invert() } else { paint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn victories_are_in_points_and_komi() {
        let go = Go { size: 9, ..Go::default() };
        let check = |points: [i64; 2], end, seat: u8, wanted: &str| {
            let outcome = Outcome { places: vec![1, 2], points: points.to_vec(), territory: vec![0; 2], end };
            assert_eq!(VIEW.victory(&go, &outcome, Seat(seat)), wanted);
        };
        check([41, 40], End::Played, 1, "wins by 5.5: 41 against 40 and komi 6.5");
        check([50, 31], End::Played, 0, "wins by 12.5: 50 against 31 and komi 6.5");
        check([0, 0], End::Forfeited, 0, "wins by forfeit");
    }

    fn lines_of(size: u8, now: &str, before: Option<&str>) -> Vec<String> {
        let picture = Picture { board: now.as_bytes(), before: before.map(str::as_bytes), marks: b"XO" };
        let picture = VIEW.picture(&Go { size, ..Go::default() }, &picture, Style::plain());
        picture.lines().map(String::from).collect()
    }

    #[test]
    fn a_board_has_letters_without_i_and_numbers_from_the_bottom() {
        let lines = lines_of(9, &(".........\n".repeat(8) + "X.......O\n"), None);
        assert_eq!(
            (lines[0].as_str(), lines[1].as_str(), lines[9].as_str()),
            ("    A B C D E F G H J", "  9 . . . . . . . . .", "  1 X . . . . . . . O")
        );
        assert_eq!(lines.len(), 10);
    }

    #[test]
    fn the_new_stone_is_in_brackets_and_fits_the_extent() {
        let check = |now: &str, before: &str, wanted: &str| assert_eq!(lines_of(5, now, Some(before))[1], wanted);
        let rest = "\n.....".repeat(4) + "\n";
        check(&format!("X...O{rest}"), &format!("X....{rest}"), "  5 X . . .(O)");
        // The captured stone is not marked as new.
        check(&format!(".XO..{rest}"), &format!("O.O..{rest}"), "  5 .(X)O . .");
        let lines = lines_of(5, &format!("....X{rest}"), Some(&format!(".....{rest}")));
        let widest = lines.iter().map(String::len).max();
        assert_eq!(VIEW.extent(&Go { size: 5, ..Go::default() }), Some((6, widest.unwrap())));
    }
}
