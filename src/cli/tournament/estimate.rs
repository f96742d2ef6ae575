//! How long a tournament may take, for `--dry-run`.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::Duration;

use super::trial::Trials;
use crate::check::MeanAnswers;
use crate::contest::Reuse;
use crate::record::own_files::open_to_read;
use crate::record::{
    BotRecord, Digest, MatchRecord, RoundRecord, Terms, TimeTerms, milliseconds, parse_record,
};
use crate::report::in_ms;
use crate::text::{CENTURY, duration_in_words, estimate_in_words, printable_path};

/// Matches of the record file that say how long one takes.
const MOST_MATCHES: usize = 1000;

/// What is shown of shorter times.
const SHORTEST: Duration = Duration::from_micros(100);

/// How long matches of a record file took.
pub(super) struct RecordedTimes {
    ms_a_match: f64,
    /// By what, in words.
    by: String,
}

impl RecordedTimes {
    /// By matches of the bots that are `playing`, as they are now. `None` if there are none.
    pub(super) fn of(record: &Path, playing: &[(&str, Digest)]) -> Option<RecordedTimes> {
        let (count, ms_a_match) = ms_a_match(record, playing)?;
        let those = if count == 1 { "match" } else { "matches" };
        let by = format!("{count} {those} of these bots in {}", printable_path(record));
        Some(RecordedTimes { ms_a_match, by })
    }

    /// The time of this number of matches, in words.
    pub(super) fn of_matches(&self, matches: f64) -> String {
        format!("{} on one core, by {}", about(shown(self.ms_a_match * matches)), self.by)
    }
}

/// How long the rounds of a tournament are.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundTimes {
    pub(super) reuse: Option<Reuse>,
    pub(super) moves: f64,
    /// Of a round with a bot that gives no answer; `None` if there is no limit.
    pub(super) silent: Option<Duration>,
}

impl RoundTimes {
    pub(super) fn new(terms: &Terms, reuse: Option<Reuse>, moves: f64) -> RoundTimes {
        let TimeTerms { move_time, start_time, game_time, .. } = terms.time;
        let longest = move_time.into_iter().chain(game_time).min();
        let silent = longest.map(|limit| {
            // It makes half of the moves, and each may be substituted.
            let late = f64::from(terms.faults.max_substitutes()).min(moves / 2.0) + 1.0;
            start_time + limit.mul_f64(late)
        });
        RoundTimes { reuse, moves, silent }
    }
}

/// The time of `matches` matches, by the trials of those bots that were tried, out of as many as
/// `all`. If none was, two examples.
pub(super) fn by_trial(rounds: RoundTimes, matches: f64, trials: &Trials, all: usize) -> String {
    let answers = &*trials.answers;
    let silent = rounds.silent.filter(|_| trials.silent > 0);
    if answers.is_empty() && silent.is_none() {
        let [quick, slow] = [1.0, 100.0].map(|ms| shown(2.0 * rounds.moves * ms * matches));
        let quick = about(quick);
        return format!(
            "{quick} on one core where a move takes 1 ms, {slow} where it takes 100 ms"
        );
    }
    let mean = |of: fn(&MeanAnswers) -> Duration| {
        answers.iter().map(of).map(milliseconds).sum::<f64>() / answers.len().max(1) as f64
    };
    let (first, other) = (mean(|one| one.first), mean(|one| one.other));
    // A process plays all of a match, and with --reuse-bots many.
    let first_answers = if rounds.reuse.is_some() { 0.0 } else { 2.0 };
    let moves = 2.0 * rounds.moves;
    let answered = first_answers * first + (moves - first_answers).max(0.0) * other;
    let tried = answers.len() + silent.map_or(0, |_| trials.silent);
    let a_match = match silent {
        None => answered,
        Some(round) => {
            // As many as there are between two of these bots, if each pair has the same number.
            let both_answer = (answers.len() * answers.len().saturating_sub(1)) as f64
                / (tried * (tried - 1)).max(1) as f64;
            both_answer * answered + (1.0 - both_answer) * 2.0 * milliseconds(round)
        }
    };
    let those = if tried == all { "each bot".to_owned() } else { format!("{tried} of {all} bots") };
    let longest = answers.iter().map(|one| one.other.max(SHORTEST)).max();
    let longest = longest.map(|longest| format!("up to {} a move", in_ms(longest)));
    let silent = silent
        .map(|round| format!("{} a round with one that gives no answer", duration_in_words(round)));
    let times: Vec<String> = longest.into_iter().chain(silent).collect();
    let time = about(shown(a_match * matches));
    format!("{time} on one core, by a trial of {those}: {}", times.join(", "))
}

