//! How a bot's first process is made: below which limits, in which control group, as which user.

pub(super) mod before_exec;
pub(super) mod control_group;
pub(in crate::bot) mod process_limit;
pub(super) mod user_map;
pub(super) mod wrapped;
