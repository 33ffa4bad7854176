//! A game of lines as text, a board a move or a line a round, and as JSON.

use super::{LineReplay, ReplayError};
use crate::board::Board;
use crate::film::Act;
use crate::plain;
use crate::replay::show::{forfeited, named, seats};
use crate::style::count;
use crate::{SCHEMA, Style};
use cornerman::game::Seat;
use serde_json::{Value, json};

/// What numbers stand for (R5).
const HANDS: [(&str, &str); 3] = [("0", "rock"), ("1", "paper"), ("2", "scissors")];

impl LineReplay<'_> {
    /// The whole game: a board a move, or a line a round; with `at`, only what stood after that move, 0 for the start.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn text(&self, at: Option<u32>, style: Style) -> Result<String, ReplayError> {
        let steps = match at {
            None => 0..=self.acts.len(),
            Some(0) => 0..=0,
            Some(number) => {
                let after = self.act_of(number)? + 1;
                after..=after
            }
        };
        Ok(match self.look {
            // Seats choose at once: the second act of a round ends it.
            Board::Rounds => {
                let wanted = |steps: &usize| steps.is_multiple_of(2) || *steps == self.acts.len() || at.is_some();
                let lines = steps.filter(|&steps| steps > 0 || at.is_some()).filter(wanted);
                self.heading(style) + &lines.map(|steps| self.round(steps)).collect::<String>()
            }
            Board::Arena | Board::Stones { .. } => {
                let boards = steps.map(|steps| self.heading(style) + &self.position(steps, style));
                boards.collect::<Vec<_>>().join("\n")
            }
        })
    }

    fn heading(&self, style: Style) -> String {
        let seats: Vec<String> = (0..self.names.len() as u8).map(|seat| self.who(Seat(seat))).collect();
        format!("{}  {}\n", style.heading(&format!("Game {}", self.game.pairing.id)), seats.join(" against "))
    }

    /// The board after so many steps, what was done last above it, the last stone marked.
    fn position(&self, steps: usize, style: Style) -> String {
        let Some(last) = steps.checked_sub(1) else {
            return "the start\n".to_string() + &self.look.picture(&self.start, None, &[], style);
        };
        let act = self.acts[last];
        let captures = match self.steps[last].captured {
            0 => String::new(),
            stones => format!(", captures {}", count(stones, "stone")),
        };
        let text = format!("{:>4}. {} {}{captures}\n", act.number(), self.who(act.seat()), done(&act));
        let picture = self.look.picture(&self.steps[last].board, Some(self.board(last)), &[], style);
        text + &picture + &self.end_after(steps)
    }

    /// The round whose last act is the one before `steps`: what both chose, and the margin as the first seat sees it.
    fn round(&self, steps: usize) -> String {
        let Some(last) = steps.checked_sub(1) else { return "the start\n".to_string() };
        let chosen: Vec<String> = self.acts[last - last % 2..steps]
            .iter()
            .map(|act| format!("{} {}", self.who(act.seat()), hand(done(act))))
            .collect();
        let margin = margin(&self.steps[last].board);
        format!("{:>5}. {}   {margin}\n", last / 2 + 1, chosen.join("   ")) + &self.end_after(steps)
    }

    fn end_after(&self, steps: usize) -> String {
        if steps == self.acts.len() { self.ending() + "\n" } else { String::new() }
    }

    /// How the game ended, in words.
    fn ending(&self) -> String {
        let outcome = &self.game.outcome;
        match outcome.winners().collect::<Vec<_>>()[..] {
            [winner] => format!("{} {}", self.who(winner), self.look.victory(outcome, winner)),
            _ => "a draw".to_string(),
        }
    }

    /// The whole game, or with `at` only what stood after that move. The board of a game without one is empty.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn json(&self, at: Option<u32>) -> Result<Value, ReplayError> {
        if let Some(number) = at.filter(|&number| number > 0) {
            self.act_of(number)?;
        }
        let wanted =
            (0..self.acts.len()).filter(|&step| at.is_none_or(|number| self.acts[step].number() == number));
        Ok(json!({
            "schema": SCHEMA,
            "game": self.game.pairing.id.to_string(),
            "seats": seats(&self.game.pairing.seats, &self.names, &self.game.setup.marks),
            "start": self.rows(&self.start),
            "steps": wanted.map(|step| self.step(step)).collect::<Vec<_>>(),
            "ending": self.ending(),
        }))
    }

    fn step(&self, at: usize) -> Value {
        let (act, step) = (self.acts[at], &self.steps[at]);
        let used = act.used();
        let mut value = json!({
            "move": act.number(),
            "seat": act.seat().0,
            "told": String::from_utf8_lossy(&step.view),
            "wall_us": used.wall.as_micros() as u64,
            "cpu_us": used.cpu.as_micros() as u64,
            "board": self.rows(&step.board),
        });
        match act {
            Act::Moved(made) => {
                value["notation"] = json!(made.notation);
                value["remarks"] = json!(made.remarks);
            }
            Act::Forfeited(fault) => value["forfeit"] = json!({ "kind": fault.kind, "detail": fault.detail }),
        }
        match self.look {
            Board::Rounds => value["margin"] = json!(margin(&step.board).parse::<i64>().ok()),
            Board::Arena | Board::Stones { .. } => value["captured"] = json!(step.captured),
        }
        value
    }

    fn rows(&self, board: &[u8]) -> Vec<String> {
        match self.look {
            Board::Rounds => Vec::new(),
            Board::Arena | Board::Stones { .. } => {
                String::from_utf8_lossy(board).lines().map(String::from).collect()
            }
        }
    }

    /// The board after so many steps.
    fn board(&self, steps: usize) -> &[u8] {
        steps.checked_sub(1).map_or(&self.start, |last| &self.steps[last].board)
    }

    fn who(&self, seat: Seat) -> String {
        named(&self.names, &self.game.setup.marks, seat)
    }
}

/// What a seat did, in words that follow its name.
fn done(act: &Act) -> String {
    match act {
        Act::Moved(made) if made.remarks.is_empty() => plain(&made.notation),
        Act::Moved(made) => format!("{} ({})", plain(&made.notation), plain(&made.remarks)),
        Act::Forfeited(fault) => forfeited(&fault.kind, &fault.detail),
    }
}

/// A number at the beginning as the hand that it is.
fn hand(done: String) -> String {
    let named = HANDS.iter().find_map(|(number, name)| Some(name.to_string() + done.strip_prefix(number)?));
    named.unwrap_or(done)
}

/// The margin, the last word of a round's board.
fn margin(board: &[u8]) -> String {
    String::from_utf8_lossy(board).rsplit(' ').next().unwrap_or_default().to_string()
}
