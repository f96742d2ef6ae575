//! What cannot be asked for at once.

use super::Args;
use crate::contest::{Pairings, Plan};
use crate::record::Shard;
use crate::tournament::ResumeMode;

/// What a plan cannot ask for at once, and what to do.
pub(super) fn contradiction(plan: &Plan, args: &Args) -> Option<&'static str> {
    let shard = args.shard;
    let is_swiss = plan.pairings == Pairings::Swiss;
    match (plan.sprt.is_some(), shard != Shard::WHOLE) {
        (true, _) if is_swiss => Some(
            "--sprt needs many matches of one pair, and in a Swiss tournament (--swiss) nobody \
             meets twice; leave --swiss out and give --count N, the most matches of the test",
        ),
        (true, true) => Some(
            "--sprt decides on all matches in their order, and a shard sees only its own; \
             leave --shard out",
        ),
        (false, true) if is_swiss => Some(
            "a Swiss tournament cannot be sharded: who meets whom follows from all results so \
             far; play it on one machine, or a round robin in shards",
        ),
        _ if args.retry_disqualified && args.go_on() == ResumeMode::No => Some(
            "--retry-disqualified goes on with a tournament; add --resume, or --update for today's bots",
        ),
        _ => no_update(plan, args),
    }
}

/// Why a tournament cannot be updated, and what to do.
fn no_update(plan: &Plan, args: &Args) -> Option<&'static str> {
    if !args.update {
        return None;
    }
    if plan.pairings == Pairings::Swiss {
        return Some(
            "a Swiss tournament cannot be updated: who meets whom follows from all results so far; \
             give a new --record FILE, or play a round robin or a gauntlet",
        );
    }
    if plan.sprt.is_some() {
        return Some(
            "a test of two bots (--sprt) cannot be updated: it decides on matches of the same two; \
             give a new --record FILE",
        );
    }
    (args.shard != Shard::WHOLE).then_some(
        "a shard cannot be updated: the other shards would still be of the old bots; play the \
         tournament in one file, or all shards anew",
    )
}
