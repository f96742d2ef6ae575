//! The hidden subcommands: processes that this program starts itself.

use super::failure::{CliResult, Failure};
use super::prepare::prepare;
use crate::bot::{self, StopSteps};
use crate::tournament;

/// Become a bot in the sandbox, as the warden at the other end of the socket asks.
#[derive(clap::Args)]
pub(super) struct ConfinedArgs {
    /// The number of the socket's descriptor
    socket: i32,
    /// The bot's own words
    #[arg(required = true, last = true)]
    words: Vec<String>,
}

/// `mancala confined`: a bot behind the words of `--wrap` before it is in the sandbox.
pub(super) fn confined(args: &ConfinedArgs) -> CliResult {
    bot::become_bot(args.socket, &args.words).map(|_| ()).map_err(|error| {
        Failure::Work(format!("{} does not start in the sandbox: {error}", args.words[0]))
    })
}

/// `mancala warden`: the process that keeps a bot, started by the referee alone.
pub(super) fn warden() -> CliResult {
    bot::run_warden().map_err(|error| {
        Failure::Work(format!("cannot keep a bot: {error}; only the referee starts this"))
    })
}

/// `mancala worker`: the process that plays a tournament's matches, started by the tournament alone.
pub(super) fn worker() -> CliResult {
    let interrupt = prepare(StopSteps::EndThenExit)?;
    match tournament::work(&interrupt) {
        // The tournament is gone, and has said why.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        worked => worked.map_err(|error| {
            Failure::Work(format!("cannot play matches: {error}; only a tournament starts this"))
        }),
    }
}
