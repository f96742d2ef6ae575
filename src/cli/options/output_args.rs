//! The options of all commands that write results: how they are written, and what is said
//! meanwhile.

use std::fmt::Display;
use std::str::FromStr;

use crate::report::{OutputFormat, SolutionFormat, Status};

/// The formats that a kind of result has, one of them `table`.
pub(in crate::cli) trait ResultFormat:
    FromStr<Err: Display> + Clone + Send + Sync + 'static
{
    /// What the help page says of them.
    const HELP: &'static str;
}

/// How results are written, and what is said meanwhile.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct OutputArgs<F: ResultFormat> {
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = format::<F>,
          help = F::HELP, help_heading = "Output")]
    pub(in crate::cli) format: F,

    #[command(flatten)]
    pub(in crate::cli) quiet: QuietArgs,
}

/// What is said on stderr while a command runs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(in crate::cli) struct QuietArgs {
    /// Say nothing on stderr while it runs but what needs attention
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

fn format<F: ResultFormat>(word: &str) -> Result<F, String> {
    word.parse().map_err(|error: F::Err| error.to_string())
}

impl ResultFormat for OutputFormat {
    const HELP: &'static str = "How results are written to stdout: table, json, markdown or csv";
}

impl ResultFormat for SolutionFormat {
    const HELP: &'static str = "How values are written to stdout: table, json or csv";
}
