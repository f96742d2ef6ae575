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
}

words!(
    OutputFormat,
    "table, json, markdown or csv",
    Table = "table",
    Json = "json",
    Markdown = "markdown",
    Csv = "csv"
);

/// Writes a result in a format: `json` as it is, `tables` for people, `rows` for programs. Tables
/// for a terminal are fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_result(
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
    }
}
