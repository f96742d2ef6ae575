//! Every way in which the program ends early, and the exit code of each. This is the one place
//! that knows the codes.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use super::options::tips::{single_dash, tip, tip_for_subcommand};
use super::output::to_stdout;
use crate::bot::{INTERRUPTED, Interrupt, WardenError};
use crate::referee::MatchError;
use crate::report::print_message;
use crate::text::{self, printable, printable_path};
use crate::tournament::SetupError;

/// What comes of a part of a subcommand.
pub(super) type CliResult<T = ()> = Result<T, Failure>;

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
    /// Exit code 0: the reader of our output has closed it.
    ClosedOutput,
    /// Exit code 0 or 2: help, the version or a misused argument, in clap's words.
    Arguments(clap::Error),
}

impl Failure {
    /// Prints the message on stderr (help and version on stdout) and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (code, message) = match self {
            Failure::Work(message) => (1, message),
            Failure::Usage(message) => (2, message),
            Failure::Faulted => return ExitCode::from(3),
            Failure::Interrupted => (INTERRUPTED, "interrupted".to_owned()),
            Failure::ClosedOutput => return ExitCode::SUCCESS,
            Failure::Arguments(error) if !error.use_stderr() => {
                return print_result(&error.render().to_string())
                    .map_or_else(Failure::report, |()| ExitCode::SUCCESS);
            }
            Failure::Arguments(error)
                if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
            {
                let _ = error.print();
                return ExitCode::from(2);
            }
            Failure::Arguments(error) => (2, one_line(&error)),
        };
        print_message(&message);
        ExitCode::from(code)
    }

    /// [`Failure::Work`] in the words of an error.
    #[expect(clippy::needless_pass_by_value, reason = "for map_err")]
    pub(super) fn work(why: impl ToString) -> Failure {
        Failure::Work(why.to_string())
    }

    /// [`Failure::Usage`] in the words of an error.
    #[expect(clippy::needless_pass_by_value, reason = "for map_err")]
    pub(super) fn usage(why: impl ToString) -> Failure {
        Failure::Usage(why.to_string())
    }

    /// [`Failure::Usage`] with these words where a command line asks for what cannot be.
    pub(super) fn refuse_if(is_wrong: bool, why: &str) -> CliResult {
        if is_wrong { Err(Failure::usage(why)) } else { Ok(()) }
    }

    /// [`Failure::Interrupted`] where the user wants to stop.
    pub(super) fn unless_interrupted(interrupt: &Interrupt) -> CliResult {
        if interrupt.is_raised() { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// [`Failure::Work`] from an error: what failed with which file or folder, and why.
    pub(super) fn at<E: Display>(what: &str, path: &Path) -> impl Fn(E) -> Failure {
        move |error| Failure::Work(format!("{what} {}: {error}", printable_path(path)))
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

/// What was found by work that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing that the exit code tells.
    Clean,
    /// A bot faulted, with `--strict`; or a check has findings.
    Faulted,
}

impl Verdict {
    /// Whether the exit code is to tell of a fault.
    pub(super) const fn of(is_faulted: bool) -> Verdict {
        if is_faulted { Verdict::Faulted } else { Verdict::Clean }
    }
}

/// How a subcommand ends, from its work and from the writing of its results to stdout. The user's
/// wish to stop and work that failed go first, then results that could not be written, then what
/// was found. A reader who went away hides none of them, and alone is a success.
pub(super) fn conclude(work: CliResult<Verdict>, written: io::Result<()>) -> CliResult {
    let verdict = work?;
    match (written.map_err(|error| Failure::of_stdout(&error)), verdict) {
        (Ok(()) | Err(Failure::ClosedOutput), Verdict::Faulted) => Err(Failure::Faulted),
        (written, _) => written,
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Interrupted => Failure::Interrupted,
            MatchError::System { ref source, .. } => Failure::Work(format!("{error}: {source}")),
            error => Failure::work(error),
        }
    }
}

impl From<WardenError> for Failure {
    fn from(error: WardenError) -> Failure {
        match error {
            WardenError::Interrupted => Failure::Interrupted,
            error => Failure::work(error),
        }
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        match error {
            SetupError::Usage(why) | SetupError::TooFewOpenings { why, .. } => Failure::Usage(why),
            SetupError::Work(why) => Failure::Work(why),
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        Failure::Arguments(error)
    }
}

/// Prints text as the result of a subcommand that does nothing else.
pub(super) fn print_result(text: &str) -> CliResult {
    conclude(Ok(Verdict::Clean), to_stdout(|out| out.write_all(text.as_bytes())))
}

/// Prints on stderr what may be wrong although the work goes on.
pub(super) fn warn(message: &str) {
    print_message(&format!("warning: {message}"));
}

/// clap's message without its usage and help paragraphs, on one line.
pub(super) fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let paragraphs = text.split("\n\n").filter(|paragraph| {
        !paragraph.trim_start().starts_with("Usage:")
            && !paragraph.trim_start().starts_with("For more information")
            && !paragraph.trim_start().starts_with("tip: to pass")
    });
    let words: Vec<&str> = paragraphs.flat_map(str::split_whitespace).collect();
    let words = printable(&words.join(" "));
    let words = words.strip_prefix("error: ").unwrap_or(&words);
    let words = match error.kind() {
        // clap would name both as one.
        ErrorKind::MissingRequiredArgument if words.contains("<--match") => {
            "--round needs --match N or --tournament-match N, to say of which match"
        }
        _ => words,
    };
    let hint = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument))
            if matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::TooManyValues) =>
        {
            single_dash(argument, &subcommand()).or_else(|| tip(argument, &subcommand()))
        }
        Some(ContextValue::String(option))
            if error.kind() == ErrorKind::InvalidValue && words.ends_with("none was supplied") =>
        {
            let name = option.split_whitespace().next().unwrap_or_default();
            expected_value(&format!("{name}="))
        }
        _ if error.kind() == ErrorKind::MissingRequiredArgument
            && subcommand() == "match"
            && words.contains("<BOT>") =>
        {
            Some("a match needs two bots; builtin:easy is one".to_owned())
        }
        Some(ContextValue::Strings(missing))
            if error.kind() == ErrorKind::MissingRequiredArgument && missing.len() == 1 =>
        {
            expected_value("").filter(|words| words.starts_with("expected "))
        }
        _ if words.contains(",' for '--opening") => {
            Some("write it without blanks, or in quotes".to_owned())
        }
        // As Mancala5000 calls them.
        _ if words.contains("clockwise' for '--direction") => {
            Some("clockwise is forward, anticlockwise is backward".to_owned())
        }
        _ if error.kind() == ErrorKind::InvalidUtf8 => {
            let unreadable = std::env::args_os().find(|word| word.to_str().is_none());
            unreadable.map(|word| format!("{} is not UTF-8", text::quoted(word.as_encoded_bytes())))
        }
        _ => match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(guess)) if is_a_bot(guess) => {
                Some("did you mean mancala match, with two bots?".to_owned())
            }
            Some(ContextValue::String(guess)) => tip_for_subcommand(guess).map(str::to_owned),
            _ => None,
        },
    };
    let words = match hint {
        // What it is like by its letters would only lead astray.
        Some(hint) => format!("{}; {hint}", words.split(" tip: ").next().unwrap_or(words)),
        None if is_far_off(error) => words.split(" tip: ").next().unwrap_or(words).to_owned(),
        None => words.replace(" tip: ", "; "),
    };
    let command = format!("mancala {}", subcommand());
    format!("{words}; see {} --help", command.trim_end())
}

