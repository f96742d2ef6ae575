//! All that can be wrong with a bot: how it is recognised, and how to fix it. A check reads this for its
//! trials, a page and `mancala feedback` for the faults of matches.
//!
//! Nothing here asks a bot: a fault is explained by what was seen.
//!
//! Reading order: `missing` and `clues` are what was seen, `adapter`, `command_advice` and `sandbox_advice` are
//! advice; `problem_row` and `table` are all that can be wrong; `behind_adapter` has words for bots
//! behind an adapter; `diagnosis` finds the row, and `explanation` does so for a fault of a match. Each
//! knows only what stands before it (a test holds that).

mod adapter;
mod behind_adapter;
mod clues;
mod command_advice;
mod diagnosis;
mod explanation;
mod missing;
mod problem_row;
mod sandbox_advice;
mod table;

pub(crate) use self::clues::{FaultClues, RoundTrace, chose_the_same_again, wrote_at_the_end};
pub(crate) use self::command_advice::CommandAdvice;
pub(crate) use self::diagnosis::{Diagnosis, diagnose, meant_in_words};
pub use self::explanation::{Explanation, explain, explain_record, explain_together};
pub(crate) use self::problem_row::{Group, Known};
pub(crate) use self::sandbox_advice::sandbox_advice;
pub(crate) use self::table::Problem;
