//! A fault of a match explained as a check would, without its experiments: a bundle is all that is
//! known.

use super::adapter::AdviceCase;
use super::clues::{FaultClues, RoundTrace};
use super::command_advice::CommandAdvice;
use super::diagnosis::{Diagnosis, diagnose, meant_in_words, numbering_of_faults};
use super::problem_row::Group;
use super::sandbox_advice::sandbox_advice;
use super::table::Problem;
use crate::log::Bundle;
use crate::protocol::{Cause, CauseCode, FaultKind, ToBot, Who};
use crate::record::FaultRecord;
use crate::report::RecordedFault;
use crate::rules::Board;

/// What a fault was, and how to fix it. Two are equal where they are the same problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is wrong, in a sentence without its full stop.
    pub what: String,
    /// How to fix it, in whole sentences.
    pub fix: String,
    diagnosis: Option<Diagnosis>,
    /// The number that was answered, if it was a number.
    number: Option<i64>,
    /// Whether its process had given no answer before.
    gave_no_answer: bool,
    advice: CommandAdvice,
}

impl PartialEq for Explanation {
    fn eq(&self, other: &Explanation) -> bool {
        match (&self.diagnosis, &other.diagnosis) {
            (None, None) => self.what == other.what,
            (one, another) => one == another,
        }
    }
}

/// Puts the faults of one bot down to the way in which it numbers its houses, where all that chose a
/// house show it together, and else empty houses to one problem; and exits without any answer to one.
/// Each explanation stands with the position of its fault.
pub fn explain_together(faults: &mut [(Option<Board>, &mut Explanation)]) {
    let has = |wanted: &dyn Fn(Problem) -> bool| {
        faults.iter().any(|(_, it)| it.in_protocol().is_some_and(wanted))
    };
    // A bot that writes other lines, too, may have written an answer twice.
    let may_repeat = has(&|it| it == Problem::Unasked || it.group() == Group::Output);
    let is_one_problem = has(&|it| it == Problem::EmptyHouse) && !may_repeat;
    if has(&|it| it == Problem::ExitsAtOnce) {
        // One that was not asked in a round before, as its opponent forfeited, may have exited after it.
        for (_, explanation) in faults.iter_mut().filter(|(_, it)| it.gave_no_answer) {
            if explanation.in_protocol() == Some(Problem::ExitsAfterARound) {
                explanation.explained_by(Problem::ExitsAtOnce);
            }
        }
    }
    let chose = |it: &Explanation| {
        it.in_protocol()
            .is_some_and(|it| it.group() == Group::House || it == Problem::OpponentsCells)
    };
    let mut choices: Vec<_> = faults.iter_mut().filter(|(_, it)| chose(it)).collect();
    let answers: Option<Vec<_>> = choices.iter().map(|(board, it)| board.zip(it.number)).collect();
    let numbering = answers.and_then(|answers| numbering_of_faults(&answers));
    for (_, explanation) in &mut choices {
        if let Some(problem) = numbering {
            explanation.explained_by(problem);
        } else if is_one_problem && explanation.in_protocol() == Some(Problem::SameAsLast) {
            // It chose the same house again by chance.
            explanation.explained_by(Problem::EmptyHouse);
        }
    }
}

impl Explanation {
    /// The problem, in the protocol's terms.
    fn in_protocol(&self) -> Option<Problem> {
        self.diagnosis.as_ref().map(Diagnosis::in_protocol)
    }

    fn explained_by(&mut self, problem: Problem) {
        let Some(diagnosis) = self.diagnosis.take() else { return };
        let diagnosis = diagnosis.explained_by(problem);
        (self.what, self.fix) = (diagnosis.what(), diagnosis.fix(self.advice));
        self.diagnosis = Some(diagnosis);
    }

    /// What the answer means to the bot's author, to be read after the fault's detail; empty where
    /// that is not known.
    pub(crate) fn meaning(&self) -> String {
        let meaning = |it: &Diagnosis| meant_in_words(it.problem, self.number);
        self.diagnosis.as_ref().map(meaning).unwrap_or_default()
    }
}

/// Explains a fault; by its kind alone where the bundle has no cause.
pub fn explain(bundle: &Bundle) -> Explanation {
    let Bundle { kind, cause, stderr, bot, .. } = bundle;
    explain_fault((*kind, cause.as_deref(), stderr), &bot.command, &trace(bundle))
}

fn explain_fault(
    (kind, cause, stderr): (FaultKind, Option<&Cause>, &str),
    command: &[String],
    trace: &RoundTrace,
) -> Explanation {
    let clues = FaultClues::new(cause, stderr, trace);
    let number = clues.as_ref().and_then(FaultClues::number);
    let gave_no_answer = trace.answers_in_process == 0;
    let advice = CommandAdvice::of(command);
    let diagnosis = clues.and_then(|clues| {
        let plays_the_other_row = clues.cause.adapter.is_none()
            && clues.number().is_some_and(|cell| (7..=12).contains(&cell));
        if plays_the_other_row { Some(Problem::OpponentsCells.into()) } else { diagnose(&clues) }
    });
    let Some(diagnosis) = diagnosis else {
        let (what, fix) = (kind.to_string().replace('_', " "), String::new());
        return Explanation { what, fix, diagnosis: None, number, gave_no_answer, advice };
    };
    let mut fix = diagnosis.fix(advice);
    // An adapter flushes.
    if cause.is_some_and(|cause| cause.code == CauseCode::NeverAnswered) && advice.adapter.is_none()
    {
        let flush = Problem::AnswersAtTheEnd.row().fix;
        fix = advice.fill_in(&AdviceCase::Silence.before(flush, diagnosis.problem.row().fix));
    }
    if let Some(cause) = cause {
        fix += sandbox_advice(cause.code).on_a_page;
    }
    let what = diagnosis.what();
    Explanation { what, fix, diagnosis: Some(diagnosis), number, gave_no_answer, advice }
}

/// Explains a fault of a record.
pub fn explain_record(fault: &RecordedFault<'_>) -> Explanation {
    let trace = RoundTrace {
        answers_in_process: fault.answers_in_process,
        answers_in_round: fault.answers_in_round,
        rounds_in_process: fault.rounds_in_process,
        previous: fault.previous,
        ..RoundTrace::default()
    };
    let FaultRecord { kind, cause, stderr, .. } = fault.record;
    explain_fault((*kind, cause.as_deref(), stderr), fault.command, &trace)
}

/// What led to the fault, as far as the lines tell that the bot was sent.
fn trace(bundle: &Bundle) -> RoundTrace {
    let before = bundle.turn.saturating_sub(1);
    let turn = |line: &String| match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => Some(turn),
        _ => None,
    };
    let turns = bundle.told.as_ref().map(|told| told.iter().filter_map(turn).count());
    let begins = |line: &&String| matches!(serde_json::from_str(line), Ok(ToBot::Start(_)));
    let starts = bundle.told.iter().flatten().filter(begins).count();
    let moves = bundle.input.as_ref().and_then(turn).map(|turn| turn.moves).unwrap_or_default();
    let own = moves.iter().find(|played| played.by == Who::You);
    RoundTrace {
        answers_in_process: turns.map_or(before, |turns| turns.try_into().unwrap_or(u32::MAX)),
        answers_in_round: before,
        rounds_in_process: starts.try_into().unwrap_or(u32::MAX),
        previous: own.map(|played| played.house.cell().into()),
        ..RoundTrace::default()
    }
}
