//! What a running bot takes: memory, files, processes and time, looked at again and again.

pub(super) mod cores_and_priorities;
pub(super) mod crowd;
pub(super) mod disk;
pub(super) mod look_deadline;
mod look_guard;
pub(super) mod mapping;
pub(super) mod memory;
pub(super) mod processor_use;
pub(in crate::bot) mod tree;
pub(super) mod watch;
