//! How long a bot takes for its answers, by a part of a round.

use std::time::Duration;

use super::runner::{Played, Runner};
use super::trial::{BOT, CheckSettings, Checked};
use crate::bot::Wardens;
use crate::protocol::FaultKind;

/// How many moves the bot and its opponent make at most.
const MOVES: u32 = 20;

/// How long a bot takes for its answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeanAnswers {
    /// For the first answer of a process, its start included.
    pub first: Duration,
    /// For any other, in the mean; as long as the first one where the time was over after that.
    pub other: Duration,
}

/// Why there are no times of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Untimed {
    pub why: String,
    /// Whether it was at fault, which a check most likely finds, too.
    pub is_at_fault: bool,
    /// Whether it gave no answer, so that a round may last until the limit of its time.
    pub is_silent: bool,
}

/// Plays a part of a round by the first of the rules, within the settings' budget. The inner `Err` is
/// for a bot that is at fault or gives no answer.
///
/// # Errors
///
/// As [`check`](super::check).
pub(crate) fn mean_answers(
    settings: &CheckSettings,
    wardens: &Wardens,
) -> Checked<Result<MeanAnswers, Untimed>> {
    let rules = settings.rules.first().copied().unwrap_or_default();
    let mut runner = Runner::new(settings, wardens);
    let trial = settings.trial(rules).short(MOVES).rounds(1);
    let Played { mut bot, rounds, trace, .. } = runner.play(&trial)?;
    runner.end(&mut bot);
    let fault = rounds.into_iter().find_map(|round| round.result.fault);
    if let Some(fault) = fault.filter(|fault| fault.bot == BOT) {
        let is_silent = fault.kind == FaultKind::Timeout && trace.answers.is_empty();
        return Ok(Err(Untimed { why: fault.detail, is_at_fault: true, is_silent }));
    }
    let mut times = trace.answers.iter().map(|answer| answer.time);
    let Some(first) = times.next() else {
        let why = format!("no answer in {:.1} s", settings.budget.as_secs_f64());
        return Ok(Err(Untimed { why, is_at_fault: false, is_silent: true }));
    };
    let count = u32::try_from(times.len()).unwrap_or(u32::MAX);
    let other = times.sum::<Duration>().checked_div(count).unwrap_or(first);
    Ok(Ok(MeanAnswers { first, other }))
}