/// What an option or an argument takes, in the words of its error for `empty`, an empty value.
fn expected_value(empty: &str) -> Option<String> {
    let error = super::Cli::try_parse_from(["mancala", &subcommand(), empty]).err()?;
    let text = error.to_string();
    let (_, expected) = text.lines().next()?.split_once("': ")?;
    let (_, expected) = expected.split_once("\"\"; ").unwrap_or(("", expected));
    let is_known = error.kind() == ErrorKind::ValueValidation && !expected.contains("\"\"");
    is_known.then(|| expected.to_owned())
}

/// Whether a word is one of a bot: a command line, a path, or a built-in bot.
fn is_a_bot(word: &str) -> bool {
    word.contains([' ', '/']) || word.starts_with("builtin:")
}

/// Whether what clap suggests is a hidden subcommand, or more than two letters away from the guess.
fn is_far_off(error: &clap::Error) -> bool {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.as_str()],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let is_near = |guess: &str, known: &str| {
        known.starts_with(guess) || strsim::damerau_levenshtein(guess, known) <= 2
    };
    let is_hidden = |name: &str| {
        super::Cli::command().find_subcommand(name).is_some_and(clap::Command::is_hide_set)
    };
    let kinds = [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
    ];
    kinds.into_iter().any(|(guess, known)| {
        let known = text(known);
        let fits = |known: &&str| {
            !is_hidden(known) && text(guess).iter().any(|guess| is_near(guess, known))
        };
        !known.is_empty() && !known.iter().any(fits)
    })
}

/// The subcommand that was called; empty if there is no such one.
fn subcommand() -> String {
    let subcommand = std::env::args_os().nth(1).and_then(|word| word.into_string().ok());
    let exists = |word: &String| super::Cli::command().find_subcommand(word).is_some();
    subcommand.filter(exists).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_who_went_away_hides_nothing() {
        type Work = fn() -> Result<Verdict, Failure>;
        let closed = || Err(io::Error::from(io::ErrorKind::BrokenPipe));
        let full = || Err(io::Error::from(io::ErrorKind::StorageFull));
        let ends = |work, written| match conclude(work, written) {
            Ok(()) | Err(Failure::ClosedOutput) => 0,
            Err(Failure::Work(_)) => 1,
            Err(Failure::Usage(_) | Failure::Arguments(_)) => 2,
            Err(Failure::Faulted) => 3,
            Err(Failure::Interrupted) => INTERRUPTED,
        };
        let table: [(Work, [u8; 3]); 5] = [
            (|| Ok(Verdict::Clean), [0, 0, 1]),
            (|| Ok(Verdict::Faulted), [3, 3, 1]),
            (|| Err(Failure::Work(String::new())), [1, 1, 1]),
            (|| Err(Failure::Usage(String::new())), [2, 2, 2]),
            (|| Err(Failure::Interrupted), [130, 130, 130]),
        ];
        for (work, codes) in table {
            let found = [ends(work(), Ok(())), ends(work(), closed()), ends(work(), full())];
            assert_eq!(found, codes, "{:?}", work());
        }
    }
}
