//! The check that an author runs before a contest: a bot is tried in everything that a match may
//! ask of it. What it does wrong is told with what it was sent, what was received, and the fix.
//!
//! Every trial is a short match that the referee conducts as any other, against the built-in
//! player; only the settings differ. Nothing here judges a move, and a finding is data.
//!
//! Reading order, each knowing only what stands before it: `trial` is what is played, `report` is
//! what comes out; `clues` is what was seen of a trial, `table` all that can be wrong; `diagnosis`
//! finds the row, `findings` collects; `runner` plays trials, `judge` explains their faults by
//! experiments, `checker` counts; `probes` is what is tried, in which order.

mod checker;
mod clues;
mod diagnosis;
mod findings;
mod judge;
mod probes;
mod report;
mod runner;
mod table;
mod trial;

use crate::record::BotRecord;
use crate::referee::MatchError;
use crate::session::Session;

use self::checker::Checker;
pub use self::checker::Progress;
pub use self::diagnosis::{Explanation, explain};
pub use self::report::{
    CheckReport, Finding, Format, GamesReport, Note, ProbeReport, ProbeResult, Severity, Spread,
    Times, write_json, write_table, write_text,
};
use self::runner::Runner;
pub use self::trial::{Plan, Probe};

/// Checks a bot. `tell` hears how far the check has come.
///
/// # Errors
///
/// When the bot cannot be started at all, when the user interrupts, or when the system fails.
/// What the bot does wrong is in the report.
pub fn check(
    plan: &Plan,
    session: &Session,
    tell: &mut dyn FnMut(Progress),
) -> Result<CheckReport, MatchError> {
    let mut checker = Checker::new(Runner::new(plan, session), tell);
    let (games, times) = probes::run_all(&mut checker)?;
    let (probes, notes, judge) = checker.into_parts();
    Ok(CheckReport {
        format: Format::V2,
        bot: BotRecord { name: plan.bot.name(), command: plan.bot.words().to_vec() },
        seed: plan.seed,
        budget: plan.budget,
        limits: plan.limits.clone(),
        probes,
        games,
        times,
        notes,
        findings: judge.findings.into_sorted(),
    })
}
