//! Monte: plays out many random games, more often after moves that have done well.
//!
//! The search is UCT with RAVE (Gelly and Silver, 2007), on one thread. It counts games, not seconds, and its random
//! numbers come from the turn, so the same turn has the same answer on every machine. A move takes about an eighth of a
//! second, on a board of any size.

mod playout;
mod tree;

use super::Turn;
use cornerman::games::go::{Colour, Go, Move, Position};
use tree::Tree;

/// The points of the board times the games played out for a move: a game takes longer on a larger board.
const WORK: usize = 600_000;

/// The factor by which fewer games are played out once the time is used up.
const HURRY: usize = 8;

/// The move for `turn`.
pub fn choose(turn: &Turn) -> Move {
    if turn.last == Some(Move::Pass) && winner(&turn.position) == Some(turn.colour) {
        return Move::Pass;
    }
    let candidates = turn.candidates();
    if candidates.is_empty() {
        return Move::Pass;
    }
    let mut tree = Tree::new(turn, &candidates);
    for _ in 0..games(turn) {
        tree.play_out(turn);
    }
    tree.best().map_or(Move::Pass, |point| turn.at(point))
}

/// The number of games played out for the move.
fn games(turn: &Turn) -> usize {
    let points = usize::from(turn.position.size()).pow(2);
    WORK / points / if turn.hurry { HURRY } else { 1 }
}

/// The winner if the game ended here. The protocol does not give the komi, so the default is assumed.
fn winner(position: &Position) -> Option<Colour> {
    let [black, white] = Go::default().scores_halves(position.area());
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => Some(Colour::Black),
        std::cmp::Ordering::Less => Some(Colour::White),
        std::cmp::Ordering::Equal => None,
    }
}
