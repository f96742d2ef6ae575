//! What the whole process needs before anything runs: signals, and what running bots needs.

use std::path::PathBuf;

use super::failure::{CliResult, Failure};
use crate::bot::{Interrupt, StopSteps, prepare_program};

/// Makes this process ready to have bots below it, and listens for the user's wish to stop.
pub(super) fn prepare(steps: StopSteps) -> CliResult<Interrupt> {
    // Bots would fail in a folder that was removed, and it is not their fault.
    working_folder()?;
    prepare_program().map_err(|error| {
        Failure::Work(format!("cannot start the processes that supervise bots: {error}"))
    })?;
    listen(steps)
}

/// The folder in which the program runs.
pub(super) fn working_folder() -> CliResult<PathBuf> {
    std::env::current_dir().map_err(|error| {
        Failure::Work(format!("the working folder is gone: {error}; change to one that is there"))
    })
}

/// Listens for the user's wish to stop.
fn listen(steps: StopSteps) -> CliResult<Interrupt> {
    Interrupt::on_signals(steps)
        .map_err(|error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))
}

/// The user's wish to stop work that has no bots.
pub(super) fn interrupt() -> CliResult<Interrupt> {
    listen(StopSteps::EndThenExit)
}
