//! What is started: a command line, the name it gives, its environment and the files it may read;
//! and why a program did not start.

pub(super) mod command;
pub(super) mod environment;
pub(super) mod folders;
mod name;
mod names_apart;
pub(super) mod readable;
mod script;
pub(super) mod unstartable;

pub use command::{BotCommand, CommandError, TIME_SHARES};
pub use folders::{RUSTUP, is_of_all, is_system};
pub use name::{name_of_path, shortened_name};
pub use names_apart::{name_apart, names_alike, names_apart};
pub use readable::{ReadablePaths, find_program};
pub use script::{ADAPTERS, is_source, without_version};
