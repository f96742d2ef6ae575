//! The tests through the real program, but for those in `tests/alone`.

mod autograder;
mod bots;
mod check;
mod game;
mod golden;
mod matches;
mod play;
mod protection;
mod report;
#[path = "../shared/mod.rs"]
mod shared;
mod source;
mod standings;
mod system;

use shared::{
    another_user, control_groups, markdown, processes, program, requirements, terminal,
    test_folder, tournaments,
};
