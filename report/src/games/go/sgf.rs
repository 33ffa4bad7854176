//! A recorded game of Go as SGF (FF[4], <https://www.red-bean.com/sgf/>), the format that Go programs read (G7).
//!
//! Comments have what SGF has no property for: the areas, the times and remarks of each move, and the reason of a
//! forfeit.

use super::halves;
use crate::plain;
use crate::view::{ExportError, RecordedGame};
use cornerman::game::{End, Game, Seat, Spot};
use cornerman::games::go::{Colour, Go, Move, Position, parse_move};
use cornerman_harness::record::{FaultRecord, MoveRecord, TimeUsed};
use std::time::Duration;

/// A recorded game of Go with its rules and entrants.
type RecordedGoGame<'a> = RecordedGame<'a, Go>;

fn export_error(game: &RecordedGoGame, why: String) -> ExportError {
    ExportError { id: game.record.pairing.id, form: "SGF".to_string(), why }
}

/// The error for a move that no game of Go can have: the record is of another game, or was tampered with.
fn invalid_move(game: &RecordedGoGame, one: &MoveRecord) -> ExportError {
    export_error(game, format!("move {}, `{}`, is not valid", one.number, crate::shown(&one.notation)))
}

/// The game as SGF, with a line for every move.
///
/// # Errors
/// When the record contradicts the rules of Go.
pub fn sgf(game: &RecordedGoGame) -> Result<String, ExportError> {
    let start = game.rules.start(&game.record.setup).map_err(|error| export_error(game, error.0))?;
    let seats =
        [game.record.pairing.seats.len(), game.record.outcome.territory.len(), game.record.outcome.places.len()];
    if seats != [2; 3] {
        return Err(export_error(game, "it does not have two seats".to_string()));
    }
    let mut text = format!("({}{}", head(game), stones(start.position()));
    property(&mut text, "C", &comment(&summary(game)));
    text.push('\n');
    let mut cpu = [Duration::ZERO; 2];
    for one in &game.record.moves {
        text += &node(game, one, &mut cpu)?;
    }
    for fault in &game.record.faults {
        text.push(';');
        property(&mut text, "C", &comment(&forfeit(game, fault)));
        text.push('\n');
    }
    Ok(text + ")\n")
}

/// The root's properties, except stones and comment.
fn head(game: &RecordedGoGame) -> String {
    let header = game.header;
    let record = game.record;
    let mut text = ";FF[4]GM[1]CA[UTF-8]".to_string();
    // The value of this property is two texts with a colon between them.
    property(&mut text, "AP", &format!("Cornerman:{}", simple(&header.kit).replace(':', "\\:")));
    property(&mut text, "SZ", &game.rules.size.to_string());
    property(&mut text, "KM", &halves(game.rules.komi_halves.into()));
    property(&mut text, "RE", &result(game));
    text.push('\n');
    for (name, value) in [
        ("PB", name(game, Colour::Black)),
        ("PW", name(game, Colour::White)),
        ("EV", header.contest.clone()),
        ("RO", record.pairing.id.to_string()),
        ("RU", game.title.to_string()),
        ("DT", day(record.started_ms)),
        ("PC", record.host.clone()),
        ("GC", game.uncounted.map_or(String::new(), |why| format!("This game does not count: {why}."))),
    ] {
        if !value.is_empty() {
            property(&mut text, name, &simple(&value));
        }
    }
    text + "\n"
}

/// The stones on the board before the first move; empty if there are none.
fn stones(start: &Position) -> String {
    let mut text = String::new();
    for (colour, name) in [(Colour::Black, "AB"), (Colour::White, "AW")] {
        let of = start.points().filter(|&point| start.at(point) == Some(colour));
        let points: String = of.map(|point| format!("[{}]", coordinates(start.spot(point)))).collect();
        if !points.is_empty() {
            text += &format!("{name}{points}\n");
        }
    }
    if text.is_empty() { text } else { text + "PL[B]\n" }
}

