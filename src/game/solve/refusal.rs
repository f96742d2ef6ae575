//! Why there are no exact values.

use std::fmt;
use std::hint::black_box;

use crate::rules::{DirectionRule, OpponentStore, Ruleset};

/// The least memory of a solver, in bytes.
pub const LEAST_MEMORY: usize = 1 << 20;

/// A reason for which a solver cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Play can come back to a position, by this.
    Cycles(&'static str),
    /// Less memory than [`LEAST_MEMORY`].
    Memory,
    /// The system does not have so much memory, in bytes.
    NoMemory(usize),
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
            Refusal::NoMemory(bytes) => {
                let mib = bytes >> 20;
                write!(f, "the system has no {mib} MiB of memory left; raise its limit (ulimit -v)")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// Refuses more memory than the system has. It hands memory out when it is first written, and
/// refuses here what it never could: asked for outright, that would end the program.
///
/// # Errors
///
/// [`Refusal::NoMemory`].
pub fn refuse_too_much(bytes: usize) -> Result<(), Refusal> {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(bytes);
    // The compiler would leave out a reservation of which no use is made.
    black_box(&mut memory);
    reserved.map_err(|_| Refusal::NoMemory(bytes))
}

/// Refuses rules under which play can come back to a position.
///
/// Sown forward, seeds only move along and into stores. Sown backward they do too where the
/// opponent's store is sown into, for a seed leaves its row through that store. With a choice of
/// directions, a cycle would have to move within the two rows for ever; with empty capture no row
/// of any number of seeds can come back: a house that is emptied within its row has at most five
/// seeds, and none of the rows with at most five seeds a house comes back, which a test goes
/// through.
///
/// # Errors
///
/// [`Refusal::Cycles`].
pub fn refuse_cycles(rules: &Ruleset) -> Result<(), Refusal> {
    let (direction, store) = (rules.direction, rules.opponent_store);
    let why = match (direction, store) {
        (DirectionRule::Forward, _) | (DirectionRule::Backward, OpponentStore::Sow) => {
            return Ok(());
        }
        (DirectionRule::Backward | DirectionRule::Either, OpponentStore::Skip) => {
            "sowing backward past the opponent's store"
        }
        (DirectionRule::Either, OpponentStore::Sow) if rules.empty_capture => return Ok(()),
        (DirectionRule::Either, OpponentStore::Sow) => "sowing either way without empty capture",
    };
    Err(Refusal::Cycles(why))
}
