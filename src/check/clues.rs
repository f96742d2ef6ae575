//! What was seen of a bot: the trace of a match of the check, and the clues that a fault leaves in
//! it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use super::missing::{Missing, missing};
use crate::bot::Finished;
use crate::protocol::{Cause, CauseCode, FaultKind, Reply};
use crate::referee::{Answer, Misconduct, Trouble};

/// What passed between the referee and the bot.
#[derive(Default)]
pub(super) struct Trace {
    /// Its answers in the order in which they came.
    pub(super) answers: Vec<TimedAnswer>,
    /// How each round stood when its bot was stopped, by the round's number.
    pub(super) rounds: HashMap<u32, RoundTrace>,
    /// The round so far.
    pub(super) now: RoundTrace,
    round: u32,
    lines: Vec<Vec<u8>>,
    is_answered: bool,
}

/// An answer that came in time, whether it was a move or not.
#[derive(Clone)]
pub(super) struct TimedAnswer {
    pub(super) time: Duration,
    /// Whether it was the first of its process.
    pub(super) is_first: bool,
    /// What was asked.
    pub(super) question: Vec<u8>,
    /// The number that it named, a house or not.
    pub(super) number: Option<i64>,
}

/// What led to the end of a round in which the bot was stopped.
#[derive(Clone, Default)]
pub(super) struct RoundTrace {
    /// The lines it was sent since its last answer but one.
    pub(super) sent: Vec<Vec<u8>>,
    /// What it did when it was asked last.
    pub(super) last: Option<Result<Vec<u8>, Misconduct>>,
    /// Rounds that began in its process, this one included.
    pub(super) rounds_in_process: u32,
    /// Answers of its process before the last question.
    pub(super) answers_in_process: u32,
    /// Its answers in the round before the last question.
    pub(super) answers_in_round: u32,
    /// The number that its last good answer named.
    pub(super) previous: Option<i64>,
    /// How much too late its answer came, where it had been silent.
    pub(super) late_by: Option<Duration>,
    /// What it did at the end of its input, where it had been silent.
    pub(super) finished: Option<Finished>,
    /// How it ended, where it had closed its stdout before.
    pub(super) ended: Option<Box<Cause>>,
    /// The end of its stderr, where it was waited for after the fault.
    pub(super) stderr: String,
}

impl Trace {
    pub(super) fn sent(&mut self, line: &[u8]) {
        if std::mem::take(&mut self.is_answered) {
            self.lines.clear();
        }
        self.lines.push(line.to_vec());
    }

    pub(super) fn round_began(&mut self, round: u32) {
        self.round = round;
        self.now.rounds_in_process += 1;
        self.now.answers_in_round = 0;
    }

    pub(super) fn received(&mut self, result: &Result<Answer, Trouble>) {
        self.now.sent.clone_from(&self.lines);
        match result {
            Ok(Answer { line, time, .. }) => {
                self.is_answered = true;
                self.now.last = Some(Ok(line.clone()));
                self.answers.push(TimedAnswer {
                    time: *time,
                    is_first: self.now.answers_in_process == 0,
                    question: self.lines.last().cloned().unwrap_or_default(),
                    number: number(line),
                });
            }
            Err(Trouble::Misconduct(what)) => self.now.last = Some(Err(what.clone())),
            Err(_) => {}
        }
    }

    /// Before the next question: counts the last answer, which was a good one.
    pub(super) fn count_last_answer(&mut self) {
        if let Some(Ok(line)) = self.now.last.take() {
            self.now.previous = number(&line);
            self.now.answers_in_process += 1;
            self.now.answers_in_round += 1;
        }
    }

    /// Keeps the round in which the bot was stopped.
    pub(super) fn keep(&mut self, round: RoundTrace) {
        self.rounds.insert(self.round, round);
        self.lines.clear();
    }
}

/// The number that an answer names, a house or not.
fn number(line: &[u8]) -> Option<i64> {
    match Reply::parse(line) {
        Ok(reply) => Some(reply.house.cell().into()),
        Err(cause) => cause.value,
    }
}

/// A round that a bot's fault ended, as the diagnoses look at it.
pub(super) struct FaultClues<'a> {
    /// Why the round ended.
    pub(super) cause: Cow<'a, Cause>,
    pub(super) stderr: &'a str,
    pub(super) trace: &'a RoundTrace,
    /// What was missing, where that ended a bot that had not answered yet.
    pub(super) missing: Option<Missing>,
}

impl<'a> FaultClues<'a> {
    /// The clues of a fault; `None` where its cause is not known, as in older bundles.
    pub(super) fn new(
        cause: Option<&'a Cause>,
        stderr: &'a str,
        trace: &'a RoundTrace,
    ) -> Option<FaultClues<'a>> {
        let late = [trace.finished.as_ref().map(|it| &*it.stderr), Some(&*trace.stderr)];
        let stderr = late.into_iter().flatten().find(|late| !late.is_empty()).unwrap_or(stderr);
        // A process that ended soon after it had closed its stdout is described by its end.
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

    /// What happened.
    pub(super) fn code(&self) -> CauseCode {
        self.cause.code
    }

    /// Whether an adapter gave this code.
    pub(super) fn is_said_by_adapter(&self, code: &str) -> bool {
        self.cause.adapter.as_ref().is_some_and(|adapter| adapter.code == code)
    }

    /// The number that was answered, a house or not.
    pub(super) fn number(&self) -> Option<i64> {
        self.cause.house.map(|house| house.cell().into()).or(self.cause.value)
    }
}

pub(super) fn has_crashed(clues: &FaultClues<'_>) -> bool {
    clues.code().kind() == Some(FaultKind::Exited)
}

/// Whether it wrote something when its input ended.
pub(super) fn wrote_at_the_end(clues: &FaultClues<'_>) -> bool {
    clues.trace.finished.as_ref().is_some_and(|finished| !finished.stdout.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_moves_and_from_what_is_not_a_house() {
        let numbers = ["3", "{\"move\":7}", "-1", "\"3\"", "x"].map(|l| number(l.as_bytes()));
        assert_eq!(numbers, [Some(3), Some(7), Some(-1), None, None]);
    }
}
