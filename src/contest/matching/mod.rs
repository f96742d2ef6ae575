//! The heaviest matching of a graph: Edmonds' blossom algorithm with dual values, in O(n³) steps.
//!
//! Sources: Z. Galil, *Efficient algorithms for finding maximum matching in graphs*, ACM Computing
//! Surveys 18 (1986), for the duals, the labels and the four ways in which they change.

mod blossom;

use std::collections::VecDeque;

/// The partner of each of `count` vertices, so that the weights of all pairs add up to the most.
/// Two vertices whose `weight` is 0 or less are never a pair. Takes `(u, v)` with `u < v`.
pub(super) fn heaviest_matching(
    count: usize,
    weight: impl FnMut(usize, usize) -> i128,
) -> Vec<Option<usize>> {
    let mut search = MatchingSearch::new(count, weight);
    while search.improve() {}
    (1..=count).map(|vertex| search.mate[vertex].checked_sub(1)).collect()
}

/// The part of a node in the alternating trees that grow from unpaired nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeLabel {
    /// In no tree.
    Free,
    /// An even number of edges from the root.
    Outer,
    /// An odd number of edges from the root.
    Inner,
}

/// Nodes are vertices, `1..=vertices`, and above them blossoms: odd circles that count as one node.
/// 0 stands for none.
struct MatchingSearch {
    vertices: usize,
    /// The highest node in use.
    nodes: usize,
    weights: Vec<Vec<i128>>,
    /// `edges[x][y]`: the vertices in `x` and in `y` between which the slack is least.
    edges: Vec<Vec<(usize, usize)>>,
    /// Twice the dual value of a vertex; the dual value of a blossom.
    duals: Vec<i128>,
    /// The vertex at the other end of a node's matched edge.
    mate: Vec<usize>,
    /// The outer vertex from which a node has the least slack.
    nearest: Vec<usize>,
    /// The outermost blossom that a node is in, or itself.
    top: Vec<usize>,
    /// The vertex from which a node got its label.
    parent: Vec<usize>,
    labels: Vec<TreeLabel>,
    /// The nodes of a blossom, in the order of its circle, beginning with its base.
    circle: Vec<Vec<usize>>,
    /// `child[blossom][vertex]`: the node of the blossom's circle that the vertex is in.
    child: Vec<Vec<usize>>,
    /// Marks of the walk to a common root.
    visits: Vec<usize>,
    visit: usize,
    queue: VecDeque<usize>,
}

impl MatchingSearch {
    fn new(vertices: usize, mut weight: impl FnMut(usize, usize) -> i128) -> MatchingSearch {
        // At most half as many blossoms as vertices exist at once.
        let size = vertices + vertices / 2 + 2;
        let mut weights = vec![vec![0; vertices + 1]; vertices + 1];
        let mut edges = vec![vec![(0, 0); size]; size];
        let mut child = vec![vec![0; vertices + 1]; size];
        let mut heaviest = 0;
        for one in 1..=vertices {
            child[one][one] = one;
            for other in one + 1..=vertices {
                let weight = weight(one - 1, other - 1).max(0);
                heaviest = heaviest.max(weight);
                (weights[one][other], weights[other][one]) = (weight, weight);
                (edges[one][other], edges[other][one]) = ((one, other), (other, one));
            }
        }
        let mut duals = vec![0; size];
        duals[1..=vertices].fill(heaviest);
        MatchingSearch {
            vertices,
            nodes: vertices,
            weights,
            edges,
            duals,
            mate: vec![0; size],
            nearest: vec![0; size],
            top: (0..size).map(|node| if node > vertices { 0 } else { node }).collect(),
            parent: vec![0; size],
            labels: vec![TreeLabel::Free; size],
            circle: vec![Vec::new(); size],
            child,
            visits: vec![0; size],
            visit: 0,
            queue: VecDeque::new(),
        }
    }

    fn has_edge(&self, x: usize, y: usize) -> bool {
        let (u, v) = self.edges[x][y];
        self.weights[u][v] > 0
    }

    /// Twice the slack of the edge between two nodes that are in no blossom together.
    fn slack(&self, x: usize, y: usize) -> i128 {
        let (u, v) = self.edges[x][y];
        self.duals[u] + self.duals[v] - 2 * self.weights[u][v]
    }

    fn is_top(&self, node: usize) -> bool {
        self.top[node] == node
    }