fn about(shown: String) -> String {
    if shown == CENTURY { shown } else { format!("about {shown}") }
}

/// How many matches between these bots are in a record file, and the mean time of one: that of its
/// moves, and of the answers that never came.
fn ms_a_match(record: &Path, playing: &[(&str, Digest)]) -> Option<(usize, f64)> {
    let lines = BufReader::new(open_to_read(record).ok()?).lines();
    let (mut count, mut ms) = (0, 0.0);
    for line in lines.map_while(Result::ok) {
        let Ok(MatchRecord { bots, rounds, .. }) = parse_record(line.as_bytes()) else { continue };
        let is_playing = |bot: &BotRecord| {
            let mut all = playing.iter();
            all.any(|(name, now)| **name == *bot.name && bot.version.is_none_or(|it| it == *now))
        };
        if !bots.0.iter().all(is_playing) {
            continue;
        }
        ms += rounds.iter().map(round_ms).sum::<f64>();
        count += 1;
        if count == MOST_MATCHES {
            break;
        }
    }
    let mean = ms / count as f64;
    (count > 0).then_some((count, mean))
}

/// The time of a round's moves, and of the answer that was at fault or never came.
fn round_ms(round: &RoundRecord) -> f64 {
    let cause = round.result.fault.as_ref().and_then(|fault| fault.cause.as_ref());
    let waited = cause.and_then(|cause| cause.waited_ms).unwrap_or(0.0);
    round.moves.iter().map(|one| 1000.0 * one.time.as_secs_f64()).sum::<f64>() + waited
}

fn shown(ms: f64) -> String {
    let time = Duration::try_from_secs_f64((ms / 1000.0).round());
    estimate_in_words(time.unwrap_or(Duration::MAX))
}

