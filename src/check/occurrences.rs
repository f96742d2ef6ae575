//! Where a fault occurred, what was sent and what was received, in words.

use super::trial::{BOT, Trial};
use crate::problems::{FaultClues, Problem, RoundTrace, meant_in_words};
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
    if clues.code() == CauseCode::NeverAnswered {
        // What the referee can only guess was looked into.
        received = Cause { code: CauseCode::NoAnswer, ..(*clues.cause).clone() }.in_words("");
    }
    received += &meant_in_words(problem, clues.number());
    if let Some(late_by) = clues.trace.late_by {
        received += &format!("; an answer came {} later", in_ms(late_by));
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
        }
    }
    received
}

/// A line that was sent, without its newline.
pub(super) fn shown(line: &[u8]) -> String {
    printable(&String::from_utf8_lossy(line.trim_ascii_end()))
}
