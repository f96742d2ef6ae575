//! `mancala confined`, hidden: a bot behind the words of `--wrap` before it is in the sandbox.

use super::failure::{CliResult, Failure};
use crate::bot;

/// Become a bot in the sandbox, as the warden at the other end of the socket asks.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The number of the socket's descriptor
    socket: i32,
    /// The bot's own words
    #[arg(required = true, last = true)]
    words: Vec<String>,
}

pub(super) fn run(args: &Args) -> CliResult {
    bot::become_bot(args.socket, &args.words).map(|_| ()).map_err(|error| {
        Failure::Work(format!("{} does not start in the sandbox: {error}", args.words[0]))
    })
}
