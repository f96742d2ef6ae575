//! The referee.
pub mod rules;
