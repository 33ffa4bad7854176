//! `play --format json`: a line of JSON for each event, as `docs/events-json.md` describes.

use super::{Reporter, Tally};
use crate::show::plain_json;
use cornerman::game::{End, Seat};
use cornerman_harness::player::{Conduct, Spent};
use cornerman_harness::referee::Event;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// The version of the format. It grows whenever the meaning of a member changes.
const SCHEMA: u32 = 1;

/// Prints games as lines of JSON.
pub(super) struct Lines {
    quiet: bool,
}

impl Lines {
    /// With `quiet`, only the ends of games and of the match are printed.
    pub(super) fn new(quiet: bool) -> Lines {
        Lines { quiet }
    }
}

impl Reporter for Lines {
    fn event(&mut self, game: usize, seats: &[usize], event: &Event) -> io::Result<()> {
        if self.quiet && !matches!(event, Event::GameEnded { .. }) {
            return Ok(());
        }
        let mut value = describe(event);
        value["schema"] = json!(SCHEMA);
        value["game"] = json!(game + 1);
        if let Event::GameStarted { .. } = event {
            value["entrants"] = json!(seats.iter().map(|entrant| entrant + 1).collect::<Vec<_>>());
        }
        writeln!(io::stdout(), "{}", plain_json(value))
    }

    fn end(&mut self, names: &[String], results: &[Tally]) -> io::Result<()> {
        let entrants: Vec<Value> = names
            .iter()
            .zip(results)
            .map(|(name, tally)| {
                json!({
                    "name": name,
                    // A shared first place counts here too, which is why the next three exist.
                    "wins": tally.won + tally.drawn,
                    "won": tally.won,
                    "drawn": tally.drawn,
                    "lost": tally.lost,
                    "score": tally.score,
                    "forfeits": tally.forfeits,
                })
            })
            .collect();
        let value = json!({ "schema": SCHEMA, "event": "match-ended", "entrants": entrants });
        writeln!(io::stdout(), "{}", plain_json(value))
    }
}

fn describe(event: &Event) -> Value {
    match event {
        Event::GameStarted { names, setup, board } => json!({
            "event": "game-started",
            "names": names,
            "marks": setup.marks.iter().map(|&mark| char::from(mark)).collect::<String>(),
            "seed": setup.seed,
            "board": rows(board),
        }),
        Event::Moved { number, seat, notation, board, spent, remarks, errors } => json!({
            "event": "moved",
            "number": number,
            "seat": seat_number(*seat),
            "move": notation,
            "board": rows(board),
            "spent": time_used(spent),
            "remarks": remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "stderr": String::from_utf8_lossy(errors),
        }),
        Event::Faulted { number, seat, fault, view, answer, spent, errors } => json!({
            "event": "faulted",
            "number": number,
            "seat": seat_number(*seat),
            "kind": fault.kind(),
            "detail": fault.to_string(),
            "view": rows(view),
            "answer": answer.escape_ascii().to_string(),
            "spent": time_used(spent),
            "stderr": String::from_utf8_lossy(errors),
        }),
        Event::GameEnded { outcome, moves, conduct } => json!({
            "event": "game-ended",
            "places": outcome.places,
            "points": outcome.points,
            "territory": outcome.territory,
            "end": match outcome.end { End::Played => "played", End::Forfeited => "forfeited" },
            "moves": moves,
            "conduct": conduct.iter().map(describe_conduct).collect::<Vec<_>>(),
        }),
    }
}

fn describe_conduct(conduct: &Conduct) -> Value {
    json!({
        "isolation": conduct.isolation,
        "moves": conduct.moves,
        "slowest_us": micros(conduct.slowest),
        "waited_us": micros(conduct.waited),
        "cpu_us": micros(conduct.cpu.total()),
        "cpu_is_lower_bound": conduct.cpu.lower_bound,
        "peak_memory_bytes": conduct.peak_memory,
        "leftovers": conduct.leftovers,
        "tasks": conduct.tasks,
        "tasks_made": conduct.tasks_made,
        "stderr_tail": conduct.errors_tail,
    })
}

fn time_used(spent: &Spent) -> Value {
    json!({
        "wall_us": micros(spent.wall),
        "cpu_us": micros(spent.cpu.total()),
        "peak_memory_bytes": spent.peak_memory,
        "waited_us": micros(spent.waited),
    })
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}

/// The number of a seat, counted from 1.
fn seat_number(seat: Seat) -> u8 {
    seat.0 + 1
}

/// The lines of a board. Each byte becomes the character with the same code.
fn rows(board: &[u8]) -> Vec<String> {
    let lines = board.split(|&b| b == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| line.iter().map(|&b| char::from(b)).collect()).collect()
}
