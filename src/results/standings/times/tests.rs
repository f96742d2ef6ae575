//! Times against sorting all of them.

use proptest::prelude::*;

use super::*;

fn times(all: &[f64]) -> MoveTimes {
    let mut times = MoveTimes::default();
    for &ms in all {
        times.add(TimedMove::new(from_ms(ms), 0));
    }
    times
}

fn from_ms(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}

#[test]
fn short_times_are_exact() {
    let empty = times(&[]);
    assert_eq!((empty.median_ms(), empty.p95_ms(), empty.mean_ms()), (None, None, None));
    assert_eq!((empty.longest_ms(), empty.limit_share()), (None, None));
    assert_eq!(times(&[0.113]).median_ms(), Some(0.113));
    assert_eq!(times(&[2.0, 0.001, 1.0]).median_ms(), Some(1.0));
    assert_eq!(times(&[0.1, 0.3, 9000.5, 0.2]).median_ms(), Some(0.25));
    assert_eq!(times(&[0.1, 0.3, 9000.5, 0.2]).longest_ms(), Some(9000.5));
    assert_eq!(times(&[0.001, 0.002]).median_ms(), Some(0.0015));
    assert_eq!(times(&[0.5, 0.25]).mean_ms(), Some(0.375));
}

#[test]
fn the_share_of_the_limit_is_the_longest_moves() {
    let mut times = MoveTimes::default();
    for (ms, limit_ms) in [(90.0, 100), (500.0, 11_000), (500.0, 1_000), (500.0, 0)] {
        times.add(TimedMove::new(from_ms(ms), limit_ms * 1000));
    }
    assert_eq!((times.longest_ms(), times.limit_share()), (Some(500.0), Some(0.5)));
}

proptest! {
    /// Against sorting all of them.
    #[test]
    fn percentiles_and_mean_are_those_of_the_sorted_times(
        mut micros in proptest::collection::vec(0_u32..4096, 1..200),
    ) {
        let found = times(&micros.iter().map(|m| f64::from(*m) / 1e3).collect::<Vec<_>>());
        micros.sort_unstable();
        let p95 = micros[(micros.len() * 95).div_ceil(100) - 1];
        prop_assert_eq!(found.p95_ms(), Some(f64::from(p95) / 1e3));
        let (upper, lower) = (micros[micros.len() / 2], micros[(micros.len() - 1) / 2]);
        prop_assert_eq!(found.median_ms(), Some(f64::from(upper + lower) / 2.0 / 1e3));
        let mean = f64::from(micros.iter().sum::<u32>()) / micros.len() as f64 / 1e3;
        prop_assert!((found.mean_ms().unwrap() - mean).abs() <= 0.0005 + 1e-9);
    }
}

proptest! {
    /// Of times that are not exact, too.
    #[test]
    fn times_are_in_their_order_and_of_one_they_are_its_own(
        mut micros in proptest::collection::vec(0_u64..60_000_000, 1..60),
    ) {
        let mut found = MoveTimes::default();
        for (place, micros) in micros.iter().enumerate() {
            let time = TimedMove::new(Duration::from_micros(*micros), 0);
            // As matches are added up.
            if place % 2 == 0 { found.add(time) } else {
                let mut other = MoveTimes::default();
                other.add(time);
                found.merge(&other);
            }
        }
        micros.sort_unstable();
        let [shortest, longest] = [micros[0], micros[micros.len() - 1]].map(|it| it as f64 / 1e3);
        let [median, p95] = [found.median_ms().unwrap(), found.p95_ms().unwrap()];
        prop_assert!(shortest <= median && median <= p95 && p95 <= longest);
        prop_assert_eq!(found.longest_ms(), Some(longest));
        let true_p95 = micros[(micros.len() * 95).div_ceil(100) - 1] as f64 / 1e3;
        prop_assert!((true_p95 * (1.0 - 1.0 / 2000.0)..=true_p95).contains(&p95));
        let true_median =
            (micros[micros.len() / 2] + micros[(micros.len() - 1) / 2]) as f64 / 2e3;
        prop_assert!((true_median * (1.0 - 1.0 / 2000.0)..=true_median).contains(&median));
    }
}

#[test]
fn steps_go_up_one_by_one() {
    let steps: Vec<u32> = (0..10_000).map(step).collect();
    assert!(steps.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
    assert_eq!(steps[4095], 4095);
}
