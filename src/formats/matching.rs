//! The cheapest way to put everybody into pairs: minimum-weight perfect matching in a complete graph.
//!
//! Edmonds' blossom algorithm in its primal-dual form, O(n³) as in Galil (1986), over integers, so the answer is
//! exact and the same on every machine. It grows alternating trees from the unmatched ("even" nodes at even
//! distance from a root, "odd" ones between), shrinks odd circles to blossoms, and moves the dual values until
//! an edge between trees becomes tight; then one more pair is made.
//!
//! Nodes count from 1 and [`NONE`] is no node: vertices are `1..=n`, blossoms come above.

mod blossom;

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

/// No node.
const NONE: usize = 0;

/// The partner of each of `n` in the perfect matching whose costs have the smallest sum. `cost` is asked once
/// for each pair `(i, j)`, `i < j`, and is neither negative nor beyond 2^120.
///
/// # Panics
/// When `n` is odd: somebody would be left over.
pub(super) fn cheapest(n: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(n.is_multiple_of(2), "an odd number cannot be put into pairs");
    let mut graph = Graph::new(n, cost);
    graph.begin_greedily();
    while graph.unmatched() {
        graph.grow();
    }
    (1..=n).map(|vertex| graph.mate[vertex] - 1).collect()
}

/// Weights are multiples of it, so that half of one is even, all dual values can begin even and half a slack
/// between even nodes is a whole number.
const SCALE: i128 = 4;

/// What a node is while trees grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Even,
    Odd,
}

/// An edge by its vertices, seen from the node in whose row it stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
}

struct Graph {
    /// Vertices.
    n: usize,
    /// Nodes in use, blossoms with them.
    nodes: usize,
    /// The weight of the pair, row by row; the higher, the better.
    weight: Vec<i128>,
    /// The best edge between two nodes.
    edge: Vec<Vec<Edge>>,
    /// Dual values.
    dual: Vec<i128>,
    /// The vertex a node is matched to.
    mate: Vec<usize>,
    /// The even vertex with the least slack towards a node.
    nearest: Vec<usize>,
    /// The outermost node a node lies in.
    outer: Vec<usize>,
    /// The vertex from which the tree reached an odd node.
    parent: Vec<usize>,
    label: Vec<Label>,
    /// The circle of a blossom, its base first.
    circle: Vec<Vec<usize>>,
    /// The node of a blossom's circle in which a vertex lies.
    within: Vec<Vec<usize>>,
    /// When a node was last seen in search of a common ancestor.
    seen: Vec<u32>,
    searches: u32,
    queue: VecDeque<usize>,
}

impl Graph {
    fn new(n: usize, cost: impl Fn(usize, usize) -> i128) -> Graph {
        let room = n + n / 2 + 2;
        let mut weight = vec![0; (n + 1) * (n + 1)];
        for i in 0..n {
            for j in i + 1..n {
                let weighs = -SCALE * cost(i, j);
                weight[(i + 1) * (n + 1) + j + 1] = weighs;
                weight[(j + 1) * (n + 1) + i + 1] = weighs;
            }
        }
        let mut edge = vec![vec![Edge::default(); room]; room];
        for (from, row) in edge.iter_mut().enumerate().take(n + 1).skip(1) {
            (1..=n).filter(|&to| to != from).for_each(|to| row[to] = Edge { from, to });
        }
        Graph {
            n,
            nodes: n,
            weight,
            edge,
            dual: vec![0; room],
            mate: vec![NONE; room],
            nearest: vec![NONE; room],
            outer: (0..room).map(|node| if node <= n { node } else { NONE }).collect(),
            parent: vec![NONE; room],
            label: vec![Label::Free; room],
            circle: vec![Vec::new(); room],
            within: vec![vec![NONE; n + 1]; room],
            seen: vec![0; room],
            searches: 0,
            queue: VecDeque::new(),
        }
    }

    /// Begins with dual values that bound all edges, and pairs along tight ones: most of the work, cheaply.
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

    /// Whether somebody has no partner.
    fn unmatched(&self) -> bool {
        (1..=self.n).any(|vertex| self.mate[vertex] == NONE)
    }

    /// How far an edge is from being tight.
    fn slack(&self, edge: Edge) -> i128 {
        self.dual[edge.from] + self.dual[edge.to] - self.weight[edge.from * (self.n + 1) + edge.to]
    }

    fn outermost(&self) -> impl Iterator<Item = usize> + '_ {
        (1..=self.nodes).filter(|&node| self.outer[node] == node)
    }

    /// Grows trees from all that are unmatched until one more pair is made.
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

    /// Follows tight edges from the even vertices in the queue; whether a pair was made.
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

    /// Moves the dual values as far as no edge breaks its bound: some edge becomes tight, or the value of some
    /// odd blossom becomes nothing.
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

    /// Takes the edges that moving the duals made tight; whether a pair was made.
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

    /// Opens the odd blossoms whose dual value is nothing.
    fn expand_empty(&mut self) {
        for node in self.n + 1..=self.nodes {
            if self.outer[node] == node && self.label[node] == Label::Odd && self.dual[node] == 0 {
                self.expand(node);
            }
        }
    }

    /// Takes a tight edge from an even node: the tree grows, a blossom forms or two trees meet and make a pair,
    /// which is the answer.
    fn take(&mut self, edge: Edge) -> bool {
        let (even, other) = (self.outer[edge.from], self.outer[edge.to]);
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

    /// Offers an even vertex as the nearest of `node`.
    fn offer(&mut self, vertex: usize, node: usize) {
        let nearest = self.nearest[node];
        if nearest == NONE || self.slack(self.edge[vertex][node]) < self.slack(self.edge[nearest][node]) {
            self.nearest[node] = vertex;
        }
    }

    /// Finds the nearest even vertex of `node` anew.
    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 1..=self.n {
            if self.outer[vertex] != node && self.label[self.outer[vertex]] == Label::Even {
                self.offer(vertex, node);
            }
        }
    }

    /// Swaps matched and unmatched edges from `node` to its root, beginning with the edge to `other`.
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

    /// The lowest common ancestor of two even nodes, or none when they are in different trees.
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

    /// The nodes from an even node up to `base`, which is left out; the odd ones become even.
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

    /// The smallest sum, from the smallest of all smaller sets.
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
        fn no_matching_is_cheaper(half in 0usize..=6, most in 1u64..60, seed: u64) {
            let n = 2 * half;
            let mut rng = Rng::new(seed);
            let costs: Vec<i128> = (0..n * n).map(|_| i128::from(rng.below(most))).collect();
            let cost = |i: usize, j: usize| costs[i * n + j];
            let mates = cheapest(n, cost);
            prop_assert!(mates.iter().enumerate().all(|(i, &j)| i != j && mates[j] == i));
            let sum: i128 = mates.iter().enumerate().filter(|&(i, &j)| i < j).map(|(i, &j)| cost(i, j)).sum();
            prop_assert_eq!(sum, brute(n, cost));
        }
    }

    #[test]
    fn everybody_gets_a_partner_where_most_pairs_cost_the_same() {
        // Ties everywhere make circles form within circles.
        for most in 2..20 {
            let mut rng = Rng::new(most);
            let costs: Vec<i128> = (0..120 * 120).map(|_| i128::from(rng.below(most))).collect();
            let mates = cheapest(120, |i, j| costs[i * 120 + j]);
            assert!(mates.iter().enumerate().all(|(i, &j)| i != j && mates[j] == i));
        }
    }
}
