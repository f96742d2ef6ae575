//! The options that several subcommands share, a group of them in each file.

mod available_memory;
mod faults;
pub(super) mod output_args;
pub(super) mod record_file;
pub(super) mod restraints;
pub(super) mod rules;
pub(super) mod solver_memory;
pub(super) mod terms;
pub(super) mod time;
pub(super) mod whole;
