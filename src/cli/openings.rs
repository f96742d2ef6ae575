//! `mancala openings`: the openings of a suite, one a line, as a file that can be read back.

use std::io::Write;
use std::path::Path;

use super::failure::{Failure, Verdict, conclude};
use super::output::Output;
use super::rules::RulesetArgs;
use crate::rules::Suite;
use crate::tournament::{MAX_OPENINGS, load_openings};

/// What ends the help page.
const EXAMPLES: &str = "\
Examples:
  mancala openings random:4 --count 20 --seed 7 > openings.txt
  mancala openings fairkalah --rules ece1021";

/// Print the openings of a suite: 14 numbers a line, as the first mover sees the board.
///
/// SUITE is standard, random:PLIES (so many single moves from the standard opening, drawn at
/// random, no two the same), fairkalah (254 openings that are drawn under perfect play, for the
/// rules ece1021) or file:PATH. What is printed is a file for --openings file:PATH.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
#[expect(clippy::doc_markdown, reason = "shown on a terminal, file:PATH is what to type")]
pub(super) struct Args {
    /// The suite: standard, random:PLIES, fairkalah or file:PATH
    suite: Suite,

    /// How many openings [default: all; 20 of random:PLIES]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    count: Option<usize>,

    /// Draws other openings, or an order of fairkalah
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    seed: u64,

    #[command(flatten)]
    rules: RulesetArgs,
}

/// How many random openings are printed unless another number is asked for.
const RANDOM: usize = 20;

/// A number of openings.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_OPENINGS).contains(count));
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_OPENINGS}"))
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let count = match args.suite {
        Suite::Random { .. } => Some(args.count.unwrap_or(RANDOM)),
        _ => args.count,
    };
    let rules = args.rules.rules();
    let openings =
        load_openings(&args.suite, &rules, args.seed, count, Path::new("")).map_err(|error| {
            if error.is_unreadable() {
                Failure::Work(error.to_string())
            } else {
                Failure::Usage(error.to_string())
            }
        })?;
    let mut out = Output::new();
    let mut write = || {
        for opening in &openings {
            let cells = opening.board().cells().map(|seeds| seeds.to_string());
            writeln!(out, "{}", cells.join(" "))?;
        }
        out.flush()
    };
    conclude(Ok(Verdict::Clean), write())
}
