//! `play --format json`: a line of JSON for each event, as `docs/events-json.md` describes.

use super::{MatchTally, Reporter};
use crate::show;
use cornerman::format::GameId;
use cornerman::game::Seat;
use cornerman_harness::player::{Conduct, Spent};
use cornerman_harness::referee::Event;
use cornerman_harness::sandbox::Isolation;
use cornerman_report::json::{end, micros};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Prints games as lines of JSON.
pub(super) struct JsonLines {
    /// Whether only the ends of games and of the match are printed.
    pub quiet: bool,
}

impl Reporter for JsonLines {
    fn event(&mut self, _: usize, id: GameId, seats: &[usize], event: &Event) -> io::Result<()> {
        if self.quiet && !matches!(event, Event::GameEnded { .. }) {
            return Ok(());
        }
        writeln!(io::stdout(), "{}", show::json(describe(id.to_string(), seats, event)))
    }

    fn end(&mut self, names: &[String], results: &[MatchTally]) -> io::Result<()> {
        let one = |(name, tally): (&String, &MatchTally)| TallyJson {
            name: name.clone(),
            wins: tally.won + tally.drawn,
            won: tally.won,
            drawn: tally.drawn,
            lost: tally.lost,
            score: tally.score,
            forfeits: tally.forfeits,
        };
        let entrants = names.iter().zip(results).map(one).collect();
        writeln!(io::stdout(), "{}", show::json(EventJson::MatchEnded { entrants }))
    }
}

/// What `play` prints as JSON: one of these on each line.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum EventJson {
    /// A game begins.
    GameStarted {
        /// The game.
        game: String,
        /// The names, by seat.
        names: Vec<String>,
        /// By seat, the place of the bot on the command line, from 1.
        entrants: Vec<usize>,
        /// The marks of the seats, in games with marks.
        marks: String,
        /// The seed of everything random in the game.
        seed: u64,
        /// The rows of the board.
        board: Vec<String>,
    },
    /// A seat has moved.
    Moved {
        /// The game.
        game: String,
        /// The number of the move.
        number: u32,
        /// The seat.
        seat: u8,
        /// The move in words.
        #[serde(rename = "move")]
        notation: String,
        /// The rows of the board after it.
        board: Vec<String>,
        /// What it took.
        spent: SpentJson,
        /// Warnings without consequences.
        remarks: Vec<String>,
        /// What the bot wrote to standard error.
        stderr: String,
    },
    /// A seat forfeits.
    Faulted {
        /// The game.
        game: String,
        /// The number of the move that it would have been.
        number: u32,
        /// The seat.
        seat: u8,
        /// What kind of fault: an identifier such as `timeout`.
        kind: String,
        /// What was wrong.
        detail: String,
        /// The rows that the bot was sent.
        view: Vec<String>,
        /// What it answered, with bytes escaped as in C.
        answer: String,
        /// What it took.
        spent: SpentJson,
        /// What the bot wrote to standard error.
        stderr: String,
    },
    /// A game is over.
    GameEnded {
        /// The game.
        game: String,
        /// The places by seat; equal ones are shared.
        places: Vec<u8>,
        /// The points by seat.
        points: Vec<i64>,
        /// What each seat holds at the end.
        territory: Vec<u32>,
        /// `played` or `forfeited`.
        end: &'static str,
        /// The number of moves.
        moves: u32,
        /// What bots did besides playing, by seat.
        conduct: Vec<GameConductJson>,
    },
    /// The match is over.
    MatchEnded {
        /// The results, in the order of the command line.
        entrants: Vec<TallyJson>,
    },
}

/// The results of a bot in a match.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TallyJson {
    /// Its name.
    name: String,
    /// `won` and `drawn` together.
    wins: u32,
    /// Games in which it was alone in first place.
    won: u32,
    /// Games in which it shared the first place.
    drawn: u32,
    /// Games in which another one was in first place.
    lost: u32,
    /// The sum of its points.
    score: i64,
    /// The number of its forfeits.
    forfeits: u32,
}

