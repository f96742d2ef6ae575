//! What both test binaries use.

#![allow(dead_code, reason = "each of the two uses only a part")]

pub mod another_user;
pub mod control_groups;
pub mod markdown;
pub mod processes;
pub mod program;
pub mod requirements;
pub mod terminal;
pub mod test_folder;
pub mod tournaments;
