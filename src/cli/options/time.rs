//! The options that say how long a bot may think and a round may last.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;

use super::whole;
use crate::record::{Terms, TimeTerms};

/// How long an answer may take.
#[derive(Args)]
#[command(next_help_heading = "Time")]
pub(in crate::cli) struct AnswerTimeArgs {
    /// The longest that a move may take, such as 500ms or 2s [default: 1s, or none with a time
    /// bank]
    #[arg(long, value_name = "TIME", value_parser = positive, allow_hyphen_values = true)]
    pub(in crate::cli) move_time: Option<Duration>,

    /// Extra time for the first answer of each process, for its start [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(in crate::cli) start_time: Option<Duration>,

    /// How late an answer is still accepted, to allow for delays of the system [default: 50ms, or the
    /// limit if that is less]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(in crate::cli) margin: Option<Duration>,
}

/// Time and length.
#[derive(Args)]
#[command(next_help_heading = "Time")]
pub(in crate::cli) struct TimeArgs {
    #[command(flatten)]
    answer: AnswerTimeArgs,

    /// A time bank for each bot and round
    #[arg(long, value_name = "TIME", value_parser = positive, allow_hyphen_values = true)]
    game_time: Option<Duration>,

    /// A round ends after N moves; each player then takes the seeds on its own side
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroU32>(1..=MAX_MOVES), default_value = "1000", allow_hyphen_values = true)]
    max_moves: NonZeroU32,
}

impl TimeArgs {
    /// These terms with those times and that length of a round.
    pub(in crate::cli) fn apply(&self, terms: Terms) -> Terms {
        let AnswerTimeArgs { move_time, start_time, margin } = self.answer;
        let default = TimeTerms::default();
        let move_time = move_time.or(default.move_time.filter(|_| self.game_time.is_none()));
        let limit = [move_time, self.game_time].into_iter().flatten().min();
        Terms {
            time: TimeTerms {
                move_time,
                start_time: start_time.unwrap_or(default.start_time),
                game_time: self.game_time,
                margin: margin
                    .unwrap_or_else(|| default.margin.min(limit.unwrap_or(Duration::MAX))),
            },
            max_moves: self.max_moves,
            ..terms
        }
    }
}

/// The longest round: a record of that many moves has about 30 MiB.
const MAX_MOVES: u64 = 500_000;

/// The longest time that makes sense here; a longer one is a typing mistake.
const LONGEST: Duration = Duration::from_hours(24);

/// Whole milliseconds up to a day, with a unit.
pub(in crate::cli) fn duration(text: &str) -> Result<Duration, String> {
    let expected = "expected a time with its unit, such as 500ms or 2s";
    let time = humantime::parse_duration(text).map_err(|_| expected.to_owned())?;
    if time > LONGEST {
        return Err("a time is at most 24h".to_owned());
    }
    if time.subsec_nanos() % 1_000_000 != 0 {
        return Err("a time is a whole number of milliseconds".to_owned());
    }
    Ok(time)
}

/// A duration that is not zero.
pub(in crate::cli) fn positive(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time.is_zero() { Err("must be at least 1ms".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct TimeOptions {
        #[command(flatten)]
        time: TimeArgs,
    }

    fn times(arguments: &[&str]) -> TimeTerms {
        let alone = TimeOptions::try_parse_from(arguments).expect("they are options");
        alone.time.apply(Terms::default()).time
    }

    #[test]
    fn a_time_bank_takes_the_place_of_the_usual_limit_of_a_move() {
        let seconds = |count| Some(Duration::from_secs(count));
        assert_eq!(times(&[]).move_time, seconds(1));
        assert_eq!(times(&["--game-time=60s"]).move_time, None);
        assert_eq!(times(&["--game-time=60s", "--move-time=5s"]).move_time, seconds(5));
    }

    #[test]
    fn the_usual_margin_is_no_longer_than_the_limit() {
        for (arguments, ms) in [
            (&[][..], 50),
            (&["--move-time=10ms"], 10),
            (&["--move-time=51ms"], 50),
            (&["--game-time=30ms"], 30),
            (&["--game-time=60s"], 50),
            (&["--game-time=30ms", "--move-time=40ms"], 30),
            (&["--move-time=10ms", "--margin=50ms"], 50),
            (&["--margin=0s"], 0),
        ] {
            assert_eq!(times(arguments).margin, Duration::from_millis(ms), "{arguments:?}");
        }
    }

    #[test]
    fn a_time_has_a_unit_and_whole_milliseconds_and_an_end() {
        assert_eq!(duration("1m 500ms"), Ok(Duration::from_millis(60_500)));
        assert_eq!(duration("24h"), Ok(LONGEST));
        for (text, words) in [
            ("5", "with its unit"),
            ("-1s", "with its unit"),
            ("1500us", "a whole number of milliseconds"),
            ("24h 1ms", "at most 24h"),
            ("900000000000y", "with its unit"),
        ] {
            let error = duration(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        assert!(positive("0s").is_err());
    }
}
