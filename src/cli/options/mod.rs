//! The options that several subcommands share, a group of them in each file; `input` has the files that
//! they read, and `tips` what somebody meant who misspelt one.

pub(super) mod input;
mod output_args;
mod record_file;
mod restraints;
mod rules;
mod solver_memory;
mod terms;
mod time;
pub(super) mod tips;

use std::ops::RangeInclusive;
use std::str::FromStr;

pub(super) use output_args::{OneOf, OutputArgs, QuietArgs, RankByArgs};
pub(super) use record_file::{
    MinFreeArgs, RecordFile, with_advice, with_advice_to_go_on, with_folder_advice,
};
pub(super) use restraints::RestraintArgs;
pub(super) use rules::{RuleChanges, RulesArgs, RulesetArgs};
pub(super) use solver_memory::{SolverMemory, solver_memory};
pub(super) use terms::{MatchTermsArgs, TermsArgs};
pub(super) use time::{AnswerTimeArgs, positive};

/// A parser for whole numbers in `range`.
pub(super) fn whole<T: FromStr>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let is_in_range = text.parse().is_ok_and(|number| range.contains(&number));
        text.parse().ok().filter(|_| is_in_range).ok_or_else(|| {
            format!("expected a whole number from {} to {}", range.start(), range.end())
        })
    }
}
