//! The tests through the real program, but for those in `tests/alone`.

mod adapters;
mod adjudication;
mod analyse;
mod attacks;
mod autograder;
mod bad_input;
mod books;
mod bot_environment;
mod bot_processes;
mod check;
mod closed_outputs;
mod concurrent_attacks;
mod documents;
mod faults;
mod fuzz;
mod golden;
mod help;
mod interrupts;
mod killed_wardens;
mod languages;
mod layers;
mod log;
mod long_run;
mod older_kernels;
mod openings;
mod output;
mod planted_links;
mod play;
mod record_file;
mod replay;
mod report;
mod resource_limits;
mod rules;
mod rules_command;
mod sandbox;
mod schemas;
mod session;
#[path = "../shared/mod.rs"]
mod shared;
mod solve;
mod standings;
mod substitutes;
mod suspensions;
mod system_limits;
mod system_permissions;
mod wardens;

use shared::{
    another_user, control_groups, markdown, processes, program, requirements, terminal,
    test_folder, tournaments,
};
