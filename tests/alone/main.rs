//! The tests through the real program that need a core to themselves, or all: tournaments, whose
//! workers are bound to a core each, and whatever depends on how much a bot computes in its time.
//! `cargo test` runs them when no other test runs.

mod attacked_tournaments;
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
mod tournament;

use std::process::ExitCode;

use runner::Test;
use shared::{
    another_user, control_groups, markdown, processes, program, requirements, terminal,
    test_folder, tournaments,
};

fn main() -> ExitCode {
    let with_a_core: &[&[Test]] = &[
        dear_looks::TESTS,
        pondering::TESTS,
        tournament::builds::TESTS,
        tournament::season::TESTS,
        tournament::versions::made_of::TESTS,
        tournament::versions::updates::TESTS,
        tournament::versions::earlier_versions::TESTS,
        tournament::versions::disqualified::TESTS,
        tournament::versions::changed_meanwhile::TESTS,
        tournament::results::TESTS,
        tournament::live::TESTS,
        tournament::submissions::TESTS,
        tournament::interruptions::TESTS,
        tournament::bad_input::TESTS,
        tournament::feedback::TESTS,
        tournament::classes::TESTS,
        tournament::events::TESTS,
        tournament::made_bots::TESTS,
        tournament::own_folders::TESTS,
        tournament::faults::TESTS,
        tournament::plans::TESTS,
    ];
    let with_all_cores: &[&[Test]] = &[
        busy_processes::TESTS,
        check_budgets::TESTS,
        cluster::TESTS,
        documents::TESTS,
        fork_bombs::TESTS,
        levels::TESTS,
        place::TESTS,
        pondering::TESTS_OF_MATCHES,
        shared_counts::TESTS,
        attacked_tournaments::TESTS,
        tournament::hostile_bots::TESTS,
    ];
    runner::run(with_a_core, with_all_cores)
}
