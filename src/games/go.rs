//! Go as the USENIX tournament of 1983 played it: area scoring, all stones alive, play ends by two passes (G1–G7).
//!
//! [`Go`] is the game as the referee sees it, moves and forfeits of two seats; [`Position`] is the board that bots
//! compute with.

mod judge;
mod position;
#[cfg(test)]
mod tests;
mod vertex;

pub use position::{Chain, Illegal, Point, Position};
pub use vertex::{column_letter, is_move, parse_move, vertex};

use crate::game::{Act, End, Game, Outcome, Seat, Seats, Setup, SetupError, Spot, Violation};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// Lines a side that a board can have: as many as there are letters without I (G1).
pub const SIZES: core::ops::RangeInclusive<u8> = 5..=25;

/// The ruleset in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    /// Lines a side, 5 to 25 (G1).
    pub size: u8,
    /// What white gets for moving second, in half points: 13 are 6.5 (G2).
    pub komi_halves: i32,
    /// Whether a move may not bring back any earlier position (positional superko), rather than just the one
    /// before the opponent's move (G6).
    pub superko: bool,
    /// After how many moves, passes included, the board is scored as it stands; at least 1 (G2).
    pub move_cap: u32,
}

impl Default for Go {
    fn default() -> Go {
        Go { size: 19, komi_halves: 13, superko: false, move_cap: 1000 }
    }
}

/// Whose a stone is. Black moves first and sits in the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Of the first seat.
    Black,
    /// Of the second.
    White,
}

impl Colour {
    /// Both, in order of play.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The colour of `seat`, the first or the second.
    pub fn of(seat: Seat) -> Colour {
        Colour::BOTH[seat.index()]
    }

    /// The opponent's.
    #[must_use]
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// Its name, `black` or `white`.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Black => "black",
            Colour::White => "white",
        }
    }
}

/// What a seat can do with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Places a stone.
    Place(Spot),
    /// Places none.
    Pass,
}

/// A game under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    position: Position,
    start: Arc<Position>,
    moves: Vec<Move>,
    /// The [hashes](Position::hash) of all positions before the one that stands, the first one first.
    before: Vec<u64>,
    forfeited: Option<Seat>,
}

impl State {
    /// The board as it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The board before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves made, in order; black made the first, and the colours alternate.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whose turn it is, or would be if the game were not over.
    pub fn turn(&self) -> Seat {
        Seat((self.moves.len() % 2) as u8)
    }

    /// The board for people, with the last stone in brackets (G7).
    pub fn diagram(&self) -> String {
        let last = match self.moves.last() {
            Some(Move::Place(spot)) => Some(*spot),
            _ => None,
        };
        self.position.diagram(last)
    }

    fn make(&mut self, m: Move) {
        self.before.push(self.position.hash());
        self.position.make(m, Colour::of(self.turn()));
        self.moves.push(m);
    }
}

impl Go {
    /// What each seat is compared by, in half points: area, and komi for white (G2).
    pub fn scores_halves(&self, area: [u32; 2]) -> [i64; 2] {
        let [black, white] = area.map(|points| 2 * i64::from(points));
        [black, white + i64::from(self.komi_halves)]
    }

    fn is_played_out(&self, state: &State) -> bool {
        state.moves.ends_with(&[Move::Pass; 2]) || state.moves.len() >= self.move_cap as usize
    }

    fn check(&self, setup: &Setup) -> Result<(), SetupError> {
        let refused = |words: String| Err(SetupError(words));
        if !SIZES.contains(&self.size) {
            return refused(format!(
                "a go board has {} to {} lines a side, not {}",
                SIZES.start(),
                SIZES.end(),
                self.size
            ));
        }
        if self.move_cap == 0 {
            return refused("a game of go needs at least 1 move before it is scored, not 0".to_string());
        }
        if setup.seats != 2 {
            return refused(format!("go has 2 seats, not {}", setup.seats));
        }
        match setup.marks.len() {
            0 | 2 => Ok(()),
            1 => refused("1 mark for 2 seats".to_string()),
            n => refused(format!("{n} marks for 2 seats")),
        }
    }
}

/// The text form of a board is a line a row, `.` for nothing, `X` for black and `O` for white; marks only name the
/// seats. Points and territory are both a seat's area in whole points without komi, which counts in who wins only.
impl Game for Go {
    type State = State;
    type Move = Move;

    fn start(&self, setup: &Setup) -> Result<State, SetupError> {
        self.check(setup)?;
        let position = match setup.board.as_slice() {
            [] => Position::new(self.size),
            text => Position::parse(text, self.size)
                .map_err(|wrong| SetupError(format!("this is no go board: {wrong}")))?,
        };
        let start = Arc::new(position.clone());
        Ok(State { position, start, moves: Vec::new(), before: Vec::new(), forfeited: None })
    }

    fn to_act(&self, state: &State) -> Seats {
        let over = state.forfeited.is_some() || self.is_played_out(state);
        if over { Seats::NONE } else { Seats::only(state.turn()) }
    }

    /// The answer is one line, with or without its end.
    fn read(&self, state: &State, seat: Seat, answer: &[u8]) -> Result<Move, Violation> {
        judge::judge(state, Colour::of(seat), self.superko, answer)
    }

    fn apply(&self, state: &mut State, acts: &[(Seat, Act<Move>)]) {
        for (seat, act) in acts {
            match act {
                Act::Move(m) => state.make(*m),
                Act::Forfeit => state.forfeited = Some(*seat),
            }
        }
    }

    /// What the seat has not been told yet: the opponent's move as a line, if that was the last one (G4).
    fn view(&self, state: &State, seat: Seat) -> Vec<u8> {
        match state.moves.last() {
            // Whoever is to act was told that move when its turn came, and a forfeit is no move.
            Some(m) if seat == state.turn() && state.forfeited.is_none() => {
                let mut line = self.notation(m);
                line.push('\n');
                line.into_bytes()
            }
            _ => Vec::new(),
        }
    }

    fn board(&self, state: &State) -> Vec<u8> {
        state.position.to_text()
    }

    fn notation(&self, m: &Move) -> String {
        match m {
            Move::Place(spot) => vertex(*spot, self.size),
            Move::Pass => "pass".to_string(),
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if !self.to_act(state).is_empty() {
            return None;
        }
        let area = state.position.area();
        let (scores, end) = match state.forfeited {
            Some(Seat(0)) => ([0, 1], End::Forfeited),
            Some(_) => ([1, 0], End::Forfeited),
            None => (self.scores_halves(area), End::Played),
        };
        let place = |own: i64| 1 + scores.iter().filter(|&&score| score > own).count() as u8;
        Some(Outcome {
            places: scores.iter().map(|&own| place(own)).collect(),
            points: area.iter().map(|&points| i64::from(points)).collect(),
            territory: vec![area[0], area[1]],
            end,
        })
    }
}
