//! A contest as a value: what is planned, who meets whom, what a match came to. No I/O.
//!
//! A `plan` says what is played, its `schedule` or `swiss` rounds (each a `matching` of least cost)
//! who meets whom. The results are read from a `line` of a file into a `summary`, and its
//! `light_moves` where somebody asks for them.
//!
//! A package of its own: what reads each line of a large file is compiled in fewer units than what
//! adds the lines up.

#![warn(unreachable_pub)]

mod continuation;
mod known_plans;
mod light_moves;
mod line;
mod matching;
mod number_set;
mod plan;
mod planned_bot;
mod round_length;
mod schedule;
mod summary;
mod swiss;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use continuation::Continuation;
pub use known_plans::{KnownPlans, NotOfPlan, PlannedPlace};
pub use light_moves::LightMove;
pub use line::{FileLine, LineMoves, MatchConditions, read_file_line};
pub use number_set::NumberSet;
#[cfg(any(test, feature = "testing"))]
pub use plan::IDENTITIES;
pub use plan::{FirstBy, Plan, PlanDifference, PlanFields, Reuse};
pub use planned_bot::{PlannedBot, without_seed};
pub use round_length::moves_a_round;
pub use schedule::{Fixture, Pairings, Schedule, SwissRoundState};
#[cfg(any(test, feature = "testing"))]
pub use summary::RoundSummary;
pub use summary::{FaultCounts, MatchSummary, halves};
pub use swiss::SwissRounds;

use mancala_game::{chance, rules};
use mancala_match::{protocol, record, seat, text};
