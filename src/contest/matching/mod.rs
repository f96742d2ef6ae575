//! The cheapest way to put all in pairs: Edmonds' blossom algorithm with dual values, in O(n³)
//! steps.
//!
//! Sources: Z. Galil, *Efficient algorithms for finding maximum matching in graphs*, ACM Computing
//! Surveys 18 (1986), for the duals, the labels and the four ways in which they change.

mod blossom;

use std::collections::VecDeque;

/// The partner of each of `count` vertices, an even number, so that the costs of all pairs add up
/// to the least. `cost` gets `(u, v)` with `u < v`.
pub(super) fn cheapest_pairs(count: usize, cost: impl FnMut(usize, usize) -> i128) -> Vec<usize> {
    let mut search = MatchingSearch::new(count, cost);
    search.pair_greedily();
    while search.improve() {}
    (1..=count).map(|vertex| search.mate[vertex] - 1).collect()
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
    /// Four times the cost of each pair, so that a dual value is a whole number.
    costs: Vec<Vec<i128>>,
    /// `edges[x][y]`: the vertices in `x` and in `y` between which the slack is least.
    edges: Vec<Vec<(usize, usize)>>,
    duals: Vec<i128>,
    /// The vertex at the other end of a node's matched edge.
    mate: Vec<usize>,
    /// The outer vertex from which a node has the least slack.
    nearest: Vec<usize>,
    /// The outermost blossom that a node is in, or itself.
    top: Vec<usize>,
    /// The blossom whose circle a node is in.
    holder: Vec<usize>,
    /// The vertex from which a node got its label.
    parent: Vec<usize>,
    labels: Vec<TreeLabel>,
    /// The nodes of a blossom, in the order of its circle, beginning with its base.
    circle: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl MatchingSearch {
    fn new(vertices: usize, mut cost: impl FnMut(usize, usize) -> i128) -> MatchingSearch {
        // At most half as many blossoms as vertices exist at once.
        let size = vertices + vertices / 2 + 2;
        let mut costs = vec![vec![0; vertices + 1]; vertices + 1];
        let mut edges = vec![vec![(0, 0); size]; size];
        for one in 1..=vertices {
            for other in one + 1..=vertices {
                let cost = 4 * cost(one - 1, other - 1);
                (costs[one][other], costs[other][one]) = (cost, cost);
                (edges[one][other], edges[other][one]) = ((one, other), (other, one));
            }
        }
        MatchingSearch {
            vertices,
            nodes: vertices,
            costs,
            edges,
            duals: vec![0; size],
            mate: vec![0; size],
            nearest: vec![0; size],
            top: (0..size).map(|node| if node > vertices { 0 } else { node }).collect(),
            holder: vec![0; size],
            parent: vec![0; size],
            labels: vec![TreeLabel::Free; size],
            circle: vec![Vec::new(); size],
            queue: VecDeque::new(),
        }
    }

    /// Pairs most vertices along edges without slack, so that few are left for the search.
    fn pair_greedily(&mut self) {
        for u in 1..=self.vertices {
            let costs = (1..=self.vertices).filter(|&v| v != u).map(|v| self.costs[u][v]);
            self.duals[u] = costs.min().unwrap_or(0) / 2;
        }
        for u in 1..=self.vertices {
            let others = (1..=self.vertices).filter(|&v| v != u);
            let nearest = others.min_by_key(|&v| (self.slack(u, v), self.mate[v]));
            let Some(v) = nearest else { return };
            self.duals[u] += self.slack(u, v);
            if self.mate[u] == 0 && self.mate[v] == 0 {
                (self.mate[u], self.mate[v]) = (v, u);
            }
        }
    }

    /// How much more the edge between two nodes costs than their duals allow.
    fn slack(&self, x: usize, y: usize) -> i128 {
        let (u, v) = self.edges[x][y];
        self.costs[u][v] - self.duals[u] - self.duals[v]
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
            if top != node && self.labels[top] == TreeLabel::Outer {
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

    /// The outer nodes from `x` to its root.
    fn way_to_root(&self, x: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(x), |&node| {
            let inner = self.top[self.mate[node]];
            (inner != 0).then(|| self.top[self.parent[inner]])
        })
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
                let way: Vec<usize> = self.way_to_root(x).collect();
                let common = self.way_to_root(y).find(|node| way.contains(node));
                let Some(base) = common else {
                    self.augment(x, y);
                    self.augment(y, x);
                    return true;
                };
                self.add_blossom(x, base, y);
            }
            TreeLabel::Inner => {}
        }
        false
    }

    /// Adds a pair to the matching. False if all are paired.
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
                for v in 1..=self.vertices {
                    let top = self.top[v];
                    if top == self.top[u] || self.labels[top] == TreeLabel::Inner {
                        continue;
                    }
                    if self.slack(u, v) > 0 {
                        self.offer_nearest(u, top);
                    } else if self.follow((u, v)) {
                        return true;
                    }
                }
            }
            self.change_duals();
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

    /// Raises the duals of outer nodes and lowers those of inner ones, until an edge has no slack or
    /// a blossom no dual.
    fn change_duals(&mut self) {
        let mut step = i128::MAX;
        for node in (1..=self.nodes).filter(|&node| self.is_top(node)) {
            let nearest = self.nearest[node];
            let limit = match self.labels[node] {
                TreeLabel::Inner if node > self.vertices => self.duals[node] / 2,
                TreeLabel::Free if nearest != 0 => self.slack(nearest, node),
                TreeLabel::Outer if nearest != 0 => self.slack(nearest, node) / 2,
                _ => continue,
            };
            step = step.min(limit);
        }
        for node in 1..=self.nodes {
            let change = match self.labels[self.top[node]] {
                TreeLabel::Outer => step,
                TreeLabel::Inner => -step,
                TreeLabel::Free => 0,
            };
            if node <= self.vertices {
                self.duals[node] += change;
            } else if self.is_top(node) {
                self.duals[node] += 2 * change;
            }
        }
    }
}

#[cfg(test)]
mod tests;
