//! Rock-paper-scissors: no board, but a line for each round.

use crate::Style;
use crate::style::count;
use crate::trace::{Action, Step};
use crate::view::{GameView, Layout, Picture, Script, StepWords};
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::rps::Rps;
use serde_json::json;

/// The view of rock-paper-scissors.
pub const VIEW: View = View;

/// How rock-paper-scissors is shown; its only value is [`VIEW`].
pub struct View;

/// The meaning of each number (R5).
const HANDS: [(&str, &str); 3] = [("0", "rock"), ("1", "paper"), ("2", "scissors")];

impl GameView for View {
    type Rules = Rps;

    fn layout(&self) -> Layout {
        Layout::Rounds
    }

    fn picture(&self, _: &Rps, _: &Picture, _: Style) -> String {
        String::new()
    }

    fn words(&self, rules: &Rps, step: &Step) -> StepWords {
        let hand = |notation: &str| HANDS.iter().find(|(number, _)| *number == notation);
        let action = match step.action {
            Action::Moved(made) => hand(&made.notation).map(|(_, name)| name.to_string()),
            Action::Forfeited(_) => None,
        };
        let margin = self.status(rules, step.after).parse::<i64>().ok();
        StepWords { action, follows: String::new(), members: vec![("margin", json!(margin))] }
    }

    /// The margin from the first seat's view: the last word of a round's board.
    fn status(&self, _: &Rps, board: &[u8]) -> String {
        String::from_utf8_lossy(board).rsplit(' ').next().unwrap_or_default().to_string()
    }

    fn victory(&self, _: &Rps, outcome: &Outcome, seat: Seat) -> String {
        let rounds = outcome.points[seat.index()].unsigned_abs() as usize;
        match outcome.end {
            End::Played => format!("wins by {}", count(rounds, "round")),
            End::Forfeited => "wins by forfeit".to_string(),
        }
    }

    fn unit(&self) -> &'static str {
        "round"
    }

    fn script(&self) -> Script {
        Script { kind: "rounds", js: include_str!("rps/board.js"), css: include_str!("rps/board.css") }
    }
}
