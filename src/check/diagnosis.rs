//! From what was seen to the row of the table that explains it.

use super::clues::Seen;
use super::positions::ONE_HOUSE;
use super::table::{Known, Problem};
use crate::referee::Cause;
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

/// What a bot calls its houses, by its answers to the positions of one house, or to the first of
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
