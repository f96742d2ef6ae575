//! What is wrong with a bot behind an adapter, in terms of its author, who knows neither the
//! protocol's numbers of houses nor its "legal".

use super::adapter::Adapter;
use super::problem_row::Group;
use super::table::Problem;

/// The codes of the adapter whose bin b is cell 6 - b: a bin that is too low is a cell that is too high.
const FROM_THE_STORE: [&str; 2] = ["no_bin", "empty_bin"];

/// What a way of choosing a house is to the author of a bot behind the adapter that gave `code`;
/// `None` where it says nothing to them.
pub(super) fn in_its_terms(code: &str, choice: Problem) -> Option<Problem> {
    Some(match choice {
        Problem::FromOne => one_off(code, 1, Problem::OneTooHigh, Problem::OneTooLow),
        Problem::FromMinusOne => one_off(code, -1, Problem::OneTooHigh, Problem::OneTooLow),
        Problem::FromTheStore => Problem::FromTheOtherEnd,
        Problem::PlaceInLegal => Problem::PlaceAmongFull,
        Problem::TakesAStore => Problem::StoreAmongHouses,
        Problem::OpponentsRow | Problem::OpponentsCells => Problem::RowOfTheOther,
        Problem::AlwaysTheSame | Problem::BlindToTheBoard => choice,
        _ => return None,
    })
}

/// What a problem may be, where the number that was answered is next to those of the houses.
pub(super) fn perhaps(code: &str, problem: Problem, number: Option<i64>) -> Problem {
    let off = match number {
        Some(6) => 1,
        Some(-1) => -1,
        _ => return problem,
    };
    one_off(code, off, Problem::PerhapsOneTooHigh, Problem::PerhapsOneTooLow)
}

/// Which of the two it is to answer a cell that is this much too high.
fn one_off(code: &str, off: i64, too_high: Problem, too_low: Problem) -> Problem {
    if (off > 0) == FROM_THE_STORE.contains(&code) { too_low } else { too_high }
}

/// What is said of a wrong answer of which nothing else is known.
pub(super) const ANY_WRONG_ANSWER: &str = " Answer with the number of one house with seeds, a whole \
    number, on every way through your code.";

/// What is said of an empty house that the bot has just played.
const OF_LAST_ANSWER: &str = " It is the house of its last answer. Does it print each answer twice? The \
    second one is taken for the answer to the next turn. If it does not, its last move has emptied that \
    house.";

/// What is said of it after the advice that the adapter's own words get; begins with a blank if it is
/// not empty.
pub(super) fn advice(behind: Problem, adapter: Option<Adapter>) -> String {
    let row = behind.row();
    match behind {
        _ if behind.is_empty_house() => {
            // Other adapters take no second line for an answer.
            let is_last = behind == Problem::SameAsLast && adapter == Some(Adapter::Lines);
            let of_last = if is_last { OF_LAST_ANSWER } else { "" };
            format!(
                "{of_last} Choose one with seeds: the position that your code is given is always right, \
                 whatever it remembers."
            )
        }
        Problem::PerhapsOneTooHigh | Problem::PerhapsOneTooLow => format!(" {}", row.fix),
        // The adapter has said in its own numbers which there are.
        _ if behind.group() == Group::House => String::new(),
        Problem::OneTooHigh
        | Problem::OneTooLow
        | Problem::FromTheOtherEnd
        | Problem::PlaceAmongFull
        | Problem::StoreAmongHouses
        | Problem::RowOfTheOther => format!(" Its answers show that {}. {}", row.what, row.fix),
        _ => format!(" Its answers show that {}.", row.what),
    }
}
