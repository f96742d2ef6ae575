//! What a program that runs bots does first.

use std::io;

use super::Failure;
use super::failure::INTERRUPTED;
use crate::bot::{Interrupt, prepare_program};

/// What happens at the second Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecondInterrupt {
    /// The program ends at once.
    Exits,
    /// It is as the first, for a program that has to put the terminal right.
    IsAsTheFirst,
}

/// Makes this process ready to have bots below it, and listens for the user's wish to stop.
pub(super) fn prepare(second: SecondInterrupt) -> Result<Interrupt, Failure> {
    prepare_program();
    let exit_code = (second == SecondInterrupt::Exits).then_some(INTERRUPTED);
    Interrupt::on_signals(exit_code)
        .map_err(|error: io::Error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))
}
