//! The command line: arguments become settings here, once; one file a subcommand.

mod analyse;
mod bot;
mod check;
mod counted_matches;
mod failure;
mod feedback;
mod inner_processes;
mod manual;
mod openings;
mod options;
mod output;
mod play;
mod play_match;
mod prepare;
mod replay;
mod report;
mod reproduce;
mod rules_text;
mod sandbox_notice;
mod schema;
mod solve;
mod standings;
mod tournament;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::bot::{receive_signals, require_stack};

pub(crate) use failure::Failure;

/// A referee for Mancala (Kalah) bots.
///
/// Bots are programs in any language that read a board as a JSON line and answer with a house.
/// `protocol.md` (in the source's root folder) explains how to write one.
#[derive(Parser)]
#[command(
    name = "mancala",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  mancala play --against builtin:easy
  mancala match \"python3 my_bot.py\" builtin:average
  mancala check \"python3 my_bot.py\""
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Match(Box<play_match::Args>),
    Tournament(Box<tournament::Args>),
    Play(play::Args),
    Check(Box<check::Args>),
    Rules(rules_text::Args),
    Openings(openings::Args),
    Standings(standings::Args),
    Report(Box<report::Args>),
    Feedback(feedback::Args),
    Solve(solve::Args),
    Analyse(analyse::Args),
    Replay(replay::Args),
    Reproduce(reproduce::Args),
    Schema(schema::Args),
    Bot(bot::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
    #[command(hide = true)]
    Confined(inner_processes::ConfinedArgs),
}

/// Runs the program with the process's arguments.
///
/// # Errors
///
/// A [`Failure`] with its exit code.
pub fn run() -> Result<(), Failure> {
    require_stack().map_err(Failure::work)?;
    let refused = |error| Failure::Work(format!("cannot install signal handlers: {error}"));
    receive_signals().map_err(refused)?;
    if let Some(ended) = inner_processes::run_at_once() {
        return ended;
    }
    let matches = Cli::command().try_get_matches()?;
    let command = Cli::from_arg_matches(&matches)?.command;
    output::require_stdout().map_err(|error| Failure::of_stdout(&error))?;
    match command {
        Command::Match(args) => play_match::run(*args),
        Command::Tournament(args) => {
            let own = matches.subcommand().map_or(&matches, |(_, own)| own);
            tournament::run(&args, own)
        }
        Command::Play(args) => play::run(args),
        Command::Check(args) => check::run(*args),
        Command::Rules(args) => rules_text::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Standings(args) => standings::run(args),
        Command::Report(args) => report::run(*args),
        Command::Feedback(args) => feedback::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Confined(args) => inner_processes::confined(&args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// A line that a source file ended is wrapped again, and leaves a word alone on the next one.
    #[test]
    fn help_is_filled_to_the_width_of_the_terminal() {
        let program = Cli::command();
        for page in program.get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = page.clone().term_width(80).render_long_help().to_string();
            let (text, _) = help.split_once("Examples:\n").expect("examples");
            let lines: Vec<&str> = text.lines().collect();
            let indent = |line: &str| line.len() - line.trim_start().len();
            for pair in lines.windows(2) {
                let goes_on = indent(pair[0]) == indent(pair[1])
                    && pair.iter().all(|line| !line.trim().is_empty())
                    && !pair.iter().any(|line| line.trim_start().starts_with(['-', '[', '<']));
                assert!(!goes_on || pair[0].trim().len() >= 40, "{}: {pair:?}", page.get_name());
            }
        }
    }

    #[test]
    fn every_help_page_ends_with_examples_that_are_understood() {
        let program = Cli::command();
        let pages = program.get_subcommands().filter(|command| !command.is_hide_set());
        for page in pages.chain([&program]) {
            let name = page.get_name();
            let help = page.clone().render_long_help().to_string();
            let (_, examples) = help.rsplit_once("Examples:\n").expect(name);
            let examples: Vec<&str> = examples.trim_end().lines().map(str::trim).collect();
            assert!(examples.len() >= 2, "{name}: {examples:?}");
            for example in examples {
                assert!(example.len() <= 78, "{example}");
                // What a shell does with the output is not ours.
                let ours = example.split(['>', '|']).next().unwrap_or_default();
                let words = shell_words::split(ours).expect(example);
                if let Err(error) = Cli::try_parse_from(&words) {
                    panic!("{example}: {error}");
                }
            }
        }
    }
}
