//! What talks to a bot. `process` has its pipes, `inbox` and `tail` what came out of them, `waiting`
//! and `exchange` ask for an answer by a deadline, `cause` says why it ended, by the `last_report` of its
//! stderr; `player` is one bot, `seated` the two of a match.

mod cause;
mod exchange;
mod inbox;
mod last_report;
mod player;
mod process;
mod seated;
mod tail;
mod waiting;

pub use inbox::MAX_LINE;
pub use player::{Bot, end_all};
pub use process::{EXIT_GRACE, Finished};
pub use seated::SeatedBots;
