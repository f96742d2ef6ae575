//! The hidden subcommands: processes that this program starts itself.

use std::env;
use std::ffi::OsString;

use clap::{Args, FromArgMatches};

use super::bot as bot_player;
use super::failure::{CliResult, Failure};
use super::output::require_stdout;
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

/// Runs what a match starts for itself, if that is what this process is for. A match starts four such
/// processes, and to make the whole command line first takes each as long as the rest of its start.
pub(super) fn run_at_once() -> Option<CliResult> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    match (words.first()?.to_str()?, words.len()) {
        ("warden", 1) => Some(warden()),
        ("worker", 1) => Some(worker()),
        ("bot", _) => {
            let options = bot_player::Args::augment_args(clap::Command::new("bot"));
            // The whole command line has the words for a mistake, and the help.
            let matches = options.try_get_matches_from(words).ok()?;
            let args = bot_player::Args::from_arg_matches(&matches).ok()?;
            let stdout = require_stdout().map_err(|error| Failure::of_stdout(&error));
            Some(stdout.and_then(|()| bot_player::run(&args)))
        }
        _ => None,
    }
}

/// `mancala confined`: a bot behind the words of `--wrap` before it is in the sandbox.
pub(super) fn confined(args: &ConfinedArgs) -> CliResult {
    bot::become_bot(args.socket, &args.words).map(|_| ()).map_err(|error| {
        Failure::Work(format!("{} does not start in the sandbox: {error}", args.words[0]))
    })
}

/// `mancala warden`: the process that keeps a bot, started by the referee alone.
fn warden() -> CliResult {
    bot::run_warden().map_err(|error| {
        Failure::Work(format!("cannot supervise a bot: {error}; only the referee starts this"))
    })
}

/// `mancala worker`: the process that plays a tournament's matches, started by the tournament alone.
fn worker() -> CliResult {
    let interrupt = prepare(StopSteps::EndThenExit)?;
    match tournament::work(&interrupt) {
        // The tournament is gone, and has said why.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        worked => worked.map_err(|error| {
            Failure::Work(format!("cannot play matches: {error}; only a tournament starts this"))
        }),
    }
}
