//! Rules, exact values and openings.

pub(crate) mod analyse;
pub(crate) mod books;
pub(crate) mod openings;
pub(crate) mod rules;
pub(crate) mod rules_command;
pub(crate) mod solve;
