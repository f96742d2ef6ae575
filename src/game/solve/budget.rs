//! What a search may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Positions between two looks at the clock. They take microseconds, but in a new table each of them
/// may wait for the system to clear a large page, which can take ten milliseconds.
const CLOCK_INTERVAL: u64 = 16;

/// How fast a search is, for what need not be exact.
const POSITIONS_A_MILLISECOND: u64 = 4000;

/// When a search has to stop, whatever it has found.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// After so many positions.
    pub nodes: Option<u64>,
    /// At this instant of the monotonic clock.
    pub until: Option<Instant>,
    /// When this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// One of so many equal shares of what is left of it.
    #[must_use]
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

    /// What is left of it after so many positions.
    #[must_use]
    pub fn after(&self, nodes: u64) -> Budget {
        let left = self.nodes.map(|most| most.saturating_sub(nodes));
        Budget { nodes: left, ..self.clone() }
    }

    /// The same, but no more than so many positions.
    #[must_use]
    pub fn at_most(&self, nodes: u64) -> Budget {
        let nodes = self.nodes.map_or(nodes, |most| most.min(nodes));
        Budget { nodes: Some(nodes), ..self.clone() }
    }

    /// Whether time is up or the user wants to stop.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Counts the positions of a search against its budget, in slices.
#[derive(Debug, Default)]
pub(super) struct Meter {
    budget: Budget,
    nodes: u64,
    /// The count at which the budget is spent, and the one at which the slice is.
    end: u64,
    slice_end: u64,
    is_spent: bool,
}

impl Meter {
    /// Counts on, for another search.
    pub(super) fn begin(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.end = budget.nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.slice_end = self.end;
        self.is_spent = budget.is_over();
    }

    /// Allows so many positions more, within the budget.
    pub(super) fn allow(&mut self, slice: u64) {
        self.slice_end = self.nodes.saturating_add(slice).min(self.end);
    }

    /// Positions that the budget still allows, about.
    pub(super) fn allowed(&self) -> u64 {
        let time = self.budget.until.map_or(u64::MAX, |until| {
            let left = until.saturating_duration_since(Instant::now()).as_millis();
            u64::try_from(left).unwrap_or(u64::MAX).saturating_mul(POSITIONS_A_MILLISECOND)
        });
        time.min(self.end.saturating_sub(self.nodes))
    }

    /// Positions counted since the beginning.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the whole budget is spent.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent || self.nodes >= self.end
    }

    /// Whether the whole budget is spent by now, by the clock.
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
    fn a_wish_to_stop_is_seen_within_a_few_positions() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::default();
        meter.begin(&Budget { stop: Some(Arc::clone(&stop)), ..Budget::default() });
        meter.allow(u64::MAX);
        assert!((0..1000).all(|_| meter.count().is_some()));
        stop.store(true, Ordering::Relaxed);
        // Each may take ten milliseconds.
        assert!((0..20).any(|_| meter.count().is_none()));
        assert!(meter.is_spent());
    }
}
