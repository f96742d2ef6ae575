//! Why there are no exact values.

use std::fmt;

use super::solver::LEAST_MEMORY;

/// A reason for which a solver cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Play can come back to a position, by this.
    Cycles(&'static str),
    /// Less memory than [`LEAST_MEMORY`].
    Memory,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Cycles(why) => write!(
                f,
                "these rules have no exact values: {why}, play can come back to a position and go on for ever"
            ),
            Refusal::Memory => {
                write!(f, "the solver needs at least {} MiB of memory", LEAST_MEMORY >> 20)
            }
        }
    }
}

impl std::error::Error for Refusal {}
