//! The cheapest way to pair all members of a group: minimum-weight perfect matching in a complete graph.
//!
//! This is Edmonds' blossom algorithm in its primal-dual form, O(n³) as in Galil (1986), over integers, so the answer
//! is exact and the same on every machine. The algorithm grows alternating trees from unmatched nodes ("even" nodes are
//! at an even distance from a root, "odd" ones at an odd distance), shrinks odd cycles to blossoms, and adjusts the
//! dual values until an edge between two trees becomes tight; then it matches one more pair.
//!
//! Nodes count from 1, and [`NONE`] stands for no node. Vertices are `1..=n`; higher numbers are blossoms.

mod blossom;

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

/// The number that stands for no node.
const NONE: usize = 0;

/// The partner of each of `n` members in the perfect matching with the smallest sum of costs. `cost` is called once for
/// each pair `(i, j)` with `i < j`, and returns a number from 0 to 2^120.
///
/// # Panics
/// When `n` is odd.
pub(super) fn min_cost(n: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(n.is_multiple_of(2), "an odd number of members cannot be paired");
    let mut graph = Graph::new(n, cost);
    graph.begin_greedily();
    while graph.unmatched() {
        graph.grow();
    }
    (1..=n).map(|vertex| graph.mate[vertex] - 1).collect()
}

/// All weights are multiples of this number. Then half a weight is even, all dual values can start even, and half the
/// slack between even nodes is a whole number.
const SCALE: i128 = 4;

/// The role of a node while trees grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Even,
    Odd,
}

/// An edge between two vertices, as seen from the node in whose row it is stored.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
}

struct Graph {
    /// The number of vertices.
    n: usize,
    /// The number of nodes in use, including blossoms.
    nodes: usize,
    /// The weight of each pair of vertices, row by row: the higher, the better.
    weight: Vec<i128>,
    /// The best edge between two nodes.
    edge: Vec<Vec<Edge>>,
    /// The dual value of each node.
    dual: Vec<i128>,
    /// The vertex that a node is matched to.
    mate: Vec<usize>,
    /// The even vertex with the smallest slack towards a node.
    nearest: Vec<usize>,
    /// The outermost node that contains a node.
    outer: Vec<usize>,
    /// The vertex from which the tree reached an odd node.
    parent: Vec<usize>,
    label: Vec<Label>,
    /// The cycle of a blossom, its base first.
    cycle: Vec<Vec<usize>>,
    /// For each blossom and vertex, the node in the blossom's cycle that contains the vertex.
    within: Vec<Vec<usize>>,
    /// The search for a common ancestor that last visited a node.
    seen: Vec<u32>,
    searches: u32,
    queue: VecDeque<usize>,
}

impl Graph {
    fn new(n: usize, cost: impl Fn(usize, usize) -> i128) -> Graph {
        let capacity = n + n / 2 + 2;
        let mut weight = vec![0; (n + 1) * (n + 1)];
        for i in 0..n {
            for j in i + 1..n {
                let weighs = -SCALE * cost(i, j);
                weight[(i + 1) * (n + 1) + j + 1] = weighs;
                weight[(j + 1) * (n + 1) + i + 1] = weighs;
            }
        }
        let mut edge = vec![vec![Edge::default(); capacity]; capacity];
        for (from, row) in edge.iter_mut().enumerate().take(n + 1).skip(1) {
            for to in (1..=n).filter(|&to| to != from) {
                row[to] = Edge { from, to };
            }
        }
        Graph {
            n,
            nodes: n,
            weight,
            edge,
            dual: vec![0; capacity],
            mate: vec![NONE; capacity],
            nearest: vec![NONE; capacity],
            outer: (0..capacity).map(|node| if node <= n { node } else { NONE }).collect(),
            parent: vec![NONE; capacity],
            label: vec![Label::Free; capacity],
            cycle: vec![Vec::new(); capacity],
            within: vec![vec![NONE; n + 1]; capacity],
            seen: vec![0; capacity],
            searches: 0,
            queue: VecDeque::new(),
        }
    }

