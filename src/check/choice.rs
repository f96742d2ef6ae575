//! How a bot chooses a house, by its answers to positions in which one mistake looks unlike another.

use super::experiments::numbers;
use super::positions::{ONE_HOUSE, THREE_HOUSES, empty_stores, filled_up, one_house};
use super::runner::Runner;
use super::trial::{Checked, Trial};
use crate::problems::{Known, Problem};

/// What the answers of a bot tell of the houses that it chose wrongly.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    /// This explains them.
    Explained(Problem),
    /// It plays its only house where it has one.
    Sound,
    /// Nothing that is known explains them.
    Unclear,
    /// It gave too few answers, mostly because there was no time.
    Unasked,
}

/// Fewer answers tell nothing.
const FEWEST: usize = 3;

/// Asks the bot in positions of these rules.
pub(super) fn choice(runner: &mut Runner<'_>, trial: &Trial) -> Checked<Choice> {
    let answers = numbers(runner, trial, one_house(&trial.rules))?;
    let is_sound = || {
        let mut answered = answers.iter().zip(ONE_HOUSE);
        answered.all(|(answer, (own, _))| *answer == Some(own.into()))
    };
    match numbering(&answers) {
        Some(Problem::AlwaysTheSame) => {
            let of_three = numbers(runner, trial, filled_up(&THREE_HOUSES, &trial.rules))?;
            let of_empty_stores = numbers(runner, trial, empty_stores(&trial.rules))?;
            Ok(explain_constant_answer(answers[0], &of_three, &of_empty_stores))
        }
        Some(numbering) => Ok(Choice::Explained(numbering)),
        None if answers.len() < FEWEST => Ok(Choice::Unasked),
        None if is_sound() => Ok(Choice::Sound),
        None => Ok(Choice::Unclear),
    }
}

/// What it is that makes a bot give the answer `always` wherever one house is legal, by its answers to
/// positions of three houses and to those of empty stores. It looks at the board if it answers
/// otherwise there.
fn explain_constant_answer(
    always: Option<i64>,
    of_three: &[Option<i64>],
    of_empty_stores: &[Option<i64>],
) -> Choice {
    if of_three.len().min(of_empty_stores.len()) < FEWEST {
        return Choice::Unasked;
    }
    let is_always = |answers: &[Option<i64>]| answers.iter().all(|answer| *answer == always);
    let are_places = of_three.iter().all(|it| it.is_some_and(|it| (0..3).contains(&it)));
    match always {
        _ if is_always(of_three) && is_always(of_empty_stores) => {
            Choice::Explained(Problem::AlwaysTheSame)
        }
        // One house has one place.
        Some(0) if are_places && !is_always(of_three) => Choice::Explained(Problem::PlaceInLegal),
        // The stores have the most seeds in all positions but those of the empty stores.
        Some(6 | 13) if of_three.iter().all(|answer| matches!(answer, Some(6 | 13))) => {
            Choice::Explained(Problem::TakesAStore)
        }
        _ => Choice::Unclear,
    }
}

/// How a bot numbers its houses, by its answers to the positions of one house, or to the first of
/// them; `None` where they are right, or tell nothing.
fn numbering(answers: &[Option<i64>]) -> Option<Problem> {
    let numbers: Option<Vec<i64>> = answers.iter().copied().collect();
    let numbers = numbers.filter(|numbers| numbers.len() >= FEWEST)?;
    let answers_as = |expected: &fn(i64, i64) -> i64| {
        let houses = ONE_HOUSE.iter().map(|&(own, opponents)| (own.into(), opponents.into()));
        houses.zip(&numbers).all(|((own, opponents), &number)| number == expected(own, opponents))
    };
    let numbering =
        Problem::known_by(|known| matches!(known, Known::Numbering(number) if answers_as(number)));
    let is_one = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    numbering.or_else(|| is_one.then_some(Problem::AlwaysTheSame))
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
        assert_eq!(recognised(|own, _| own - 1), Some(Problem::FromMinusOne));
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
    fn the_same_answer_tells_something_only_beside_enough_others() {
        let all = |answer| [Some(answer); 6];
        let places = [2, 1, 0, 1, 2, 0].map(Some);
        for (always, of_three, of_empty_stores, expected) in [
            (2, all(2), all(2), Problem::AlwaysTheSame),
            (0, places, all(2), Problem::PlaceInLegal),
            (6, all(6), all(2), Problem::TakesAStore),
        ] {
            let by = |three: usize, stores: usize| {
                let (three, stores) = (&of_three[..three], &of_empty_stores[..stores]);
                explain_constant_answer(Some(always), three, stores)
            };
            assert!(matches!(by(6, 6), Choice::Explained(problem) if problem == expected));
            for (three, stores) in [(0, 0), (6, 0), (0, 6), (2, 6), (6, 2)] {
                assert!(matches!(by(three, stores), Choice::Unasked), "{three} {stores}");
            }
        }
    }
}
