//! What is said of a test (`--sprt`) that no match has decided: why, and how more can be played.

use std::path::Path;

use crate::contest::PlanFields;
use crate::text::{counted, printable};
use crate::tournament::openings::OpeningSource;
use crate::tournament::{Ledger, MAX_OPENINGS};

/// The words for a tournament of `plan` in which all was played. `folder` is what the plan's
/// paths are relative to; with `is_recorded` there is a file of the user's to go on from.
pub(super) fn undecided_in_words(
    plan: &PlanFields,
    folder: &Path,
    ledger: &Ledger,
    is_recorded: bool,
) -> String {
    let mut bots = plan.bots.iter().enumerate();
    if let Some((_, bot)) = bots.find(|(place, _)| ledger.disqualified(*place).is_some()) {
        let name = printable(&bot.name);
        return format!("the test has no verdict: bot \"{name}\" is disqualified");
    }
    let tested = ledger.sprt.as_ref().map_or(0, |sprt| sprt.pairs().iter().sum());
    let tested = counted(tested, "match", "matches");
    // A bot that has changed plays no more matches of this test; with a plan of one match the advice
    // stands above it already.
    let more = if ledger.has_changed_bot() || ledger.planned() == 1 {
        None
    } else {
        how_to_play_more(plan, folder, is_recorded)
    };
    format!("the test is undecided after {tested}{}", more.unwrap_or_default())
}

/// How more matches can be played: from more openings of the suite, or else of a larger one.
fn how_to_play_more(plan: &PlanFields, folder: &Path, is_recorded: bool) -> Option<String> {
    let PlanFields { openings: suite, rules, seed, .. } = plan;
    let source = OpeningSource { suite, rules, seed: *seed, folder };
    let wanted = (2 * plan.count).min(MAX_OPENINGS);
    let most = usize::try_from(wanted).ok()?;
    let there = source.count(most) as u64;
    if there > plan.count {
        return Some(if is_recorded {
            format!("; the same command with --count {there} --resume plays on")
        } else {
            format!(
                "; --count {there} plays more, from the beginning; add --record FILE, then \
                 --resume goes on another time"
            )
        });
    }
    let suite = source.larger_suite(most).filter(|_| wanted > plan.count)?;
    let file = if is_recorded { "with another --record FILE, " } else { "" };
    Some(format!("; {file}--openings {suite} --count {wanted} plays more"))
}