    /// Sets dual values that bound all edges, and matches along tight edges. This finds most pairs at little cost.
    fn begin_greedily(&mut self) {
        for vertex in 1..=self.n {
            let others = (1..=self.n).filter(|&other| other != vertex);
            let best = others.map(|other| self.weight[vertex * (self.n + 1) + other]).max();
            self.dual[vertex] = best.unwrap_or_default() / 2;
        }
        for vertex in 1..=self.n {
            if self.mate[vertex] != NONE {
                continue;
            }
            let slack = |other: usize| self.slack(Edge { from: vertex, to: other });
            let others = (1..=self.n).filter(|&other| other != vertex);
            let Some(least) = others.clone().map(slack).min() else { continue };
            let tight = others.filter(|&other| slack(other) == least).find(|&other| self.mate[other] == NONE);
            self.dual[vertex] -= least;
            if let Some(other) = tight {
                self.mate[vertex] = other;
                self.mate[other] = vertex;
            }
        }
    }

    /// Whether any vertex has no partner.
    fn unmatched(&self) -> bool {
        (1..=self.n).any(|vertex| self.mate[vertex] == NONE)
    }

    /// The distance of an edge from being tight.
    fn slack(&self, edge: Edge) -> i128 {
        self.dual[edge.from] + self.dual[edge.to] - self.weight[edge.from * (self.n + 1) + edge.to]
    }