/// A move with its times and remarks. `cpu` has the processor time of each seat so far, to which this move's is added.
fn node(game: &RecordedGoGame, one: &MoveRecord, cpu: &mut [Duration; 2]) -> Result<String, ExportError> {
    let value =
        match parse_move(one.notation.as_bytes(), game.rules.size).ok_or_else(|| invalid_move(game, one))? {
            Move::Place(spot) => coordinates(spot),
            Move::Pass => String::new(),
        };
    let so_far = cpu.get_mut(one.seat.index()).ok_or_else(|| invalid_move(game, one))?;
    *so_far += one.used.cpu;
    let mut text = format!(";{}[{value}]", letter(Colour::for_seat(one.seat)));
    let words = match one.remarks_in_words().as_str() {
        "" => time_in_words(&one.used, *so_far),
        remarks => format!("{}\n{remarks}", time_in_words(&one.used, *so_far)),
    };
    property(&mut text, "C", &comment(&words));
    Ok(text + "\n")
}

/// `CPU 0.012 s, 3.400 s so far; wall 0.013 s`.
fn time_in_words(used: &TimeUsed, so_far: Duration) -> String {
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    format!("CPU {}, {} so far; wall {}", seconds(used.cpu), seconds(so_far), seconds(used.wall))
}

/// The areas that decide the result.
fn summary(game: &RecordedGoGame) -> String {
    let [black, white] = [0, 1].map(|seat: usize| game.record.outcome.territory[seat]);
    let komi = halves(game.rules.komi_halves.into());
    format!("Area: black {black}, white {white} and {komi} komi")
}

fn forfeit(game: &RecordedGoGame, fault: &FaultRecord) -> String {
    let who = match fault.seat {
        Seat(seat @ 0..2) => {
            let colour = Colour::BOTH[usize::from(seat)];
            format!("{} ({})", colour.name(), name(game, colour))
        }
        seat => seat.to_string(),
    };
    format!("Forfeit by {who} at move {} ({}): {}", fault.number, fault.kind, fault.detail)
}

/// `B+3.5`, `W+F` for a forfeit, `0` for a tie, `Void` if no seat won.
fn result(game: &RecordedGoGame) -> String {
    let outcome = &game.record.outcome;
    if outcome.end == End::Forfeited {
        let winner = outcome.winners().find(|seat| seat.0 < 2);
        return winner.map_or("Void".to_string(), |seat| format!("{}+F", letter(Colour::for_seat(seat))));
    }
    let [black, white] = game.rules.scores_halves([outcome.territory[0], outcome.territory[1]]);
    match black - white {
        0 => "0".to_string(),
        ahead @ 1.. => format!("B+{}", halves(ahead)),
        behind => format!("W+{}", halves(-behind)),
    }
}

fn letter(colour: Colour) -> char {
    match colour {
        Colour::Black => 'B',
        Colour::White => 'W',
    }
}

fn name(game: &RecordedGoGame, colour: Colour) -> String {
    crate::raw_name_of(game.entrants, game.record.pairing.seats[colour as usize])
}

/// SGF's coordinates, from `aa` at the top left; unlike Go's own, they do not skip `i`.
fn coordinates(spot: Spot) -> String {
    [spot.col, spot.row].map(|line| char::from(b'a' + line)).iter().collect()
}

/// The day of a time in milliseconds since 1970, as `1983-07-13`; empty for 0, which means unknown.
fn day(started_ms: u64) -> String {
    if started_ms == 0 {
        return String::new();
    }
    crate::utc(started_ms)[..10].to_string()
}

/// Adds the property `name` to `text`; its value is already `escaped`.
fn property(text: &mut String, name: &str, escaped: &str) {
    text.push_str(&format!("{name}[{escaped}]"));
}

/// `text` as the value of a property of one line, with control characters escaped.
fn simple(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace(']', "\\]")
}

/// `text` as the value of a property of several lines.
fn comment(text: &str) -> String {
    text.lines().map(simple).collect::<Vec<_>>().join("\n")
}
