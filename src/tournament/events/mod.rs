//! What happens in a tournament, and who is told: people at a terminal, and programs.

pub(super) mod event;
pub(super) mod event_file;
pub(super) mod fault_notices;
pub(super) mod live;
pub(super) mod live_screen;
pub(super) mod undecided_test;
