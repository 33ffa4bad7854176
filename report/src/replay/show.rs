//! A step of a game as text and all of them as JSON.

use super::{Act, Replay, ReplayError, Step};
use crate::board::Board;
use crate::plain;
use crate::style::count;
use crate::{SCHEMA, Style, shown};
use cornerman::format::EntrantId;
use cornerman::game::{End, Outcome, Seat};
use cornerman::games::boxing::Arena;
use serde_json::{Value, json};

impl Replay {
    /// The arena after so many steps, 0 for the start, with what was done last above it and the spots that it
    /// changed marked: reversed in colour, else by a character of their own.
    pub fn text(&self, steps: usize, style: Style) -> String {
        let steps = steps.min(self.len());
        let mut text = style.heading(&format!("Game {}", self.id)) + "  ";
        let seats = self
            .names
            .iter()
            .zip(&self.marks)
            .map(|(name, mark)| format!("{} ({})", shown(name), char::from(*mark)));
        text += &(seats.collect::<Vec<_>>().join(" against ") + "\n");
        let arena = self.arena(steps);
        let before = steps.checked_sub(1).map(|before| self.arena(before));
        match steps.checked_sub(1) {
            None => text += &format!("the start: {}\n", vacant(arena)),
            Some(at) => text += &(self.line(&self.steps[at]) + "\n"),
        }
        let before = before.map(Arena::to_bytes);
        text +=
            &Board::Arena.picture(&arena.to_bytes(), before.as_ref().map(<[u8; _]>::as_slice), &self.marks, style);
        if steps == self.len() {
            text += &(self.ending.clone() + "\n");
        }
        text
    }

    /// Every step on a line, without arenas.
    pub fn list(&self) -> String {
        self.steps.iter().map(|step| self.line(step) + "\n").collect::<String>() + &self.ending + "\n"
    }

    /// The whole game, or with `at` only what was done at that move; each board is its rows, each byte a character.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn json(&self, at: Option<u32>) -> Result<Value, ReplayError> {
        at.map(|number| self.steps_to(number)).transpose()?;
        let wanted = self.steps.iter().filter(|step| at.is_none_or(|number| step.number == number));
        let rows = |arena: &Arena| -> Vec<String> {
            arena.rows().iter().map(|row| row.iter().map(|&spot| char::from(spot)).collect()).collect()
        };
        let step = |step: &Step| {
            let mut value = json!({
                "move": step.number,
                "seat": step.seat.0,
                "wall_us": step.used.wall.as_micros() as u64,
                "cpu_us": step.used.cpu.as_micros() as u64,
                "board": rows(&step.arena),
            });
            match &step.act {
                Act::Took(square, remarks) => {
                    value["square"] = json!(square.to_string());
                    value["remarks"] = json!(remarks);
                }
                Act::Forfeited { kind, detail } => value["forfeit"] = json!({ "kind": kind, "detail": detail }),
            }
            value
        };
        Ok(json!({
            "schema": SCHEMA,
            "game": self.id.to_string(),
            "seats": seats(&self.entrants, &self.names, &self.marks),
            "start": rows(&self.start),
            "steps": wanted.map(step).collect::<Vec<_>>(),
            "ending": self.ending,
        }))
    }

    /// `  12. gull (A) 4x4 at row 3, column 5; 120 spots are vacant`.
    fn line(&self, step: &Step) -> String {
        let who = who(self, step.seat);
        match &step.act {
            Act::Took(square, remarks) => {
                let remarks = if remarks.is_empty() { String::new() } else { format!("; {}", plain(remarks)) };
                format!("{:>4}. {who} {square}; {}{remarks}", step.number, vacant(&step.arena))
            }
            Act::Forfeited { kind, detail } => {
                format!("{:>4}. {who} {}", step.number, forfeited(kind, detail))
            }
        }
    }
}

/// How a game ended: who won it, with how many points.
pub(super) fn ending(replay: &Replay, outcome: &Outcome) -> String {
    let winners: Vec<String> = outcome.winners().map(|seat| who(replay, seat)).collect();
    let points = outcome.winners().next().map_or(0, |seat| outcome.points[seat.index()]);
    let how = match outcome.end {
        End::Played => "the last spot is taken",
        End::Forfeited => "nobody is left to play on against",
    };
    format!("{how}: {} wins with {points}", winners.join(" and "))
}

fn who(replay: &Replay, seat: Seat) -> String {
    named(&replay.names, &replay.marks, seat)
}

/// A seat's name and mark.
pub(super) fn named(names: &[String], marks: &[u8], seat: Seat) -> String {
    match (names.get(seat.index()), marks.get(seat.index())) {
        (Some(name), Some(mark)) => format!("{} ({})", shown(name), char::from(*mark)),
        (Some(name), None) => shown(name),
        _ => seat.to_string(),
    }
}

/// A forfeit in words that follow a seat's name.
pub(super) fn forfeited(kind: &str, detail: &str) -> String {
    format!("forfeits ({}): {}", plain(kind), plain(detail))
}

/// What JSON says of the seats, in order.
pub(super) fn seats(entrants: &[EntrantId], names: &[String], marks: &[u8]) -> Vec<Value> {
    let mark = |seat: usize| marks.get(seat).map(|&mark| char::from(mark).to_string());
    let seats = entrants.iter().zip(names).enumerate();
    seats.map(|(seat, (id, name))| json!({ "entrant": id.0, "name": name, "mark": mark(seat) })).collect()
}

fn vacant(arena: &Arena) -> String {
    format!("{} vacant", count(arena.vacancy().count() as usize, "spot"))
}
