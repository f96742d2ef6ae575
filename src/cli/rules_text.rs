//! `mancala rules`: the rules in plain words.

use super::failure::{CliResult, print_result};
use crate::play::{list, rules};
use crate::report::Width;
use crate::rules::RulesetName;
use crate::text::{COLUMNS, wrap};

/// Print the rules of a ruleset, with a drawn board and an example of each result of a move; without
/// a name, how the five rulesets differ.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mancala rules
  mancala rules cs221")]
pub(super) struct Args {
    /// learneroo, kalah, ece1021, cs221 or mancala5000
    ruleset: Option<RulesetName>,
}

pub(super) fn run(args: &Args) -> CliResult {
    let text = args.ruleset.map_or_else(list, |name| rules(&name.rules()));
    let width = Width::of_stdout().at_most(COLUMNS);
    print_result(&(wrap(&text, width.columns().unwrap_or(COLUMNS)).join("\n") + "\n"))
}