    fn outermost(&self) -> impl Iterator<Item = usize> + '_ {
        (1..=self.nodes).filter(|&node| self.outer[node] == node)
    }

    /// Grows trees from all unmatched nodes until one more pair is matched.
    fn grow(&mut self) {
        self.label.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        let roots: Vec<usize> = self.outermost().filter(|&node| self.mate[node] == NONE).collect();
        for root in roots {
            self.parent[root] = NONE;
            self.label[root] = Label::Even;
            self.enqueue(root);
        }
        while !self.search() {
            self.move_duals();
            if self.follow_tight() {
                return;
            }
            self.expand_empty();
        }
    }

    /// Follows tight edges from the even vertices in the queue. Returns whether a pair was matched.
    fn search(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            if self.label[self.outer[from]] == Label::Odd {
                continue;
            }
            for to in 1..=self.n {
                if self.outer[from] == self.outer[to] {
                    continue;
                }
                let edge = self.edge[from][to];
                if self.slack(edge) > 0 {
                    self.offer(from, self.outer[to]);
                } else if self.take(edge) {
                    return true;
                }
            }
        }
        false
    }

    /// Adjusts the dual values as far as the bounds of all edges allow. Then an edge becomes tight, or the dual value
    /// of an odd blossom becomes 0.
    fn move_duals(&mut self) {
        let mut step = i128::MAX;
        for node in self.outermost() {
            if node > self.n && self.label[node] == Label::Odd {
                step = step.min(self.dual[node] / 2);
            }
            if self.nearest[node] != NONE {
                let slack = self.slack(self.edge[self.nearest[node]][node]);
                match self.label[node] {
                    Label::Free => step = step.min(slack),
                    Label::Even => step = step.min(slack / 2),
                    Label::Odd => {}
                }
            }
        }
        for vertex in 1..=self.n {
            match self.label[self.outer[vertex]] {
                Label::Even => self.dual[vertex] -= step,
                Label::Odd => self.dual[vertex] += step,
                Label::Free => {}
            }
        }
        for blossom in self.n + 1..=self.nodes {
            if self.outer[blossom] == blossom {
                match self.label[blossom] {
                    Label::Even => self.dual[blossom] += 2 * step,
                    Label::Odd => self.dual[blossom] -= 2 * step,
                    Label::Free => {}
                }
            }
        }
    }

    /// Takes the edges that became tight when the dual values changed. Returns whether a pair was matched.
    fn follow_tight(&mut self) -> bool {
        self.queue.clear();
        for node in 1..=self.nodes {
            let nearest = self.nearest[node];
            if self.outer[node] != node || nearest == NONE || self.outer[nearest] == node {
                continue;
            }
            let edge = self.edge[nearest][node];
            if self.slack(edge) == 0 && self.take(edge) {
                return true;
            }
        }
        false
    }

    /// Expands the odd blossoms whose dual value is 0.
    fn expand_empty(&mut self) {
        for node in self.n + 1..=self.nodes {
            if self.outer[node] == node && self.label[node] == Label::Odd && self.dual[node] == 0 {
                self.expand(node);
            }
        }
    }

    /// Takes a tight edge from an even node: the tree grows, a blossom forms, or two trees meet. Returns whether they
    /// met, which matches one more pair.
    fn take(&mut self, edge: Edge) -> bool {
        let even = self.outer[edge.from];
        let other = self.outer[edge.to];
        match self.label[other] {
            Label::Free => {
                self.parent[other] = edge.from;
                self.label[other] = Label::Odd;
                let next = self.outer[self.mate[other]];
                self.nearest[other] = NONE;
                self.nearest[next] = NONE;
                self.label[next] = Label::Even;
                self.enqueue(next);
            }
            Label::Even => match self.ancestor(even, other) {
                NONE => {
                    self.augment(even, other);
                    self.augment(other, even);
                    return true;
                }
                base => self.shrink(even, base, other),
            },
            Label::Odd => {}
        }
        false
    }

    /// Makes an even vertex the nearest of `node` if it has less slack than the current one.
    fn offer(&mut self, vertex: usize, node: usize) {
        let nearest = self.nearest[node];
        if nearest == NONE || self.slack(self.edge[vertex][node]) < self.slack(self.edge[nearest][node]) {
            self.nearest[node] = vertex;
        }
    }

    /// Recomputes the nearest even vertex of `node`.
    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 1..=self.n {
            if self.outer[vertex] != node && self.label[self.outer[vertex]] == Label::Even {
                self.offer(vertex, node);
            }
        }
    }

    /// Swaps matched and unmatched edges from `node` to its root, starting with the edge to `other`.
    fn augment(&mut self, mut node: usize, mut other: usize) {
        loop {
            let freed = self.outer[self.mate[node]];
            self.pair(node, self.edge[node][other]);
            if freed == NONE {
                return;
            }
            let up = self.outer[self.parent[freed]];
            self.pair(freed, self.edge[freed][up]);
            (node, other) = (up, freed);
        }
    }

    /// The lowest common ancestor of two even nodes; [`NONE`] if they are in different trees.
    fn ancestor(&mut self, mut one: usize, mut other: usize) -> usize {
        self.searches += 1;
        while one != NONE || other != NONE {
            if one != NONE {
                if self.seen[one] == self.searches {
                    return one;
                }
                self.seen[one] = self.searches;
                one = self.outer[self.mate[one]];
                if one != NONE {
                    one = self.outer[self.parent[one]];
                }
            }
            (one, other) = (other, one);
        }
        NONE
    }

    /// The nodes from an even node up to `base`, without `base`. Also enqueues the vertices of the odd ones, because
    /// they will be in an even blossom.
    fn branch(&mut self, mut node: usize, base: usize) -> Vec<usize> {
        let mut nodes = Vec::new();
        while node != base {
            let odd = self.outer[self.mate[node]];
            nodes.extend([node, odd]);
            self.enqueue(odd);
            node = self.outer[self.parent[odd]];
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use proptest::prelude::*;

    /// The smallest sum, computed for each subset from those of smaller subsets.
    fn brute(n: usize, cost: impl Fn(usize, usize) -> i128) -> i128 {
        let mut best = vec![i128::MAX / 2; 1 << n];
        best[0] = 0;
        for set in 1usize..1 << n {
            let one = set.trailing_zeros() as usize;
            for other in (one + 1..n).filter(|other| set >> other & 1 == 1) {
                let rest = set & !(1 << one | 1 << other);
                best[set] = best[set].min(cost(one, other) + best[rest]);
            }
        }
        best[(1 << n) - 1]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn no_other_matching_is_cheaper(half in 0usize..=6, most in 1u64..60, seed: u64) {
            let n = 2 * half;
            let mut rng = Rng::new(seed);
            let costs: Vec<i128> = (0..n * n).map(|_| i128::from(rng.below(most))).collect();
            let cost = |i: usize, j: usize| costs[i * n + j];
            let mates = min_cost(n, cost);
            prop_assert!(mates.iter().enumerate().all(|(i, &j)| i != j && mates[j] == i));
            let sum: i128 = mates.iter().enumerate().filter(|&(i, &j)| i < j).map(|(i, &j)| cost(i, j)).sum();
            prop_assert_eq!(sum, brute(n, cost));
        }
    }

    #[test]
    fn every_vertex_gets_a_partner_even_if_most_pairs_cost_the_same() {
        // Many equal costs make blossoms form within blossoms.
        for most in 2..20 {
            let mut rng = Rng::new(most);
            let costs: Vec<i128> = (0..120 * 120).map(|_| i128::from(rng.below(most))).collect();
            let mates = min_cost(120, |i, j| costs[i * 120 + j]);
            assert!(mates.iter().enumerate().all(|(i, &j)| i != j && mates[j] == i));
        }
    }
}
