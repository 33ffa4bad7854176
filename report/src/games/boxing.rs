//! The Boxing Match: an arena of 16 rows of 32 spots.

mod why;

use crate::view::{GameView, Picture, Script, StepWords};
use crate::why::{Explanation, Lost};
use crate::{Style, count, seat_style};
use anstyle::Style as Paint;
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::boxing::VACANT;
use cornerman_harness::record::RecordedAction;
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::json;

/// The view of the Boxing Match.
pub const VIEW: BoxingView = BoxingView;

/// How the Boxing Match is shown; its only value is [`VIEW`].
pub struct BoxingView;

/// Characters that mark new spots where there are no colours. The first one that is neither in the arena nor a mark is
/// used; `?` if there is none.
const NEW: &[u8] = b"#*+@%&=$~";

impl GameView for BoxingView {
    fn extent(&self, _: &Ruleset) -> Option<(usize, usize)> {
        Some((17, 36))
    }

    /// The board with row and column numbers in 17 lines. Spots that differ from the board before are reversed; without
    /// colours they have their own character, which a line below explains.
    fn picture(&self, _: &Ruleset, &Picture { board, before, marks }: &Picture, style: Style) -> String {
        let is_free = |sign: &u8| !marks.contains(sign) && !board.contains(sign);
        let new = NEW.iter().copied().find(is_free).unwrap_or(b'?');
        let mut text = ruler();
        let mut changed = None;
        // Each row is 32 spots and a line feed.
        for (row, line) in board.chunks(33).enumerate() {
            text.push_str(&format!("{:>3} ", row + 1));
            for (column, &spot) in line.iter().take(32).enumerate() {
                let is_new = before.is_some_and(|before| before.get(row * 33 + column) != Some(&spot));
                changed = changed.or(is_new.then_some(spot));
                let sign = if is_new && !style.colour { new } else { spot };
                text.push_str(&style.painted(paint(spot, is_new, marks), &visible(sign).to_string()));
            }
            text.push('\n');
        }
        if let Some(mark) = changed.filter(|_| !style.colour) {
            text.push_str(&format!("{} is a new {}\n", visible(new), visible(mark)));
        }
        text
    }

    fn status(&self, board: &[u8]) -> String {
        let vacant = board.iter().filter(|&&spot| spot == VACANT).count();
        format!("{} vacant", count(vacant, "spot"))
    }

    fn words(&self, step: &Step) -> StepWords {
        let square = match step.action {
            RecordedAction::Moved(made) => Some(json!(made.notation)),
            RecordedAction::Forfeited(_) => None,
        };
        StepWords { members: square.into_iter().map(|square| ("square", square)).collect(), ..Default::default() }
    }

    fn victory(&self, _: &Ruleset, outcome: &Outcome, seat: Seat) -> String {
        let marks = count(outcome.points[seat.index()].unsigned_abs(), "mark");
        format!("{} and wins with {marks}", self.decision(outcome.end))
    }

    fn decision(&self, end: End) -> &'static str {
        match end {
            End::Played => "fills the last spot",
            End::Forfeited => "is the last one left",
        }
    }

    fn holding(&self, outcome: &Outcome, seat: Seat) -> String {
        format!("{}, ", count(outcome.territory[seat.index()], "mark"))
    }

    fn unit(&self, _: &Ruleset) -> &'static str {
        "mark"
    }

    fn explain(&self, lost: &Lost) -> Explanation {
        why::explain(lost)
    }

    fn script(&self) -> Script {
        Script { kind: "arena", js: include_str!("boxing/board.js"), ..Script::TEXT }
    }
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

/// The character of a spot; `?` for one that cannot be seen.
fn visible(spot: u8) -> char {
    if spot.is_ascii_graphic() { char::from(spot) } else { '?' }
}

/// The paint of a spot; the mark of a seat is reversed if it is new.
fn paint(spot: u8, is_new: bool, marks: &[u8]) -> Paint {
    match marks.iter().position(|&mark| mark == spot) {
        Some(seat) if is_new => seat_style(seat).invert(),
        Some(seat) => seat_style(seat),
        None => Paint::new().dimmed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman_harness::games::boxing::KIT;
    use cornerman_harness::kit::AnyKit;

    #[test]
    fn victories_are_in_marks() {
        let check = |points: [i64; 2], end, seat: u8, wanted: &str| {
            let outcome = Outcome { places: vec![1, 2], points: points.to_vec(), territory: vec![0; 2], end };
            assert_eq!(VIEW.victory(&KIT.default_ruleset(), &outcome, Seat(seat)), wanted);
        };
        check([312, 0], End::Played, 0, "fills the last spot and wins with 312 marks");
        check([1, 0], End::Forfeited, 0, "is the last one left and wins with 1 mark");
    }
}
