//! How long a bot's moves took, in a histogram of bounded size.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::contest::{LightMove, MatchSummary};
use crate::record::{FirstAnswers, TimeTerms, marks_first_answers};
use crate::seat::PerSeat;

/// One move: how long it took, and the limit that it had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimedMove {
    micros: u64,
    /// Zero without a limit.
    limit_micros: u64,
    /// Whether it was the first answer of a process.
    is_first: bool,
}

impl TimedMove {
    /// `limit_micros` is 0 for a move without a limit.
    pub(super) fn new(time: Duration, limit_micros: u64) -> TimedMove {
        TimedMove { micros: micros(time), limit_micros, is_first: false }
    }

    /// Its time as a share of its limit, to a ten-thousandth; `None` without a limit.
    fn limit_share(self) -> Option<f64> {
        let share = self.micros as f64 / self.limit_micros as f64;
        (self.limit_micros > 0).then(|| (share * 1e4).round() / 1e4)
    }
}

/// The moves of each bot in a match, given round by round, substituted ones left out, and their
/// limits: the time of a move or what is left of the bank, and for the first answer of a process the time to start.
pub(super) fn timed_moves(
    moves: &[Vec<LightMove>],
    summary: &MatchSummary,
    terms: TimeTerms,
) -> PerSeat<Vec<TimedMove>> {
    let mut timed = PerSeat::<Vec<TimedMove>>::default();
    let mut banks = [PerSeat([terms.game_time; 2]); 2];
    let marks = moves.iter().flatten().map(|played| played.fresh);
    let mut answers = FirstAnswers::new(marks_first_answers(marks, summary.versions));
    for ((moves, round), banks) in moves.iter().zip(&summary.rounds).zip(&mut banks) {
        for played in moves {
            let is_first = answers.is_first(played.bot, played.fresh);
            let to_start = if is_first { terms.start_time } else { Duration::ZERO };
            let bank = &mut banks[played.bot];
            let limit = [terms.move_time, *bank].into_iter().flatten().min();
            let limit = limit.map_or(0, |limit| micros(limit + to_start));
            let own = TimedMove { is_first, ..TimedMove::new(played.time, limit) };
            let thought = played.time.saturating_sub(to_start);
            *bank = bank.map(|left| left.saturating_sub(thought));
            if played.substitute.is_none() {
                timed[played.bot].push(own);
            }
        }
        answers.end_round(round.forfeited);
    }
    timed
}

/// Times of moves. Up to 4 ms the median and the 95th percentile are right to a microsecond, the
/// precision of a record; above it they are the times of other moves, shorter by one part in 2,000
/// at most.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveTimes {
    /// How many moves fell into each step, see [`step`], and the least of their times.
    steps: BTreeMap<u32, (u64, u64)>,
    moves: u64,
    total_micros: u128,
    longest: TimedMove,
    near_misses: u64,
}

/// The times of a bot's moves, the first answers of its processes apart.
#[derive(Clone, Debug, Default)]
pub(super) struct BotTimes {
    first: MoveTimes,
    others: MoveTimes,
}

impl BotTimes {
    pub(super) fn add_all(&mut self, times: &[TimedMove]) {
        for timed in times {
            let part = if timed.is_first { &mut self.first } else { &mut self.others };
            part.add(*timed);
        }
    }

    /// Adds all of another bot's, or of this one's in other matches.
    pub(super) fn merge(&mut self, other: &BotTimes) {
        self.first.merge(&other.first);
        self.others.merge(&other.others);
    }

    pub(super) fn all(&self) -> MoveTimes {
        let mut all = self.first.clone();
        all.merge(&self.others);
        all
    }

    /// Those of first answers and those of all others.
    pub(super) fn apart(&self) -> ProcessTimes {
        ProcessTimes { first: self.first.spread(), others: self.others.spread() }
    }
}

/// A bot's times for its own page: the first answers of its processes apart from the others.
#[derive(Clone, Debug, Default)]
pub struct ProcessTimes {
    pub first: AnswerSpread,
    pub others: AnswerSpread,
}

/// Times in milliseconds, as [`StandingsRow`](super::StandingsRow) has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerSpread {
    /// How many answers there are.
    pub answers: u64,
    pub median_ms: Option<f64>,
    /// 95 % of them took this long at most.
    pub p95_ms: Option<f64>,
    pub longest_ms: Option<f64>,
    /// The longest one's share of its limit.
    pub limit_share: Option<f64>,
    /// How many took more than [`NEAR_MISS`] of their limit.
    pub near_misses: u64,
}

