//! How a bot's first process is made: below which limits, in which control group, as which user.

pub(in crate::bot::warden) mod before_exec;
pub(in crate::bot::warden) mod control_group;
pub(in crate::bot) mod process_limit;
pub(in crate::bot::warden) mod user_map;
pub(in crate::bot::warden) mod wrapped;
