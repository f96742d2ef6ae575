//! What a program that runs bots does first.

use super::Failure;
use crate::bot::{Interrupt, StopSteps, prepare_program};

/// Makes this process ready to have bots below it, and listens for the user's wish to stop.
pub(super) fn prepare(steps: StopSteps) -> Result<Interrupt, Failure> {
    prepare_program()
        .map_err(|error| Failure::Work(format!("the system does not let bots be kept: {error}")))?;
    Interrupt::on_signals(steps)
        .map_err(|error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))
}
