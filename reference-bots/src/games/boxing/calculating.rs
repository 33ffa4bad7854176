//! The bots that calculate, and what they share: a search at the root for a square that leaves the opponent a lost arena.
//!
//! For two players an arena has one winner, whoever plays. The kit's [solver](cornerman::games::boxing::solver) finds it:
//! it divides what is vacant into parts that no square connects, and knows of each the nimber of Sprague and Grundy. A
//! square wins if it leaves a sum of 0.
//!
//! Every different square is tried, the one that leaves the least work first. All are given few positions, then those
//! that are still open four times as many, and so on. So a short proof is found soon, wherever it is.

use super::{BoxingTurn, greedy};
use cornerman::games::boxing::solver::{Solver, Sum};
use cornerman::games::boxing::{LARGEST_SQUARE, SpotSet, Square};

/// The positions that each square is given at first, and by which factor they grow.
const FIRST_POSITIONS: u64 = 64;
const GROWTH: u64 = 4;

/// The largest group, in spots and 2×2 corners, that can perhaps be computed, and one that leaves much room until then.
const REACH: u32 = 260;
const FAR: u32 = 420;

/// The share of the positions that the solver looks at.
const SOLVERS_SHARE: u64 = 10;

/// The share of the positions that the champion spends looking for a square that wins, in percent.
const LOOKING: u64 = 70;

/// Solver: takes the largest square until the end can be calculated, and then calculates it exactly. It takes a square that
/// wins, otherwise the largest that is not known to lose.
///
/// While there is much room, nothing can be calculated, and taking the largest square gets to the end the soonest. A bot
/// that looks two moves ahead, such as `parity`, comes too late: some ten moves before the end its fate is known here.
/// This bot is quick: it looks at a tenth of the positions that the stronger ones look at.
pub fn solver(turn: &BoxingTurn, _notes: &mut Vec<u8>, positions: u64) -> Square {
    let mut search = Search::new(Search::fresh_solver(), turn.arena.vacant(), positions / SOLVERS_SHARE);
    search.look(100);
    let largest = search.open.iter().map(|(_, square)| *square).max_by_key(|square| square.size);
    search.winning.or(largest).unwrap_or_else(|| greedy(turn))
}

/// Tree: looks for a square that wins, and while it finds none, keeps the game difficult.
///
/// The difference to `solver` is what it does without a proof. Whoever first understands the arena wins, so it is wrong to
/// make it simple for an opponent that calculates too. Far from the end the largest square does no harm, and shortens the
/// game. But as soon as calculation is near, this bot takes the square that leaves the most to calculate: above all single
/// spots, which change nothing. So the opponent is the one that must make the arena simple.
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
/// An arena only ever falls apart, so a group of spots that was understood once is met again in the next turns. This bot
/// writes down what its solver knows of them, and begins its next turn with that knowledge. It believes its notes only
/// if the arena is the one that it left, after one move of each opponent (`Memory`): other notes are another game's.
///
/// Most of its positions go into looking for a square that wins. Without one it goes through the others, those that leave
/// the most to calculate first, and verifies them: if it finds an answer of the opponent that wins, it takes the next.
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

/// The squares of a turn, as far as they are understood.
struct Search {
    solver: Solver,
    /// A square that wins.
    winning: Option<Square>,
    /// The squares of which nothing is known, the least work first, with what they leave.
    open: Vec<(Sum, Square)>,
    /// Those after which the opponent wins.
    losing: Vec<(Sum, Square)>,
    /// How many positions may be looked at in all.
    limit: u64,
}

impl Search {
    /// The squares of `vacancy`, nothing of which is known yet. The `solver` may look at `positions`.
    fn new(mut solver: Solver, vacancy: SpotSet, positions: u64) -> Search {
        let open = solver.replies(vacancy);
        let limit = solver.positions() + positions;
        Search { solver, winning: None, open, losing: Vec::new(), limit }
    }

    /// A solver for a turn: of the original rules, because a bot is not sent its ruleset.
    fn fresh_solver() -> Solver {
        Solver::new(LARGEST_SQUARE, 18)
    }

    /// The positions that are left.
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
            // Those that are open are too large, or the solver has no room for more.
            if self.left() == before {
                break;
            }
            each *= GROWTH;
        }
    }

    /// The largest square after which there is still much more room than anyone can calculate.
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

    /// The open square that leaves the most work, unless it turns out to lose.
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

    /// Whether the square at `at` of those that are open wins; if this is found out, it is open no more.
    fn test(&mut self, at: usize, positions: u64) -> Option<bool> {
        let wins = self.solver.is_zero(&self.open[at].0, positions)?;
        let found = self.open.remove(at);
        if wins {
            self.winning = Some(found.1);
        } else {
            self.losing.push(found);
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
