//! The options of all commands that write results: the format, and what is printed on stderr
//! meanwhile.

use std::ffi::OsStr;
use std::fmt::Display;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::report::{OutputFormat, Status};
use crate::standings::RankBy;

/// How results are written, in any format, and what is printed on stderr meanwhile.
#[derive(Clone, clap::Args)]
pub(in crate::cli) struct OutputArgs {
    /// How results are written to stdout: table, json, markdown or csv
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = OneOf(OutputFormat::OF_RESULTS), hide_possible_values = true, help_heading = "Output")]
    pub(in crate::cli) format: OutputFormat,

    #[command(flatten)]
    pub(in crate::cli) quiet: QuietArgs,
}

/// How a table of bots is ordered.
#[derive(Clone, Copy, clap::Args)]
pub(in crate::cli) struct RankByArgs {
    /// What bots are ranked by: points of matches (their share, where bots played different numbers
    /// of matches), seeds won less seeds lost, or rating
    #[arg(long, value_name = "points|seeds|rating", default_value_t = RankBy::Points)]
    pub(in crate::cli) rank_by: RankBy,
}

/// What is printed on stderr while a command runs.
#[derive(Clone, Copy, clap::Args)]
pub(in crate::cli) struct QuietArgs {
    /// Print on stderr only what needs attention
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl QuietArgs {
    /// Whether only what needs attention is said.
    pub(in crate::cli) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// The line that says what is going on, hidden with `--quiet`.
    pub(in crate::cli) fn status(self) -> Status {
        if self.quiet { Status::hidden() } else { Status::on_stderr() }
    }

    /// The same with the seconds in front.
    pub(in crate::cli) fn status_with_seconds(self) -> Status {
        if self.quiet { Status::hidden() } else { Status::with_seconds() }
    }
}

/// A parser for `--format` of a command that takes these formats.
#[derive(Clone, Copy)]
pub(in crate::cli) struct OneOf<T: 'static>(pub(in crate::cli) &'static [T]);

impl<T: Copy + Display + Send + Sync> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let OneOf(formats) = *self;
        let parse = move |word: String| {
            let words: Vec<String> = formats.iter().map(T::to_string).collect();
            let found = words.iter().position(|known| *known == word);
            found.map(|place| formats[place]).ok_or_else(|| {
                let (last, others) = words.split_last().map_or(("", &[][..]), |(l, o)| (l, o));
                format!("expected {} or {last}", others.join(", "))
            })
        };
        StringValueParser::new().try_map(parse).parse_ref(command, argument, value)
    }

    /// For tips and completions.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|format| PossibleValue::new(format.to_string()))))
    }
}
