//! The probes, a file for each family. Each begins its probe, plays its trials, and ends early
//! when the course says that there is no use in going on.

mod determinism;
mod end_of_input;
mod games;
mod positions;
mod rounds;
mod special;
mod times;

use std::time::{Duration, Instant};

pub(super) use self::determinism::determinism;
pub(super) use self::end_of_input::end_of_input;
pub(super) use self::games::{games, start};
pub(super) use self::positions::positions;
pub(super) use self::rounds::{opponents_fault, rounds};
pub(super) use self::special::{names, time_bank, unknown_fields, unknown_types};
pub(super) use self::times::times;
use super::course::Course;

/// What takes many answers ends when the check has lasted so long: a bot that thinks for long with
/// every move is not asked for minutes.
const LONG_ENOUGH: Duration = Duration::from_secs(45);

/// Whether a probe that takes many answers is to end; it then says so.
fn takes_too_long(course: &mut Course<'_>) -> bool {
    let is_over = Instant::now() > course.began + LONG_ENOUGH;
    if is_over {
        let seconds = LONG_ENOUGH.as_secs();
        course.cut_short(format!(
            "the check had lasted {seconds} s; try a shorter --move-time, or one --rules at a time"
        ));
    }
    is_over
}
