//! Rounds after rounds in the same process, and rounds that the opponent ends.

use crate::check::course::Course;
use crate::check::pairing::BOT;
use crate::check::report::Probe;
use crate::check::sparring::Forfeits;
use crate::check::trial::Trial;
use crate::referee::MatchError;

/// Four rounds in one process.
pub(in crate::check) fn rounds(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::Rounds);
    let plan = course.plan;
    let trial = Trial::new(plan.rules[0], &plan.limits, plan.seed);
    course.play(&trial.rounds(4).short(8)).map(drop)
}

/// An opponent that forfeits: before the bot was asked anything, and in mid-round.
pub(in crate::check) fn opponents_fault(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::OpponentsFault);
    let plan = course.plan;
    let trial = Trial::new(plan.rules[0], &plan.limits, plan.seed);
    for first in [!BOT, BOT] {
        let trial = Trial { first, forfeits: Forfeits::Always, ..trial.clone() };
        let Some(_) = course.play(&trial)? else { break };
    }
    Ok(())
}
