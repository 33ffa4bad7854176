//! Rock-paper-scissors: no board, but a line for each round.

mod why;

use crate::view::{GameLayout, GameView, Picture, Script, StepWords};
use crate::why::{Explanation, Lost};
use crate::{Style, count};
use cornerman::game::{End, Outcome, Seat};
use cornerman_harness::replay::Step;
use cornerman_harness::ruleset::Ruleset;
use serde_json::json;

/// The view of rock-paper-scissors.
pub const VIEW: RpsView = RpsView;

/// How rock-paper-scissors is shown; its only value is [`VIEW`].
pub struct RpsView;

/// The meaning of each number (R5).
const HANDS: [(&str, &str); 3] = [("0", "rock"), ("1", "paper"), ("2", "scissors")];

impl GameView for RpsView {
    fn layout(&self) -> GameLayout {
        GameLayout::Rounds
    }

    fn picture(&self, _: &Ruleset, _: &Picture, _: Style) -> String {
        String::new()
    }

    fn spoken(&self, notation: &str) -> Option<&'static str> {
        HANDS.iter().find(|(number, _)| *number == notation).map(|(_, name)| *name)
    }

    fn words(&self, step: &Step) -> StepWords {
        let margin = self.status(step.after).parse::<i64>().ok();
        StepWords { follows: String::new(), members: vec![("margin", json!(margin))] }
    }

    /// The margin from the first seat's view: the last word of a round's board.
    fn status(&self, board: &[u8]) -> String {
        String::from_utf8_lossy(board).rsplit(' ').next().unwrap_or_default().to_string()
    }

    fn victory(&self, _: &Ruleset, outcome: &Outcome, seat: Seat) -> String {
        let rounds = outcome.points[seat.index()].unsigned_abs() as usize;
        match outcome.end {
            End::Played => format!("wins by {}", count(rounds, "round")),
            End::Forfeited => "wins by forfeit".to_string(),
        }
    }

    /// The rounds that the seat won and drew, how often it showed each hand, and how many rounds it won in a row.
    fn summary(&self, rounds: &[Vec<String>], seat: Seat) -> String {
        let hand = |round: &[String], seat: usize| round.get(seat)?.parse::<usize>().ok();
        let both = |round: &Vec<String>| Some([hand(round, seat.index())?, hand(round, 1 - seat.index())?]);
        let hands: Vec<[usize; 2]> = rounds.iter().filter_map(both).collect();
        let mut won = 0;
        let mut drawn = 0;
        let mut won_in_a_row = 0;
        let mut longest = 0;
        for [own, other] in &hands {
            drawn += usize::from(own == other);
            let is_won = *own == (other + 1) % HANDS.len();
            won += usize::from(is_won);
            won_in_a_row = if is_won { won_in_a_row + 1 } else { 0 };
            longest = longest.max(won_in_a_row);
        }
        let shown = |hand: usize| hands.iter().filter(|[own, _]| *own == hand).count();
        let shown: Vec<String> =
            HANDS.iter().enumerate().map(|(hand, (_, name))| format!("{name} {}", shown(hand))).collect();
        format!("{won} won, {drawn} drawn; {}; {longest} won in a row", shown.join(", "))
    }

    fn unit(&self, _: &Ruleset) -> &'static str {
        "round"
    }

    fn explain(&self, lost: &Lost) -> Explanation {
        why::explain(lost)
    }

    fn script(&self) -> Script {
        Script {
            kind: "rounds",
            js: include_str!("rps/board.js"),
            css: include_str!("rps/board.css"),
            ..Script::TEXT
        }
    }
}
