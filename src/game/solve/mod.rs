//! Exact values: what a position is worth under best play of both.
//!
//! This module knows the rules only: it does no I/O, never panics, and reads the clock only to stop in
//! time. An exact value is proven; an unproven one is given as proven bounds.
//!
//! [`Solver`] is the way in. It has a table of the endgames with few seeds, filled from the end of
//! the game, and a search that asks whether a position is worth at least a given number and remembers
//! what it has proven.
//!
//! Reading order: `value`, `solution`, `solver`, `tables`, `value_bisection`, `budget`, `search`, `order`,
//! `bounds_table`, `hints`, `endgames`, `filling`, `row_moves`, `rows`, `refusal`, `judging`,
//! `fair`.

mod bounds_table;
mod budget;
mod endgames;
mod fair;
mod filling;
mod hints;
mod judging;
mod order;
mod refusal;
mod row_moves;
mod rows;
mod search;
mod solution;
mod solver;
mod tables;
mod value;
mod value_bisection;

pub use budget::Budget;
pub use endgames::memory_of_endgames;
pub use fair::is_worth;
pub use judging::{JudgedMove, judge, positions};
pub use refusal::{LEAST_MEMORY, SolverRefusal, refuse_cycles, refuse_too_much};
pub use solution::{Solution, WantedValues, reconcile, solve};
pub use solver::{DEFAULT_MEMORY, MANY_MEMORY, MoveValue, Solver};
pub use value::Bounds;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
