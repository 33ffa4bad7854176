//! Go's ladder: what a bot knows when it is to move, and one idea a file.
//!
//! The ideas know nothing of pipes. [`serve`] makes a program of one; [`bout`] plays two against each other within
//! one process, which is how they are tested and measured.

mod bout;
pub mod capture;
pub mod monte;
pub mod random;
mod serve;

pub use bout::bout;
pub use serve::serve;

use crate::templates::template;
use crate::{Ladder, Program, ReferenceBot};
use cornerman::games::go::{Colour, Move, Point, Position};
use cornerman::lots::Lots;

/// What a bot knows when it is to move.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The board.
    pub position: Position,
    /// Its own colour.
    pub colour: Colour,
    /// The opponent's last move, if it has made one.
    pub last: Option<Move>,
    /// Whether it has been told that its time is used up (G4): it has to think less.
    pub hurry: bool,
    /// The [hashes](Position::hash) of all positions there were before this one.
    past: Vec<u64>,
}

/// An idea: the move for a turn. The same turn has the same answer.
pub type Choose = fn(&Turn) -> Move;

/// The game's bots: each beats those before it.
pub const LADDER: Ladder = Ladder {
    bots: &[
        ReferenceBot {
            id: "go-random",
            about: "any point that is none of its own eyes, drawn from the position itself",
            program: Program::Binary("go-random"),
        },
        ReferenceBot {
            id: "capture",
            about: "takes what is in atari, saves its own, puts others into it, else plays anywhere safe",
            program: Program::Binary("go-capture"),
        },
        ReferenceBot {
            id: "monte",
            about: "plays thousands of games to their ends, more often where that has gone well (UCT with RAVE)",
            program: Program::Binary("go-monte"),
        },
    ],
    templates: &[
        template!("go", "python", ["bot.toml", "bot.py", "README.md"]),
        template!("go", "c", ["bot.toml", "bot.c", "README.md"]),
        template!("go", "java", ["bot.toml", "Main.java", "README.md"]),
        template!("go", "rust", ["bot.toml", "bot.rs", "README.md"]),
    ],
    try_first: "play {dir} {dir}",
};

/// The ideas by the bots' ids, in the order of [`LADDER`], for games within one process.
pub const IDEAS: &[(&str, Choose)] =
    &[("go-random", random::choose), ("capture", capture::choose), ("monte", monte::choose)];

impl Turn {
    /// Before the first move on a board of `size` lines a side.
    pub fn first(size: u8, colour: Colour) -> Turn {
        Turn { position: Position::new(size), colour, last: None, hurry: false, past: Vec::new() }
    }

    /// Makes a move, legal for `by`.
    pub fn make(&mut self, m: Move, by: Colour) {
        self.past.push(self.position.hash());
        self.position.make(m, by);
        if by != self.colour {
            self.last = Some(m);
        }
    }

    /// Whether the bot may play at `point` under every rule about ko there is: nothing tells it which of them is in
    /// force, so that it brings back no earlier position at all (G6).
    pub fn allows(&self, point: Point) -> bool {
        if !self.position.is_legal(point, self.colour) {
            return false;
        }
        let mut next = self.position.clone();
        next.play(point, self.colour);
        !self.past.contains(&next.hash())
    }

    /// The points that are worth a thought: those that are allowed and none of its own eyes.
    pub fn candidates(&self) -> Vec<Point> {
        let worth = |&point: &Point| !self.position.is_own_eye(point, self.colour) && self.allows(point);
        // Their order depends on how the position came about: it must not.
        self.position.points().filter(worth).collect()
    }

    /// The move at `point`.
    pub fn at(&self, point: Point) -> Move {
        Move::Place(self.position.spot(point))
    }

    /// Lots drawn from the turn itself: games can be played again, move by move.
    pub fn lots(&self) -> Lots {
        let moves = (self.past.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Lots::new(self.position.hash() ^ moves ^ self.colour as u64)
    }
}

/// How many liberties, but at most `enough`, the chain of `colour` would have at `point`, where it may play.
fn liberties_after(position: &Position, point: Point, colour: Colour, enough: usize) -> usize {
    let mut next = position.clone();
    next.play(point, colour);
    next.chain(point).map_or(0, |chain| chain.liberties().take(enough).count())
}
