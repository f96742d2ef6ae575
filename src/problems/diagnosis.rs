//! Finds the row of the problem table that explains a fault.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::behind_adapter;
use super::clues::FaultClues;
use super::command_advice::CommandAdvice;
use super::problem_row::{Group, Known};
use super::table::Problem;
use crate::protocol::{AdapterReport, Cause};
use crate::rules::Board;
use crate::text::{bytes, printable};

/// What is wrong with a bot. Two are equal where problem and key are.
#[derive(Clone, Debug)]
pub(crate) struct Diagnosis {
    pub(crate) problem: Problem,
    /// The size of a limit, the name of what is missing, or an adapter's code.
    key: String,
    /// What stands for `{}` in the table's sentence.
    name: String,
    /// What it is in the protocol's terms, where the words are an adapter's.
    pub(crate) behind: Option<Problem>,
}

impl PartialEq for Diagnosis {
    fn eq(&self, other: &Diagnosis) -> bool {
        (self.problem, &self.key) == (other.problem, &other.key)
    }
}

impl From<Problem> for Diagnosis {
    fn from(problem: Problem) -> Diagnosis {
        Diagnosis { problem, key: String::new(), name: String::new(), behind: None }
    }
}

impl Diagnosis {
    /// What is wrong, in a sentence without its full stop.
    pub(crate) fn what(&self) -> String {
        self.problem.row().what.replace("{}", &self.name)
    }

    pub(crate) fn fix(&self, advice: CommandAdvice) -> String {
        let behind = self.behind.map(|it| behind_adapter::advice(it, advice.adapter));
        let behind =
            behind.filter(|words| !words.is_empty()).unwrap_or_else(|| match self.problem {
                Problem::BehindTheAdapter => behind_adapter::ANY_WRONG_ANSWER.to_owned(),
                _ => String::new(),
            });
        advice.fill_in(&(self.problem.row().fix.to_owned() + &behind))
    }

    /// What it is in the protocol's terms.
    pub(crate) fn in_protocol(&self) -> Problem {
        self.behind.unwrap_or(self.problem)
    }

    /// The same, put down to this in the protocol's terms; whatever an adapter's code for it is.
    pub(crate) fn attributed_to(self, problem: Problem) -> Diagnosis {
        match self.behind {
            Some(_) => Diagnosis { behind: Some(problem), key: String::new(), ..self },
            None => problem.into(),
        }
    }

    /// The same, put down to how the bot chooses a house, as far as that says anything to its author.
    pub(crate) fn explained_by(self, problem: Problem) -> Diagnosis {
        match self.behind {
            Some(_) => match behind_adapter::in_its_terms(&self.key, problem) {
                Some(problem) => self.attributed_to(problem),
                None => self,
            },
            None => problem.into(),
        }
    }
}

impl Problem {
    /// The first problem of the table that is recognised like this.
    pub(crate) fn known_by(matches: impl Fn(&Known) -> bool) -> Option<Problem> {
        Problem::ALL.iter().copied().find(|problem| matches(&problem.row().known))
    }

    /// Whether it chose a house of its own that is empty.
    pub(crate) fn is_empty_house(self) -> bool {
        matches!(self, Problem::EmptyHouse | Problem::SameAsLast)
    }

    /// Whether it gave no answer, after others or at all.
    pub(crate) const fn is_silence(self) -> bool {
        matches!(self, Problem::ComputesOn | Problem::StopsAnswering | Problem::Silent)
    }

    /// Whether the bot left, one way or another.
    pub(crate) const fn is_a_departure(self) -> bool {
        matches!(self.group(), Group::ClosedStdout | Group::Exit | Group::Crash)
    }
}

/// What explains a fault; `None` where its cause is not in the table.
pub(crate) fn diagnose(clues: &FaultClues<'_>) -> Option<Diagnosis> {
    let known_by = |clues: &FaultClues<'_>| {
        Problem::known_by(|known| match known {
            Known::Codes(codes) => codes.contains(&clues.code()),
            Known::Fault(matches) => matches(clues),
            _ => false,
        })
    };
    let problem = known_by(clues)?;
    let Cause { adapter, limit, limit_ms, .. } = &*clues.cause;
    if let Some(AdapterReport { code, words }) = adapter {
        let cause = Cow::Owned(Cause { adapter: None, ..clues.cause.clone().into_owned() });
        let behind = known_by(&FaultClues { cause, missing: None, ..*clues });
        // The form of the answer is the adapter's own, such as a null for a function that printed.
        let behind = behind.filter(|problem| problem.group() != Group::Output);
        let behind = behind.map(|problem| behind_adapter::perhaps(code, problem, clues.number()));
        return Some(Diagnosis { problem, key: code.clone(), name: printable(words), behind });
    }
    let limit = limit.unwrap_or_default();
    let name = match problem {
        Problem::Memory | Problem::FileSize => bytes(limit),
        Problem::Processes => limit.to_string(),
        Problem::CpuTime => format!("{}s", limit_ms.unwrap_or_default() / 1000),
        _ => clues.missing.as_ref().map(|missing| missing.name.clone()).unwrap_or_default(),
    };
    Some(Diagnosis { problem, key: name.clone(), name, behind: None })
}

