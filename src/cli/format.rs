//! `--format`, the one option of all commands that write results.

use std::fmt::Display;
use std::str::FromStr;

use crate::report::{OutputFormat, SolutionFormat};

/// The formats that a kind of result has, one of them `table`.
pub(super) trait ResultFormat:
    FromStr<Err: Display> + Clone + Send + Sync + 'static
{
    /// What the help page says of them.
    const HELP: &'static str;
}

/// How results are written.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FormatArgs<F: ResultFormat> {
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = format::<F>,
          help = F::HELP, help_heading = "Output")]
    pub(super) format: F,
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
