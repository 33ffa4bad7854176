//! Go's reference bots: what a bot knows at its turn, and the strategies.
//!
//! Strategies do no input or output. [`serve`] makes a program of one; [`bout`] plays two against each other within one
//! process, which is how they are tested and measured.

pub mod monte;
mod serve;
mod simple;

pub use serve::serve;
pub use simple::{capture, random};

use crate::Ladder;
use crate::templates::templates;
use cornerman::game::{Action, Game, Outcome, Setup, Violation};
use cornerman::games::go::{Colour, Go, Move, Point, Position};
use cornerman::rng::Rng;

/// What a bot knows at its turn.
#[derive(Clone, Debug)]
pub struct GoTurn {
    /// The board.
    pub position: Position,
    /// The bot's colour.
    pub colour: Colour,
    /// The opponent's last move, if it has made one.
    pub last: Option<Move>,
    /// Whether the bot has been sent `time` (G4): its time is used up, so it must think less.
    pub hurry: bool,
    /// The [hashes](Position::hash) of all earlier positions.
    past: Vec<u64>,
}

/// A strategy: returns the move for a turn, always the same for the same turn.
pub type ChooseMove = fn(&GoTurn) -> Move;

/// The game's bots, the weakest first.
pub const LADDER: Ladder = Ladder {
    bots: &[
        binary!(
            "go",
            "random",
            "go-random",
            "any point that is not one of its own eyes, drawn from the position itself"
        ),
        binary!(
            "go",
            "capture",
            "captures stones in atari, saves its own, puts others into atari, else plays anywhere safe"
        ),
        binary!(
            "go",
            "monte",
            "plays out thousands of random games, more often after promising moves (UCT with RAVE)"
        ),
    ],
    templates: templates!("go"),
};

/// The strategies by the bots' ids, in the order of [`LADDER`], for games within one process.
pub const STRATEGIES: &[(&str, ChooseMove)] =
    &[("go-random", random), ("capture", capture), ("monte", monte::choose)];

impl GoTurn {
    /// The turn of `colour` before the first move, on a board of `size` lines (5 to 25).
    pub fn first(size: u8, colour: Colour) -> GoTurn {
        GoTurn { position: Position::new(size), colour, last: None, hurry: false, past: Vec::new() }
    }

    /// Plays the move `m` of the colour `by`, which must be legal.
    pub fn make(&mut self, m: Move, by: Colour) {
        self.past.push(self.position.hash());
        self.position.make(m, by);
        if by != self.colour {
            self.last = Some(m);
        }
    }

    /// Whether the bot may play at `point` under every variant of the ko rule (G6). The protocol does not say which one
    /// is in force, so the bot never repeats an earlier position.
    pub fn allows(&self, point: Point) -> bool {
        if !self.position.is_legal(point, self.colour) {
            return false;
        }
        let mut next = self.position.clone();
        next.play(point, self.colour);
        !self.past.contains(&next.hash())
    }

    /// The points worth considering: those that are allowed and not the bot's own eyes.
    pub fn candidates(&self) -> Vec<Point> {
        let worth = |&point: &Point| !self.position.is_own_eye(point, self.colour) && self.allows(point);
        // In the order of the board, so that it does not depend on how the position came about.
        self.position.points().filter(worth).collect()
    }

    /// The move at `point`.
    pub fn at(&self, point: Point) -> Move {
        Move::Place(self.position.spot(point))
    }

    /// Random numbers with a seed made from the turn, so that games can be repeated move by move.
    pub fn rng(&self) -> Rng {
        let moves = (self.past.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Rng::new(self.position.hash() ^ moves ^ self.colour as u64)
    }
}

/// How many liberties, counted up to `enough`, the chain of `colour` would have after it plays at `point`.
fn liberties_after(position: &Position, point: Point, colour: Colour, enough: usize) -> usize {
    let mut next = position.clone();
    next.play(point, colour);
    next.chain(point).map_or(0, |chain| chain.liberties().take(enough).count())
}

/// Plays one game by the rules `go`, and returns its outcome and its moves in notation. Moves are judged as a bot's
/// answers would be.
///
/// # Errors
/// The violation, if a strategy breaks the rules.
///
/// # Panics
/// When `go` has a board size outside 5 to 25, or a move cap of 0.
pub fn bout<F: FnMut(&GoTurn) -> Move>(go: &Go, mut seats: [F; 2]) -> Result<(Outcome, Vec<String>), Violation> {
    let mut state = go.start(&Setup { seats: 2, ..Setup::default() }).expect("a board of 5 to 25 lines");
    let mut turns = Colour::BOTH.map(|colour| GoTurn::first(go.size, colour));
    let mut moves = Vec::new();
    while let Some(seat) = go.to_act(&state).iter().next() {
        let chosen = seats[seat.index()](&turns[seat.index()]);
        let notation = go.notation(&chosen);
        let read = go.read(&state, seat, notation.as_bytes())?;
        go.apply(&mut state, &[(seat, Action::Move(read))]);
        for turn in &mut turns {
            turn.make(read, Colour::for_seat(seat));
        }
        moves.push(notation);
    }
    Ok((go.outcome(&state).expect("the game is over"), moves))
}
