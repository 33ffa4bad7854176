//! The bots that calculate, and the search that they share: for a square that leaves the opponent a lost arena.
//!
//! For two players who play perfectly, the arena decides who wins. The kit's [solver](cornerman::games::boxing::solver)
//! finds the winner: it divides the vacant spots into parts that no square connects, and computes the nimber of Sprague
//! and Grundy of each. A square wins if it leaves a sum of 0.
//!
//! Of all squares that leave the same sum, one is tried, and the squares that leave the least work come first. The
//! solver looks at few positions for each, then at four times as many for each that is still open, and so on. So a
//! short proof is found soon, whichever square it is for.

use super::{BoxingTurn, greedy};
use cornerman::games::boxing::solver::{Solver, Sum};
use cornerman::games::boxing::{LARGEST_SQUARE, SpotSet, Square};

/// The number of positions that the solver may look at for each square at first.
const FIRST_POSITIONS: u64 = 64;
/// The factor by which this number grows.
const GROWTH: u64 = 4;

/// The largest group that can perhaps be computed, in spots and 2×2 corners.
const REACH: u32 = 260;
/// The size of a group, counted in the same way, from which on it is far too large to compute.
const FAR: u32 = 420;

/// The strategy [`solver`] looks at one in this many of the positions that it may look at.
const SOLVERS_SHARE: u64 = 10;

/// The share of the positions that the champion spends looking for a square that wins, in percent.
const LOOKING: u64 = 70;

/// Solver: takes the largest square until the end can be calculated, and then calculates it exactly. It takes a square
/// that wins, otherwise the largest that is not known to lose.
///
/// While there is much room, nothing can be calculated, and the largest square is the shortest way to the end. A bot
/// that looks two moves ahead, such as `parity`, understands the end too late: this bot knows the winner some ten moves
/// before it. This bot is quick: it looks at a tenth of the positions that the stronger ones look at.
pub fn solver(turn: &BoxingTurn, _notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut search = Search::new(Search::fresh_solver(), turn.arena.vacant(), positions / SOLVERS_SHARE);
    search.look(100);
    let largest = search.open.iter().map(|(_, square)| *square).max_by_key(|square| square.size);
    search.winning.or(largest).unwrap_or_else(|| greedy(turn))
}

/// Tree: looks for a square that wins, and while it finds none, keeps the game difficult.
///
/// It differs from `solver` while it has no proof. The bot that first understands the arena wins, so it would be wrong
/// to make the arena simple for an opponent that calculates too. Far from the end, the largest square does no harm and
/// shortens the game. But once groups can nearly be computed, this bot takes the square that leaves the most to
/// calculate, often a single spot, so that the opponent must make the arena simple.
pub fn tree(turn: &BoxingTurn, _notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut search = Search::new(Search::fresh_solver(), turn.arena.vacant(), positions);
    if let Some(square) = search.far() {
        return square;
    }
    search.look(100);
    let chosen = search.winning.or_else(|| search.hardest()).or_else(|| search.hardest_losing());
    chosen.unwrap_or_else(|| greedy(turn))
}

/// Champion: `tree`, with what it found out in earlier turns, and with an eye on what its opponent can find out.
///
/// An arena only falls apart during a game, so the same groups of spots come up again in later turns. This bot writes
/// down what its solver knows about them, and begins its next turn with that knowledge. It gets its notes only if the
/// arena is the one that it left, after at most one move of each opponent ([`StateMemory`](super::StateMemory)):
/// otherwise they belong to another game.
///
/// Most of its positions go into looking for a square that wins. If it finds none, it verifies the others, those that
/// leave the most to calculate first: if it finds an answer with which the opponent wins, it goes on to the next
/// square.
pub fn champion(turn: &BoxingTurn, notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut solver = Search::fresh_solver();
    solver.recall(notes);
    let mut search = Search::new(solver, turn.arena.vacant(), positions);
    if let Some(square) = search.far() {
        return square;
    }
    search.look(LOOKING);
    let chosen = search.winning.or_else(|| search.verified()).or_else(|| search.hardest_losing());
    *notes = search.solver.notes();
    chosen.unwrap_or_else(|| greedy(turn))
}

