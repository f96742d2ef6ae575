//! How long moves took: the longest, and the median from a histogram of bounded size.

use std::collections::BTreeMap;

/// Times of moves. Up to 2 ms the median is right to a microsecond, the precision of a record;
/// above it, to one part in 2,000.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// How many moves took so long, by steps; see [`step`].
    steps: BTreeMap<u32, u64>,
    moves: u64,
    longest: u64,
}

/// So many steps for each power of two of microseconds.
const STEPS_LOG2: u32 = 10;

impl Times {
    /// Adds a move's milliseconds, as a record has them.
    pub(super) fn add_ms(&mut self, ms: f64) {
        // A record's own times are below a year; anything else is as good as that.
        const YEAR: f64 = 366.0 * 24.0 * 3600.0 * 1e6;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within a year"
        )]
        let micros = (ms * 1e3).round().clamp(0.0, YEAR) as u64;
        *self.steps.entry(step(micros)).or_default() += 1;
        self.moves += 1;
        self.longest = self.longest.max(micros);
    }

    pub(super) fn merge(&mut self, other: &Times) {
        for (step, moves) in &other.steps {
            *self.steps.entry(*step).or_default() += moves;
        }
        self.moves += other.moves;
        self.longest = self.longest.max(other.longest);
    }

    /// The median in milliseconds; none without moves.
    pub(super) fn median_ms(&self) -> Option<f64> {
        let at = |rank: u64| {
            let mut before = 0;
            let step = self.steps.iter().find(|(_, moves)| {
                before += **moves;
                before > rank
            });
            step.map(|(step, _)| middle(*step))
        };
        let upper = at(self.moves / 2)?;
        let lower = if self.moves.is_multiple_of(2) { at(self.moves / 2 - 1)? } else { upper };
        // Ends in whole or half microseconds, for a reader.
        Some((lower + upper).round() / 2.0 / 1e3)
    }

    /// The longest in milliseconds; none without moves.
    pub(super) fn longest_ms(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "within a year")]
        let ms = self.longest as f64 / 1e3;
        (self.moves > 0).then_some(ms)
    }
}

/// The step that a time falls into: each microsecond its own up to 2^11, then 2^10 for each power
/// of two.
fn step(micros: u64) -> u32 {
    let shift = (u64::BITS - micros.leading_zeros()).saturating_sub(STEPS_LOG2 + 1);
    let low = u32::try_from(micros >> shift).unwrap_or(u32::MAX);
    (shift << STEPS_LOG2) + low
}

/// The microseconds in the middle of a step.
fn middle(step: u32) -> f64 {
    let shift = (step >> STEPS_LOG2).saturating_sub(1);
    let low = u64::from(step - (shift << STEPS_LOG2)) << shift;
    #[expect(clippy::cast_precision_loss, reason = "within a year")]
    let (low, width) = (low as f64, (1_u64 << shift) as f64);
    low + (width - 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(all: &[f64]) -> Times {
        let mut times = Times::default();
        for &ms in all {
            times.add_ms(ms);
        }
        times
    }

    #[test]
    fn short_times_are_exact() {
        assert_eq!(times(&[]).median_ms(), None);
        assert_eq!(times(&[]).longest_ms(), None);
        assert_eq!(times(&[0.113]).median_ms(), Some(0.113));
        assert_eq!(times(&[2.0, 0.001, 1.0]).median_ms(), Some(1.0));
        assert_eq!(times(&[0.1, 0.3, 9000.5, 0.2]).median_ms(), Some(0.25));
        assert_eq!(times(&[0.1, 0.3, 9000.5, 0.2]).longest_ms(), Some(9000.5));
        assert_eq!(times(&[0.001, 0.002]).median_ms(), Some(0.0015));
        let mut merged = times(&[0.1, 0.2]);
        merged.merge(&times(&[0.3]));
        assert_eq!(merged.median_ms(), Some(0.2));
    }

    #[test]
    fn long_times_are_right_to_one_part_in_two_thousand() {
        let mut micros = 1.0_f64;
        while micros < 3e13 {
            let ms = micros.round() / 1e3;
            let median = times(&[ms]).median_ms().unwrap();
            assert!((median / ms - 1.0).abs() <= 1.0 / 2000.0, "{ms} {median}");
            micros *= 1.01;
        }
        // Nothing that a file may hold breaks it.
        for odd in [f64::MAX, -1.0, f64::INFINITY, f64::NAN] {
            assert!(times(&[odd]).median_ms().unwrap().is_finite());
        }
    }

    #[test]
    fn steps_go_up_one_by_one() {
        let steps: Vec<u32> = (0..10_000).map(step).collect();
        assert!(steps.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
        assert_eq!(steps[2047], 2047);
    }
}