/// The share of its limit above which an answer was a near miss.
pub(super) const NEAR_MISS: f64 = 0.8;

/// The binary logarithm of the number of steps for each power of two of microseconds.
const STEPS_LOG2: u32 = 11;

impl MoveTimes {
    fn spread(&self) -> AnswerSpread {
        AnswerSpread {
            answers: self.moves,
            median_ms: self.median_ms(),
            p95_ms: self.p95_ms(),
            longest_ms: self.longest_ms(),
            limit_share: self.limit_share(),
            near_misses: self.near_misses,
        }
    }

    pub(super) fn add(&mut self, timed: TimedMove) {
        self.add_to_step(step(timed.micros), (1, timed.micros));
        self.moves += 1;
        self.total_micros += u128::from(timed.micros);
        self.near_misses += u64::from(timed.limit_share().is_some_and(|share| share > NEAR_MISS));
        self.see(timed);
    }

    fn merge(&mut self, other: &MoveTimes) {
        for (step, moves) in &other.steps {
            self.add_to_step(*step, *moves);
        }
        self.moves += other.moves;
        self.total_micros += other.total_micros;
        self.near_misses += other.near_misses;
        self.see(other.longest);
    }

    fn add_to_step(&mut self, step: u32, (moves, least): (u64, u64)) {
        let known = self.steps.entry(step).or_insert((0, least));
        *known = (known.0 + moves, known.1.min(least));
    }

    /// Keeps the longest. Of two that took equally long, the one that came closer to its limit.
    fn see(&mut self, timed: TimedMove) {
        if timed.micros < self.longest.micros {
            return;
        }
        if (timed.micros, timed.limit_share().map(f64::to_bits))
            >= (self.longest.micros, self.longest.limit_share().map(f64::to_bits))
        {
            self.longest = timed;
        }
    }

    /// The time of the move at `place`, from 0, in the order of their times, in microseconds.
    fn at(&self, place: u64) -> Option<f64> {
        let mut before = 0;
        let step = self.steps.values().find(|(moves, _)| {
            before += moves;
            before > place
        });
        step.map(|(_, least)| *least as f64)
    }

    /// The median in milliseconds; `None` without moves.
    pub(super) fn median_ms(&self) -> Option<f64> {
        let upper = self.at(self.moves / 2)?;
        let lower = if self.moves.is_multiple_of(2) { self.at(self.moves / 2 - 1)? } else { upper };
        Some(f64::midpoint(lower, upper) / 1e3)
    }

    /// The time in milliseconds that at least 95 % of the moves did not exceed; `None` without
    /// moves.
    pub(super) fn p95_ms(&self) -> Option<f64> {
        let covered = (u128::from(self.moves) * 95).div_ceil(100);
        let micros = self.at(u64::try_from(covered).ok()?.checked_sub(1)?)?;
        Some(micros / 1e3)
    }

    /// The mean in milliseconds, to a microsecond; `None` without moves.
    pub(super) fn mean_ms(&self) -> Option<f64> {
        let mean = self.total_micros as f64 / self.moves as f64;
        (self.moves > 0).then(|| mean.round() / 1e3)
    }

    /// The longest in milliseconds; `None` without moves.
    pub(super) fn longest_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.longest.micros as f64 / 1e3)
    }

    /// The longest move's share of its limit; `None` without moves or where it had no limit.
    pub(super) fn limit_share(&self) -> Option<f64> {
        self.longest.limit_share()
    }
}

/// Whole microseconds.
fn micros(time: Duration) -> u64 {
    let of_seconds = time.as_secs().saturating_mul(1_000_000);
    of_seconds.saturating_add(time.subsec_micros().into())
}

/// The step that a time falls into: each microsecond its own up to 2^12, then 2^11 for each power
/// of two.
fn step(micros: u64) -> u32 {
    let shift = (u64::BITS - micros.leading_zeros()).saturating_sub(STEPS_LOG2 + 1);
    let low = u32::try_from(micros >> shift).unwrap_or(u32::MAX);
    (shift << STEPS_LOG2) + low
}

#[cfg(test)]
mod tests;
