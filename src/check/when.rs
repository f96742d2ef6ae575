//! When a bot crashes, where that tells its author where to look.

use super::course::Course;
use super::pairing::{BOT, Case};
use super::trial::Trial;
use crate::record::RoundRecord;
use crate::referee::MatchError;

/// When a bot crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At a start, before it is asked anything.
    AtTheStart,
    /// Never in the first round of a match.
    InLaterRounds,
    /// Never where it begins itself.
    AsSecond,
}

impl When {
    /// What is said of it behind the sentence that tells what is wrong.
    pub(super) const fn words(self) -> &'static str {
        match self {
            When::AtTheStart => " at the start of a round, before it was asked",
            When::InLaterRounds => ", but only from the second round on",
            When::AsSecond => ", but only where its opponent begins",
        }
    }

    /// Whether it was met too seldom to be said after so many times.
    pub(super) const fn is_doubtful(self, times: u32) -> bool {
        !matches!(self, When::AtTheStart) && times < 2
    }

    /// Whether a crash in this round says that it is otherwise.
    pub(super) fn is_refuted_by(self, round: &RoundRecord) -> bool {
        match self {
            When::AtTheStart => false,
            When::InLaterRounds => round.round == 1,
            When::AsSecond => round.first == BOT,
        }
    }
}

impl Course<'_> {
    /// When a bot crashes that did so in this round first.
    pub(super) fn when_it_crashes(
        &mut self,
        trial: &Trial,
        round: &RoundRecord,
        case: &Case,
    ) -> Result<Option<When>, MatchError> {
        if case.answers_in_process == 0 && round.round == 1 {
            return Ok(self.leaves_at_start(trial).then_some(When::AtTheStart));
        }
        if round.round == 1 {
            return Ok(None);
        }
        // The second round is the first that its opponent begins.
        let is_as_second = round.first != BOT && self.fails_as_second(trial)?;
        Ok(Some(if is_as_second { When::AsSecond } else { When::InLaterRounds }))
    }
}
