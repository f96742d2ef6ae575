//! A bot that is not asked is stopped, and what it uses meanwhile is counted.

pub(super) mod frozen;
pub(super) mod pondering;
pub(in crate::bot) mod stopped;
