//! The parts of the page, with their tables and plots.

pub(in crate::report::page) mod board;
pub(in crate::report::page) mod bot_part;
pub(in crate::report::page) mod cross;
pub(in crate::report::page) mod games;
pub(in crate::report::page) mod html_table;
pub(in crate::report::page) mod overview;
pub(in crate::report::page) mod plot;
pub(in crate::report::page) mod plots;
