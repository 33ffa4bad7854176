//! Tree: looks for a square that wins, and while it finds none, keeps the game difficult.
//!
//! Like `solver` it searches the tree of moves for a square that leaves a lost arena. The difference is what it does
//! without a proof. Whoever first understands the arena wins, so it is wrong to make it simple for an opponent that
//! calculates too. Far from the end the largest square does no harm, and shortens the game. But as soon as calculation is
//! near, this bot takes the square that leaves the most to calculate: above all single spots, which change nothing. So
//! the opponent is the one that must make the arena simple.

use super::search::Search;
use super::{BoxingTurn, greedy};
use cornerman::games::boxing::Square;

/// A square that wins, otherwise one that keeps the arena difficult and is not known to lose.
pub fn choose(turn: &BoxingTurn, _notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut search = Search::new(Search::fresh_solver(), turn.arena.vacant(), positions);
    if let Some(square) = search.far() {
        return square;
    }
    search.look(100);
    let chosen = search.winning.or_else(|| search.hardest()).or_else(|| search.hardest_losing());
    chosen.unwrap_or_else(|| greedy(turn))
}
