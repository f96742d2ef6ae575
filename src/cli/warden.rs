//! `mancala warden`, hidden: the process that keeps a bot, started by the referee alone.

use super::failure::{CliResult, Failure};
use crate::bot;

/// Keep a bot, as the referee at the other end of stdin asks.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> CliResult {
    bot::keep().map_err(|error| {
        Failure::Work(format!("cannot keep a bot: {error}; only the referee starts this"))
    })
}
