//! `mancala schema`: the JSON Schema of a format, for authors in typed languages.

use std::io::Write;

use super::failure::{CliResult, Verdict, conclude};
use super::output::to_stdout;
use super::tournament::match_options_schema;
use crate::schema::{CONFIG, NamedSchema, schema, schema_named};
use crate::text::write_pretty_json;

/// Print the JSON Schema (2020-12) of the messages or of a format.
///
/// message (to a bot) and answer (from it) are the protocol; record, replay, tournament, events,
/// standings, season, bundle, check, solve and analysis are what other commands write, and config is
/// what a tournament reads. For a format of several lines it is the schema of each line. protocol.md
/// (in the source's root folder) describes them in words.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala schema message
  mancala schema record > record.schema.json")]
pub(super) struct Args {
    /// message, answer, record, replay, tournament, events, standings, season, bundle, check, solve,
    /// analysis or config
    #[arg(value_parser = schema_named)]
    name: NamedSchema,
}

pub(super) fn run(args: &Args) -> CliResult {
    let mut schema = schema(args.name);
    if args.name.0 == CONFIG
        && let Some(options) =
            schema.pointer_mut("/properties/match").and_then(|it| it.as_object_mut())
    {
        let keywords = match_options_schema();
        options.extend(keywords.map(|(keyword, value)| (keyword.to_owned(), value)));
    }
    let written = to_stdout(|out| {
        write_pretty_json(&mut *out, &schema)?;
        writeln!(out)
    });
    conclude(Ok(Verdict::Clean), written)
}
