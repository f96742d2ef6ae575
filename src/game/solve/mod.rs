//! Exact values: what a position is worth under best play of both.
//!
//! It knows the rules only: nothing here does I/O or panics, and the clock is read for nothing but
//! to stop in time. What is told as exact is proven; what is not proven is told as bounds, which
//! are true.
//!
//! Values are asked for by [`Solver`]. Under it are a table of the endgames with few seeds, filled
//! in from the end of the game, and a search with questions of the form "is it worth so much or
//! more?", which remembers what it has proven.
//!
//! Reading order: `value`, `solution`, `solver`, `closing_in`, `budget`, `search`, `order`,
//! `known`, `hints`, `endgames`, `filling`, `row_moves`, `rows`, `refusal`, `judging`, `fair`.

mod budget;
mod closing_in;
mod endgames;
mod fair;
mod filling;
mod hints;
mod judging;
mod known;
mod order;
mod refusal;
mod row_moves;
mod rows;
mod search;
mod solution;
mod solver;
mod value;

pub use budget::Budget;
pub use endgames::memory_of_endgames;
pub use fair::is_worth;
pub use judging::{JudgedMove, judge, judged_as, positions};
pub use refusal::{LEAST_MEMORY, Refusal, refuse_cycles, refuse_too_much};
pub use solution::{Solution, Wanted, reconcile, solve};
pub use solver::{DEFAULT_MEMORY, MANY_MEMORY, MoveValue, Solver};
pub use value::Bounds;
#[cfg(test)]
mod testing;
