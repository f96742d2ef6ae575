//! The parts of the page, with their tables and plots.

pub(super) mod board;
pub(super) mod bot_part;
pub(super) mod bot_tables;
pub(super) mod cross;
pub(super) mod fault_table;
pub(super) mod games;
pub(super) mod html_table;
pub(super) mod overview;
pub(super) mod plot;
pub(super) mod plots;

#[cfg(test)]
mod tests;