/// What a move took.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SpentJson {
    /// Wall time.
    wall_us: u64,
    /// Processor time.
    cpu_us: u64,
    /// The most memory at once.
    peak_memory_bytes: u64,
    /// The part of the wall time in which the bot waited for a processor.
    waited_us: u64,
}

/// What a bot did besides playing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ConductJson")]
pub(crate) struct GameConductJson {
    /// Its level of isolation, and what the machine refused; null for a human.
    isolation: Option<Isolation>,
    /// The number of moves it was asked for.
    moves: u32,
    /// Its slowest move.
    slowest_us: u64,
    /// How long it waited for a processor.
    waited_us: u64,
    /// Its processor time.
    cpu_us: u64,
    /// Whether it may have used more.
    cpu_is_lower_bound: bool,
    /// The most memory at once.
    peak_memory_bytes: u64,
    /// Processes that had to be killed.
    leftovers: u32,
    /// The most processes and threads at once.
    tasks: u32,
    /// Those in all; null where they are not counted.
    tasks_made: Option<u32>,
    /// The end of its standard error.
    stderr_tail: String,
}

fn describe(game: String, seats: &[usize], event: &Event) -> EventJson {
    match event {
        Event::GameStarted { names, setup, board } => EventJson::GameStarted {
            game,
            names: names.clone(),
            entrants: seats.iter().map(|entrant| entrant + 1).collect(),
            marks: setup.marks.iter().map(|&mark| char::from(mark)).collect(),
            seed: setup.seed,
            board: rows(board),
        },
        Event::Moved { number, seat, notation, board, spent, remarks, errors } => EventJson::Moved {
            game,
            number: *number,
            seat: seat_number(*seat),
            notation: notation.clone(),
            board: rows(board),
            spent: time_used(spent),
            remarks: remarks.iter().map(ToString::to_string).collect(),
            stderr: String::from_utf8_lossy(errors).into_owned(),
        },
        Event::Faulted { number, seat, fault, view, answer, spent, errors } => EventJson::Faulted {
            game,
            number: *number,
            seat: seat_number(*seat),
            kind: fault.kind().to_string(),
            detail: fault.to_string(),
            view: rows(view),
            answer: answer.escape_ascii().to_string(),
            spent: time_used(spent),
            stderr: String::from_utf8_lossy(errors).into_owned(),
        },
        Event::GameEnded { outcome, moves, conduct } => EventJson::GameEnded {
            game,
            places: outcome.places.clone(),
            points: outcome.points.clone(),
            territory: outcome.territory.clone(),
            end: end(outcome.end),
            moves: *moves,
            conduct: conduct.iter().map(describe_conduct).collect(),
        },
    }
}

fn describe_conduct(conduct: &Conduct) -> GameConductJson {
    GameConductJson {
        isolation: conduct.isolation.clone(),
        moves: conduct.moves,
        slowest_us: micros(conduct.slowest),
        waited_us: micros(conduct.waited),
        cpu_us: micros(conduct.cpu.total()),
        cpu_is_lower_bound: conduct.cpu.lower_bound,
        peak_memory_bytes: conduct.peak_memory,
        leftovers: conduct.leftovers,
        tasks: conduct.tasks,
        tasks_made: conduct.tasks_made,
        stderr_tail: conduct.errors_tail.clone(),
    }
}

fn time_used(spent: &Spent) -> SpentJson {
    SpentJson {
        wall_us: micros(spent.wall),
        cpu_us: micros(spent.cpu.total()),
        peak_memory_bytes: spent.peak_memory,
        waited_us: micros(spent.waited),
    }
}

/// The number of a seat, counted from 1.
fn seat_number(seat: Seat) -> u8 {
    seat.0 + 1
}

/// The lines of a board, without empty ones. Each byte becomes the character with the same code.
fn rows(board: &[u8]) -> Vec<String> {
    let lines = board.split(|&b| b == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| line.iter().map(|&b| char::from(b)).collect()).collect()
}
