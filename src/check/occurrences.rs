//! Where a fault occurred, what was sent and what was received, in words.

use super::trial::{BOT, Trial};
use crate::problems::{FaultClues, Problem, RoundTrace, chose_the_same_again, meant_in_words};
use crate::protocol::{Cause, CauseCode};
use crate::record::{FaultRecord, RoundRecord};
use crate::report::{in_ms, rules_in_words};
use crate::text::{printable, quoted};

/// Where a fault was committed.
pub(super) fn during(trial: &Trial, round: &RoundRecord, trace: &RoundTrace) -> String {
    let rules = rules_in_words(&trial.rules);
    let seat = if round.first == BOT { "starter" } else { "second" };
    let (level, number, turn) = (trial.level, round.round, trace.answers_in_round + 1);
    format!("{rules} against {level}, round {number} as {seat}, its turn {turn}")
}

/// What was received, in the words of the author's own numbers where those are known.
pub(super) fn received(clues: &FaultClues<'_>, fault: &FaultRecord, problem: Problem) -> String {
    let mut received = printable(&fault.detail);
    if let Some(cause) = fault.cause.as_ref().filter(|it| it.code == CauseCode::NeverAnswered) {
        // What the referee can only guess was looked into.
        received = Cause { code: CauseCode::NoAnswer, ..(**cause).clone() }.in_words("");
    }
    received += &meant_in_words(problem, clues.number());
    received += as_before(clues, problem);
    if let Some(late_by) = clues.trace.late_by {
        received += &format!("; an answer came {} later", in_ms(late_by));
    }
    if clues.trace.is_computing {
        received += "; it used the processor meanwhile, and did not only wait";
    }
    let finished = clues.trace.finished.as_ref();
    if let Some(finished) = finished {
        let written =
            if finished.stdout.is_empty() { "nothing" } else { &quoted(&finished.stdout) };
        received += &format!("; when its input ended it wrote {written}");
    }
    if let Some(ended) = &clues.trace.ended {
        if let Some(code) = ended.exit_code {
            received += &format!("; it then exited with code {code}");
        } else if let Some(signal) = ended.signal {
            received += &format!("; it was then ended by signal {signal}");
        } else if ended.code == CauseCode::ClosedStdout {
            received += "; it then closed its stdout";
        }
    }
    received
}

/// Says that an answer was the last one again, where the finding itself does not.
fn as_before(clues: &FaultClues<'_>, problem: Problem) -> &'static str {
    let leaves_open = matches!(problem, Problem::MoreThanOneLine | Problem::EmptyHouse);
    if leaves_open && chose_the_same_again(clues) { ", as to the turn before" } else { "" }
}

/// A line that was sent, without its newline.
pub(super) fn shown(line: &[u8]) -> String {
    printable(&String::from_utf8_lossy(line.trim_ascii_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::House;

    #[test]
    fn the_last_answer_again_is_told_unless_the_finding_says_so() {
        let house = House::new(0);
        let cause = Cause { house, ..CauseCode::EmptyHouse.into() };
        let words = |previous, problem| {
            let trace = RoundTrace { previous, ..RoundTrace::default() };
            let clues = FaultClues::new(Some(&cause), "", &trace).expect("a cause is there");
            as_before(&clues, problem)
        };
        for problem in [Problem::MoreThanOneLine, Problem::EmptyHouse] {
            assert_eq!(words(Some(0), problem), ", as to the turn before");
            assert_eq!((words(Some(1), problem), words(None, problem)), ("", ""));
        }
        for problem in [Problem::SameAsLast, Problem::AlwaysTheSame] {
            assert_eq!(words(Some(0), problem), "");
        }
    }
}
