//! How much of what was planned is there.

use super::CollectedResults;
use super::tally::PairTally;

/// How many matches were planned, and why some were not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Completeness {
    pub(super) planned: Option<u64>,
    pub(super) missing: Option<u64>,
    pub(super) unfinished: u64,
    pub(super) not_played: u64,
}

impl Completeness {
    pub(super) fn new(
        all: &CollectedResults,
        lasts: &[u64],
        is_out: &[bool],
        tallies: &[([u32; 2], PairTally)],
    ) -> Completeness {
        // Matches of disqualified bots that were played all the same.
        let recorded: u64 = tallies
            .iter()
            .filter(|(bots, _)| bots.iter().any(|bot| is_out[*bot as usize]))
            .map(|(_, tally)| tally.matches)
            .sum();
        let lasts = lasts.iter().enumerate();
        let parts: Vec<Part> = lasts.map(|(index, last)| Part::new(all, index, *last)).collect();
        let sum = |value: &dyn Fn(&Part) -> u64| parts.iter().map(value).sum::<u64>();
        let has_plan = !parts.is_empty() && all.loose() == 0;
        let planned: Option<u64> = parts.iter().map(|part| part.planned).sum();
        let planned = planned.filter(|_| has_plan);
        let unfinished = sum(&|part| part.unfinished);
        let not_played = recorded + sum(&|part| part.skipped);
        let missing = planned.map(|_| {
            let open = sum(&|part| part.open);
            open.saturating_sub(unfinished + sum(&|part| part.skipped))
        });
        Completeness { planned, missing, unfinished, not_played }
    }
}

/// One tournament's share.
struct Part {
    planned: Option<u64>,
    /// Matches of the plan, up to a decision, that are in no file.
    open: u64,
    unfinished: u64,
    /// Those of the open ones that a disqualification took away.
    skipped: u64,
}

impl Part {
    /// `last` is the last match that counts.
    fn new(all: &CollectedResults, index: usize, last: u64) -> Part {
        let tournament = &all.tournaments[index];
        let is_open = |number: &&u64| !tournament.has_seen(**number);
        let unfinished = tournament.unfinished.range(..=last).map(|(number, _)| number);
        let unfinished = unfinished.filter(is_open).count() as u64;
        let Some(schedule) = tournament.schedule() else {
            return Part { planned: None, open: 0, unfinished, skipped: 0 };
        };
        // A file may go beyond its first line: a larger count extends a tournament.
        let planned = schedule.matches().max(tournament.highest());
        let until = planned.min(last);
        let open = until - tournament.seen_up_to(until).min(until);
        let names: Vec<&str> = tournament.disqualified.keys().map(String::as_str).collect();
        let bots = tournament.plan.as_ref().map_or(&[][..], |plan| &plan.bots);
        let of_them =
            schedule.matches_of(|bot| tournament.disqualified.contains_key(&bots[bot].name));
        let skipped = if let Some(of_them) = of_them {
            of_them.saturating_sub(all.seen_of(index, &names)).min(open)
        } else {
            // In a Swiss tournament a round begins when the one before it is over, so what is
            // not there up to the last round was not paired.
            let repeat = tournament.plan.as_ref().map_or(1, |plan| plan.repeat);
            let round = (schedule.in_a_cycle() * repeat).max(1);
            let begun = tournament.highest().div_ceil(round).saturating_mul(round).min(until);
            (begun - tournament.seen_up_to(begun).min(begun)).saturating_sub(unfinished)
        };
        Part { planned: Some(planned), open, unfinished, skipped }
    }
}
