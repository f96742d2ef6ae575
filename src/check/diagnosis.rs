//! From what was seen to the row of the table that explains it: after a trial of a check, and after
//! a fault of a match, of which a bundle is all that is known. What only an experiment tells is left
//! to a check.

use super::clues::{Last, RoundTrace, Seen, number};
use super::table::{Known, Problem};
use super::trial::ONE_HOUSE;
use crate::log::Bundle;
use crate::protocol::{FaultKind, ToBot};
use crate::record::FaultRecord;
use crate::referee::{Cause, Ended, Misconduct};
use crate::rules::{Board, Opening};
use crate::seat::Seat;
use crate::text::bytes;

/// What is wrong with a bot: a problem, and the size or name that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub(super) problem: Problem,
    name: String,
}

impl From<Problem> for Diagnosis {
    fn from(problem: Problem) -> Diagnosis {
        Diagnosis { problem, name: String::new() }
    }
}

impl Diagnosis {
    /// A problem with the size or name that goes with it.
    pub(super) fn named(problem: Problem, name: &str) -> Diagnosis {
        Diagnosis { problem, name: name.to_owned() }
    }

    /// What is wrong, in a sentence without its full stop.
    pub(super) fn what(&self) -> String {
        self.problem.row().what.replace("{}", &self.name)
    }
}

/// What explains a fault; none where it was the machine that was late.
pub(super) fn diagnose(seen: &Seen<'_>) -> Option<Diagnosis> {
    let problem = Problem::known_by(|known| match known {
        Known::Fault(is_shown) => seen.is_told() && is_shown(seen),
        _ => false,
    })?;
    let name = match (&seen.missing, seen.cause()) {
        (Some(missing), _) => missing.name.clone(),
        (_, Some(Cause::Memory(limit) | Cause::FileSize(limit))) => bytes(limit),
        (_, Some(Cause::Processes(limit))) => limit.to_string(),
        (_, Some(Cause::CpuTime(limit))) => format!("{}s", limit.as_secs()),
        _ => String::new(),
    };
    Some(Diagnosis { problem, name })
}

/// How a bot numbers its houses, by its answers to the positions of one house, or to the first of
/// them; none where they say nothing, or are right.
pub(super) fn numbering(answers: &[Option<i64>]) -> Option<Problem> {
    let numbers: Option<Vec<i64>> = answers.iter().copied().collect();
    let numbers = numbers.filter(|numbers| numbers.len() >= 3)?;
    let answers_as = |expected: &fn(i64, i64) -> i64| {
        let houses = ONE_HOUSE.iter().map(|&(own, opponents)| (own.into(), opponents.into()));
        houses.zip(&numbers).all(|((own, opponents), &number)| number == expected(own, opponents))
    };
    let numbering = Problem::known_by(|known| match known {
        Known::Numbering(expected) => answers_as(expected),
        _ => false,
    });
    let is_one = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    numbering.or_else(|| is_one.then_some(Problem::AlwaysTheSame))
}

/// The house 0 to 5 that its author means by a number, where the houses are numbered that way.
pub(super) fn meant_house(problem: Problem, number: i64) -> Option<i64> {
    match problem.row().known {
        // Another house of the opponent's makes no difference to a numbering of the own houses.
        Known::Numbering(expected) => (0..6)
            .find(|&own| expected(own, 0) == number)
            .filter(|&own| expected(own, 0) == expected(own, 1)),
        _ => None,
    }
}

/// What a fault was, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong, in a sentence without its full stop.
    pub what: String,
    /// How to fix it, in whole sentences.
    pub fix: String,
}

/// Explains a fault.
#[must_use]
pub fn explain(bundle: &Bundle) -> Explanation {
    let fault = FaultRecord {
        bot: Seat::A,
        kind: bundle.kind,
        detail: bundle.detail.clone(),
        board: board(bundle),
        stderr: bundle.stderr.clone(),
    };
    let trace = trace(bundle);
    let seen = Seen::new(&fault, &trace);
    let diagnosis = of_a_limit(&bundle.detail).or_else(|| {
        let plays_the_other_row = fault.kind == FaultKind::IllegalMove
            && seen.answer().and_then(number).is_some_and(|cell| (7..=12).contains(&cell));
        if plays_the_other_row { Some(Problem::OpponentsCells.into()) } else { diagnose(&seen) }
    });
    let Some(diagnosis) = diagnosis else {
        return Explanation { what: bundle.kind.to_string(), fix: String::new() };
    };
    let mut fix = diagnosis.problem.row().fix.to_owned();
    if diagnosis.problem == Problem::Silent {
        fix = without_an_experiment(&fix, trace.answers_in_process == 0);
    }
    Explanation { what: diagnosis.what(), fix }
}

