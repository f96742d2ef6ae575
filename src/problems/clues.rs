//! What was seen of a bot: what led to the end of a round, and the clues of its fault.

use std::borrow::Cow;
use std::time::Duration;

use super::missing::{Missing, missing};
use crate::bot::Finished;
use crate::protocol::{Cause, CauseCode, FaultKind};
use crate::referee::Misconduct;

/// What led to the end of a round in which the bot was stopped.
#[derive(Clone, Default)]
pub(crate) struct RoundTrace {
    /// The lines it was sent since its last answer but one.
    pub(crate) sent: Vec<Vec<u8>>,
    /// What it did when it was asked last.
    pub(crate) last: Option<Result<Vec<u8>, Misconduct>>,
    /// What it wrote when it was asked last and that was not asked for: behind its answer, or before
    /// the question.
    pub(crate) surplus: Vec<u8>,
    /// Rounds that began in its process, this one included.
    pub(crate) rounds_in_process: u32,
    /// Answers of its process before the last question.
    pub(crate) answers_in_process: u32,
    /// Its answers in the round before the last question.
    pub(crate) answers_in_round: u32,
    /// The number that its last good answer of the round named.
    pub(crate) previous: Option<i64>,
    /// How much too late its answer came, where it had been silent.
    pub(crate) late_by: Option<Duration>,
    /// Whether it used the processor while its late answer was waited for in vain. Only its first process
    /// counts: what a launcher starts is not seen.
    pub(crate) is_computing: bool,
    /// What it did at the end of its input, where it had been silent.
    pub(crate) finished: Option<Finished>,
    /// How it ended soon after its fault, or closed its stdout, where it had been silent or had closed
    /// that before.
    pub(crate) ended: Option<Box<Cause>>,
    /// The end of its stderr, where it was waited for after the fault.
    pub(crate) stderr: String,
}

/// A round that a bot's fault ended, as the diagnoses look at it.
pub(crate) struct FaultClues<'a> {
    /// Why the round ended.
    pub(crate) cause: Cow<'a, Cause>,
    pub(crate) stderr: &'a str,
    pub(crate) trace: &'a RoundTrace,
    /// What was missing, where that ended a bot that had not answered yet.
    pub(super) missing: Option<Missing>,
}

impl<'a> FaultClues<'a> {
    /// The clues of a fault; `None` where its cause is not known, as in older bundles.
    pub(crate) fn new(
        cause: Option<&'a Cause>,
        stderr: &'a str,
        trace: &'a RoundTrace,
    ) -> Option<FaultClues<'a>> {
        let late = [trace.finished.as_ref().map(|it| &*it.stderr), Some(&*trace.stderr)];
        let stderr = late.into_iter().flatten().find(|late| !late.is_empty()).unwrap_or(stderr);
        // A process that ended soon after its fault is described by its end.
        let cause = match &trace.ended {
            Some(ended) => Cow::Borrowed(&**ended),
            None => Cow::Borrowed(cause?),
        };
        let crashed = cause.signal.is_some() || cause.exit_code.is_some_and(|code| code > 0);
        let is_new = trace.answers_in_process == 0;
        let missing = if crashed && is_new { missing(stderr) } else { None };
        Some(FaultClues { cause, stderr, trace, missing })
    }

    /// Whether it had answered nothing in its process.
    pub(super) fn is_at_the_first_answer(&self) -> bool {
        self.trace.answers_in_process == 0
    }

    /// Whether it had answered nothing in the first round of its process. In a later one it may not have
    /// been asked before: its opponent forfeited.
    pub(super) fn is_new(&self) -> bool {
        self.is_at_the_first_answer() && self.trace.rounds_in_process <= 1
    }

    pub(crate) fn code(&self) -> CauseCode {
        self.cause.code
    }

    /// Whether an adapter gave `code`.
    pub(super) fn is_said_by_adapter(&self, code: &str) -> bool {
        self.cause.adapter.as_ref().is_some_and(|adapter| adapter.code == code)
    }

    /// The number that was answered, a house or not.
    pub(crate) fn number(&self) -> Option<i64> {
        self.cause.house.map(|house| house.cell().into()).or(self.cause.value)
    }
}

pub(super) fn has_crashed(clues: &FaultClues<'_>) -> bool {
    clues.code().kind() == Some(FaultKind::Exited)
}

/// Whether nothing came from a process that had answered before.
pub(super) fn stops_answering(clues: &FaultClues<'_>) -> bool {
    clues.code() == CauseCode::NoAnswer && !clues.is_at_the_first_answer()
}

/// Whether it chose the house that its last answer of the round had emptied.
pub(crate) fn chose_the_same_again(clues: &FaultClues<'_>) -> bool {
    let number = clues.number();
    clues.code() == CauseCode::EmptyHouse && number.is_some() && number == clues.trace.previous
}

/// Whether it wrote something when its input ended.
pub(crate) fn wrote_at_the_end(clues: &FaultClues<'_>) -> bool {
    clues.trace.finished.as_ref().is_some_and(|finished| !finished.stdout.is_empty())
}
