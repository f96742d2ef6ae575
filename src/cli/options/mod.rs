//! The options that several subcommands share, a group of them in each file.

mod available_memory;
mod faults;
mod output_args;
mod record_file;
mod restraints;
mod rules;
mod solver_memory;
mod terms;
mod time;
mod whole;

pub(super) use output_args::{OneOf, OutputArgs, QuietArgs};
pub(super) use record_file::{
    MinFreeArgs, RecordFile, with_advice, with_advice_to_go_on, with_folder_advice,
};
pub(super) use restraints::RestraintArgs;
pub(super) use rules::{RuleChanges, RulesArgs, RulesetArgs};
pub(super) use solver_memory::{SolverMemory, solver_memory};
pub(super) use terms::{MatchTermsArgs, TermsArgs};
pub(super) use time::{AnswerTimeArgs, positive};
pub(super) use whole::whole;
