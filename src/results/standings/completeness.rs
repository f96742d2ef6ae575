//! How much of what was planned is there.

use super::CollectedResults;

/// How many matches were planned, and why some were not played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Completeness {
    pub(super) planned: Option<u64>,
    pub(super) missing: Option<u64>,
    pub(super) unfinished: u64,
    /// Matches that a disqualification took away.
    pub(super) not_played: u64,
}

impl Completeness {
    /// `lasts` are the last matches that count.
    pub(super) fn new(all: &CollectedResults, lasts: &[u64]) -> Completeness {
        let lasts = lasts.iter().enumerate();
        let parts: Vec<Completeness> =
            lasts.map(|(index, last)| Completeness::of_tournament(all, index, *last)).collect();
        let has_plan = !parts.is_empty() && all.loose() == 0;
        let of_plans = |count: fn(&Completeness) -> Option<u64>| {
            parts.iter().map(count).sum::<Option<u64>>().filter(|_| has_plan)
        };
        Completeness {
            planned: of_plans(|part| part.planned),
            missing: of_plans(|part| part.missing),
            unfinished: parts.iter().map(|part| part.unfinished).sum(),
            not_played: parts.iter().map(|part| part.not_played).sum(),
        }
    }

    fn of_tournament(all: &CollectedResults, index: usize, last: u64) -> Completeness {
        let tournament = &all.tournaments[index];
        let unfinished = tournament.unfinished.range(..=last).map(|(number, _)| *number);
        let unfinished = unfinished.filter(|number| !tournament.has_seen(*number));
        let plan = tournament.plan.as_ref();
        let Some((plan, schedule)) = plan.and_then(|plan| Some((plan, plan.schedule().ok()?)))
        else {
            let unfinished = unfinished.count() as u64;
            return Completeness { unfinished, ..Completeness::default() };
        };
        // A file may go beyond its first line: a larger count extends a tournament.
        let planned = schedule.matches().max(tournament.highest());
        let until = planned.min(last);
        // How many up to this one are in no file.
        let open_until = |until: u64| until - tournament.seen_up_to(until).min(until);
        let open = open_until(until);
        let is_out = |bot: usize| tournament.disqualified.contains_key(&plan.bots[bot].name);
        let is_open = |number: &u64| {
            let fixture = schedule.fixture(*number);
            !fixture.is_some_and(|fixture| fixture.bots.0.into_iter().any(is_out))
        };
        let unfinished = unfinished.filter(is_open).count() as u64;
        let not_played = if let Some(of_them) = schedule.matches_of(is_out) {
            of_them.saturating_sub(all.seen_of_disqualified(index)).min(open)
        } else {
            open.saturating_sub(all.open_in_swiss(index, plan, &schedule).max(unfinished))
        };
        let missing = Some(open.saturating_sub(unfinished + not_played));
        Completeness { planned: Some(planned), missing, unfinished, not_played }
    }
}
