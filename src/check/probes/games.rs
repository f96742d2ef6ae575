//! The first answer, and whole games in every ruleset against two built-in bots.

use super::takes_too_long;
use crate::check::course::{Course, Played};
use crate::check::pairing::BOT;
use crate::check::report::{GamesReport, Probe};
use crate::check::trial::Trial;
use crate::engine::Level;
use crate::referee::MatchError;

/// It starts and gives one answer.
pub(in crate::check) fn start(course: &mut Course<'_>) -> Result<(), MatchError> {
    course.begin(Probe::Start);
    let plan = course.plan;
    if hides_a_missing_flush(plan.bot.words()) {
        course.note(
            "PYTHONUNBUFFERED is set here: where it is not, a missing flush would show".to_owned(),
        );
    }
    let trial = Trial::new(plan.rules[0], &plan.limits, plan.seed);
    course.play(&trial.rounds(1).short(1)).map(drop)
}

/// Whether Python flushes what this bot does not, because the environment says so.
fn hides_a_missing_flush(words: &[String]) -> bool {
    let is_unbuffered = std::env::var_os("PYTHONUNBUFFERED").is_some_and(|value| !value.is_empty());
    is_unbuffered && words.iter().any(|word| word.contains("python") || word.contains(".py"))
}

/// A match of two whole rounds for each ruleset and built-in bot.
pub(in crate::check) fn games(course: &mut Course<'_>) -> Result<Vec<GamesReport>, MatchError> {
    course.begin(Probe::Games);
    let plan = course.plan;
    let mut reports = Vec::new();
    for level in [Level::Random, Level::Easy] {
        for &rules in &plan.rules {
            if takes_too_long(course) {
                return Ok(reports);
            }
            let trial = Trial { level, ..Trial::new(rules, &plan.limits, plan.seed) };
            let Some(played) = course.play(&trial)? else { return Ok(reports) };
            reports.push(report(&trial, &played));
        }
    }
    Ok(reports)
}

fn report(trial: &Trial, played: &Played) -> GamesReport {
    let count = |is_counted: &dyn Fn(&crate::record::RoundRecord) -> bool| {
        let rounds = played.record.rounds.iter().filter(|round| is_counted(round));
        u32::try_from(rounds.count()).unwrap_or(u32::MAX)
    };
    let margin = |round: &crate::record::RoundRecord| {
        let played = round.result.fault.is_none();
        played.then(|| round.result.score[BOT].cmp(&round.result.score[!BOT]))
    };
    GamesReport {
        rules: trial.rules,
        opponent: trial.level.to_string(),
        won: count(&|round| margin(round).is_some_and(std::cmp::Ordering::is_gt)),
        drawn: count(&|round| margin(round).is_some_and(std::cmp::Ordering::is_eq)),
        lost: count(&|round| margin(round).is_some_and(std::cmp::Ordering::is_lt)),
        faulted: count(&|round| round.result.fault.is_some()),
    }
}
