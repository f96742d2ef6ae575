//! The heaviest matching of a graph: Edmonds' blossom algorithm with dual values, in O(n³) steps.
//!
//! Sources: Z. Galil, *Efficient algorithms for finding maximum matching in graphs*, ACM Computing
//! Surveys 18 (1986), for the duals, the labels and the four ways in which they change.

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
enum Label {
    /// In no tree.
    Free,
    /// An even number of edges from the root.
    Outer,
    /// An odd number of edges from the root.
    Inner,
}

/// Nodes are vertices, `1..=vertices`, and above them blossoms: odd circles that count as one node.
/// 0 is no node.
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
    labels: Vec<Label>,
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
            labels: vec![Label::Free; size],
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
            if self.has_edge(vertex, node) && top != node && self.labels[top] == Label::Outer {
                self.offer_nearest(vertex, node);
            }
        }
    }

    /// Queues all vertices of a node.
    fn enqueue(&mut self, node: usize) {
        if node <= self.vertices {
            self.queue.push_back(node);
        }
        for index in 0..self.circle[node].len() {
            self.enqueue(self.circle[node][index]);
        }
    }

    fn set_top(&mut self, node: usize, top: usize) {
        self.top[node] = top;
        for index in 0..self.circle[node].len() {
            self.set_top(self.circle[node][index], top);
        }
    }

    /// The place of a node in a blossom's circle, which is turned round if that makes it even.
    fn even_place(&mut self, blossom: usize, node: usize) -> usize {
        let circle = &mut self.circle[blossom];
        let place = circle.iter().position(|&it| it == node).unwrap_or(0);
        if place.is_multiple_of(2) {
            return place;
        }
        circle[1..].reverse();
        circle.len() - place
    }

    /// Pairs node `x` along its edge to node `y`, and the nodes within `x` accordingly.
    fn set_mate(&mut self, x: usize, y: usize) {
        let (inside, outside) = self.edges[x][y];
        self.mate[x] = outside;
        if x > self.vertices {
            let node = self.child[x][inside];
            let place = self.even_place(x, node);
            for index in 0..place {
                self.set_mate(self.circle[x][index], self.circle[x][index ^ 1]);
            }
            self.set_mate(node, y);
            self.circle[x].rotate_left(place);
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

    /// Makes a blossom of the circle that an edge between `x` and `y` closes; `base` is the node
    /// where it hangs on its tree.
    fn add_blossom(&mut self, x: usize, base: usize, y: usize) {
        let blossom = (self.vertices + 1..=self.nodes).find(|&node| self.top[node] == 0);
        let blossom = blossom.unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        self.duals[blossom] = 0;
        self.labels[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[base];
        let mut circle = vec![base];
        for (side, end) in [x, y].into_iter().enumerate() {
            let mut node = end;
            while node != base {
                let inner = self.top[self.mate[node]];
                circle.extend([node, inner]);
                self.enqueue(inner);
                node = self.top[self.parent[inner]];
            }
            if side == 0 {
                circle[1..].reverse();
            }
        }
        self.circle[blossom].clone_from(&circle);
        self.set_top(blossom, blossom);
        for node in 0..self.edges.len() {
            (self.edges[blossom][node], self.edges[node][blossom]) = ((0, 0), (0, 0));
        }
        self.child[blossom].fill(0);
        for part in circle {
            for node in 1..=self.nodes {
                if self.has_edge(part, node)
                    && (!self.has_edge(blossom, node)
                        || self.slack(part, node) < self.slack(blossom, node))
                {
                    self.edges[blossom][node] = self.edges[part][node];
                    self.edges[node][blossom] = self.edges[node][part];
                }
            }
            for vertex in 1..=self.vertices {
                if self.child[part][vertex] != 0 {
                    self.child[blossom][vertex] = part;
                }
            }
        }
        self.find_nearest(blossom);
    }

    /// Makes nodes of their own of an inner blossom's circle.
    fn expand_blossom(&mut self, blossom: usize) {
        for index in 0..self.circle[blossom].len() {
            let node = self.circle[blossom][index];
            self.set_top(node, node);
        }
        let (inside, _) = self.edges[blossom][self.parent[blossom]];
        let entry = self.child[blossom][inside];
        let place = self.even_place(blossom, entry);
        let circle = std::mem::take(&mut self.circle[blossom]);
        // The even way from the entry to the base stays in the tree.
        for pair in circle[..place].chunks(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edges[outer][inner].0;
            self.labels[inner] = Label::Inner;
            self.labels[outer] = Label::Outer;
            self.nearest[inner] = 0;
            self.find_nearest(outer);
            self.enqueue(outer);
        }
        self.labels[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &node in &circle[place + 1..] {
            self.labels[node] = Label::Free;
            self.find_nearest(node);
        }
        self.top[blossom] = 0;
    }

    /// Follows an edge without slack from an outer vertex. True if it made the matching larger.
    fn follow(&mut self, (u, v): (usize, usize)) -> bool {
        let (x, y) = (self.top[u], self.top[v]);
        match self.labels[y] {
            Label::Free => {
                self.parent[y] = u;
                self.labels[y] = Label::Inner;
                let outer = self.top[self.mate[y]];
                self.nearest[y] = 0;
                self.nearest[outer] = 0;
                self.labels[outer] = Label::Outer;
                self.enqueue(outer);
            }
            Label::Outer => {
                let base = self.common_node(x, y);
                if base == 0 {
                    self.augment(x, y);
                    self.augment(y, x);
                    return true;
                }
                self.add_blossom(x, base, y);
            }
            Label::Inner => {}
        }
        false
    }

    /// Makes the matching larger by one pair. False if none makes it heavier.
    fn improve(&mut self) -> bool {
        self.labels.fill(Label::Free);
        self.nearest.fill(0);
        self.queue.clear();
        for node in 1..=self.nodes {
            if self.is_top(node) && self.mate[node] == 0 {
                self.parent[node] = 0;
                self.labels[node] = Label::Outer;
                self.enqueue(node);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                if self.labels[self.top[u]] == Label::Inner {
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
                    && self.labels[blossom] == Label::Inner
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
            if node > self.vertices && self.labels[node] == Label::Inner {
                step = step.min(self.duals[node] / 2);
            }
            if self.nearest[node] != 0 {
                let slack = self.slack(self.nearest[node], node);
                match self.labels[node] {
                    Label::Free => step = step.min(slack),
                    Label::Outer => step = step.min(slack / 2),
                    Label::Inner => {}
                }
            }
        }
        let is_outer = |vertex: &usize| self.labels[self.top[*vertex]] == Label::Outer;
        if (1..=self.vertices).filter(is_outer).any(|vertex| self.duals[vertex] <= step) {
            return false;
        }
        for node in 1..=self.nodes {
            let sign = match self.labels[self.top[node]] {
                Label::Outer => 1,
                Label::Inner => -1,
                Label::Free => 0,
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The most that pairs among the vertices of a set weigh, tried one by one.
    fn heaviest_by_trying(weights: &[Vec<i128>], free: u32) -> i128 {
        if free == 0 {
            return 0;
        }
        let one = free.trailing_zeros() as usize;
        let rest = free & (free - 1);
        let others = (0..weights.len()).filter(|&other| rest >> other & 1 == 1);
        others
            .filter(|&other| weights[one][other] > 0)
            .map(|other| weights[one][other] + heaviest_by_trying(weights, rest & !(1 << other)))
            .fold(heaviest_by_trying(weights, rest), i128::max)
    }

    fn graph(most: i128) -> impl Strategy<Value = Vec<Vec<i128>>> {
        (1_usize..=10).prop_flat_map(move |count| {
            prop::collection::vec(prop::collection::vec(-2..most, count), count)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn no_matching_is_heavier(
            weights in prop_oneof![graph(2), graph(4), graph(60), graph(1 << 100)],
        ) {
            let count = weights.len();
            let symmetric: Vec<Vec<i128>> = (0..count)
                .map(|u| (0..count).map(|v| weights[u.min(v)][u.max(v)]).collect())
                .collect();
            let mates = heaviest_matching(count, |u, v| symmetric[u][v]);
            let mut total = 0;
            for (vertex, mate) in mates.iter().enumerate() {
                let Some(mate) = *mate else { continue };
                prop_assert!(mate != vertex && mates[mate] == Some(vertex));
                prop_assert!(symmetric[vertex][mate] > 0);
                total += symmetric[vertex][mate];
            }
            prop_assert_eq!(total / 2, heaviest_by_trying(&symmetric, (1 << count) - 1));
        }
    }
}
