//! The table at a tournament's end, from its file.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use super::Args;
use crate::cli::Failure;
use crate::cli::output::Output;
use crate::record::ReadAt;
use crate::report::{Width, write_standings};
use crate::standings::{CollectedResults, ReadOptions, Standings, StandingsOptions};
use crate::text::printable;

/// How the arguments ask for standings.
pub(super) fn options(args: &Args) -> StandingsOptions {
    StandingsOptions { rank_by: args.rank_by, ..StandingsOptions::default() }
}

/// The standings of a record file; `None` if it is empty.
pub(super) fn read_table(
    args: &Args,
    record: &Path,
    content: ReadAt<File>,
) -> Result<Option<(Standings, Vec<String>)>, Failure> {
    let failed = |why: String| {
        let record = printable(&record.to_string_lossy());
        Failure::Work(format!("the matches were played, but there is no table of {record}: {why}"))
    };
    let mut results = CollectedResults::new(ReadOptions::default());
    let input = BufReader::with_capacity(256 * 1024, content);
    results.read(&record.to_string_lossy(), input).map_err(|error| failed(error.to_string()))?;
    if results.is_empty() {
        return Ok(None);
    }
    results.standings(&options(args)).map(Some).map_err(|error| failed(error.to_string()))
}

/// Writes the table to stdout, or to stderr where events have stdout.
pub(super) fn write_table(
    args: &Args,
    (standings, remarks): &(Standings, Vec<String>),
) -> io::Result<()> {
    let mut text = Vec::new();
    write_standings(&mut text, standings, remarks, args.output.format, Width::of_stdout())?;
    if args.events.as_deref() == Some(Path::new("-")) {
        // Ignores a closed stderr.
        let _ = io::stderr().write_all(&text);
        return Ok(());
    }
    let mut out = Output::new();
    out.write_all(&text).and_then(|()| out.flush())
}