/// The board of the last question, or of the round's start.
fn board(bundle: &Bundle) -> Board {
    let line = bundle.input.as_ref().unwrap_or(&bundle.start);
    match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => turn.board,
        Ok(ToBot::Start(start)) => start.board,
        _ => Opening::standard(&bundle.rules).board(),
    }
}

fn trace(bundle: &Bundle) -> RoundTrace {
    let before = bundle.turn.saturating_sub(1);
    let (mut starts, mut turns) = (0, 0);
    for line in bundle.told.iter().flatten() {
        match serde_json::from_str(line) {
            Ok(ToBot::Start(_)) => starts += 1,
            Ok(ToBot::Turn(_)) => turns += 1,
            _ => {}
        }
    }
    RoundTrace {
        last: last(bundle),
        rounds_in_process: starts.max(1),
        answers_in_process: if bundle.told.is_some() { turns } else { before },
        answers_in_round: before,
        ..RoundTrace::default()
    }
}

/// What the bot did when it was asked last.
fn last(bundle: &Bundle) -> Option<Last> {
    let reply = bundle.reply_bytes().unwrap_or_default();
    let misbehaved = |what| Some(Last::Misbehaved(what));
    match bundle.kind {
        FaultKind::StartFailed => None,
        FaultKind::IllegalMove | FaultKind::InvalidReply => Some(Last::Answered(reply)),
        // More than one line came, unless the question was not sent at all.
        FaultKind::UnsolicitedOutput if was_asked(bundle) => Some(Last::Answered(reply)),
        FaultKind::UnsolicitedOutput => misbehaved(Misconduct::Unsolicited(reply)),
        FaultKind::OversizedReply => misbehaved(Misconduct::Oversized(reply)),
        FaultKind::Timeout if bundle.detail.starts_with("answered ") => Some(Last::Answered(reply)),
        FaultKind::Timeout => misbehaved(Misconduct::Silent {
            waited: std::time::Duration::ZERO,
            partial: reply,
            unread: bundle.detail.contains("; it does not read its stdin"),
        }),
        FaultKind::Exited => {
            let exit = bundle.exit.as_ref();
            let how = match exit.map(|exit| (exit.code, exit.signal)) {
                Some((Some(code), _)) => Ended::Code(code),
                Some((None, Some(signal))) => Ended::Signal(signal),
                _ => Ended::ClosedStdout,
            };
            misbehaved(Misconduct::Exited { how, cause: None, partial: reply })
        }
    }
}

/// Whether the turn at fault is the one that was sent last.
fn was_asked(bundle: &Bundle) -> bool {
    let input = bundle.input.as_ref().and_then(|line| serde_json::from_str(line).ok());
    matches!(input, Some(ToBot::Turn(turn)) if turn.turn == bundle.turn)
}

/// How the referee's words begin where a bot ran into a limit: up to its size and behind it.
const LIMITS: [(&str, &str, Problem); 4] = [
    ("out of memory (--memory ", ")", Problem::Memory),
    ("more than ", " processes and threads (--processes ", Problem::Processes),
    ("out of processor time (--cpu-time ", ")", Problem::CpuTime),
    ("too large a file, or too many (--file-size ", ")", Problem::FileSize),
];

/// The limit that the referee found to have ended the bot.
fn of_a_limit(detail: &str) -> Option<Diagnosis> {
    if detail.starts_with("out of memory, says its stderr") {
        return Some(Problem::NoMemory.into());
    }
    LIMITS.into_iter().find_map(|(before, behind, problem)| {
        let (size, _) = detail.strip_prefix(before)?.split_once(behind)?;
        Some(Diagnosis::named(problem, size))
    })
}