/// How a bot numbers its houses, by the positions and numbers of all its answers that were faults;
/// `None` where they do not tell.
///
/// Faults tell less than the positions of one house, so a numbering is only named if it alone makes
/// every answer a house with seeds, the answers differ, and one of them is above 5 or negative: other
/// mistakes, such as an answer that is written twice, name houses.
pub(super) fn numbering_of_faults(answers: &[(Board, i64)]) -> Option<Problem> {
    let numbers: BTreeSet<i64> = answers.iter().map(|&(_, number)| number).collect();
    if numbers.len() < 3 || numbers.iter().all(|number| (0..6).contains(number)) {
        return None;
    }
    let explains = |expected: fn(i64, i64) -> i64, (board, number): &(Board, i64)| {
        let with_seeds = |first: u8| {
            (0..6_u8).filter(move |house| board.cells()[usize::from(first + house)] > 0)
        };
        let mut pairs = with_seeds(0).flat_map(|own| with_seeds(7).map(move |other| (own, other)));
        pairs.any(|(own, opponents)| expected(own.into(), opponents.into()) == *number)
    };
    let mut possible = Problem::ALL.iter().copied().filter(|problem| match problem.row().known {
        Known::Numbering(expected) => answers.iter().all(|answer| explains(expected, answer)),
        _ => false,
    });
    possible.next().filter(|_| possible.next().is_none())
}

/// What a number means to the bot's author, as it stands after what was received; empty where that is
/// not known.
pub(crate) fn meant_in_words(problem: Problem, number: Option<i64>) -> String {
    let house = number.and_then(|number| meant_house(problem, number));
    house.map(|house| format!("; its author means house {house}")).unwrap_or_default()
}

/// The house 0 to 5 that its author means by a number, where the houses are numbered that way.
fn meant_house(problem: Problem, number: i64) -> Option<i64> {
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
    use crate::rules::CELLS;

    /// A position in which it is the turn of a bot that counts right to answer `house`.
    fn asked(own: [u8; 6], opponents: [u8; 6]) -> Board {
        let mut cells = [0; CELLS];
        cells[..6].copy_from_slice(&own);
        cells[7..13].copy_from_slice(&opponents);
        Board::from_cells(cells).unwrap()
    }

    #[test]
    fn a_numbering_is_known_by_faults_that_nothing_else_explains() {
        // Its author means houses 5, 2 and 0; counted from 1 the first of them is 6.
        let boards = [
            asked([0, 2, 0, 0, 0, 3], [1; 6]),
            asked([1, 0, 2, 0, 0, 0], [1, 0, 1, 0, 0, 1]),
            asked([4, 0, 0, 1, 0, 1], [0, 0, 1, 1, 1, 0]),
        ];
        let answers = |numbers: [i64; 3]| boards.into_iter().zip(numbers).collect::<Vec<_>>();
        assert_eq!(numbering_of_faults(&answers([6, 3, 1])), Some(Problem::FromOne));
        assert_eq!(numbering_of_faults(&answers([12, 9, 7])), Some(Problem::SecondHalf));
        // No number that is not a house, too few different ones, one that nothing explains.
        assert_eq!(numbering_of_faults(&answers([2, 3, 1])), None);
        assert_eq!(numbering_of_faults(&answers([6, 6, 6])), None);
        assert_eq!(numbering_of_faults(&answers([6, 3, 0])), None);
        assert_eq!(numbering_of_faults(&answers([6, 3, -2])), None);
        assert_eq!(numbering_of_faults(&[]), None);
    }

    proptest::proptest! {
        #[test]
        fn a_bot_that_counts_its_houses_from_1_is_never_taken_for_another(
            positions in proptest::collection::vec(
                (proptest::array::uniform6(0_u8..4), proptest::array::uniform6(0_u8..4)), 1..30)
        ) {
            let fullest = |own: &[u8; 6]| (0_u8..6).max_by_key(|&it| own[usize::from(it)]).unwrap();
            let played = positions.into_iter().filter(|(own, _)| own.iter().any(|&seeds| seeds > 0));
            let answers: Vec<_> =
                played.map(|(own, other)| (asked(own, other), 1 + i64::from(fullest(&own)))).collect();
            let found = numbering_of_faults(&answers);
            proptest::prop_assert!([None, Some(Problem::FromOne)].contains(&found), "{found:?}");
        }
    }

    #[test]
    fn a_number_stands_for_the_house_that_its_author_means() {
        assert_eq!(meant_house(Problem::FromOne, 6), Some(5));
        assert_eq!(meant_house(Problem::BinsFromTheStore, 6), Some(0));
        assert_eq!(meant_house(Problem::SecondHalf, 7), Some(0));
        assert_eq!(meant_house(Problem::FromOne, 0), None);
        assert_eq!(meant_house(Problem::OpponentsRow, 3), None);
        assert_eq!(meant_house(Problem::Text, 3), None);
    }

    #[test]
    fn texts_are_whole_sentences() {
        for problem in Problem::ALL {
            let row = problem.row();
            assert!(
                !row.what.ends_with(['.', '?']) && row.fix.ends_with(['.', ')', '?', '}']),
                "{problem:?}"
            );
            assert!(!row.what.contains("  ") && !row.fix.contains("  "), "{problem:?}");
        }
    }
}
