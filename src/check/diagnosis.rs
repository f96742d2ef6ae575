//! From what was seen to the row of the table that explains it: after a trial of a check, and after
//! a fault of a match, of which a bundle is all that is known. What only an experiment tells is left
//! to a check.

use super::clues::{RoundTrace, Seen};
use super::table::{Known, Problem};
use super::trial::ONE_HOUSE;
use crate::log::Bundle;
use crate::protocol::{AdapterReport, Cause, ToBot};
use crate::text::{bytes, printable};

/// What is wrong with a bot: a problem, and what tells it from others of that problem.
#[derive(Clone, Debug)]
pub(super) struct Diagnosis {
    pub(super) problem: Problem,
    /// The size of a limit, the name of what is missing, or an adapter's code.
    key: String,
    /// What stands in the table's sentence for `{}`.
    name: String,
}

impl PartialEq for Diagnosis {
    fn eq(&self, other: &Diagnosis) -> bool {
        (self.problem, &self.key) == (other.problem, &other.key)
    }
}

impl From<Problem> for Diagnosis {
    fn from(problem: Problem) -> Diagnosis {
        Diagnosis { problem, key: String::new(), name: String::new() }
    }
}

impl Diagnosis {
    /// What is wrong, in a sentence without its full stop.
    pub(super) fn what(&self) -> String {
        self.problem.row().what.replace("{}", &self.name)
    }
}

