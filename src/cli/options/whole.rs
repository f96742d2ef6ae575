//! Options that are whole numbers.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// A parser for whole numbers in this range.
pub(in crate::cli) fn whole<T: FromStr>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let is_in_range = text.parse().is_ok_and(|number| range.contains(&number));
        text.parse().ok().filter(|_| is_in_range).ok_or_else(|| {
            format!("expected a whole number from {} to {}", range.start(), range.end())
        })
    }
}
