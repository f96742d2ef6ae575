//! The processes that play matches: how they are started, what runs in one, and the messages between them.

pub(in crate::tournament) mod wire;
pub(in crate::tournament) mod worker;
pub(in crate::tournament) mod worker_host;
pub(in crate::tournament) mod worker_process;
pub(in crate::tournament) mod worker_processes;
