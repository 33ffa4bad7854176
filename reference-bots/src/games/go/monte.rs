//! Monte: plays the game to its end at random many times over, and more often where that has gone well.
//!
//! The search is UCT with RAVE (Gelly and Silver, 2007), on one thread. It counts games, not seconds, and draws its
//! lots from the turn: the same turn has the same answer on every machine. What it costs was measured: an eighth
//! of a second for a move, whatever the size of the board.

mod playout;
mod tree;

use super::Turn;
use cornerman::games::go::{Colour, Go, Move, Position};
use tree::Tree;

/// Points of the board times games played out, for a move: a game takes time with the points.
const WORK: usize = 600_000;

/// By how much less is thought when time is used up.
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

/// How many games are played out for the move.
fn games(turn: &Turn) -> usize {
    let points = usize::from(turn.position.size()).pow(2);
    WORK / points / if turn.hurry { HURRY } else { 1 }
}

/// Who wins if nobody plays any more: the komi is not said, and taken to be the usual one.
fn winner(position: &Position) -> Option<Colour> {
    let [black, white] = Go::default().scores_halves(position.area());
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => Some(Colour::Black),
        std::cmp::Ordering::Less => Some(Colour::White),
        std::cmp::Ordering::Equal => None,
    }
}
