//! The check that an author runs before a contest: a bot is tried in everything that a match may
//! ask of it, and what it does wrong is told with what was sent, what came back and how to mend it.
//!
//! Every trial is a short match that the referee conducts as any other, against the built-in
//! player; only what is tried differs. Nothing here judges a move, and a finding is data.
//!
//! Reading order: `report`; `sparring`, `dressing`, `pairing`, `trial`; `numbering`, `missing`,
//! `diagnosis`, `obstacles`, `advice`, `when`, `findings`; `course`, `judging`, `experiments`;
//! `positions`, `probes`; `show`.

mod advice;
mod course;
mod diagnosis;
mod dressing;
mod experiments;
mod findings;
mod judging;
mod missing;
mod numbering;
mod obstacles;
mod pairing;
mod positions;
mod probes;
mod report;
mod show;
mod sparring;
mod trial;
mod when;

use crate::bot::BotCommand;
use crate::record::{BotRecord, Terms};
use crate::referee::MatchError;
use crate::rules::Ruleset;
use crate::session::Session;

use self::course::Course;
pub use self::course::Progress;
pub use self::report::{
    CheckReport, Finding, Format, GamesReport, Note, Probe, ProbeReport, ProbeResult, Severity,
    Spread, Times,
};
pub use self::show::{write_json, write_table};

/// A check to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The bot.
    pub bot: BotCommand,
    /// The rules it should know, one ruleset at least; the first are those of all that is not
    /// about rules.
    pub rules: Vec<Ruleset>,
    /// What it is held to.
    pub limits: Terms,
    /// Makes the opponents' moves and the positions the same again.
    pub seed: u64,
}

/// Makes a check of a bot in that session. `tell` hears how far it has come.
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
    let mut course = Course::new(plan, session, tell);
    probes::start(&mut course)?;
    let games = probes::games(&mut course)?;
    probes::rounds(&mut course)?;
    probes::opponents_fault(&mut course)?;
    probes::time_bank(&mut course)?;
    probes::names(&mut course)?;
    probes::unknown_fields(&mut course)?;
    probes::unknown_types(&mut course)?;
    probes::end_of_input(&mut course)?;
    probes::determinism(&mut course)?;
    probes::positions(&mut course)?;
    let times = probes::times(&mut course);
    Ok(CheckReport {
        format: Format::V1,
        bot: BotRecord { name: plan.bot.name(), command: plan.bot.words().to_vec() },
        seed: plan.seed,
        limits: plan.limits.clone(),
        probes: course.end(),
        games,
        times,
        notes: course.notes,
        findings: course.findings.into_sorted(),
    })
}
