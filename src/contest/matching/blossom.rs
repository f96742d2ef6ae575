//! Blossoms: circles of an odd number of nodes that count as one node, made and taken apart.

use super::{MatchingSearch, TreeLabel};

impl MatchingSearch {
    /// Makes a blossom of the circle that an edge between `x` and `y` closes; `base` is the node
    /// where it hangs on its tree.
    pub(super) fn add_blossom(&mut self, x: usize, base: usize, y: usize) {
        let blossom = (self.vertices + 1..=self.nodes).find(|&node| self.top[node] == 0);
        let blossom = blossom.unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        self.duals[blossom] = 0;
        self.labels[blossom] = TreeLabel::Outer;
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
        for &part in &circle {
            self.holder[part] = blossom;
        }
        self.set_top(blossom, blossom);
        for node in 1..=self.nodes {
            let parts = circle.iter().copied().filter(|&part| part != node);
            let nearest = parts.min_by_key(|&part| self.slack(part, node)).unwrap_or(base);
            self.edges[blossom][node] = self.edges[nearest][node];
            self.edges[node][blossom] = self.edges[node][nearest];
        }
        self.find_nearest(blossom);
    }

    /// Makes nodes of their own of an inner blossom's circle.
    pub(super) fn expand_blossom(&mut self, blossom: usize) {
        let (inside, _) = self.edges[blossom][self.parent[blossom]];
        let entry = self.part_with(blossom, inside);
        for index in 0..self.circle[blossom].len() {
            let node = self.circle[blossom][index];
            self.holder[node] = 0;
            self.set_top(node, node);
        }
        let place = self.even_place(blossom, entry);
        let circle = std::mem::take(&mut self.circle[blossom]);
        // The even way from the entry to the base stays in the tree.
        for pair in circle[..place].chunks(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edges[outer][inner].0;
            self.labels[inner] = TreeLabel::Inner;
            self.labels[outer] = TreeLabel::Outer;
            self.nearest[inner] = 0;
            self.find_nearest(outer);
            self.enqueue(outer);
        }
        self.labels[entry] = TreeLabel::Inner;
        self.parent[entry] = self.parent[blossom];
        for &node in &circle[place + 1..] {
            self.labels[node] = TreeLabel::Free;
            self.find_nearest(node);
        }
        self.top[blossom] = 0;
    }

    /// The place of a node in a blossom's circle, which is turned round if that makes it even.
    pub(super) fn even_place(&mut self, blossom: usize, node: usize) -> usize {
        let circle = &mut self.circle[blossom];
        let place = circle.iter().position(|&it| it == node).unwrap_or(0);
        if place.is_multiple_of(2) {
            return place;
        }
        circle[1..].reverse();
        circle.len() - place
    }

    /// The node of a blossom's circle that one of its vertices is in.
    fn part_with(&self, blossom: usize, vertex: usize) -> usize {
        let mut node = vertex;
        while self.holder[node] != blossom {
            node = self.holder[node];
        }
        node
    }

    pub(super) fn set_top(&mut self, node: usize, top: usize) {
        self.top[node] = top;
        for index in 0..self.circle[node].len() {
            self.set_top(self.circle[node][index], top);
        }
    }

    /// Queues all vertices of a node.
    pub(super) fn enqueue(&mut self, node: usize) {
        if node <= self.vertices {
            self.queue.push_back(node);
        }
        for index in 0..self.circle[node].len() {
            self.enqueue(self.circle[node][index]);
        }
    }

    /// Pairs node `x` along its edge to node `y`, and the nodes within `x` accordingly.
    pub(super) fn set_mate(&mut self, x: usize, y: usize) {
        let (inside, outside) = self.edges[x][y];
        self.mate[x] = outside;
        if x > self.vertices {
            let node = self.part_with(x, inside);
            let place = self.even_place(x, node);
            for index in 0..place {
                self.set_mate(self.circle[x][index], self.circle[x][index ^ 1]);
            }
            self.set_mate(node, y);
            self.circle[x].rotate_left(place);
        }
    }
}
