//! How much of what was planned is there.

use super::CollectedResults;

/// How many matches were planned, and why some were not played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Completeness {
    pub(super) planned: Option<u64>,
    pub(super) missing: Option<u64>,
    /// For each tournament the numbers of the matches that were given up.
    pub(super) unfinished: Vec<Vec<u64>>,
    /// Matches that a disqualification took away, or that an earlier version of a bot cannot play.
    pub(super) not_played: u64,
    /// Those of them that are of such versions alone.
    pub(super) retired: u64,
}

impl Completeness {
    /// `lasts` are the last matches that count.
    pub(super) fn new(all: &CollectedResults, lasts: &[u64]) -> Completeness {
        let lasts = lasts.iter().enumerate();
        let parts: Vec<Completeness> =
            lasts.map(|(index, last)| Completeness::of_tournament(all, index, *last)).collect();
        let all_have_plans = !parts.is_empty() && all.loose() == 0;
        let planned = parts.iter().map(|part| part.planned).sum::<Option<u64>>();
        Completeness {
            planned: planned.filter(|_| all_have_plans),
            missing: parts.iter().filter_map(|part| part.missing).reduce(|one, other| one + other),
            not_played: parts.iter().map(|part| part.not_played).sum(),
            retired: parts.iter().map(|part| part.retired).sum(),
            unfinished: parts.into_iter().flat_map(|part| part.unfinished).collect(),
        }
    }

    fn of_tournament(all: &CollectedResults, index: usize, last: u64) -> Completeness {
        let tournament = &all.tournaments[index];
        let unfinished = tournament.unfinished.range(..=last).map(|(number, _)| *number);
        let unfinished = unfinished.filter(|number| !tournament.seen.contains(*number));
        let plan = tournament.plan.as_ref();
        let Some((plan, schedule)) = plan.and_then(|plan| Some((plan, plan.schedule().ok()?)))
        else {
            let unfinished = vec![unfinished.collect()];
            return Completeness { unfinished, ..Completeness::default() };
        };
        let planned = schedule.matches();
        let until = planned.min(last);
        // How many up to this one are in no file.
        let open_until = |until: u64| until - tournament.seen.count_up_to(until).min(until);
        let open = open_until(until);
        let is_disqualified =
            |bot: usize| tournament.disqualified.contains_key(&plan.bots[bot].name);
        let is_open = |number: &u64| {
            let fixture = schedule.fixture(*number);
            let is_off = |bot| tournament.plays_no_more(plan, bot);
            !fixture.is_some_and(|fixture| fixture.bots.0.into_iter().any(is_off))
        };
        let numbers: Vec<u64> = unfinished.filter(is_open).collect();
        let unfinished = numbers.len() as u64;
        let not_played_by = |is_off: &dyn Fn(usize) -> bool| {
            let of_them = schedule.matches_of(is_off)?;
            Some(of_them.saturating_sub(all.seen_of(index, plan, is_off)).min(open))
        };
        let by_disqualified = not_played_by(&is_disqualified).unwrap_or_else(|| {
            open.saturating_sub(all.open_in_swiss(index, plan, &schedule).max(unfinished))
        });
        let by_all = not_played_by(&|bot| tournament.plays_no_more(plan, bot));
        let not_played = by_all.unwrap_or(by_disqualified);
        let missing = Some(open.saturating_sub(unfinished + not_played));
        let retired = not_played.saturating_sub(by_disqualified);
        let unfinished = vec![numbers];
        Completeness { planned: Some(planned), missing, unfinished, not_played, retired }
    }
}
