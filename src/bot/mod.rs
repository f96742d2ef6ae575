//! Bot processes: the only place that starts, talks to, limits or kills a process.
//!
//! Every wait here has an absolute deadline, every buffer a bound, every child an end.
//!
//! Reading order: `command`, `inbox`, `tail`, `process`, `orphans`, `exchange`, `player`, `pair`; `system` is the one
//! interface to what differs between kernels, `interrupt` the user's wish to stop.

mod command;
mod exchange;
mod inbox;
mod interrupt;
mod orphans;
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

/// Makes a program ready to have bots as its children, and no others: it adopts and ends what
/// outlives a bot, and the descriptors it was started with are not handed on to any bot.
///
/// For a program to call once, at its start. Every child it has that is no bot is killed when a
/// bot ends.
pub fn prepare_program() {
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    orphans::adopt();
}
