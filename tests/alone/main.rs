//! The tests through the real program that need the cores to themselves: tournaments, whose workers
//! are bound to a core each, and whatever depends on how much a bot computes in its time.
//! `cargo test` runs them one at a time, when no other test runs.

mod busy_processes;
mod check_budgets;
mod cluster;
mod dear_looks;
mod documents;
mod fork_bombs;
mod levels;
mod place;
mod pondering;
mod runner;
#[path = "../shared/mod.rs"]
mod shared;
mod shared_counts;
mod siege;
mod tournament;

use std::process::ExitCode;

use shared::{
    another_user, control_groups, markdown, processes, program, requirements, terminal,
    test_folder, tournaments,
};

fn main() -> ExitCode {
    runner::run(&[
        busy_processes::TESTS,
        check_budgets::TESTS,
        cluster::TESTS,
        dear_looks::TESTS,
        documents::TESTS,
        fork_bombs::TESTS,
        levels::TESTS,
        place::TESTS,
        pondering::TESTS,
        shared_counts::TESTS,
        siege::TESTS,
        tournament::bad_input::TESTS,
        tournament::builds::TESTS,
        tournament::classes::TESTS,
        tournament::events::TESTS,
        tournament::faults::TESTS,
        tournament::feedback::TESTS,
        tournament::hostile_bots::TESTS,
        tournament::interruptions::TESTS,
        tournament::live::TESTS,
        tournament::made_bots::TESTS,
        tournament::own_folders::TESTS,
        tournament::plans::TESTS,
        tournament::results::TESTS,
        tournament::season::TESTS,
        tournament::submissions::TESTS,
        tournament::versions::TESTS,
    ])
}
