//! Judges a bot's line: it is a legal move, or a violation with a message for the bot's author (G5, G6).

use super::{Colour, GoState, Illegal, Move, Point, Position, parse_move, vertex};
use crate::game::{Spot, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The most bytes of a line that a message quotes.
const QUOTED: usize = 60;

/// The move in `answer`, a line written by the bot of `colour`.
///
/// # Errors
/// It is not a legal move. The kinds of violation, in the order of the checks, are `no-move`, `occupied`, `suicide`,
/// `ko` and, if `superko` is in force, `superko`.
pub(super) fn judge(state: &GoState, colour: Colour, superko: bool, answer: &[u8]) -> Result<Move, Violation> {
    let position = &state.position;
    let m = parse_move(answer, position.size()).ok_or_else(|| no_move(answer, position.size()))?;
    let Move::Place(spot) = m else { return Ok(m) };
    let point = position.point(spot);
    match position.why_illegal(point, colour) {
        Some(Illegal::Occupied(by)) => Err(occupied(state, spot, by, colour)),
        Some(Illegal::Suicide) => Err(suicide(position, spot, colour)),
        Some(Illegal::Ko) => Err(ko(state, spot)),
        None if superko => match repeated(state, point, colour) {
            Some(after) => Err(repetition(position.size(), spot, after)),
            None => Ok(m),
        },
        None => Ok(m),
    }
}

fn no_move(answer: &[u8], size: u8) -> Violation {
    let corner = vertex(Spot { row: 0, col: size - 1 }, size);
    let expected = format!("expected a vertex from A1 to {corner} (without the letter I) or `pass`");
    let seen = match answer.trim_ascii() {
        [] => "an empty line".to_string(),
        word if word.len() > QUOTED => format!("`{}…`", word[..QUOTED].escape_ascii()),
        word => format!("`{}`", word.escape_ascii()),
    };
    Violation { kind: "no-move", rule: "G5", spots: vec![], detail: format!("{seen} is not a move: {expected}") }
}

fn illegal(kind: &'static str, spots: Vec<Spot>, detail: String) -> Violation {
    Violation { kind, rule: "G6", spots, detail }
}

fn occupied(state: &GoState, spot: Spot, by: Colour, colour: Colour) -> Violation {
    let size = state.position.size();
    let whose = if by == colour { "this bot's own" } else { "the opponent's" };
    let since = match state.moves.iter().rposition(|&m| m == Move::Place(spot)) {
        Some(at) => format!("since move {}", at + 1),
        None => "from the start".to_string(),
    };
    let detail = format!("{} is occupied by a {} stone, {whose}, {since}", vertex(spot, size), by.name());
    illegal("occupied", vec![spot], detail)
}

fn suicide(position: &Position, spot: Spot, colour: Colour) -> Violation {
    let mut spots = vec![spot];
    let own = position.neighbours(position.point(spot)).filter(|&p| position.at(p) == Some(colour));
    for chain in own.filter_map(|point| position.chain(point)) {
        spots.extend(chain.stones().map(|point| position.spot(point)));
    }
    spots.sort_unstable();
    spots.dedup();
    let lost = match spots.len() {
        1 => "the stone".to_string(),
        n => format!("the chain of {n} stones it joins"),
    };
    let vertex = vertex(spot, position.size());
    let detail = format!("{} at {vertex} is suicide: {lost} has no liberty and captures nothing", colour.name());
    illegal("suicide", spots, detail)
}

fn ko(state: &GoState, spot: Spot) -> Violation {
    let size = state.position.size();
    let vertex_of = |spot| vertex(spot, size);
    let captured = match state.moves.last() {
        Some(Move::Place(by)) => format!("{} captured that stone with move {}", vertex_of(*by), state.moves.len()),
        _ => "that stone has just been captured".to_string(),
    };
    let detail = format!("{} retakes the ko immediately: {captured}; play elsewhere first", vertex_of(spot));
    illegal("ko", vec![spot], detail)
}

/// If the otherwise legal move of `colour` at `point` would repeat a position, the number of moves after which the
/// game had that position.
fn repeated(state: &GoState, point: Point, colour: Colour) -> Option<usize> {
    let mut next = state.position.clone();
    next.play(point, colour);
    let mut same = state.before.iter().enumerate().filter(|&(_, &hash)| hash == next.hash());
    // Different positions can have the same hash.
    same.find(|&(after, _)| position_after(state, after).has_same_stones(&next)).map(|(after, _)| after)
}

/// The position after the first `after` moves, which are played again because a game stores only hashes.
fn position_after(state: &GoState, after: usize) -> Position {
    let mut position = Position::clone(&state.start);
    for (&m, colour) in state.moves[..after].iter().zip(Colour::BOTH.into_iter().cycle()) {
        position.make(m, colour);
    }
    position
}

fn repetition(size: u8, spot: Spot, after: usize) -> Violation {
    let when = match after {
        0 => "before the first move".to_string(),
        n => format!("after move {n}"),
    };
    let detail = format!("{} repeats the position {when} (superko)", vertex(spot, size));
    illegal("superko", vec![spot], detail)
}
