//! Mancala itself, without referee and bots: the rules, exact values, a built-in player.
//!
//! A package of its own, so that what computes is compiled once, as one unit with all optimisation,
//! and everything else is compiled quickly. Lowest first: [`mod@words`] and [`chance`], [`rules`],
//! [`solve`], [`engine`]; [`json`] writes the types of the rules.

#![warn(unreachable_pub)]

// Said here, for this package is compiled before those that need Linux.
#[cfg(not(target_os = "linux"))]
compile_error!("mancala runs on Linux only: it uses Landlock, seccomp, /proc and processor cores");

pub mod chance;
pub mod engine;
pub mod json;
pub mod rules;
pub mod solve;
pub mod words;
