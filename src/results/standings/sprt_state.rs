//! The test of a table: that of the plan, or the one that was asked for.

use super::statistics::elo::Scores;
use super::tally::PairTally;
use super::tournament::TestEnd;
use super::{CollectedResults, NoStandings, SprtState, SprtTerms, SprtVerdict};
use crate::contest::PlanFields;

/// At most one in this many rounds may end by forfeit or have substituted moves: more of them decide
/// a test by faults and not by play.
const ROUNDS_A_SPOILT_ONE: u64 = 100;

impl SprtState {
    /// The test of a plan; `None` unless exactly one tournament has one.
    pub(super) fn of_plan(all: &CollectedResults, ends: &[Option<TestEnd>]) -> Option<SprtState> {
        let mut ends = ends.iter().flatten();
        let (Some(end), None) = (ends.next(), ends.next()) else { return None };
        let sprt = &end.sprt;
        let verdict = sprt.decided().map(|(_, verdict)| verdict);
        let spoilt = (end.spoilt, end.rounds);
        let bots = end.bots.map(|bot| all.names.all()[bot as usize].clone());
        Some(sprt_state(bots, sprt.terms(), (sprt.pairs(), sprt.llr()), verdict, spoilt))
    }

    /// A test of the bots that are not disqualified, on all their matches. The plans say which of the
    /// two is the first; where they do not, or contradict each other, it is the first in byte order.
    ///
    /// # Errors
    ///
    /// When there are not two bots, or matches of one round.
    pub(super) fn asked_for(
        terms: &SprtTerms,
        all: &CollectedResults,
        tally: Option<&([u32; 2], PairTally)>,
    ) -> Result<SprtState, NoStandings> {
        let disqualified = all.disqualified();
        let mut bots = all.names.all().to_vec();
        bots.retain(|name| !disqualified.contains_key(name.as_str()));
        // A bot that is gone has no match that counts.
        if let [tournament] = &all.tournaments[..] {
            bots.retain(|name| all.loose() > 0 || !tournament.former.contains(name));
        }
        bots.sort_unstable();
        let Ok(mut bots) = <[String; 2]>::try_from(bots.clone()) else {
            return Err(NoStandings::NotTwoBots(bots));
        };
        let is_first_in_plans = |name: &str, other: &str| {
            let mut plans = all.tournaments.iter().filter_map(|of| of.plan.as_ref()).peekable();
            let is_first = |plan: &PlanFields| {
                let place = |name: &str| plan.bots.iter().position(|bot| bot.name == name);
                place(name).zip(place(other)).is_some_and(|(one, two)| one < two)
            };
            plans.peek().is_some() && plans.all(is_first)
        };
        if is_first_in_plans(&bots[1], &bots[0]) {
            bots.swap(0, 1);
        }
        let default = <([u32; 2], PairTally)>::default();
        let (numbers, tally) = tally.unwrap_or(&default);
        let one_round = tally.of_one_round();
        if one_round > 0 {
            return Err(NoStandings::OneRound(one_round));
        }
        let mut pairs = tally.pairs;
        if all.names.find(&bots[0]) == Some(numbers[1]) {
            pairs.reverse();
        }
        let llr = terms.llr(&Scores(pairs));
        let spoilt = (tally.spoilt, tally.rounds());
        Ok(sprt_state(bots, terms, (pairs, llr), terms.verdict(llr), spoilt))
    }
}

/// A verdict that rests on too many spoilt rounds is withheld.
fn sprt_state(
    bots: [String; 2],
    terms: &SprtTerms,
    (pairs, llr): ([u64; 5], f64),
    verdict: Option<SprtVerdict>,
    (spoilt, rounds): (u64, u64),
) -> SprtState {
    let scores = Scores(pairs);
    let ((elo, elo_error), nelo) = (scores.elo(), scores.normalised_elo());
    let is_withheld = verdict.is_some() && spoilt.saturating_mul(ROUNDS_A_SPOILT_ONE) > rounds;
    let withheld = is_withheld.then(|| {
        format!(
            "{spoilt} of {rounds} rounds ended by forfeit or had substituted moves, more than 1 %, so \
             the test compares faults and not play; fix the faults and test again"
        )
    });
    SprtState {
        bots,
        elo0: terms.elo0(),
        elo1: terms.elo1(),
        model: terms.model(),
        pairs,
        llr,
        lower: terms.lower(),
        upper: terms.upper(),
        verdict: verdict.filter(|_| !is_withheld),
        withheld,
        elo,
        elo_error,
        nelo: nelo.map(|nelo| nelo.value),
        nelo_error: nelo.map(|nelo| nelo.error),
        los: scores.superiority(),
    }
}