/// What explains a fault; `None` where its cause is not one of the table.
pub(super) fn diagnose(seen: &Seen<'_>) -> Option<Diagnosis> {
    let problem = Problem::known_by(|known| match known {
        Known::Fault(is_shown) => is_shown(seen),
        _ => false,
    })?;
    let Cause { adapter, limit, limit_ms, .. } = &*seen.cause;
    if let Some(AdapterReport { code, words }) = adapter {
        return Some(Diagnosis { problem, key: code.clone(), name: printable(words) });
    }
    let limit = limit.unwrap_or_default();
    let name = match problem {
        Problem::Memory | Problem::FileSize => bytes(limit),
        Problem::Processes => limit.to_string(),
        Problem::CpuTime => format!("{}s", limit_ms.unwrap_or_default() / 1000),
        _ => seen.missing.as_ref().map(|missing| missing.name.clone()).unwrap_or_default(),
    };
    Some(Diagnosis { problem, key: name.clone(), name })
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

/// Explains a fault; what is wrong is its kind alone in a bundle without a cause.
#[must_use]
pub fn explain(bundle: &Bundle) -> Explanation {
    let line = bundle.reply_bytes().unwrap_or_default();
    let trace = trace(bundle);
    let seen = Seen::new(bundle.cause.as_deref(), &line, &bundle.stderr, &trace);
    let diagnosis = seen.and_then(|seen| {
        let plays_the_other_row = seen.cause.adapter.is_none()
            && seen.number().is_some_and(|cell| (7..=12).contains(&cell));
        if plays_the_other_row { Some(Problem::OpponentsCells.into()) } else { diagnose(&seen) }
    });
    let Some(diagnosis) = diagnosis else {
        let (what, fix) = (bundle.kind.to_string(), String::new());
        return Explanation { what, fix, diagnosis: None };
    };
    let mut fix = diagnosis.problem.row().fix.to_owned();
    if diagnosis.problem == Problem::Silent {
        fix = without_an_experiment(&fix, trace.answers_in_process == 0);
    }
    Explanation { what: diagnosis.what(), fix, diagnosis: Some(diagnosis) }
}

fn trace(bundle: &Bundle) -> RoundTrace {
    let before = bundle.turn.saturating_sub(1);
    let turns = bundle
        .told
        .iter()
        .flatten()
        .filter(|line| matches!(serde_json::from_str(line), Ok(ToBot::Turn(_))));
    let turns = u32::try_from(turns.count()).unwrap_or(u32::MAX);
    RoundTrace {
        answers_in_process: if bundle.told.is_some() { turns } else { before },
        answers_in_round: before,
        ..RoundTrace::default()
    }
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
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::log::FORMAT;
    use crate::protocol::{CauseCode, FaultKind, Reply};
    use crate::record::{BotRecord, Terms};
    use crate::rules::{House, Ruleset};

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

    /// The bundle of a fault with this cause.
    fn bundle(cause: Cause, reply: &str) -> Bundle {
        Bundle {
            format: FORMAT.to_owned(),
            bot: BotRecord { name: "a".to_owned(), command: vec!["./a".to_owned()] },
            opponent: "b".to_owned(),
            round: 1,
            turn: 1,
            kind: cause.code.kind().unwrap(),
            detail: cause.in_words(reply),
            cause: Some(Box::new(cause)),
            rules: Ruleset::default(),
            terms: Terms::default(),
            environment: Vec::new(),
            start: START.to_owned(),
            input: Some(TURN.to_owned()),
            reply: Some(reply.to_owned()),
            reply_hex: None,
            waited_ms: None,
            limit_ms: None,
            late_after_ms: None,
            exit: None,
            stderr: String::new(),
            reproduce: String::new(),
            told: Some(vec![START.to_owned()]),
        }
    }

    fn what(cause: Cause, reply: &str) -> String {
        let Explanation { what, fix, .. } = explain(&bundle(cause, reply));
        assert!(fix.ends_with(['.', ')', '?']), "{fix}");
        what
    }

    #[test]
    fn a_fault_is_explained_in_the_words_of_a_check() {
        use CauseCode as Code;
        let answered = |reply: &str| what(*Reply::parse(reply.as_bytes()).unwrap_err(), reply);
        let empty = Cause { house: House::new(0), ..Code::EmptyHouse.into() };
        assert_eq!(what(empty, "0"), Problem::EmptyHouse.row().what);
        assert_eq!(answered("8"), Problem::OpponentsCells.row().what);
        assert_eq!(answered("70"), Problem::NoSuchHouse.row().what);
        assert_eq!(answered("hello"), Problem::Text.row().what);
        assert_eq!(answered("{'move': 3}"), Problem::ShownObject.row().what);
        assert_eq!(answered("\"3\""), Problem::NotAMove.row().what);
        for (code, problem) in [
            (Code::MoreThanOneLine, Problem::MoreThanOneLine),
            (Code::Unasked, Problem::Unasked),
            (Code::NeverAnswered, Problem::Silent),
            (Code::LateAnswer, Problem::Late),
            (Code::ClosedStdout, Problem::ClosesStdout),
            (Code::Sandbox, Problem::Crashes),
        ] {
            assert_eq!(what(code.into(), "3"), problem.row().what);
        }
        let crashed = Cause { signal: Some(11), ..Code::Signal.into() };
        assert_eq!(what(crashed, ""), Problem::BadMemoryAccess.row().what);
        let exited = Cause { exit_code: Some(1), ..Code::ExitCode.into() };
        let stderr = "ModuleNotFoundError: No module named 'numpy'".to_owned();
        let missing = explain(&Bundle { stderr, ..bundle(exited, "") }).what;
        assert!(missing.ends_with("numpy"), "{missing}");
        let size = what(Cause::of_limit(Code::MemoryLimit, 1 << 30), "");
        assert!(size.ends_with("(--memory 1GiB)"), "{size}");
    }

    #[test]
    fn an_adapters_words_are_the_finding() {
        let line = r#"{"move":7,"info":{"adapter":{"code":"no_bin","words":"f returned bin -1"}}}"#;
        let cause = *Reply::parse(line.as_bytes()).unwrap_err();
        let explained = explain(&bundle(cause.clone(), line));
        assert_eq!(explained.what, "f returned bin -1");
        let again = line.replace("-1", "9");
        let again = explain(&bundle(*Reply::parse(again.as_bytes()).unwrap_err(), &again));
        assert_eq!(explained, again, "the same code is the same problem");
        let none = explain(&Bundle { cause: None, ..bundle(cause, line) });
        assert_eq!(none.what, "illegal_move");
    }

    proptest! {
        /// Rewording a message changes no diagnosis.
        #[test]
        fn a_diagnosis_does_not_read_the_detail(
            code in select(CauseCode::ALL), reply in ".{0,9}", detail in ".*", exit in 0..3i32,
        ) {
            let exits = code.kind() == Some(FaultKind::Exited);
            let cause = Cause { exit_code: exits.then_some(exit), ..code.into() };
            let bundle = bundle(cause, &reply);
            let explained = explain(&bundle);
            prop_assert!(!explained.fix.is_empty());
            prop_assert_eq!(explained, explain(&Bundle { detail, ..bundle }));
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
