//! `mancala worker`, hidden: the process that plays a tournament's matches, started by the
//! tournament alone.

use super::failure::{CliResult, Failure};
use super::prepare::prepare;
use crate::bot::StopSteps;
use crate::tournament;

/// Play matches, as the tournament at the other end of stdin asks.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> CliResult {
    let interrupt = prepare(StopSteps::EndThenExit)?;
    match tournament::work(&interrupt) {
        // The tournament is gone, and has said why.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        worked => worked.map_err(|error| {
            Failure::Work(format!("cannot play matches: {error}; only a tournament starts this"))
        }),
    }
}
