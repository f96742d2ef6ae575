//! The same position again, in one process and in another. Either way is fine.

use crate::check::course::Course;
use crate::check::pairing::BOT;
use crate::check::positions::reached;
use crate::check::report::Probe;
use crate::check::trial::Trial;
use crate::record::MatchRecord;
use crate::referee::MatchError;
use crate::rules::{Direction, House};

/// How far into a game the positions are.
const AFTER_MOVES: [u32; 3] = [0, 6, 12];

type Choice = (House, Option<Direction>);

/// Asks for the same positions twice in one process and once more in another.
pub(in crate::check) fn determinism(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::Determinism);
    let plan = course.plan;
    let rules = plan.rules[0];
    let (mut in_one, mut in_two) = (Vec::new(), Vec::new());
    for moves in AFTER_MOVES {
        let opening = reached(&rules, moves, plan.seed);
        let trial = Trial::new(rules, &plan.limits, plan.seed).short(1).rounds(3);
        let trial = Trial { opening, ..trial };
        let Some(one) = course.play(&trial)? else { return Ok(()) };
        let Some(other) = course.play(&trial)? else { return Ok(()) };
        if let (Some(first), Some(again)) = (choice(&one.record, 1), choice(&one.record, 3)) {
            in_one.push(first == again);
        }
        if let (Some(one), Some(other)) = (choice(&one.record, 1), choice(&other.record, 1)) {
            in_two.push(one == other);
        }
    }
    note(course, &in_one, "asked twice in one process");
    note(course, &in_two, "asked in two processes");
    Ok(())
}

/// What the bot played in a round of one move.
fn choice(record: &MatchRecord, round: usize) -> Option<Choice> {
    let played = record.rounds.get(round - 1)?.moves.first().filter(|played| played.bot == BOT)?;
    Some((played.house, played.direction))
}

fn note(course: &mut Course<'_>, same: &[bool], how: &str) {
    let differ = same.iter().filter(|same| !**same).count();
    let positions = same.len();
    match (positions, differ) {
        (0, _) => {}
        (_, 0) => course
            .note(format!("{how}, it played the same in {positions} of {positions} positions")),
        _ => course.note(format!(
            "{how}, it played differently in {differ} of {positions} positions: its games cannot \
             be repeated"
        )),
    }
}
