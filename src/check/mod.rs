//! The check that an author runs before a contest: a bot is tried in everything that a match may
//! ask of it. What it does wrong is told with what it was sent, what was received, and the fix.
//!
//! Every trial is a short match that the referee conducts as any other, against the built-in
//! player; only the settings differ. Nothing here judges a move, and a finding is data.
//!
//! Reading order: `extras`, `positions`, `trial` and `opponent` are what is played, `trace` is what was
//! seen of it, `occurrences` puts it into words, and `findings` collects what is wrong; `runner` plays
//! trials, `answer_time` plays one without a verdict, `experiments` are more of them, `choice` asks for
//! houses, and by both `judge` explains faults; `checker` counts; `end_of_input` is one probe, `probes`
//! is what is tried, in which order. Each knows only what stands before it (a test holds that).
//! All that can be wrong is in [`problems`](crate::problems).
//! What comes out, and how it is shown, is in [`report`](crate::report).

mod answer_time;
mod checker;
mod choice;
mod end_of_input;
mod experiments;
mod extras;
mod findings;
mod judge;
mod occurrences;
mod opponent;
mod positions;
mod probes;
mod runner;
mod trace;
mod trial;

use crate::bot::Wardens;
use crate::problems::{CommandAdvice, Problem};
use crate::protocol::FaultKind;
use crate::referee::MatchError;
use crate::report::{CheckReport, Probe, ProbeReport, ProbeResult};

pub(crate) use self::answer_time::{MeanAnswers, Untimed, mean_answers};
use self::checker::Checker;
pub(crate) use self::checker::ShowProgress;
use self::findings::{Findings, Occurrence};
use self::runner::Runner;
pub(crate) use self::trial::CheckSettings;

/// Checks a bot. `show` is given how far the check has come.
///
/// # Errors
///
/// When the bot cannot be started at all, when the user interrupts, or when the system fails.
/// What the bot does wrong is in the report.
pub(crate) fn check(
    settings: &CheckSettings,
    wardens: &Wardens,
    show: ShowProgress<'_>,
) -> Result<CheckReport, MatchError> {
    let mut checker = Checker::new(Runner::new(settings, wardens), show);
    let (games, times) = probes::run_all(&mut checker)?;
    Ok(checker.into_report(games, times))
}

/// The report of a bot that cannot be started at all, for programs that show a report to its author:
/// `why` is its one finding.
pub(crate) fn report_of_no_start(settings: &CheckSettings, why: &str) -> CheckReport {
    let (probe, result) = (Probe::Start, ProbeResult::Findings);
    let start = ProbeReport { probe, result, rounds: 0, answers: 0, cut_short: None };
    let (during, received) = ("the first start of its program".to_owned(), why.to_owned());
    let evidence = Occurrence { during, received, ..Occurrence::default() };
    let mut findings = Findings::default();
    findings.add(probe, Problem::DoesNotStart.into(), Some(FaultKind::StartFailed), evidence);
    settings.report(vec![start], findings.into_sorted(CommandAdvice::of_bot(&settings.bot)))
}