/// The advice for a silent bot, less what a check finds out at the end of its input.
fn without_an_experiment(fix: &str, never_answered: bool) -> String {
    let known = fix.split(" Nothing came at the end").next().unwrap_or(fix);
    let flush = Problem::AnswersAtTheEnd.row().fix;
    let flush = flush.split(" If you do").next().unwrap_or(flush);
    if never_answered { format!("{flush} {known}") } else { known.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::log::{Exit, FORMAT};
    use crate::record::{BotRecord, Terms};
    use crate::referee::cause_in_words;
    use crate::rules::Ruleset;

    fn recognised(answer: impl Fn(i64, i64) -> i64) -> Option<Problem> {
        numbering(&ONE_HOUSE.map(|(own, opponents)| Some(answer(own.into(), opponents.into()))))
    }

    #[test]
    fn every_numbering_is_known_by_its_answers() {
        assert_eq!(recognised(|own, _| own), None);
        assert_eq!(recognised(|own, _| own + 1), Some(Problem::FromOne));
        assert_eq!(recognised(|own, _| 5 - own), Some(Problem::FromTheStore));
        assert_eq!(recognised(|own, _| 6 - own), Some(Problem::BinsFromTheStore));
        assert_eq!(recognised(|own, _| 12 - own), Some(Problem::Facing));
        assert_eq!(recognised(|own, _| 7 + own), Some(Problem::SecondHalf));
        assert_eq!(recognised(|_, opponents| opponents), Some(Problem::OpponentsRow));
        assert_eq!(recognised(|_, opponents| 7 + opponents), Some(Problem::OpponentsCells));
        assert_eq!(recognised(|_, _| 2), Some(Problem::AlwaysTheSame));
        assert_eq!(recognised(|own, opponents| own * opponents), None);
        assert_eq!(numbering(&[Some(1), Some(2)]), None);
        assert_eq!(numbering(&[Some(1), None, Some(3)]), None);
    }

    #[test]
    fn a_number_is_told_as_the_house_that_its_author_means() {
        assert_eq!(meant_house(Problem::FromOne, 6), Some(5));
        assert_eq!(meant_house(Problem::BinsFromTheStore, 6), Some(0));
        assert_eq!(meant_house(Problem::SecondHalf, 7), Some(0));
        assert_eq!(meant_house(Problem::FromOne, 0), None);
        assert_eq!(meant_house(Problem::OpponentsRow, 3), None);
        assert_eq!(meant_house(Problem::Text, 3), None);
    }

    /// Every problem that a release has ever told of is still in the table, with its severity.
    #[test]
    fn no_problem_is_lost() {
        let told: Vec<&str> = Problem::ALL.iter().map(|problem| problem.row().what).collect();
        for what in [
            "counts its houses from 1",
            "from the store: 0 for",
            "from the store: 1 for",
            "the cell that faces its house",
            "cells 7 to 12 for its own houses",
            "plays the opponent's row",
            "row, by its cells 7 to 12",
            "same answer to every board",
            "does not look at the board",
            "a house without seeds",
            "something that is not a house",
            "a direction that the rules do not have",
            "writes text to stdout",
            "prints an object",
            "an empty line",
            "JSON that is not a move",
            "without being asked",
            "more than one line",
            "more than 64 KiB",
            "answers only when its input ends",
            "without a newline",
            "does not read its stdin",
            "does not answer",
            "answers too late",
            "exits before its first answer",
            "exits in the middle of a round",
            "plays one round and exits",
            "it crashes",
            "closes its stdout",
            "does not start again",
            "more memory than it may",
            "more processes and threads",
            "more processor time",
            "a larger file",
            "refused memory",
            "does not find a file",
            "does not find a module",
            "does not find a class",
            "does not find a program",
            "two rounds in one process",
            "when its opponent forfeits",
            "with a time bank",
            "fails on names",
            "unknown fields",
            "messages of an unknown type",
            "goes on running after the end",
            "takes the end of its input for an error",
            "an answer took more than half",
            "its first answer took more than half",
        ] {
            assert!(told.iter().any(|told| told.contains(what)), "{what}");
        }
    }

    #[test]
    fn texts_are_whole_sentences() {
        for problem in Problem::ALL {
            let row = problem.row();
            assert!(!row.what.ends_with('.') && row.fix.ends_with(['.', ')']), "{problem:?}");
            assert!(!row.what.contains("  ") && !row.fix.contains("  "), "{problem:?}");
        }
    }

    const START: &str = r#"{"type":"start","protocol":1,"round":1,"first":true,"you":"a","opponent":"b","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#;
    const TURN: &str = r#"{"type":"turn","turn":1,"board":[0,3,3,3,3,3,3,3,3,3,3,3,3,0],"legal":[1,2,3,4,5],"moves":[],"move_time_ms":1000}"#;

    fn what(kind: FaultKind, detail: &str, change: impl FnOnce(&mut Bundle)) -> String {
        let mut bundle = Bundle {
            format: FORMAT.to_owned(),
            bot: BotRecord { name: "a".to_owned(), command: vec!["./a".to_owned()] },
            opponent: "b".to_owned(),
            round: 1,
            turn: 1,
            kind,
            detail: detail.to_owned(),
            rules: Ruleset::default(),
            terms: Terms::default(),
            environment: Vec::new(),
            start: START.to_owned(),
            input: Some(TURN.to_owned()),
            reply: None,
            reply_hex: None,
            waited_ms: None,
            limit_ms: None,
            late_after_ms: None,
            exit: None,
            stderr: String::new(),
            reproduce: String::new(),
            told: Some(vec![START.to_owned()]),
        };
        change(&mut bundle);
        let Explanation { what, fix } = explain(&bundle);
        assert!(fix.ends_with(['.', ')', '?']), "{fix}");
        what
    }

    fn answered(kind: FaultKind, reply: &str) -> String {
        what(kind, "", |bundle| bundle.reply = Some(reply.to_owned()))
    }

    #[test]
    fn a_fault_is_told_in_the_words_of_a_check() {
        assert_eq!(answered(FaultKind::IllegalMove, "0"), Problem::EmptyHouse.row().what);
        assert_eq!(answered(FaultKind::IllegalMove, "8"), Problem::OpponentsCells.row().what);
        assert_eq!(answered(FaultKind::IllegalMove, "70"), Problem::NoSuchHouse.row().what);
        assert_eq!(answered(FaultKind::InvalidReply, "hello"), Problem::Text.row().what);
        assert_eq!(
            answered(FaultKind::InvalidReply, "{'move': 3}"),
            Problem::ShownObject.row().what
        );
        let more = answered(FaultKind::UnsolicitedOutput, "3\nhello\n");
        assert_eq!(more, Problem::MoreThanOneLine.row().what);
        let unasked = what(FaultKind::UnsolicitedOutput, "", |bundle| bundle.input = None);
        assert_eq!(unasked, Problem::Unasked.row().what);
        assert_eq!(what(FaultKind::Timeout, "no answer after", |_| ()), Problem::Silent.row().what);
        let late = what(FaultKind::Timeout, "answered 3 after 2000.0 ms", |bundle| {
            bundle.reply = Some("3".to_owned());
        });
        assert_eq!(late, Problem::Late.row().what);
        let crashed = what(FaultKind::Exited, "", |bundle| {
            bundle.exit = Some(Exit { signal: Some(11), ..Exit::default() });
        });
        assert_eq!(crashed, Problem::BadMemoryAccess.row().what);
        let missing = what(FaultKind::Exited, "", |bundle| {
            bundle.exit = Some(Exit { code: Some(1), ..Exit::default() });
            bundle.stderr = "ModuleNotFoundError: No module named 'numpy'".to_owned();
        });
        assert!(missing.ends_with("numpy"), "{missing}");
    }

    #[test]
    fn a_limit_is_known_by_the_referees_words() {
        let causes = [
            (Cause::Memory(1 << 30), Problem::Memory, "1GiB"),
            (Cause::Processes(64), Problem::Processes, "64"),
            (Cause::CpuTime(Duration::from_secs(7)), Problem::CpuTime, "7s"),
            (Cause::FileSize(1 << 20), Problem::FileSize, "1MiB"),
            (Cause::NoMemory, Problem::NoMemory, ""),
        ];
        for (cause, problem, size) in causes {
            let words = cause_in_words(cause).unwrap();
            let expected = Diagnosis::named(problem, size).what();
            assert_eq!(what(FaultKind::Exited, &format!("{words}: x"), |_| ()), expected);
        }
    }

    #[test]
    fn advice_for_silence_claims_no_experiment() {
        let fix = Problem::Silent.row().fix;
        assert!(fix.contains(" Nothing came at the end"));
        let advice = without_an_experiment(fix, true);
        assert!(advice.starts_with("Flush stdout") && !advice.contains("Nothing came"), "{advice}");
        assert!(without_an_experiment(fix, false).starts_with("Look for"));
    }
}
