//! How long a bot may think: the limit of a move, the time bank, the allowance for starting.

use std::time::Duration;

use crate::protocol::{Cause, CauseCode};
use crate::record::{TimeTerms, milliseconds, whole_ms};

/// One bot's time in one round.
#[derive(Clone)]
pub(super) struct Clock {
    terms: TimeTerms,
    bank: Option<Duration>,
    /// Extra time for the next answer, where it is the first of its process.
    grace: Duration,
}

/// What a bot has for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// The limit it is told.
    pub(super) limit: Duration,
    /// With a time bank: what is left of it.
    pub(super) time_left: Option<Duration>,
    /// An answer after this long is late: the limit, the grace for starting, and the margin.
    pub(super) late_after: Duration,
}

impl Clock {
    /// The clock of a round that begins; `fresh` when the bot's process has yet to give its first
    /// answer.
    pub(super) fn new(terms: TimeTerms, fresh: bool) -> Clock {
        Clock {
            terms,
            bank: terms.game_time,
            grace: if fresh { terms.start_time } else { Duration::ZERO },
        }
    }

    /// The longest that any move of the round may take.
    pub(super) fn longest_move(&self) -> Duration {
        let limits = [self.terms.move_time, self.terms.game_time];
        limits.into_iter().flatten().min().unwrap_or(Duration::MAX)
    }

    /// What the bot has for its next move; none when its bank is spent.
    pub(super) fn allowance(&self) -> Option<Allowance> {
        let limits = [self.terms.move_time, self.bank];
        let limit = limits.into_iter().flatten().min().unwrap_or(Duration::MAX);
        if self.bank.is_some_and(|left| left.is_zero()) {
            return None;
        }
        let late_after = limit.saturating_add(self.grace).saturating_add(self.terms.margin);
        Some(Allowance { limit, time_left: self.bank, late_after })
    }

    /// Takes a turn's time off the bank. What the grace for starting covers is free.
    pub(super) fn charge(&mut self, time: Duration) {
        let thought = time.saturating_sub(self.grace);
        self.bank = self.bank.map(|left| left.saturating_sub(thought));
        self.grace = Duration::ZERO;
    }

    /// Another process has yet to give its first answer. The bank is as it was.
    pub(super) fn start_again(&mut self) {
        self.grace = self.terms.start_time;
    }

    /// The cause of a timeout: what the bot had for its move, and how long it was waited for.
    pub(super) fn cause(&self, code: CauseCode, allowance: Allowance, waited: Duration) -> Cause {
        let mut cause = Cause::from(code);
        self.add_times(&mut cause, allowance, waited);
        cause
    }

    /// Adds what the bot had for its move, and how long its answer took or was waited for.
    pub(super) fn add_times(&self, cause: &mut Cause, allowance: Allowance, waited: Duration) {
        // What came before the question is no answer, and has no time.
        if cause.code == CauseCode::Unasked {
            return;
        }
        cause.waited_ms = Some(milliseconds(waited));
        // The limit of processor time is already there.
        if cause.code == CauseCode::CpuTimeLimit {
            return;
        }
        let unless_zero = |time: Duration| (!time.is_zero()).then(|| whole_ms(time));
        cause.limit_ms = Some(whole_ms(allowance.limit));
        cause.start_ms = unless_zero(self.grace);
        cause.margin_ms = unless_zero(self.terms.margin);
        cause.bank_ms = self.terms.game_time.map(whole_ms);
        cause.time_left_ms = allowance.time_left.map(whole_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn terms(move_time: Option<u64>, game_time: Option<u64>) -> TimeTerms {
        TimeTerms {
            move_time: move_time.map(Duration::from_millis),
            game_time: game_time.map(Duration::from_millis),
            ..TimeTerms::default()
        }
    }

    #[test]
    fn without_a_bank_every_move_has_the_same_limit() {
        let mut clock = Clock::new(terms(Some(1000), None), true);
        let first = clock.allowance().unwrap();
        assert_eq!(first, Allowance { limit: ms(1000), time_left: None, late_after: ms(11_050) });
        clock.charge(ms(9000));
        let second = clock.allowance().unwrap();
        assert_eq!(second.late_after, ms(1050));
    }

    #[test]
    fn a_bank_runs_down_and_starting_is_free() {
        let mut clock = Clock::new(terms(None, Some(3000)), true);
        assert_eq!(clock.longest_move(), ms(3000));
        clock.charge(ms(10_500));
        assert_eq!(clock.allowance().unwrap().time_left, Some(ms(2500)));
        assert_eq!(clock.allowance().unwrap().limit, ms(2500));
        clock.charge(ms(2500));
        assert_eq!(clock.allowance(), None);
    }

    #[test]
    fn with_both_the_smaller_counts() {
        let mut clock = Clock::new(terms(Some(1000), Some(1500)), false);
        assert_eq!(clock.longest_move(), ms(1000));
        assert_eq!(clock.allowance().unwrap().limit, ms(1000));
        clock.charge(ms(800));
        assert_eq!(clock.allowance().unwrap().limit, ms(700));
        let cause = clock.cause(CauseCode::NoAnswer, clock.allowance().unwrap(), ms(750));
        assert_eq!(cause.limit_in_words(), "700 ms, margin 50 ms, bank 1500 ms");
        let words = "no answer after 750.0 ms (limit 700 ms, margin 50 ms, bank 1500 ms); its time \
                     bank ran out";
        assert_eq!(cause.in_words(""), words);
    }
}
