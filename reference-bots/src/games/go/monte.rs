//! Monte: plays out many random games, more often after moves that have done well.
//!
//! The search is UCT with RAVE (Gelly and Silver, 2007), on one thread. It counts games, not seconds, and its random
//! numbers come from the turn, so the same turn has the same answer on every machine. A move takes about an eighth of a
//! second, on a board of any size.

mod tree;

use super::GoTurn;
use cornerman::games::go::{Colour, Go, Move, Point, Position};
use cornerman::rng::Rng;
use tree::SearchTree;

/// The points of the board times the games played out for a move: a game takes longer on a larger board.
const WORK: usize = 600_000;

/// The factor by which fewer games are played out once the time is used up.
const HURRY: usize = 8;

/// The move for `turn`.
pub fn choose(turn: &GoTurn) -> Move {
    if turn.last == Some(Move::Pass) && winner(&turn.position) == Some(turn.colour) {
        return Move::Pass;
    }
    let candidates = turn.candidates();
    if candidates.is_empty() {
        return Move::Pass;
    }
    let mut tree = SearchTree::new(turn, &candidates);
    for _ in 0..games(turn) {
        tree.play_out(turn);
    }
    tree.best().map_or(Move::Pass, |point| turn.at(point))
}

/// The number of games played out for the move.
fn games(turn: &GoTurn) -> usize {
    let points = usize::from(turn.position.size()).pow(2);
    WORK / points / if turn.hurry { HURRY } else { 1 }
}

/// The winner if the game ended here; `None` if it is a tie. The protocol does not give the komi, so the default is
/// assumed.
fn winner(position: &Position) -> Option<Colour> {
    let [black, white] = Go::default().scores_halves(position.area());
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => Some(Colour::Black),
        std::cmp::Ordering::Less => Some(Colour::White),
        std::cmp::Ordering::Equal => None,
    }
}

/// The colour that first played at each point of a board, by [`Point::index`].
type Firsts = [Option<Colour>; Position::MAX_POINTS];

/// Plays on from `colour`'s turn until both colours have only their own eyes left to play, or for three moves for each
/// point of the board. Adds to `firsts` the points that were not played before.
fn play_out(
    position: &mut Position,
    mut colour: Colour,
    mut last: Option<Point>,
    rng: &mut Rng,
    firsts: &mut Firsts,
) {
    let most = 3 * usize::from(position.size()).pow(2);
    let mut passes = 0;
    for _ in 0..most {
        let answer = last.and_then(|last| answer(position, last, colour));
        last = answer.or_else(|| position.random_move(colour, rng));
        match last {
            Some(point) => {
                position.play(point, colour);
                firsts[point.index()].get_or_insert(colour);
                passes = 0;
            }
            None => {
                position.pass();
                passes += 1;
            }
        }
        if passes == 2 {
            return;
        }
        colour = colour.other();
    }
}

/// The point that captures the chain of the last move if that chain is in atari, or that saves a chain beside the last
/// move from atari.
fn answer(position: &Position, last: Point, colour: Colour) -> Option<Point> {
    let legal = |point: &Point| position.is_legal(*point, colour);
    if let Some(prey) = position.chain(last).and_then(|chain| chain.only_liberty()).filter(legal) {
        return Some(prey);
    }
    let own = position.neighbours(last).filter(|&beside| position.at(beside) == Some(colour));
    let ways_out = own.filter_map(|beside| position.chain(beside)?.only_liberty());
    ways_out.filter(legal).find(|&way| opens(position, way, colour))
}

/// Whether a chain that escapes to `way` probably has more than one liberty there.
fn opens(position: &Position, way: Point, colour: Colour) -> bool {
    let gain = |beside: Point| match position.at(beside) {
        None => 1,
        Some(own) if own == colour && position.chain(beside).is_some_and(|c| c.only_liberty().is_none()) => 2,
        Some(_) => 0,
    };
    position.neighbours(way).map(gain).sum::<u32>() > 1
}