/// A number with its two first digits.
pub(super) fn rounded(number: f64) -> f64 {
    let step = 10_f64.powf((number.max(1.0).log10() - 1.0).floor().max(0.0));
    (number / step).round() * step
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use serde_json::{Value, json};

    use super::*;
    use crate::record::{FaultPolicy, FaultTerms};

    #[test]
    fn estimates_are_round_numbers() {
        let texts = [1.0, 42.0, 1234.0, 98_765.0].map(|number| rounded(number).to_string());
        assert_eq!(texts, ["1", "42", "1200", "99000"]);
        assert_eq!([0.0, 4_200.0, 750_000.0].map(shown), ["1s", "4s", "13m"]);
        assert_eq!([1e16, f64::INFINITY].map(shown), [CENTURY; 2]);
        let estimate = by_trial(rounds(None, 20.0), 1e12, &Trials::default(), 2);
        let words = "more than 100 years on one core where a move takes 1 ms, more than 100 years";
        assert!(estimate.starts_with(words), "{estimate}");
    }

    fn rounds(reuse: Option<Reuse>, moves: f64) -> RoundTimes {
        RoundTimes::new(&Terms::default(), reuse, moves)
    }

    #[test]
    fn a_trial_says_how_long_a_match_takes() {
        let ms = Duration::from_millis;
        let answers = [(30, 1), (50, 3)]
            .map(|(first, other)| MeanAnswers { first: ms(first), other: ms(other) });
        let mut trials = Trials { answers: answers.to_vec(), ..Trials::default() };
        // Two first answers of 40 ms, and 38 others of 2 ms.
        assert_eq!(
            by_trial(rounds(None, 20.0), 1000.0, &trials, 3),
            "about 2m 36s on one core, by a trial of 2 of 3 bots: up to 3.0 ms a move"
        );
        // In one of six matches both bots answer; in the others a round takes 10 s and 1 s.
        trials.silent = 2;
        assert_eq!(
            by_trial(rounds(None, 20.0), 1000.0, &trials, 5),
            "about 5h 6m on one core, by a trial of 4 of 5 bots: up to 3.0 ms a move, 11s a round \
             with one that gives no answer"
        );
        trials = Trials { silent: 3, ..Trials::default() };
        assert_eq!(
            by_trial(rounds(None, 20.0), 10.0, &trials, 3),
            "about 3m 40s on one core, by a trial of each bot: 11s a round with one that gives no \
             answer"
        );
        let reuse = Some(Reuse { restart_after: None });
        trials = Trials { answers: answers[..1].to_vec(), ..Trials::default() };
        assert_eq!(
            by_trial(rounds(reuse, 20.0), 1000.0, &trials, 1),
            "about 40s on one core, by a trial of each bot: up to 1.0 ms a move"
        );
    }

    #[test]
    fn a_silent_bot_takes_all_of_its_time() {
        let seconds = Duration::from_secs;
        let mut terms = Terms::default();
        let silent = |terms: &Terms| RoundTimes::new(terms, None, 20.0).silent;
        assert_eq!(silent(&terms), Some(seconds(11)));
        terms.time.game_time = Some(seconds(30));
        assert_eq!(silent(&terms), Some(seconds(11)));
        terms.faults = FaultTerms { policy: FaultPolicy::Substitute, max: NonZeroU32::new(4) };
        assert_eq!(silent(&terms), Some(seconds(15)));
        terms.faults.max = NonZeroU32::new(1000);
        assert_eq!(silent(&terms), Some(seconds(21)));
        terms.time = TimeTerms { move_time: None, game_time: None, ..terms.time };
        assert_eq!(silent(&terms), None);
    }

    #[test]
    fn a_record_says_how_long_a_match_takes() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record");
        let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
        let round = |number: usize, moves: Value, fault: Value| {
            json!({"round": number + 1, "first": number, "moves": moves, "final": board,
                "result": {"reason": "completed", "fault": fault, "score": [18, 18]}})
        };
        let text = |other: &str, moves: Value, fault: Value| {
            let record = json!({"format": "mancala-match/1", "opening": board,
                "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
                    "direction": "forward", "empty_capture": true},
                "limits": {"move_time_ms": 1000},
                "bots": [{"name": "ann", "command": ["x"]}, {"name": other, "command": ["x"]}],
                "rounds": [round(0, moves, Value::Null), round(1, json!([]), fault)],
                "score": [36, 36], "winner": null});
            format!("{record}\n")
        };
        let one = |ms: f64| json!([{"bot": 0, "move": 1, "ms": ms}]);
        let fault = |cause: Value| {
            json!({"bot": 0, "kind": "timeout", "detail": "x", "cause": cause, "board": board,
                "stderr": ""})
        };
        let late = json!({"code": "never_answered", "waited_ms": 1000.25});
        let lines = [
            String::from("{\"format\":\"x\"}\n"),
            text("ben", one(9.5), Value::Null),
            text("ben", one(19.5), fault(Value::Null)),
            text("gone", one(7000.5), Value::Null),
            "{".to_owned(),
        ];
        std::fs::write(&record, lines.concat()).unwrap();
        let [version, other_version]: [Digest; 2] =
            ["00000000000000a1", "00000000000000a2"].map(|text| text.parse().unwrap());
        let bots = ["ann", "ben"].map(|name| (name, version));
        assert_eq!(ms_a_match(&record, &bots), Some((2, 14.5)));
        let estimate = RecordedTimes::of(&record, &bots).unwrap().of_matches(1000.0);
        assert!(
            estimate.starts_with("about 15s on one core, by 2 matches of these bots in "),
            "{estimate}"
        );
        std::fs::write(&record, text("ben", one(19.5), fault(late))).unwrap();
        assert_eq!(ms_a_match(&record, &bots), Some((1, 1019.75)));
        assert_eq!(ms_a_match(&record, &bots[..1]), None);
        // Of another version than the one that plays now.
        let with_version = |version: &Digest| {
            let text = text("ben", one(9.5), Value::Null);
            let named = format!("\"name\":\"ben\",\"version\":\"{version}\"");
            std::fs::write(&record, text.replace("\"name\":\"ben\"", &named)).unwrap();
            ms_a_match(&record, &bots)
        };
        assert_eq!(with_version(&version), Some((1, 9.5)));
        assert_eq!(with_version(&other_version), None);
        std::fs::write(&record, "").unwrap();
        assert_eq!(ms_a_match(&record, &bots), None);
    }
}
