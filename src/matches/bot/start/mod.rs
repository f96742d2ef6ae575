//! What is started: a command line, the name it gives, its environment and the files it may read;
//! and why a program did not start.

pub(super) mod command;
pub(super) mod environment;
pub(super) mod folders;
mod how_to_run;
mod misread;
mod name;
pub(super) mod readable;
mod script;
mod unique_names;
pub(super) mod unstartable;

pub use command::{BotCommand, CommandError, TIME_SHARES};
pub use folders::{RUSTUP, is_of_all, is_system};
pub use how_to_run::interpreter_words;
pub use misread::words_of_a_shell;
pub use name::{name_of_path, shortened_name};
pub use readable::{ReadablePaths, find_program, folders_of_interpreter};
pub use script::{ADAPTERS, is_source, without_version};
pub use unique_names::{give_unique_names, names_alike, unique_names};
