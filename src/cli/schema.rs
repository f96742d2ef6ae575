//! `mancala schema`: the JSON Schema of a format, for authors in typed languages.

use std::io::Write;

use super::failure::{Failure, Verdict, conclude};
use super::output::Output;
use crate::schema::{SchemaName, schema};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala schema message
  mancala schema record > record.schema.json";

/// Print the JSON Schema (2020-12) of the messages or of a format.
///
/// message (to a bot) and answer (from it) are the protocol; record, replay, tournament, events,
/// standings, bundle, check, solve and analysis are what other commands write. For a format of
/// several lines it is the schema of each line. protocol.md tells the same in words.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// message, answer, record, replay, tournament, events, standings, bundle, check, solve or
    /// analysis
    name: SchemaName,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::new();
    let written = crate::text::write_pretty_json(&mut out, &schema(args.name))
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    conclude(Ok(Verdict::Clean), written)
}
