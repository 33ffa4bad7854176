//! Go: a board with letters and numbers as coordinates (G1).

mod sgf;

pub use sgf::sgf;

use crate::view::{ExportError, FileForm, GameView, Picture, RecordedGame, Script, StepWords};
use crate::why::{Curve, CurveLine, Effort, Explanation, Lost, MeanInterval, explain_by_drops, mean_and_error};
use crate::{Style, count, seat_style};
use anstyle::Style as Paint;
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::go::{Colour, Go, Position, column_letter};
use cornerman::rng::Rng;
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::json;

/// The view of Go.
pub const VIEW: GoView = GoView;

/// How Go is shown; its only value is [`VIEW`].
pub struct GoView;

impl GameView for GoView {
    fn extent(&self, ruleset: &Ruleset) -> Option<(usize, usize)> {
        let size = usize::from(rules(ruleset).size);
        Some((size + 1, 2 * size + 4))
    }

    /// The new stone is in brackets (G7).
    fn picture(&self, ruleset: &Ruleset, picture: &Picture, style: Style) -> String {
        let size = usize::from(rules(ruleset).size);
        let letters: String = (0..size).map(|col| format!(" {}", column_letter(col as u8))).collect();
        let mut text = format!("   {letters}\n");
        for row in 0..size {
            text += &format!("{:>3}", size - row);
            let mut bracket = ' ';
            for col in 0..size {
                let at = row * (size + 1) + col;
                let point = picture.board.get(at).copied().unwrap_or(b' ');
                let is_new = picture.before.is_some_and(|before| before.get(at) != Some(&point));
                let placed = is_new && point != b'.';
                text.push(if placed { '(' } else { bracket });
                text += &style.painted(paint(point, is_new), &char::from(point).to_string());
                bracket = if placed { ')' } else { ' ' };
            }
            text += if bracket == ')' { ")\n" } else { "\n" };
        }
        text
    }

    fn words(&self, step: &Step) -> StepWords {
        let is_captured = |(old, new): &(&u8, &u8)| old != new && **new == b'.';
        let captured = step.before.iter().zip(step.after).filter(is_captured).count();
        let follows = match captured {
            0 => String::new(),
            stones => format!("captures {}", count(stones, "stone")),
        };
        StepWords { follows, members: vec![("captured", json!(captured))] }
    }

    fn victory(&self, ruleset: &Ruleset, outcome: &Outcome, _: Seat) -> String {
        let [black, white] = [0, 1].map(|seat: usize| outcome.points[seat]);
        match outcome.end {
            End::Forfeited => "wins by forfeit".to_string(),
            End::Played => {
                let komi = i64::from(rules(ruleset).komi_halves);
                let by = (2 * black - 2 * white - komi).abs();
                format!("wins by {}: {black} against {white} and komi {}", halves(by), halves(komi))
            }
        }
    }

    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        format!("{} of area, ", count(outcome.territory[seat.index()], "point"))
    }

    /// The moves of the loser after which its random games end with fewer points.
    fn explain(&self, lost: &Lost) -> Explanation {
        // How many spots the boards of all random games have together, which the time they take depends on.
        let work = match lost.means.effort {
            Effort::Brief => return Explanation::default(),
            Effort::Usual => 300_000,
            Effort::Thorough => 1_500_000,
        };
        let go = lost.rules::<Go>();
        let points = usize::from(go.size).pow(2);
        let games = (work / points / lost.positions.len()).clamp(20, 400); // from each position
        let colour = Colour::for_seat(lost.seat);
        let mut rng = Rng::new(lost.record.setup.seed);
        let mut value = |at: usize| -> MeanInterval {
            let to_move = lost.turns.get(at).map_or(colour, |turn| Colour::for_seat(turn.seat));
            let position = lost.state::<Go>(at).position();
            let scores: Vec<f64> = (0..games).map(|_| score(go, position, to_move, colour, &mut rng)).collect();
            mean_and_error(&scores)
        };
        let values = (0..lost.positions.len()).map(|at| Some(value(at))).collect();
        let about =
            format!("points after playing out each position at random {games} times; an engine knows more");
        let curve = Curve::from_lines(about, vec![CurveLine { seat: Some(lost.seat), values }]);
        explain_by_drops(&lost.turns, lost.seat, curve, |points| format!("{points:.1}"))
    }

    fn script(&self) -> Script {
        // Wood, black and white.
        let colours = &[[0xef, 0xd9, 0xa7], [0x11, 0x11, 0x11], [0xff, 0xff, 0xff]];
        Script { kind: "stones", js: include_str!("go/board.js"), css: include_str!("go/board.css"), colours }
    }

    fn files(&self) -> &'static [FileForm] {
        &[FileForm { name: "sgf", sign: "AP[Cornerman:" }]
    }

    fn write(&self, _: &str, game: &RecordedGame) -> Result<String, ExportError> {
        let RecordedGame { header, title, entrants, record, uncounted, .. } = *game;
        sgf(&RecordedGame { header, title, rules: rules(game.rules), entrants, record, uncounted })
    }
}

/// The rules of Go.
fn rules(ruleset: &Ruleset) -> &Go {
    ruleset.rules_of().expect("it is asked for rulesets of Go")
}

/// The lead of `colour`, in points, when both play on at random without filling their eyes. A game that two passes do
/// not end is counted after three turns for each spot.
fn score(go: &Go, position: &Position, mut to_move: Colour, colour: Colour, rng: &mut Rng) -> f64 {
    let mut position = position.clone();
    let mut passes = 0;
    for _ in 0..3 * usize::from(go.size).pow(2) {
        match position.random_move(to_move, rng) {
            Some(point) => {
                position.play(point, to_move);
                passes = 0;
            }
            None => {
                position.pass();
                passes += 1;
            }
        }
        if passes == 2 {
            break;
        }
        to_move = to_move.other();
    }
    let [black, white] = go.scores_halves(position.area());
    let lead = (black - white) as f64 / 2.0;
    if colour == Colour::Black { lead } else { -lead }
}

/// A number of half points, in points: `6.5`, `-7`.
fn halves(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let half = if number % 2 == 0 { "" } else { ".5" };
    format!("{sign}{}{half}", number.abs() / 2)
}

/// The paint of a point; reversed if it is new.
fn paint(point: u8, is_new: bool) -> Paint {
    let paint = match point {
        b'X' => seat_style(0),
        b'O' => seat_style(1),
        _ => Paint::new().dimmed(),
    };
    if is_new { paint.invert() } else { paint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman_harness::games::go::KIT;
    use cornerman_harness::kit::{AnyKit, SourceFile};
    use std::path::Path;

    /// Rules for a board of this size.
    fn ruleset(size: u8) -> Ruleset {
        let text = KIT.built_in("go-9x9").unwrap().text.replace("size = 9 ", &format!("size = {size} "));
        KIT.read(SourceFile { path: Path::new("r.toml"), text: &text }).unwrap()
    }

    #[test]
    fn victories_are_in_points_and_komi() {
        let go = ruleset(9);
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
        let picture = VIEW.picture(&ruleset(size), &picture, Style::plain());
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
        assert_eq!(VIEW.extent(&ruleset(5)), Some((6, widest.unwrap())));
    }
}
