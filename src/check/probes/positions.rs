//! Many positions: odd ones and such as come up in games, as starter and as second.

use super::takes_too_long;
use crate::check::course::Course;
use crate::check::positions::{laps, reached, scarce};
use crate::check::report::Probe;
use crate::check::trial::Trial;
use crate::referee::MatchError;
use crate::rules::{Opening, Ruleset};

/// Positions out of games, for each ruleset.
const REACHED: u32 = 5;

/// Moves of a round from a position: enough for an answer as second too.
const MOVES: u32 = 4;

/// A match of two short rounds from each position.
pub(in crate::check) fn positions(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::Positions);
    let plan = course.plan;
    for (number, &rules) in (0..).zip(&plan.rules) {
        for opening in openings(&rules, number == 0, plan.seed) {
            if takes_too_long(course) {
                return Ok(());
            }
            let trial = Trial::new(rules, &plan.limits, plan.seed).short(MOVES);
            let Some(_) = course.play(&Trial { opening, ..trial })? else { return Ok(()) };
        }
    }
    Ok(())
}

fn openings(rules: &Ruleset, with_scarce: bool, seed: u64) -> Vec<Opening> {
    let scarce = scarce().filter(|_| with_scarce);
    // Early, in the middle and near the end.
    let reached =
        (0..REACHED).map(|number| reached(rules, 3 + 5 * number, seed.wrapping_add(number.into())));
    scarce.chain(laps()).chain(reached).collect()
}
