//! The tests through the real program, but for those in `tests/alone`.

mod adapters;
mod adjudication;
mod analyse;
mod attacks;
mod bad_input;
mod check;
mod concurrent_attacks;
mod documents;
mod endings;
mod faults;
mod fuzz;
mod golden;
mod hints;
mod keeping;
mod killed_wardens;
mod languages;
mod layers;
mod log;
mod long_run;
mod openings;
mod output;
mod play;
mod record_file;
mod replay;
mod rules;
mod rules_command;
mod schemas;
mod session;
#[path = "../shared/mod.rs"]
mod shared;
mod solve;
mod standings;
mod substitutes;
mod surroundings;
mod suspensions;
mod system_limits;
mod wardens;

use shared::{
    control_groups, markdown, processes, program, requirements, terminal, test_folder, tournaments,
};
