//! The tests through the real program that need the cores to themselves: tournaments, whose workers
//! are bound to a core each, and whatever depends on how much a bot computes in its time.
//! `cargo test` runs them when no other test runs: tournaments a few at a time, which share the cores
//! (`--oversubscribe`), and then the others one by one.

mod busy_processes;
mod check_budgets;
mod cluster;
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
    let beside_each_other = [
        check_budgets::TESTS,
        cluster::TESTS,
        tournament::builds::TESTS,
        tournament::events::TESTS,
        tournament::faults::TESTS,
        tournament::feedback::TESTS,
        tournament::interruptions::TESTS,
        tournament::live::TESTS,
        tournament::results::TESTS,
        tournament::season::TESTS,
        tournament::submissions::TESTS,
        tournament::versions::TESTS,
    ];
    let one_at_a_time = [
        busy_processes::TESTS,
        documents::TESTS,
        fork_bombs::TESTS,
        levels::TESTS,
        place::TESTS,
        pondering::TESTS,
        shared_counts::TESTS,
        siege::TESTS,
        tournament::bad_input::TESTS,
        tournament::hostile_bots::TESTS,
        tournament::plans::TESTS,
    ];
    runner::run(&beside_each_other, &one_at_a_time)
}
