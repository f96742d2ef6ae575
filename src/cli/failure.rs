//! Every way in which the program ends early, and the exit code of each. This is the one place
//! that knows the codes.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::referee::MatchError;
use crate::session::SessionError;

/// The exit code of a program that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// Why the program ends with another code than 0.
#[derive(Debug)]
pub enum Failure {
    /// Exit code 1: the referee could not do its work.
    Work(String),
    /// Exit code 2: the command line asks for something that cannot be.
    Usage(String),
    /// Exit code 3: the work was done and a bot faulted, with `--strict`; or a check has findings.
    Faulted,
    /// Exit code 130: the user interrupted.
    Interrupted,
    /// Exit code 0: whoever read our output wanted no more of it.
    ClosedOutput,
    /// Exit code 0 or 2: help, the version or a misused argument, in clap's words.
    Arguments(clap::Error),
}

impl Failure {
    /// Says what is to be said on stderr (help and version on stdout) and gives the exit code.
    #[must_use]
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Work(message) => {
                say(&message);
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                say(&message);
                ExitCode::from(2)
            }
            Failure::Faulted => ExitCode::from(3),
            Failure::Interrupted => {
                say("interrupted");
                ExitCode::from(INTERRUPTED)
            }
            Failure::ClosedOutput => ExitCode::SUCCESS,
            Failure::Arguments(error) if !error.use_stderr() => {
                // A closed stdout is no failure.
                let _ = error.print();
                ExitCode::SUCCESS
            }
            Failure::Arguments(error)
                if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
            {
                let _ = error.print();
                ExitCode::from(2)
            }
            Failure::Arguments(error) => {
                say(&one_line(&error));
                ExitCode::from(2)
            }
        }
    }

    /// The failure of writing results to stdout.
    pub(super) fn of_stdout(error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedOutput
        } else {
            Failure::Work(format!("cannot write to stdout: {error}"))
        }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Interrupted => Failure::Interrupted,
            MatchError::CannotStart { .. } => Failure::Work(error.to_string()),
            MatchError::System { ref source, .. } => Failure::Work(format!("{error}: {source}")),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        match error {
            SessionError::Interrupted => Failure::Interrupted,
            SessionError::Wardens(error) => Failure::Work(error.to_string()),
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        Failure::Arguments(error)
    }
}

/// One line on stderr. Where nobody reads that, nothing is said.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "mancala: {message}");
}

/// clap's message without its usage and help paragraphs, on one line.
fn one_line(error: &clap::Error) -> String {
    let text = crate::text::printable_lines(&error.render().to_string());
    let paragraphs = text.split("\n\n").filter(|paragraph| {
        !paragraph.trim_start().starts_with("Usage:")
            && !paragraph.trim_start().starts_with("For more information")
            && !paragraph.trim_start().starts_with("tip: to pass")
    });
    let words: Vec<&str> = paragraphs.flat_map(str::split_whitespace).collect();
    let words = words.join(" ");
    let words = words.strip_prefix("error: ").unwrap_or(&words).replace(" tip: ", "; ");
    let hint = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument))
            if error.kind() == ErrorKind::UnknownArgument && !argument.starts_with('-') =>
        {
            "; a bot is one argument, in quotes when it has blanks: \"python3 my_bot.py\""
        }
        _ => "",
    };
    format!("{words}{hint}; see {} --help", command())
}

/// The command that was called: `mancala match`, or `mancala` when it names no subcommand.
fn command() -> String {
    let subcommand = std::env::args_os().nth(1).and_then(|word| word.into_string().ok());
    match subcommand.filter(|word| super::Cli::command().find_subcommand(word).is_some()) {
        Some(subcommand) => format!("mancala {subcommand}"),
        None => "mancala".to_owned(),
    }
}
