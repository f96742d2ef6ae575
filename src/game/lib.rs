//! Mancala itself, without referee and bots: the rules, exact values, a built-in player.
//!
//! A package of its own, so that what computes is compiled once, as one unit with all optimisation,
//! and everything else is compiled quickly. Lowest first: [`mod@words`] and [`chance`], [`rules`],
//! [`solve`], [`engine`]; [`json`] writes the types of the rules.

pub mod chance;
pub mod engine;
pub mod json;
pub mod rules;
pub mod solve;
pub mod words;
