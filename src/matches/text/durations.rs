//! Durations as readers have them.

use std::time::Duration;

/// What is said of a time that is too long to wait for.
pub const CENTURY: &str = "more than 100 years";

/// From here on seconds are left out of estimates.
const TEN_MINUTES: u64 = 600;

/// `2 days 3h`, `13m 5s`.
pub fn duration_in_words(time: Duration) -> String {
    if time.as_secs() > 100 * 366 * 24 * 3600 {
        return CENTURY.to_owned();
    }
    let words = humantime::format_duration(time).to_string();
    let apart = |part: &str| {
        let unit = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_word = ["day", "month", "year"].iter().any(|word| unit.starts_with(word));
        let number = part.strip_suffix(unit).filter(|_| is_word);
        number.map_or_else(|| part.to_owned(), |number| format!("{number} {unit}"))
    };
    words.split(' ').map(apart).collect::<Vec<_>>().join(" ")
}

/// An estimate in whole seconds, at least one; from ten minutes on in whole minutes.
pub fn estimate_in_words(time: Duration) -> String {
    let whole = time.saturating_add(Duration::from_nanos(999_999_999)).as_secs().max(1);
    let step = if whole < TEN_MINUTES { 1 } else { 60 };
    duration_in_words(Duration::from_secs(whole.checked_next_multiple_of(step).unwrap_or(whole)))
}

/// `3m 20s left`, where `left` more things take as long as those that are `done`.
pub fn time_left(spent: Duration, done: u64, left: u64) -> String {
    let seconds = spent.as_secs_f64() * left as f64 / done as f64;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    format!("{} left", estimate_in_words(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_words_and_smaller_units_are_not() {
        let shown = |seconds| duration_in_words(Duration::from_secs(seconds));
        let times = [0, 4, 785, 7200, 86_400, 2 * 86_400 + 3 * 3600, 400 * 86_400].map(shown);
        let words = ["0s", "4s", "13m 5s", "2h", "1 day", "2 days 3h", "1 year 1 month 4 days"];
        for (time, words) in times.iter().zip(words) {
            assert!(time.starts_with(words), "{time}, not {words}");
        }
        assert_eq!(shown(u64::MAX), CENTURY);
        assert_eq!(duration_in_words(Duration::from_millis(500)), "500ms");
    }

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let left = |seconds, done, left| time_left(Duration::from_secs(seconds), done, left);
        assert_eq!(left(10, 4, 6), "15s left");
        assert_eq!(left(10, 4, 0), "1s left");
        assert_eq!(left(601, 1, 1), "11m left");
        assert_eq!(left(3600, 1, 60), "2 days 12h left");
        assert_eq!(left(1, 0, 5), format!("{CENTURY} left"));
    }
}
