//! How long a tournament may take, for `--dry-run`.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::record::own_files::open_to_read;
use crate::text::printable_path;

/// Matches of the record file that say how long one takes.
const MOST_MATCHES: usize = 1000;

/// The time of all matches: by those of the bots that are `playing` in the record file, if there are
/// any.
pub(super) fn estimate(
    moves_a_match: f64,
    matches: f64,
    record: Option<&Path>,
    playing: &[&str],
) -> String {
    let in_all = |ms: f64| shown(ms * matches);
    let about = |shown: String| match shown {
        shown if shown == CENTURY => shown,
        shown => format!("about {shown}"),
    };
    let recorded = record.and_then(|path| Some((path, ms_a_match(path, playing)?)));
    if let Some((record, (count, ms))) = recorded {
        let those = if count == 1 { "match" } else { "matches" };
        let record = printable_path(record);
        return format!(
            "{} on one core, by {count} {those} of these bots in {record}",
            about(in_all(ms))
        );
    }
    let [quick, slow] = [1.0, 100.0].map(|ms| in_all(ms * moves_a_match));
    let quick = about(quick);
    format!("{quick} on one core where a move takes 1 ms, {slow} where it takes 100 ms")
}

/// How many matches between these bots are in a record file, and the mean time of one: that of its
/// moves, and of the answers for which it waited in vain.
fn ms_a_match(record: &Path, playing: &[&str]) -> Option<(usize, f64)> {
    let lines = BufReader::new(open_to_read(record).ok()?).lines();
    let (mut count, mut ms) = (0, 0.0);
    for line in lines.map_while(Result::ok) {
        let Ok(TimedMatch { bots, rounds }) = serde_json::from_str(&line) else { continue };
        if !bots.iter().all(|bot| playing.contains(&&*bot.name)) {
            continue;
        }
        ms += rounds.iter().map(TimedRound::ms).sum::<f64>();
        count += 1;
        if count == MOST_MATCHES {
            break;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "there are few")]
    let mean = ms / count as f64;
    (count > 0).then_some((count, mean))
}

/// The times of a match's record.
#[derive(Deserialize)]
struct TimedMatch {
    bots: [TimedBot; 2],
    rounds: Vec<TimedRound>,
}

#[derive(Deserialize)]
struct TimedBot {
    name: String,
}

#[derive(Deserialize)]
struct TimedRound {
    moves: Vec<TimedMove>,
    result: TimedResult,
}

#[derive(Deserialize)]
struct TimedMove {
    ms: f64,
}

#[derive(Deserialize)]
struct TimedResult {
    fault: Option<TimedFault>,
}

/// A fault, without cause in older records.
#[derive(Deserialize)]
struct TimedFault {
    cause: Option<TimedCause>,
}

#[derive(Deserialize)]
struct TimedCause {
    waited_ms: Option<f64>,
}

impl TimedRound {
    fn ms(&self) -> f64 {
        let cause = self.result.fault.as_ref().and_then(|fault| fault.cause.as_ref());
        let waited = cause.and_then(|cause| cause.waited_ms).unwrap_or(0.0);
        self.moves.iter().map(|one| one.ms).sum::<f64>() + waited
    }
}

/// A time with its two largest units, at least a second.
fn shown(ms: f64) -> String {
    let seconds = Duration::try_from_secs_f64((ms / 1000.0).round().max(1.0));
    let seconds = seconds.unwrap_or(Duration::MAX).as_secs();
    let step = if seconds < 600 { 1 } else { 60 };
    in_words(seconds.checked_next_multiple_of(step).unwrap_or(seconds))
}

/// What is said of a time that nobody waits for.
const CENTURY: &str = "more than 100 years";

/// A time in whole seconds, as a reader has it.
pub(super) fn in_words(seconds: u64) -> String {
    if seconds > 100 * 366 * 24 * 3600 {
        return CENTURY.to_owned();
    }
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}

/// A number with its two first digits.
pub(super) fn rounded(number: f64) -> f64 {
    let step = 10_f64.powf((number.max(1.0).log10() - 1.0).floor().max(0.0));
    (number / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_round_numbers() {
        let texts = [1.0, 42.0, 1234.0, 98_765.0].map(|number| rounded(number).to_string());
        assert_eq!(texts, ["1", "42", "1200", "99000"]);
        assert_eq!([0.0, 4_200.0, 750_000.0].map(shown), ["1s", "4s", "13m"]);
        assert_eq!([1e16, f64::INFINITY].map(shown), [CENTURY; 2]);
        let estimate = estimate(40.0, 1e12, None, &[]);
        let words = "more than 100 years on one core where a move takes 1 ms, more than 100 years";
        assert!(estimate.starts_with(words), "{estimate}");
    }

    #[test]
    fn a_record_says_how_long_a_match_takes() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record");
        let text = |other: &str, moves: &str, fault: &str| {
            format!(
                "{{\"bots\":[{{\"name\":\"ann\"}},{{\"name\":\"{other}\"}}],\"rounds\":[\
                 {{\"moves\":[{moves}],\"result\":{{\"fault\":null}}}},\
                 {{\"moves\":[],\"result\":{{\"fault\":{fault}}}}}]}}\n"
            )
        };
        let one = |ms: u32| format!("{{\"bot\":0,\"move\":1,\"ms\":{ms}.5}}");
        let late = "{\"cause\":{\"code\":\"never_answered\",\"waited_ms\":1000.25}}";
        let lines = [
            String::from("{\"format\":\"x\"}\n"),
            text("ben", &one(9), "null"),
            text("ben", &one(19), "{\"kind\":\"timeout\"}"),
            text("gone", &one(7000), "null"),
            "{".to_owned(),
        ];
        std::fs::write(&record, lines.concat()).unwrap();
        let bots = ["ann", "ben"];
        assert_eq!(ms_a_match(&record, &bots), Some((2, 14.5)));
        let estimate = estimate(40.0, 1000.0, Some(&record), &bots);
        assert!(
            estimate.starts_with("about 15s on one core, by 2 matches of these bots in "),
            "{estimate}"
        );
        std::fs::write(&record, text("ben", &one(19), late)).unwrap();
        assert_eq!(ms_a_match(&record, &bots), Some((1, 1019.75)));
        assert_eq!(ms_a_match(&record, &["ann"]), None);
        std::fs::write(&record, "").unwrap();
        assert_eq!(ms_a_match(&record, &bots), None);
    }
}
