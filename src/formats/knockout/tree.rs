//! The tree of a knockout, as far as matches have been decided. Entrants appear as their seeds, from 0.

use alloc::vec;
use alloc::vec::Vec;

/// A position in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// This seed is here.
    Seed(usize),
    /// No seed is here: the neighbour has a bye.
    Empty,
    /// The seed is not known yet.
    Open,
}

/// A match whose two seeds are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnockoutMatch {
    /// The round, from 0.
    pub round: u16,
    /// The number of the match in the round, from 0; in the last round, match 1 is for third place.
    pub table: u32,
    /// The two seeds, the better one first.
    pub seeds: [usize; 2],
    /// The seed that won, once the match is over.
    pub winner: Option<usize>,
}

/// All rounds of a knockout.
pub(super) struct KnockoutTree {
    /// The positions of each round; the last round has a single position, the champion's.
    rounds: Vec<Vec<Slot>>,
    matches: Vec<KnockoutMatch>,
    third_place: Option<usize>,
}

impl KnockoutTree {
    /// The tree of `n` seeds. `winner` gives the winner of the match at (round, table) between two seeds, once it is
    /// decided.
    pub(super) fn build(
        n: usize,
        third_place: bool,
        winner: impl Fn(u16, u32, [usize; 2]) -> Option<usize>,
    ) -> KnockoutTree {
        let first = positions(n.next_power_of_two());
        let first = first.into_iter().map(|seed| if seed < n { Slot::Seed(seed) } else { Slot::Empty }).collect();
        let mut tree = KnockoutTree { rounds: vec![first], matches: Vec::new(), third_place: None };
        let play = |matches: &mut Vec<KnockoutMatch>, round: usize, table: usize, a: usize, b: usize| {
            let round = round as u16;
            let table = table as u32;
            let seeds = [a.min(b), a.max(b)];
            let winner = winner(round, table, seeds);
            matches.push(KnockoutMatch { round, table, seeds, winner });
            winner
        };
        while tree.rounds[tree.rounds.len() - 1].len() > 1 {
            let round = tree.rounds.len() - 1;
            let mut next = Vec::new();
            for (table, pair) in tree.rounds[round].chunks(2).enumerate() {
                next.push(match (pair[0], pair[1]) {
                    (Slot::Seed(a), Slot::Seed(b)) => {
                        play(&mut tree.matches, round, table, a, b).map_or(Slot::Open, Slot::Seed)
                    }
                    (slot, Slot::Empty) | (Slot::Empty, slot) => slot,
                    _ => Slot::Open,
                });
            }
            tree.rounds.push(next);
        }
        if third_place && let Some([a, b]) = tree.semifinal_losers() {
            tree.third_place = play(&mut tree.matches, tree.rounds.len() - 2, 1, a, b);
        }
        tree
    }

    /// Every match whose seeds are known, round by round; the match for third place comes last.
    pub(super) fn matches(&self) -> impl Iterator<Item = KnockoutMatch> + '_ {
        self.matches.iter().copied()
    }

    /// The round of the final, from 0.
    pub(super) fn last_round(&self) -> u16 {
        self.rounds.len().saturating_sub(2) as u16
    }

    /// The seeds without an opponent in the first round.
    pub(super) fn byes(&self) -> impl Iterator<Item = usize> + '_ {
        let first = &self.rounds[0];
        let second = self.rounds.get(1);
        let pairs = second.into_iter().flat_map(|_| first.chunks(2));
        pairs.filter_map(|pair| match (pair[0], pair[1]) {
            (Slot::Seed(seed), Slot::Empty) | (Slot::Empty, Slot::Seed(seed)) => Some(seed),
            _ => None,
        })
    }

    /// The number of rounds that `seed` has survived.
    pub(super) fn rounds_survived(&self, seed: usize) -> i64 {
        self.rounds.iter().skip(1).filter(|slots| slots.contains(&Slot::Seed(seed))).count() as i64
    }

    /// The winner of the match for third place.
    pub(super) fn third_place(&self) -> Option<usize> {
        self.third_place
    }

    /// The losers of the semi-finals, once both are decided; `None` if there was only one.
    fn semifinal_losers(&self) -> Option<[usize; 2]> {
        let semifinals = self.rounds.len().checked_sub(3)? as u16;
        let loser = |m: &KnockoutMatch| m.winner.map(|winner| m.seeds[usize::from(winner == m.seeds[0])]);
        let mut losers = self.matches.iter().filter(|m| m.round == semifinals).map(loser);
        Some([losers.next()??, losers.next()??])
    }
}

/// The standard order of `size` seeds, a power of two, from top to bottom of the tree. If the better seed always wins,
/// each round pairs the best remaining seed with the worst, the second best with the second worst, and so on.
pub(super) fn positions(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}
