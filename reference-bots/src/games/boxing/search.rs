//! What the bots that calculate share: a search at the root for a square that leaves the opponent a lost arena.
//!
//! Every different square is tried, the one that leaves the least work first. All are given few positions, then those
//! that are still open four times as many, and so on. So a short proof is found soon, wherever it is.

use cornerman::games::boxing::solver::{Solver, Sum};
use cornerman::games::boxing::{LARGEST_SQUARE, SpotSet, Square};

/// The positions that each square is given at first, and by which factor they grow.
const FIRST_POSITIONS: u64 = 64;
const GROWTH: u64 = 4;

/// The largest group, in spots and 2×2 corners, that can perhaps be computed, and one that leaves much room until then.
const REACH: u32 = 260;
const FAR: u32 = 420;

/// The squares of a turn, as far as they are understood.
pub(super) struct Search {
    pub solver: Solver,
    /// A square that wins.
    pub winning: Option<Square>,
    /// The squares of which nothing is known, the least work first, with what they leave.
    pub open: Vec<(Sum, Square)>,
    /// Those after which the opponent wins.
    losing: Vec<(Sum, Square)>,
    /// How many positions may be looked at in all.
    limit: u64,
}

impl Search {
    /// The squares of `vacancy`, nothing of which is known yet. The `solver` may look at `positions`.
    pub(super) fn new(mut solver: Solver, vacancy: SpotSet, positions: u64) -> Search {
        let open = solver.replies(vacancy);
        let limit = solver.positions() + positions;
        Search { solver, winning: None, open, losing: Vec::new(), limit }
    }

    /// A solver for a turn: of the original rules, because a bot is not sent its ruleset.
    pub(super) fn fresh_solver() -> Solver {
        Solver::new(LARGEST_SQUARE, 18)
    }

    /// The positions that are left.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.solver.positions())
    }

    /// Looks for a square that wins, until one is found, none is open, or `share` percent of the positions are used.
    pub(super) fn look(&mut self, share: u64) {
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
    pub(super) fn far(&self) -> Option<Square> {
        let far = self.open.iter().filter(|(sum, _)| sum.hardest >= FAR);
        far.map(|(_, square)| *square).max_by_key(|square| square.size)
    }

    /// The open square that leaves the most work.
    pub(super) fn hardest(&self) -> Option<Square> {
        self.open.last().map(|(_, square)| *square)
    }

    /// The square that leaves the most work, though the opponent then wins.
    pub(super) fn hardest_losing(&self) -> Option<Square> {
        self.losing.iter().max_by_key(|(sum, _)| sum.cost).map(|(_, square)| *square)
    }

    /// Whether the square at `at` of those that are open wins; if this is found out, it is open no more.
    pub(super) fn test(&mut self, at: usize, positions: u64) -> Option<bool> {
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
