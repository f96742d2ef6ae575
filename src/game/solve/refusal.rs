//! Why a solver cannot be made: rules without exact values, too little memory.

use std::hint::black_box;

use crate::rules::{DirectionRule, OpponentStore, Ruleset};

/// The least memory of a solver, in bytes.
pub const LEAST_MEMORY: usize = 1 << 20;

/// A reason for which a solver cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverRefusal {
    /// A position can repeat; why it can.
    #[error("these rules have no exact values: {0}, a position can repeat and play go on for ever")]
    Cycles(&'static str),
    /// Less memory than [`LEAST_MEMORY`].
    #[error("the solver needs at least {} MiB of memory", LEAST_MEMORY >> 20)]
    Memory,
    /// The system lacks this much memory, in bytes.
    #[error("the system has no {} MiB of memory left; raise its limit (ulimit -v)", .0 >> 20)]
    NoMemory(usize),
}

/// Refuses more memory than the system allows. Without this check a failed allocation would end the
/// program. The memory is reserved only for a moment, and never written.
///
/// # Errors
///
/// [`SolverRefusal::NoMemory`].
pub fn refuse_too_much(bytes: usize) -> Result<(), SolverRefusal> {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(bytes);
    // Without this the compiler removes the unused reservation.
    black_box(&mut memory);
    reserved.map_err(|_| SolverRefusal::NoMemory(bytes))
}

/// Refuses rules that allow a position to repeat.
///
/// Forward, seeds only move along and into stores. Backward they do, too, if the opponent's store is
/// sown into, for a seed leaves its row through that store. With a choice of directions, a cycle
/// would move seeds within the two rows only. With empty capture no row can come back: a house that
/// is emptied within its row has at most five seeds, and a test shows that no row with at most five
/// seeds a house comes back.
///
/// # Errors
///
/// [`SolverRefusal::Cycles`].
pub fn refuse_cycles(rules: &Ruleset) -> Result<(), SolverRefusal> {
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
    Err(SolverRefusal::Cycles(why))
}
