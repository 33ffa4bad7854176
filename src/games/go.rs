//! Go by the rules of the USENIX tournament of 1983: area scoring, all stones are alive, and two passes end the game
//! (G1–G7).
//!
//! [`Go`] implements the game for the referee: moves and forfeits of two seats. [`Position`] is the board with which
//! bots compute.

mod judge;
mod position;
#[cfg(test)]
mod tests;
pub use position::{Chain, Illegal, Point, Position};

use crate::game::{Action, End, Game, Outcome, Seat, Seats, Setup, SetupError, Spot, Violation};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};

/// The sizes that a board can have, in lines per side: at most as many as there are letters without I (G1).
pub const SIZES: core::ops::RangeInclusive<u8> = 5..=25;

/// The rules of Go, with their settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    /// The size of the board in lines per side, 5 to 25 (G1).
    pub size: u8,
    /// White's compensation for moving second, in half points: 13 is 6.5 points (G2).
    pub komi_halves: i32,
    /// Whether a move that repeats any earlier position is illegal (positional superko), rather than only one that
    /// repeats the position before the opponent's move (G6).
    pub superko: bool,
    /// The number of moves, including passes, after which the board is scored as it is; at least 1 (G2).
    pub move_cap: u32,
}

impl Default for Go {
    fn default() -> Go {
        Go { size: 19, komi_halves: 13, superko: false, move_cap: 1000 }
    }
}

/// The colour of a stone. Black has the first seat and moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The colour of the first seat.
    Black,
    /// The colour of the second seat.
    White,
}

impl Colour {
    /// Both colours, in order of play.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The colour of `seat`.
    ///
    /// # Panics
    /// If `seat` is neither the first nor the second.
    pub fn for_seat(seat: Seat) -> Colour {
        Colour::BOTH[seat.index()]
    }

    /// The opponent's colour.
    #[must_use]
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// The name of the colour, `black` or `white`.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Black => "black",
            Colour::White => "white",
        }
    }
}

/// A move: a stone or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Places a stone on this spot.
    Place(Spot),
    /// Places no stone.
    Pass,
}

/// A position of the game, with the moves that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoState {
    position: Position,
    start: Arc<Position>,
    moves: Vec<Move>,
    /// The [hashes](Position::hash) of all earlier positions, in order.
    before: Vec<u64>,
    forfeited: Option<Seat>,
}

impl GoState {
    /// The board after the moves made so far.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The board before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves made so far, in order. Black made the first one, and the colours alternate.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The seat whose turn it is, or would be if the game were not over.
    pub fn turn(&self) -> Seat {
        Seat((self.moves.len() % 2) as u8)
    }

    /// The board as a diagram for people, with the last stone in brackets (G7).
    pub fn diagram(&self) -> String {
        let last = match self.moves.last() {
            Some(Move::Place(spot)) => Some(*spot),
            _ => None,
        };
        self.position.diagram(last)
    }

    fn make(&mut self, m: Move) {
        self.before.push(self.position.hash());
        self.position.make(m, Colour::for_seat(self.turn()));
        self.moves.push(m);
    }
}

impl Go {
    /// The final scores of black and white in half points, from their areas in points: white's includes komi (G2).
    pub fn scores_halves(&self, area: [u32; 2]) -> [i64; 2] {
        let [black, white] = area.map(|points| 2 * i64::from(points));
        [black, white + i64::from(self.komi_halves)]
    }

    fn is_played_out(&self, state: &GoState) -> bool {
        state.moves.ends_with(&[Move::Pass; 2]) || state.moves.len() >= self.move_cap as usize
    }

