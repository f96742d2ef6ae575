//! The options of all commands that write results: the format, and what is printed on stderr
//! meanwhile.

use crate::report::{OutputFormat, Status};

/// How results are written, in any format, and what is printed on stderr meanwhile.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct OutputArgs {
    /// How results are written to stdout: table, json, markdown or csv
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = one_of(&OutputFormat::ALL), help_heading = "Output")]
    pub(in crate::cli) format: OutputFormat,

    #[command(flatten)]
    pub(in crate::cli) quiet: QuietArgs,
}

/// What is printed on stderr while a command runs.
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

/// A parser for `--format` of a command that takes these formats.
pub(in crate::cli) fn one_of(
    formats: &'static [OutputFormat],
) -> impl Fn(&str) -> Result<OutputFormat, String> + Clone {
    move |word| {
        let found = formats.iter().find(|format| format.as_str() == word);
        found.copied().ok_or_else(|| {
            let words: Vec<&str> = formats.iter().map(|format| format.as_str()).collect();
            let (last, others) = words.split_last().unwrap_or((&"", &[]));
            format!("expected {} or {last}", others.join(", "))
        })
    }
}
