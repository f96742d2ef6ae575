//! What happens in a tournament, and who is told: people at a terminal, and programs.

pub(in crate::tournament) mod event;
pub(in crate::tournament) mod event_file;
pub(in crate::tournament) mod fault_notices;
pub(in crate::tournament) mod live;
pub(in crate::tournament) mod live_screen;
pub(in crate::tournament) mod undecided_test;
