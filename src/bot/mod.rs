//! Bot processes: the only place that starts, talks to, limits or kills a process.
//!
//! Every wait here has an absolute deadline, every buffer a bound, every child an end.
//!
//! Reading order: `command`, `inbox`, `tail`, `process`, `exchange`, `player`, `pair`; `system` is the one
//! interface to what differs between kernels, `interrupt` the user's wish to stop.

mod command;
mod exchange;
mod inbox;
mod interrupt;
mod pair;
mod player;
mod process;
mod system;
mod tail;

pub use command::{BotCommand, CommandError, name_apart};
pub use inbox::MAX_LINE;
pub use interrupt::Interrupt;
pub use pair::Pair;
pub use player::{Bot, end_all};
pub use tail::TAIL_BYTES;
