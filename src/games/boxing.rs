//! The Boxing Match (1994): two to eight seats take turns to fill squares of a 32×16 arena, and the seat that fills
//! the last spot wins (B1–B8).

mod arena;
mod frame;
mod judge;
pub mod solver;
mod spots;
#[cfg(test)]
mod tests;

pub use arena::Arena;
pub use judge::{VIOLATIONS, judge};
pub use spots::{ParseSquareError, SpotSet, Square, all_spots};

use crate::game::{Action, End, Game, MAX_SEATS, Outcome, Seat, Seats, Setup, SetupError, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Spots in a row (B1).
pub const WIDTH: usize = 32;
/// Rows of the arena (B1).
pub const HEIGHT: usize = 16;
/// Spots of the arena.
pub const SPOTS: usize = WIDTH * HEIGHT;
/// Bytes of an arena as text, in which each row ends with a line feed (B6).
pub const ARENA_BYTES: usize = SPOTS + HEIGHT;
/// The byte of a spot that can be taken (B1).
pub const VACANT: u8 = b'-';
/// The byte of a spot that was blocked from the start (B1).
pub const BLOCKED: u8 = b'o';
/// The largest side of a square in the original rules: the arena's height (B2).
pub const LARGEST_SQUARE: u8 = HEIGHT as u8;

/// The rules of the Boxing Match, with their one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxing {
    /// The largest side of a square, 1 to 16 (B2).
    pub max_square: u8,
}

impl Default for Boxing {
    fn default() -> Boxing {
        Boxing { max_square: LARGEST_SQUARE }
    }
}

/// A position of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxingState {
    arena: Arena,
    marks: Vec<u8>,
    /// The seats that have not forfeited.
    playing: Seats,
    turn: Seat,
    /// The seat that made the last move.
    last: Option<Seat>,
}

impl BoxingState {
    /// The arena after the moves made so far.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The byte with which `seat` marks its spots.
    pub fn mark(&self, seat: Seat) -> u8 {
        self.marks[seat.index()]
    }
}

/// Whether `mark` can be a bot's mark: printable ASCII, neither [`VACANT`] nor [`BLOCKED`] (B5).
pub fn is_mark(mark: u8) -> bool {
    mark.is_ascii_graphic() && mark != VACANT && mark != BLOCKED
}

/// The marks in `setup`; if it has none, `A`, `B`, `C`, … in order of play.
///
/// # Errors
/// The number of seats is not 2 to 8 (B4), or `setup` does not give each seat a valid mark of its own (B5).
pub fn marks_of(setup: &Setup) -> Result<Vec<u8>, SetupError> {
    let seats = setup.seats;
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(SetupError(format!("a boxing match has 2 to {MAX_SEATS} seats, not {seats}")));
    }
    let marks = match setup.marks.as_slice() {
        [] => (b'A'..).take(usize::from(seats)).collect(),
        marks => marks.to_vec(),
    };
    if marks.len() != usize::from(seats) {
        let s = if marks.len() == 1 { "" } else { "s" };
        return Err(SetupError(format!("{} mark{s} for {seats} seats", marks.len())));
    }
    for (at, &mark) in marks.iter().enumerate() {
        let shown = mark.escape_ascii();
        if !is_mark(mark) {
            return Err(SetupError(format!(
                "`{shown}` cannot be a mark: a printable character other than `-` and `o` can"
            )));
        }
        if let Some(other) = marks[..at].iter().position(|&m| m == mark) {
            return Err(SetupError(format!("seats {} and {} have the same mark `{shown}`", other + 1, at + 1)));
        }
    }
    Ok(marks)
}

impl Game for Boxing {
    type State = BoxingState;
    type Move = Square;

    fn start(&self, setup: &Setup) -> Result<BoxingState, SetupError> {
        let marks = marks_of(setup)?;
        let arena = match setup.board.as_slice() {
            [] => Arena::generate(setup.seed),
            text => Arena::parse(text).map_err(|v| SetupError(format!("not an arena: {v}")))?,
        };
        if let Some(spot) = all_spots().find(|&spot| arena.at(spot).is_ascii_control()) {
            let byte = arena.at(spot);
            return Err(SetupError(format!("not an arena: {spot} holds the control byte {byte}")));
        }
        if arena.vacant().is_empty() {
            return Err(SetupError("the arena has no vacant spot: there is nothing to play for".to_string()));
        }
        Ok(BoxingState { arena, marks, playing: Seats::first(setup.seats), turn: Seat(0), last: None })
    }

    fn to_act(&self, state: &BoxingState) -> Seats {
        let over = state.arena.vacant().is_empty() || state.playing.len() < 2;
        if over { Seats::NONE } else { Seats::only(state.turn) }
    }

    fn read(&self, state: &BoxingState, seat: Seat, answer: &[u8]) -> Result<Square, Violation> {
        judge(&state.arena, state.mark(seat), self.max_square, answer)
            .map(|square| square.expect("only a full arena is answered without a move, and the game is over then"))
    }

    fn read_notation(&self, state: &BoxingState, _: Seat, text: &str) -> Result<Square, Violation> {
        let no = |kind, spots, detail| Err(Violation { kind, rule: "B2", spots, detail });
        let square: Square = match text.parse() {
            Ok(square) => square,
            Err(error) => return no("square", Vec::new(), format!("`{}` is {error}", text.escape_debug())),
        };
        if square.size > self.max_square {
            return no("square", Vec::new(), format!("squares have sides of at most {}", self.max_square));
        }
        let vacant = state.arena.vacant();
        match square.spots().find(|&spot| !vacant.contains(spot)) {
            Some(spot) => no("vacant", Vec::from([spot]), format!("{spot} is not vacant")),
            None => Ok(square),
        }
    }

    fn apply(&self, state: &mut BoxingState, acts: &[(Seat, Action<Square>)]) {
        for (seat, act) in acts {
            match act {
                Action::Move(square) => {
                    state.arena.fill(*square, state.mark(*seat));
                    state.last = Some(*seat);
                }
                Action::Forfeit => state.playing = state.playing.without(*seat),
            }
            state.turn = state.playing.next_from(seat.0 + 1).unwrap_or(state.turn);
        }
    }

    fn view(&self, state: &BoxingState, _seat: Seat) -> Vec<u8> {
        state.arena.to_bytes().to_vec()
    }

    fn board(&self, state: &BoxingState) -> Vec<u8> {
        state.arena.to_bytes().to_vec()
    }

    fn notation(&self, square: &Square) -> String {
        square.to_string()
    }

    fn outcome(&self, state: &BoxingState) -> Option<Outcome> {
        if !self.to_act(state).is_empty() {
            return None;
        }
        let (winner, end) = if state.arena.vacant().is_empty() {
            (state.last, End::Played)
        } else {
            (state.playing.iter().next(), End::Forfeited)
        };
        let held: Vec<u32> = state.marks.iter().map(|&mark| state.arena.count(mark)).collect();
        let mut outcome =
            Outcome { places: vec![2; held.len()], points: vec![0; held.len()], territory: held, end };
        if let Some(seat) = winner {
            outcome.places[seat.index()] = 1;
            outcome.points[seat.index()] = i64::from(outcome.territory[seat.index()]);
        }
        Some(outcome)
    }
}
