//! A bot that is not asked is stopped, and what it uses meanwhile is counted.

pub(in crate::bot::warden) mod frozen;
pub(in crate::bot::warden) mod pondering;
pub(in crate::bot) mod stopped;
