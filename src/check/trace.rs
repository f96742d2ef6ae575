//! What passed between the referee and the bot in a trial.

use std::collections::HashMap;
use std::time::Duration;

use crate::problems::RoundTrace;
use crate::protocol::Reply;
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
        self.now.previous = None;
    }

    pub(super) fn received(&mut self, result: &Result<Answer, Trouble>) {
        self.now.sent.clone_from(&self.lines);
        self.now.surplus.clear();
        match result {
            Ok(Answer { line, time, surplus }) => {
                self.now.surplus.clone_from(surplus);
                self.is_answered = true;
                self.now.last = Some(Ok(line.clone()));
                self.answers.push(TimedAnswer {
                    time: *time,
                    is_first: self.now.answers_in_process == 0,
                    question: self.lines.last().cloned().unwrap_or_default(),
                    number: number(line),
                });
            }
            Err(Trouble::Misconduct(what)) => {
                if let Misconduct::Unsolicited(bytes) = what {
                    self.now.surplus.clone_from(bytes);
                }
                self.now.last = Some(Err(what.clone()));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_moves_and_from_what_is_not_a_house() {
        let numbers = ["3", "{\"move\":7}", "-1", "\"3\"", "x"].map(|l| number(l.as_bytes()));
        assert_eq!(numbers, [Some(3), Some(7), Some(-1), None, None]);
    }
}
