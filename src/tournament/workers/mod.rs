//! The processes that play matches: how they are started, what runs in one, and the messages between them.

pub(super) mod wire;
pub(super) mod worker;
pub(super) mod worker_processes;
