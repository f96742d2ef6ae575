//! The limits of a search: positions, time and a stop flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Positions between two reads of the clock. They take microseconds; in a new table each of them may
/// wait up to ten milliseconds for the system to clear a large page.
const CLOCK_INTERVAL: u64 = 16;

/// A rough speed of the search.
const POSITIONS_A_MILLISECOND: u64 = 4000;

/// When a search has to stop.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most positions to search.
    pub nodes: Option<u64>,
    /// The end on the monotonic clock.
    pub until: Option<Instant>,
    /// Stops the search once it is true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// One of `shares` equal parts of the budget.
    pub fn share(&self, shares: usize) -> Budget {
        let shares = u32::try_from(shares.max(1)).unwrap_or(u32::MAX);
        let now = Instant::now();
        let share = |until: Instant| now + until.saturating_duration_since(now) / shares;
        Budget {
            nodes: self.nodes.map(|nodes| nodes / u64::from(shares)),
            until: self.until.map(share),
            stop: self.stop.clone(),
        }
    }

    /// What is left after `nodes` positions.
    pub(crate) fn after(&self, nodes: u64) -> Budget {
        let left = self.nodes.map(|most| most.saturating_sub(nodes));
        Budget { nodes: left, ..self.clone() }
    }

    /// The same budget with at most `nodes` positions.
    pub fn at_most(&self, nodes: u64) -> Budget {
        let nodes = self.nodes.map_or(nodes, |most| most.min(nodes));
        Budget { nodes: Some(nodes), ..self.clone() }
    }

    /// True if the time is up or `stop` is true.
    pub fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Counts the positions of a search against its budget, in slices.
#[derive(Debug, Default)]
pub(super) struct NodeBudget {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is spent, and the one at which the slice is.
    end: u64,
    slice_end: u64,
    is_spent: bool,
}

impl NodeBudget {
    /// Begins another search; the count goes on.
    pub(super) fn begin(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.end = budget.nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.slice_end = self.end;
        self.is_spent = budget.is_over();
    }

    /// Begins a slice of `slice` positions, which the budget may cut short.
    pub(super) fn allow(&mut self, slice: u64) {
        self.slice_end = self.nodes.saturating_add(slice).min(self.end);
    }

    /// About how many positions the budget still allows.
    pub(super) fn allowed(&self) -> u64 {
        let time = self.budget.until.map_or(u64::MAX, |until| {
            let left = until.saturating_duration_since(Instant::now()).as_millis();
            u64::try_from(left).unwrap_or(u64::MAX).saturating_mul(POSITIONS_A_MILLISECOND)
        });
        time.min(self.end.saturating_sub(self.nodes))
    }

    /// Positions of all searches.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// True if the whole budget was spent at the last check.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent || self.nodes >= self.end
    }

    /// Reads the clock. True if the whole budget is spent.
    pub(super) fn check(&mut self) -> bool {
        self.is_spent |= self.budget.is_over();
        self.is_spent()
    }

    #[inline]
    pub(super) fn count(&mut self) -> Option<()> {
        if self.nodes >= self.slice_end || self.is_spent {
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) && self.check() {
            return None;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_is_seen_within_a_few_positions() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = NodeBudget::default();
        budget.begin(&Budget { stop: Some(Arc::clone(&stop)), ..Budget::default() });
        budget.allow(u64::MAX);
        assert!((0..1000).all(|_| budget.count().is_some()));
        stop.store(true, Ordering::Relaxed);
        // Each may take ten milliseconds.
        assert!((0..20).any(|_| budget.count().is_none()));
        assert!(budget.is_spent());
    }
}
