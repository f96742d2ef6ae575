//! What the games do not have: a time bank, odd names, and what a later version may send.

use std::time::Duration;

use crate::check::course::Course;
use crate::check::dressing::Dressing;
use crate::check::report::Probe;
use crate::check::trial::Trial;
use crate::record::{Terms, TimeTerms};
use crate::referee::MatchError;
use crate::seat::PerSeat;

/// Moves of a round here.
const MOVES: u32 = 8;

/// Moves that a time bank is for, where the user gave none.
const MOVES_OF_A_BANK: u32 = 60;

/// Names as long as they may be, with what trips those who read JSON without a parser.
const NAMES: PerSeat<&str> =
    PerSeat([r#"Zoë "O'Neil" {[\ 播棋 ♟ "type":"turn""#, r#"}{"board":[0,0],\u0022} ,, \\ end"#]);

/// Two rounds with a time bank.
pub(in crate::check) fn time_bank(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::TimeBank);
    let plan = course.plan;
    let move_time = plan.limits.time.move_time.unwrap_or(Duration::from_secs(1));
    let bank = plan.limits.time.game_time.unwrap_or(move_time * MOVES_OF_A_BANK);
    let time = TimeTerms { game_time: Some(bank), ..plan.limits.time };
    let limits = Terms { time, ..plan.limits.clone() };
    course.play(&Trial::new(plan.rules[0], &limits, plan.seed).short(MOVES)).map(drop)
}

/// Two rounds between bots with odd names.
pub(in crate::check) fn names(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::Names);
    let trial = Trial { names: Some(NAMES), ..short(course) };
    course.play(&trial).map(drop)
}

/// Two rounds in which every object has more fields.
pub(in crate::check) fn unknown_fields(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::UnknownFields);
    let trial = Trial { dressing: Dressing::UnknownFields, ..short(course) };
    course.play(&trial).map(drop)
}

/// Two rounds with messages of unknown types in between.
pub(in crate::check) fn unknown_types(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::UnknownTypes);
    let trial = Trial { dressing: Dressing::UnknownTypes, ..short(course) };
    course.play(&trial).map(drop)
}

fn short(course: &Course<'_>) -> Trial {
    let plan = course.plan;
    Trial::new(plan.rules[0], &plan.limits, plan.seed).short(MOVES)
}
