//! What a running bot takes: memory, files, processes and time, looked at again and again.

pub(in crate::bot::warden) mod cores_and_priorities;
pub(in crate::bot::warden) mod crowd;
pub(in crate::bot::warden) mod disk;
pub(in crate::bot::warden) mod look_time;
pub(in crate::bot::warden) mod mapping;
pub(in crate::bot::warden) mod memory;
pub(in crate::bot::warden) mod processor_use;
pub(in crate::bot) mod tree;
pub(in crate::bot::warden) mod watch;
