//! The times of all answers, and how near they come to the limit.

use std::time::Duration;

use crate::check::course::{Course, in_ms, shown};
use crate::check::diagnosis::Diagnosis;
use crate::check::findings::Evidence;
use crate::check::pairing::Given;
use crate::check::report::{Probe, Spread, Times};

/// Looks at the times of all answers until now.
pub(in crate::check) fn times(course: &mut Course<'_>) -> Times {
    course.begin(Probe::Times);
    if let Some(why) = course.why_no_more().filter(|_| course.answers.is_empty()) {
        course.cut_short(why);
    }
    let limits = &course.plan.limits.time;
    let of_a_move = [limits.move_time, limits.game_time].into_iter().flatten().min();
    let of_a_move = of_a_move.unwrap_or(Duration::MAX);
    let to_start = of_a_move.saturating_add(limits.start_time);
    let first_answers = spread(course, true, to_start, Diagnosis::SlowStart);
    let other_answers = spread(course, false, of_a_move, Diagnosis::NearTheLimit);
    Times { first_answers, other_answers }
}

/// The spread of the first or the other answers; a finding where the longest comes near the limit.
fn spread(
    course: &mut Course<'_>,
    is_first: bool,
    limit: Duration,
    diagnosis: Diagnosis,
) -> Option<Spread> {
    let given: Vec<&Given> =
        course.answers.iter().filter(|given| given.is_first == is_first).collect();
    let times: Vec<Duration> = given.iter().map(|given| given.time).collect();
    let longest = given.iter().max_by_key(|given| given.time);
    // What came too late is a finding already.
    let late_after = limit.saturating_add(course.plan.limits.time.margin);
    let is_near = |time: Duration| time > limit / 2 && time <= late_after;
    if let Some(longest) = longest.filter(|given| is_near(given.time)) {
        let (time, limit) = (in_ms(longest.time), in_ms(limit));
        let evidence = Evidence {
            during: format!("the longest of {} answers", times.len()),
            sent: vec![shown(&longest.question)],
            came_back: format!("an answer after {time}, of a limit of {limit}"),
            ..Evidence::default()
        };
        course.findings.add(Probe::Times, diagnosis, None, evidence);
    }
    Spread::of(&times)
}
