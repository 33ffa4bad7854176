//! Maximum matchings, of which pairs are settled one by one (Edmonds' blossoms, 1965).
//!
//! The matching kept is always a maximum one of those not yet settled, so its unmatched members, in twos, are
//! the repeats that cannot be avoided.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

/// A graph and a maximum matching in it.
pub(super) struct Matching {
    /// Who may be matched with whom without a repeat; symmetric.
    edges: Vec<Vec<bool>>,
    /// Whom each is matched with.
    mates: Vec<Option<usize>>,
    /// Whose opponent stands; they are out of the graph.
    settled: Vec<bool>,
    /// The repeats that those not yet settled need.
    repeats: usize,
}

impl Matching {
    /// A maximum matching along `edges`, grown from as much of `first` as they permit.
    pub(super) fn new(edges: Vec<Vec<bool>>, first: &[(usize, usize)]) -> Matching {
        let mut mates = vec![None; edges.len()];
        for &(a, b) in first.iter().filter(|&&(a, b)| edges[a][b]) {
            (mates[a], mates[b]) = (Some(b), Some(a));
        }
        let mut matching = Matching { settled: vec![false; edges.len()], edges, mates, repeats: 0 };
        for root in 0..matching.mates.len() {
            matching.augment(root);
        }
        matching.repeats = matching.alone() / 2;
        matching
    }

    /// Whether the opponent of `member` stands.
    pub(super) fn is_settled(&self, member: usize) -> bool {
        self.settled[member]
    }

    /// Makes `a` and `b` a pair for good, if neither has an opponent yet and this needs no further repeat
    /// anywhere; says whether it did.
    pub(super) fn settle(&mut self, a: usize, b: usize) -> bool {
        let repeats = match (self.settled[a] || self.settled[b], self.edges[a][b]) {
            (true, _) => return false,
            (false, true) => Some(self.repeats),
            (false, false) => self.repeats.checked_sub(1),
        };
        let Some(repeats) = repeats else { return false };
        let before = self.mates.clone();
        let bereft = [self.take(a), self.take(b)];
        // The matching was a maximum one, so whatever mends it begins with one who lost a partner. Should that
        // match the two with each other, then a second path, if one is needed, is anywhere.
        if bereft.into_iter().flatten().filter(|&member| self.augment(member)).count() > 0 {
            for member in 0..self.mates.len() {
                if self.alone() <= 2 * repeats {
                    break;
                }
                self.augment(member);
            }
        }
        if self.alone() > 2 * repeats {
            self.mates = before;
            (self.settled[a], self.settled[b]) = (false, false);
            return false;
        }
        self.repeats = repeats;
        true
    }

    /// How many of those not yet settled have no partner.
    fn alone(&self) -> usize {
        self.settled.iter().zip(&self.mates).filter(|(settled, mate)| !**settled && mate.is_none()).count()
    }

    /// Takes `member` out of the graph and gives its partner, who is then alone.
    fn take(&mut self, member: usize) -> Option<usize> {
        self.settled[member] = true;
        let mate = self.mates[member].take()?;
        self.mates[mate] = None;
        Some(mate)
    }

    /// Matches `root` too, if it is alone and some exchange of partners makes that possible; says whether it did.
    fn augment(&mut self, root: usize) -> bool {
        if self.settled[root] || self.mates[root].is_some() {
            return false;
        }
        let mut search = Search::new(self, root);
        let Some(mut end) = search.run() else { return false };
        let parents = search.parents;
        loop {
            let parent = parents[end].expect("every step of the path has one before it");
            let next = self.mates[parent];
            (self.mates[end], self.mates[parent]) = (Some(parent), Some(end));
            match next {
                Some(next) => end = next,
                None => return true,
            }
        }
    }
}

/// One search for a path from a member that is alone to another, along edges in and out of the matching by
/// turns. A cycle of odd length met on the way (a blossom) is shrunk into its base.
struct Search<'a> {
    matching: &'a Matching,
    root: usize,
    /// The step before, for those reached by an edge out of the matching.
    parents: Vec<Option<usize>>,
    /// The blossom that each is in, by its base.
    bases: Vec<usize>,
    /// Who has been reached by an edge of the matching, and so may be gone on from.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(matching: &'a Matching, root: usize) -> Search<'a> {
        let n = matching.mates.len();
        let mut search = Search {
            matching,
            root,
            parents: vec![None; n],
            bases: (0..n).collect(),
            outer: vec![false; n],
            queue: VecDeque::new(),
        };
        search.go_on_from(root);
        search
    }

    /// The far end of a path, whose steps are then in `parents`.
    fn run(&mut self) -> Option<usize> {
        let Matching { edges, mates, settled, .. } = self.matching;
        while let Some(from) = self.queue.pop_front() {
            for to in 0..mates.len() {
                let barred = !edges[from][to] || settled[to] || mates[from] == Some(to);
                if barred || self.bases[from] == self.bases[to] {
                    continue;
                }
                let is_outer = to == self.root || mates[to].is_some_and(|mate| self.parents[mate].is_some());
                if is_outer {
                    self.shrink(from, to);
                } else if self.parents[to].is_none() {
                    self.parents[to] = Some(from);
                    match mates[to] {
                        None => return Some(to),
                        Some(mate) => self.go_on_from(mate),
                    }
                }
            }
        }
        None
    }

    fn go_on_from(&mut self, member: usize) {
        self.outer[member] = true;
        self.queue.push_back(member);
    }

    /// Shrinks the cycle that the edge from `a` to `b` closes.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut inside = vec![false; self.bases.len()];
        self.mark(a, base, b, &mut inside);
        self.mark(b, base, a, &mut inside);
        for member in 0..self.bases.len() {
            if inside[self.bases[member]] {
                self.bases[member] = base;
                if !self.outer[member] {
                    self.go_on_from(member);
                }
            }
        }
    }

    /// The base nearest to `a` and `b` at which their ways from the root part.
    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut passed = vec![false; self.bases.len()];
        let mut at = Some(a);
        while let Some(member) = at {
            passed[self.bases[member]] = true;
            at = self.base_before(self.bases[member]);
        }
        let mut base = self.bases[b];
        while !passed[base] {
            base = self.bases[self.base_before(base).expect("the ways meet at the root at the latest")];
        }
        base
    }

    /// Two steps back towards the root.
    fn base_before(&self, base: usize) -> Option<usize> {
        self.parents[self.matching.mates[base]?]
    }

    /// Marks the bases from `member` back to `base`, and notes the way round the cycle, which goes on at `next`.
    fn mark(&mut self, mut member: usize, base: usize, mut next: usize, inside: &mut [bool]) {
        while self.bases[member] != base {
            let mate = self.matching.mates[member].expect("only the root of the search is alone");
            inside[self.bases[member]] = true;
            inside[self.bases[mate]] = true;
            self.parents[member] = Some(next);
            next = mate;
            member = self.parents[mate].expect("every step of the way has one before it");
        }
    }
}
