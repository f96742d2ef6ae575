//! `mancala rules`: the rules in plain words.

use super::failure::{CliResult, Verdict, conclude, print_result};
use super::output::to_stdout;
use crate::play::{list, rules};
use crate::report::{Width, write_tables};
use crate::rules::RulesetName;
use crate::text::{COLUMNS, wrap};

/// Print the rules of a ruleset, with a drawn board and an example of each result of a move; without
/// a name, how the rulesets differ.
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
    let width = Width::of_stdout().at_most(COLUMNS);
    let Some(name) = args.ruleset else {
        let written = to_stdout(|out| write_tables(out, &[list()], width));
        return conclude(Ok(Verdict::Clean), written);
    };
    let text = rules(&name.rules());
    print_result(&(wrap(&text, width.columns().unwrap_or(COLUMNS)).join("\n") + "\n"))
}
