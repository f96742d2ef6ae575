//! How results are written: the one place that knows the formats.

use std::io::{self, Write};

use serde::Serialize;

use super::markdown::write_markdown;
use super::terminal::write_tables;
use super::{Table, Width, write_csv};
use crate::text::write_json_line;
use mancala_game::words;

/// How results are written. Each command takes some of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// For people, in a terminal.
    Table,
    /// One line.
    Json,
    /// The tables for a document.
    Markdown,
    /// Rows for a spreadsheet or a program.
    Csv,
    /// `JUnit` XML, for reports of checks.
    Junit,
    /// Gradescope's `results.json`, for reports of checks.
    Gradescope,
}

words!(
    OutputFormat,
    "table, json, markdown, csv, junit or gradescope",
    Table = "table",
    Json = "json",
    Markdown = "markdown",
    Csv = "csv",
    Junit = "junit",
    Gradescope = "gradescope"
);

impl OutputFormat {
    /// Those of results.
    pub const OF_RESULTS: &[OutputFormat] =
        &[OutputFormat::Table, OutputFormat::Json, OutputFormat::Markdown, OutputFormat::Csv];
}

/// Writes a result in a format: `json` as it is, `tables` for people, `rows` for programs. Tables
/// for a terminal are fitted to `width`.
///
/// # Errors
///
/// When the writer fails, or results have no such format.
pub(super) fn write_result(
    out: &mut dyn Write,
    (format, width): (OutputFormat, Width),
    json: &impl Serialize,
    tables: impl FnOnce() -> Vec<Table>,
    rows: impl FnOnce() -> Table,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_tables(out, &tables(), width),
        OutputFormat::Markdown => write_markdown(out, &tables()),
        OutputFormat::Csv => write_csv(out, &rows()),
        OutputFormat::Json => write_json_line(&mut *out, json),
        OutputFormat::Junit | OutputFormat::Gradescope => Err(not_written_as(format)),
    }
}

/// That a result has no such format.
pub(super) fn not_written_as(format: OutputFormat) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("there is no {format} of this"))
}