    fn check(&self, setup: &Setup) -> Result<(), SetupError> {
        let refused = |reason: String| Err(SetupError(reason));
        if !SIZES.contains(&self.size) {
            return refused(format!(
                "a go board has {} to {} lines per side, not {}",
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

/// The text form of a board has one line per row, with `.` for an empty point, `X` for black and `O` for white. Marks
/// are accepted but not used. The points and the territory of a seat are both its area in whole points, without komi,
/// which only decides the places.
impl Game for Go {
    type State = GoState;
    type Move = Move;

    fn start(&self, setup: &Setup) -> Result<GoState, SetupError> {
        self.check(setup)?;
        let position = match setup.board.as_slice() {
            [] => Position::new(self.size),
            text => {
                Position::parse(text, self.size).map_err(|wrong| SetupError(format!("not a go board: {wrong}")))?
            }
        };
        let start = Arc::new(position.clone());
        Ok(GoState { position, start, moves: Vec::new(), before: Vec::new(), forfeited: None })
    }

    fn to_act(&self, state: &GoState) -> Seats {
        let over = state.forfeited.is_some() || self.is_played_out(state);
        if over { Seats::NONE } else { Seats::only(state.turn()) }
    }

    /// Reads one line, with or without its line feed.
    fn read(&self, state: &GoState, seat: Seat, answer: &[u8]) -> Result<Move, Violation> {
        judge::judge(state, Colour::for_seat(seat), self.superko, answer)
    }

    fn apply(&self, state: &mut GoState, acts: &[(Seat, Action<Move>)]) {
        for (seat, act) in acts {
            match act {
                Action::Move(m) => state.make(*m),
                Action::Forfeit => state.forfeited = Some(*seat),
            }
        }
    }

    /// The last move as a line, if the opponent of `seat` made it; otherwise nothing (G4).
    fn view(&self, state: &GoState, seat: Seat) -> Vec<u8> {
        match state.moves.last() {
            // After a forfeit nothing is left to send: the seat that forfeited had been sent the last move, and the
            // other seat made it.
            Some(m) if seat == state.turn() && state.forfeited.is_none() => {
                let mut line = self.notation(m);
                line.push('\n');
                line.into_bytes()
            }
            _ => Vec::new(),
        }
    }

    fn board(&self, state: &GoState) -> Vec<u8> {
        state.position.to_text()
    }

    fn notation(&self, m: &Move) -> String {
        match m {
            Move::Place(spot) => vertex(*spot, self.size),
            Move::Pass => "pass".to_string(),
        }
    }

    fn outcome(&self, state: &GoState) -> Option<Outcome> {
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

/// The letters of the columns from the left, without I (G1).
const LETTERS: &[u8; *SIZES.end() as usize] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The letter of column `col`, 0-based from the left.
///
/// # Panics
/// If `col` is not less than the largest of [`SIZES`].
pub fn column_letter(col: u8) -> char {
    char::from(LETTERS[usize::from(col)])
}

/// The name of `spot`, which must be on the board of `size` lines per side; rows are numbered from the bottom.
///
/// # Panics
/// If its column has no letter.
pub fn vertex(spot: Spot, size: u8) -> String {
    format!("{}{}", column_letter(spot.col), size - spot.row)
}

/// Whether `line` is a move, legal or not, on a board of `size` lines per side. A bot's other lines are garbage (G5).
pub fn is_move(line: &[u8], size: u8) -> bool {
    parse_move(line, size).is_some()
}

/// The move that `line` names on a board of `size` lines per side, if it names one. Upper and lower case are equal, and
/// white space around the move is ignored; the number must not start with 0 (`G7`, not `G07`).
pub fn parse_move(line: &[u8], size: u8) -> Option<Move> {
    let word = line.trim_ascii();
    if word.eq_ignore_ascii_case(b"pass") {
        return Some(Move::Pass);
    }
    let (letter, digits) = word.split_first()?;
    let col = LETTERS.iter().position(|l| l.eq_ignore_ascii_case(letter))? as u8;
    let number = match digits {
        [d @ b'1'..=b'9'] => d - b'0',
        [t @ b'1'..=b'9', d @ b'0'..=b'9'] => (t - b'0') * 10 + (d - b'0'),
        _ => return None,
    };
    (col < size && number <= size).then(|| Move::Place(Spot { row: size - number, col }))
}
