//! How a bot chooses a house, by its answers to positions in which one mistake looks unlike another.

use super::diagnosis::numbering;
use super::experiments::numbers;
use super::positions::{ONE_HOUSE, empty_stores, one_house, three_houses};
use super::runner::Runner;
use super::table::Problem;
use super::trial::{Checked, Trial};

/// What the answers of a bot tell of the houses that it chose wrongly.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    /// This explains them.
    Explained(Problem),
    /// It plays its only house where it has one.
    Sound,
    /// Nothing that is known explains them.
    Unclear,
}

/// Asks the bot in positions of these rules.
pub(super) fn choice(runner: &mut Runner<'_>, trial: &Trial) -> Checked<Choice> {
    let answers = numbers(runner, trial, one_house(&trial.rules))?;
    let is_sound = || {
        let mut answered = answers.iter().zip(ONE_HOUSE);
        answered.all(|(answer, (own, _))| *answer == Some(own.into()))
    };
    match numbering(&answers) {
        Some(Problem::AlwaysTheSame) => of_the_same_answer(runner, trial, answers[0]),
        Some(numbering) => Ok(Choice::Explained(numbering)),
        None if is_sound() => Ok(Choice::Sound),
        None => Ok(Choice::Unclear),
    }
}

/// What it is that makes a bot give this answer wherever one house is legal. It looks at the board
/// if it answers otherwise elsewhere.
fn of_the_same_answer(
    runner: &mut Runner<'_>,
    trial: &Trial,
    always: Option<i64>,
) -> Checked<Choice> {
    let of_three = numbers(runner, trial, three_houses(&trial.rules))?;
    let of_empty_stores = numbers(runner, trial, empty_stores(&trial.rules))?;
    let is_always = |answers: &[Option<i64>]| answers.iter().all(|answer| *answer == always);
    let are_places = of_three.iter().all(|it| it.is_some_and(|it| (0..3).contains(&it)));
    Ok(match always {
        _ if is_always(&of_three) && is_always(&of_empty_stores) => {
            Choice::Explained(Problem::AlwaysTheSame)
        }
        // One house has one place.
        Some(0) if are_places && !is_always(&of_three) => Choice::Explained(Problem::PlaceInLegal),
        // The stores have the most seeds in all positions but those of the empty stores.
        Some(6 | 13) if of_three.iter().all(|answer| matches!(answer, Some(6 | 13))) => {
            Choice::Explained(Problem::TakesAStore)
        }
        _ => Choice::Unclear,
    })
}