/// The squares of a turn, and what is known about them.
struct Search {
    solver: Solver,
    /// A square that wins.
    winning: Option<Square>,
    /// The squares about which nothing is known, each after the sum that it leaves, the least work first.
    open: Vec<(Sum, Square)>,
    /// The squares after which the opponent wins, each after the sum that it leaves.
    losing: Vec<(Sum, Square)>,
    /// The number of positions of the solver at which the search ends.
    limit: u64,
}

impl Search {
    /// The search among the squares of `vacancy`, in which `solver` may look at `positions` more positions.
    fn new(mut solver: Solver, vacancy: SpotSet, positions: u64) -> Search {
        let open = solver.replies(vacancy);
        let limit = solver.positions() + positions;
        Search { solver, winning: None, open, losing: Vec::new(), limit }
    }

    /// A solver for a turn, by the original rules: a bot is not sent its ruleset.
    fn fresh_solver() -> Solver {
        Solver::new(LARGEST_SQUARE, 18)
    }

    /// The number of positions that may still be looked at.
    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.solver.positions())
    }

    /// Looks for a square that wins, until one is found, none is open, or `share` percent of the positions are used.
    fn look(&mut self, share: u64) {
        let spare = self.left() * (100 - share) / 100;
        let mut each = FIRST_POSITIONS;
        while self.winning.is_none() && !self.open.is_empty() && self.left() > spare {
            let before = self.left();
            let mut at = 0;
            while self.winning.is_none() && at < self.open.len() && self.left() > spare {
                let hopeless = self.open[at].0.hardest > REACH;
                if hopeless || self.test(at, each.min(self.left() - spare)).is_none() {
                    at += 1;
                }
            }
            // All open squares leave too large a group, or the solver has no room for more groups.
            if self.left() == before {
                break;
            }
            each *= GROWTH;
        }
    }

    /// The largest square after which a group is left that is far too large to compute.
    fn far(&self) -> Option<Square> {
        let far = self.open.iter().filter(|(sum, _)| sum.hardest >= FAR);
        far.map(|(_, square)| *square).max_by_key(|square| square.size)
    }

    /// The open square that leaves the most work.
    fn hardest(&self) -> Option<Square> {
        self.open.last().map(|(_, square)| *square)
    }

    /// The square that leaves the most work, though the opponent then wins.
    fn hardest_losing(&self) -> Option<Square> {
        self.losing.iter().max_by_key(|(sum, _)| sum.cost).map(|(_, square)| *square)
    }

    /// Of the open squares that do not turn out to lose, the one that leaves the most work.
    fn verified(&mut self) -> Option<Square> {
        while let Some(hardest) = self.hardest() {
            let last = self.open.len() - 1;
            let positions = self.left() / 2;
            if self.test(last, positions) != Some(false) {
                return Some(hardest);
            }
        }
        None
    }

    /// Finds out whether the open square at index `at` wins, and if so stores it as `winning`, otherwise among
    /// `losing`; `None` if `positions` are too few for that or the solver has no room.
    fn test(&mut self, at: usize, positions: u64) -> Option<bool> {
        let wins = self.solver.is_zero(&self.open[at].0, positions)?;
        let (sum, square) = self.open.remove(at);
        if wins {
            self.winning = Some(square);
        } else {
            self.losing.push((sum, square));
        }
        Some(wins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cornerman::games::boxing::all_spots;

    #[test]
    fn a_search_ends_when_the_solver_has_no_room() {
        let vacancy =
            all_spots().filter(|spot| spot.row < 10 && spot.col < 12 && spot.row + spot.col != 7).collect();
        let mut search = Search::new(Solver::new(LARGEST_SQUARE, 3), vacancy, 1 << 40);
        search.look(70);
        assert_eq!(search.winning, None);
    }
}
