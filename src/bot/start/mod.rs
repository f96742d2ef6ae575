//! What is started: a command line, the name it gives, its environment and the files it may read;
//! and why a program did not start.

pub(super) mod command;
pub(super) mod environment;
mod name;
pub(super) mod readable;
pub(super) mod unstartable;

pub use command::{BotCommand, CommandError, TIME_SHARES, name_apart, names_apart};
pub use readable::ReadablePaths;
