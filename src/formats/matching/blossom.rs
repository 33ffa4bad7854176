//! Blossoms: odd cycles that act as a single node while trees grow. When a blossom is matched, so are the nodes inside.

use super::{Edge, Graph, Label, NONE};

impl Graph {
    /// Shrinks the cycle through `one`, `base` and `other` to a blossom.
    pub(super) fn shrink(&mut self, one: usize, base: usize, other: usize) {
        let blossom = (self.n + 1..=self.nodes).find(|&b| self.outer[b] == NONE).unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        let mut cycle = self.branch(one, base);
        cycle.push(base);
        cycle.reverse();
        cycle.extend(self.branch(other, base));

        self.dual[blossom] = 0;
        self.label[blossom] = Label::Even;
        self.mate[blossom] = self.mate[base];
        self.cycle[blossom] = cycle.clone();
        self.set_outer(blossom, blossom);
        self.edge[blossom].fill(Edge::default());
        for row in &mut self.edge {
            row[blossom] = Edge::default();
        }
        for inner in cycle {
            self.adopt(blossom, inner);
        }
        self.find_nearest(blossom);
    }

    /// Gives the blossom the vertices of `inner`, and its edges where they are the best.
    fn adopt(&mut self, blossom: usize, inner: usize) {
        for node in 1..=self.nodes {
            let own = self.edge[blossom][node];
            let edge = self.edge[inner][node];
            if edge.from != NONE && (own.from == NONE || self.slack(edge) < self.slack(own)) {
                self.edge[blossom][node] = edge;
                self.edge[node][blossom] = Edge { from: edge.to, to: edge.from };
            }
        }
        for vertex in 1..=self.n {
            if vertex == inner || (inner > self.n && self.within[inner][vertex] != NONE) {
                self.within[blossom][vertex] = inner;
            }
        }
    }

    /// Expands an odd blossom: the even path through it stays in the tree, and the rest becomes free.
    pub(super) fn expand(&mut self, blossom: usize) {
        let cycle = self.cycle[blossom].clone();
        for &inner in &cycle {
            self.set_outer(inner, inner);
        }
        let entry = self.within[blossom][self.edge[blossom][self.parent[blossom]].from];
        let path = self.even_path(blossom, entry);
        let cycle = self.cycle[blossom].clone();
        for pair in cycle[..path].chunks_exact(2) {
            let odd = pair[0];
            let even = pair[1];
            self.parent[odd] = self.edge[even][odd].from;
            self.label[odd] = Label::Odd;
            self.label[even] = Label::Even;
            self.nearest[odd] = NONE;
            self.find_nearest(even);
            self.enqueue(even);
        }
        self.label[entry] = Label::Odd;
        self.parent[entry] = self.parent[blossom];
        for &inner in &cycle[path + 1..] {
            self.label[inner] = Label::Free;
            self.find_nearest(inner);
        }
        self.outer[blossom] = NONE;
        self.within[blossom].fill(NONE);
    }

    /// Sets the outermost node of `node` and of all nodes in it to `outer`.
    fn set_outer(&mut self, node: usize, outer: usize) {
        self.outer[node] = outer;
        if node > self.n {
            for at in 0..self.cycle[node].len() {
                self.set_outer(self.cycle[node][at], outer);
            }
        }
    }

    /// The position of `inner` in the blossom's cycle, which is reversed if needed to make that position even.
    fn even_path(&mut self, blossom: usize, inner: usize) -> usize {
        let cycle = &mut self.cycle[blossom];
        let at = cycle.iter().position(|&node| node == inner).unwrap_or_default();
        if at.is_multiple_of(2) {
            return at;
        }
        cycle[1..].reverse();
        cycle.len() - at
    }

    /// Matches `node` along `edge`, and the nodes inside it accordingly.
    pub(super) fn pair(&mut self, node: usize, edge: Edge) {
        self.mate[node] = edge.to;
        if node <= self.n {
            return;
        }
        let inner = self.within[node][edge.from];
        let path = self.even_path(node, inner);
        for at in 0..path {
            let here = self.cycle[node][at];
            let there = self.cycle[node][at ^ 1];
            self.pair(here, self.edge[here][there]);
        }
        self.pair(inner, edge);
        self.cycle[node].rotate_left(path);
    }

    /// Adds the vertices of an even node to the queue.
    pub(super) fn enqueue(&mut self, node: usize) {
        if node <= self.n {
            self.queue.push_back(node);
            return;
        }
        for at in 0..self.cycle[node].len() {
            self.enqueue(self.cycle[node][at]);
        }
    }
}
