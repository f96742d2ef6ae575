//! A fault of a match explained as a check would, without its experiments: a bundle is all that is
//! known.

use super::clues::{FaultClues, RoundTrace};
use super::diagnosis::{Diagnosis, diagnose};
use super::flush::flush_advice;
use super::table::Problem;
use crate::log::Bundle;
use crate::protocol::{Cause, CauseCode, FaultKind, ToBot, Who};
use crate::report::{Advice, RecordedFault};

/// What a fault was, and how to fix it. Two are equal where they are the same problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is wrong, in a sentence without its full stop.
    pub what: String,
    /// How to fix it, in whole sentences.
    pub fix: String,
    diagnosis: Option<Diagnosis>,
}

impl PartialEq for Explanation {
    fn eq(&self, other: &Explanation) -> bool {
        match (&self.diagnosis, &other.diagnosis) {
            (None, None) => self.what == other.what,
            (one, another) => one == another,
        }
    }
}

/// Explains a fault; by its kind alone where the bundle has no cause.
pub fn explain(bundle: &Bundle) -> Explanation {
    let (line, trace) = (bundle.reply_bytes().unwrap_or_default(), trace(bundle));
    let clues = FaultClues::new(bundle.cause.as_deref(), &line, &bundle.stderr, &trace);
    explain_clues(clues, bundle.kind, &bundle.bot.command, bundle.cause.as_deref())
}

fn explain_clues(
    clues: Option<FaultClues<'_>>,
    kind: FaultKind,
    command: &[String],
    cause: Option<&Cause>,
) -> Explanation {
    let diagnosis = clues.and_then(|clues| {
        let plays_the_other_row = clues.cause.adapter.is_none()
            && clues.number().is_some_and(|cell| (7..=12).contains(&cell));
        if plays_the_other_row { Some(Problem::OpponentsCells.into()) } else { diagnose(&clues) }
    });
    let Some(diagnosis) = diagnosis else {
        let (what, fix) = (kind.to_string(), String::new());
        return Explanation { what, fix, diagnosis: None };
    };
    let flush = flush_advice(command);
    let mut fix = diagnosis.fix(flush);
    if cause.is_some_and(|cause| cause.code == CauseCode::NeverAnswered) {
        fix = format!("Flush stdout after each answer. {flush} {fix}");
    }
    Explanation { what: diagnosis.what(), fix, diagnosis: Some(diagnosis) }
}

/// Explains a fault of a record, where the bot's line is only quoted, for a page.
pub fn explain_recorded(fault: &RecordedFault<'_>) -> Advice {
    let Explanation { what, fix, .. } = explain_record(fault);
    Advice { what, fix }
}

/// Explains a fault of a record, where the bot's line is only quoted.
pub fn explain_record(fault: &RecordedFault<'_>) -> Explanation {
    let trace = RoundTrace {
        answers_in_process: fault.answers_in_process,
        answers_in_round: fault.answers_in_round,
        previous: fault.previous,
        ..RoundTrace::default()
    };
    let line = fault.detail.rsplit_once("got ").map_or("", |(_, quote)| quote);
    let clues = FaultClues::new(fault.cause, line.as_bytes(), fault.stderr, &trace);
    explain_clues(clues, fault.kind, fault.command, fault.cause)
}

/// What led to the fault, as far as the lines tell that the bot was sent.
fn trace(bundle: &Bundle) -> RoundTrace {
    let before = bundle.turn.saturating_sub(1);
    let turn = |line: &String| match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => Some(turn),
        _ => None,
    };
    let turns = bundle.told.as_ref().map(|told| told.iter().filter_map(turn).count());
    let moves = bundle.input.as_ref().and_then(turn).map(|turn| turn.moves).unwrap_or_default();
    let own = moves.iter().find(|played| played.by == Who::You);
    RoundTrace {
        answers_in_process: turns.map_or(before, |turns| turns.try_into().unwrap_or(u32::MAX)),
        answers_in_round: before,
        previous: own.map(|played| played.house.cell().into()),
        ..RoundTrace::default()
    }
}