    fn offer_nearest(&mut self, vertex: usize, node: usize) {
        let known = self.nearest[node];
        if known == 0 || self.slack(vertex, node) < self.slack(known, node) {
            self.nearest[node] = vertex;
        }
    }

    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = 0;
        for vertex in 1..=self.vertices {
            let top = self.top[vertex];
            if self.has_edge(vertex, node) && top != node && self.labels[top] == TreeLabel::Outer {
                self.offer_nearest(vertex, node);
            }
        }
    }

    /// Swaps matched and unmatched edges from node `x`, which gets `y`, up to its root.
    fn augment(&mut self, mut x: usize, mut y: usize) {
        loop {
            let before = self.top[self.mate[x]];
            self.set_mate(x, y);
            if before == 0 {
                return;
            }
            let above = self.top[self.parent[before]];
            self.set_mate(before, above);
            (x, y) = (above, before);
        }
    }

    /// The first node that is on both ways to the roots; 0 if they have different roots.
    fn common_node(&mut self, mut x: usize, mut y: usize) -> usize {
        self.visit += 1;
        while x != 0 || y != 0 {
            if x != 0 {
                if self.visits[x] == self.visit {
                    return x;
                }
                self.visits[x] = self.visit;
                x = self.top[self.mate[x]];
                if x != 0 {
                    x = self.top[self.parent[x]];
                }
            }
            (x, y) = (y, x);
        }
        0
    }

    /// Follows an edge without slack from an outer vertex. True if it made the matching larger.
    fn follow(&mut self, (u, v): (usize, usize)) -> bool {
        let (x, y) = (self.top[u], self.top[v]);
        match self.labels[y] {
            TreeLabel::Free => {
                self.parent[y] = u;
                self.labels[y] = TreeLabel::Inner;
                let outer = self.top[self.mate[y]];
                self.nearest[y] = 0;
                self.nearest[outer] = 0;
                self.labels[outer] = TreeLabel::Outer;
                self.enqueue(outer);
            }
            TreeLabel::Outer => {
                let base = self.common_node(x, y);
                if base == 0 {
                    self.augment(x, y);
                    self.augment(y, x);
                    return true;
                }
                self.add_blossom(x, base, y);
            }
            TreeLabel::Inner => {}
        }
        false
    }

    /// Makes the matching larger by one pair. False if none makes it heavier.
    fn improve(&mut self) -> bool {
        self.labels.fill(TreeLabel::Free);
        self.nearest.fill(0);
        self.queue.clear();
        for node in 1..=self.nodes {
            if self.is_top(node) && self.mate[node] == 0 {
                self.parent[node] = 0;
                self.labels[node] = TreeLabel::Outer;
                self.enqueue(node);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                if self.labels[self.top[u]] == TreeLabel::Inner {
                    continue;
                }
                for v in 1..=self.vertices {
                    if !self.has_edge(u, v) || self.top[u] == self.top[v] {
                        continue;
                    }
                    if self.slack(u, v) > 0 {
                        self.offer_nearest(u, self.top[v]);
                    } else if self.follow((u, v)) {
                        return true;
                    }
                }
            }
            if !self.change_duals() {
                return false;
            }
            for node in 1..=self.nodes {
                let vertex = self.nearest[node];
                if self.is_top(node)
                    && vertex != 0
                    && self.top[vertex] != node
                    && self.slack(vertex, node) == 0
                    && self.follow(self.edges[vertex][node])
                {
                    return true;
                }
            }
            for blossom in self.vertices + 1..=self.nodes {
                if self.is_top(blossom)
                    && self.labels[blossom] == TreeLabel::Inner
                    && self.duals[blossom] == 0
                {
                    self.expand_blossom(blossom);
                }
            }
        }
    }

    /// Lowers the duals of outer nodes and raises those of inner ones, until an edge has no slack or
    /// a blossom no dual. False if a vertex would be worth less than nothing.
    fn change_duals(&mut self) -> bool {
        let mut step = i128::MAX;
        for node in 1..=self.nodes {
            if !self.is_top(node) {
                continue;
            }
            if node > self.vertices && self.labels[node] == TreeLabel::Inner {
                step = step.min(self.duals[node] / 2);
            }
            if self.nearest[node] != 0 {
                let slack = self.slack(self.nearest[node], node);
                match self.labels[node] {
                    TreeLabel::Free => step = step.min(slack),
                    TreeLabel::Outer => step = step.min(slack / 2),
                    TreeLabel::Inner => {}
                }
            }
        }
        let is_outer = |vertex: &usize| self.labels[self.top[*vertex]] == TreeLabel::Outer;
        if (1..=self.vertices).filter(is_outer).any(|vertex| self.duals[vertex] <= step) {
            return false;
        }
        for node in 1..=self.nodes {
            let sign = match self.labels[self.top[node]] {
                TreeLabel::Outer => 1,
                TreeLabel::Inner => -1,
                TreeLabel::Free => 0,
            };
            if node <= self.vertices {
                self.duals[node] -= sign * step;
            } else if self.is_top(node) {
                self.duals[node] += sign * 2 * step;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
