//! The Boxing Match: an arena of 16 rows of 32 spots.

mod picture;
mod why;

use crate::view::{GameView, Picture, Script, StepWords};
use crate::why::{Explanation, Lost};
use crate::{Style, count};
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::boxing::{Boxing, VACANT};
use cornerman_harness::record::RecordedAction;
use cornerman_harness::replay::Step;
use serde_json::json;

/// The view of the Boxing Match.
pub const VIEW: BoxingView = BoxingView;

/// How the Boxing Match is shown; its only value is [`VIEW`].
pub struct BoxingView;

impl GameView for BoxingView {
    type Rules = Boxing;

    fn extent(&self, _: &Boxing) -> Option<(usize, usize)> {
        Some((17, 36))
    }

    fn picture(&self, _: &Boxing, picture: &Picture, style: Style) -> String {
        picture::picture(picture, style)
    }

    fn status(&self, _: &Boxing, board: &[u8]) -> String {
        let vacant = board.iter().filter(|&&spot| spot == VACANT).count();
        format!("{} vacant", count(vacant, "spot"))
    }

    fn words(&self, _: &Boxing, step: &Step) -> StepWords {
        let square = match step.action {
            RecordedAction::Moved(made) => Some(json!(made.notation)),
            RecordedAction::Forfeited(_) => None,
        };
        StepWords { members: square.into_iter().map(|square| ("square", square)).collect(), ..Default::default() }
    }

    fn victory(&self, _: &Boxing, outcome: &Outcome, seat: Seat) -> String {
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

    fn unit(&self) -> &'static str {
        "mark"
    }

    fn explain(&self, lost: &Lost<Boxing>) -> Explanation {
        why::explain(lost)
    }

    fn script(&self) -> Script {
        Script { kind: "arena", js: include_str!("boxing/board.js"), ..Script::TEXT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn victories_are_in_marks() {
        let check = |points: [i64; 2], end, seat: u8, wanted: &str| {
            let outcome = Outcome { places: vec![1, 2], points: points.to_vec(), territory: vec![0; 2], end };
            assert_eq!(VIEW.victory(&Boxing::default(), &outcome, Seat(seat)), wanted);
        };
        check([312, 0], End::Played, 0, "fills the last spot and wins with 312 marks");
        check([1, 0], End::Forfeited, 0, "is the last one left and wins with 1 mark");
    }
}
