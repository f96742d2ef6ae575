//! Which matches tell most, where not all of them have room in a page.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::str::FromStr;

use crate::analysis::MatchPlace;
use crate::contest::MatchSummary;
use crate::protocol::FaultKind;
use crate::seat::{PerSeat, Seat};

/// How many matches a page keeps move by move, at most: the most interesting ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamesKept(usize);

impl GamesKept {
    pub const ALL: GamesKept = GamesKept(usize::MAX);

    /// What is kept at most unless the user says otherwise.
    pub(crate) const DEFAULT: GamesKept = GamesKept(2000);
}

impl FromStr for GamesKept {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GamesKept, &'static str> {
        match text {
            "all" => Ok(GamesKept::ALL),
            "none" => Ok(GamesKept(0)),
            number => number.parse().map(GamesKept).map_err(|_| "expected all, none or a number"),
        }
    }
}

/// A match that may be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeptMatch {
    /// Its place in all files, from 1.
    pub(super) number: u64,
    pub(super) place: MatchPlace,
    /// How many matches tell more, if the page shows it; otherwise it is only checked.
    pub(super) interest: Option<usize>,
}

/// The most interesting matches so far.
#[derive(Debug)]
pub(super) struct MostInteresting {
    kept: GamesKept,
    /// The one that tells least first; of equal ones the last. Their places are in `places`.
    heap: BinaryHeap<Reverse<(u32, Reverse<u64>)>>,
    places: BTreeMap<u64, MatchPlace>,
    /// Matches with what was the first case of a fault until then.
    of_cases: BTreeMap<u64, MatchPlace>,
    faults: HashMap<(String, FaultKind), u32>,
}

impl MostInteresting {
    pub(super) fn new(kept: GamesKept) -> MostInteresting {
        MostInteresting {
            kept,
            heap: BinaryHeap::new(),
            places: BTreeMap::new(),
            of_cases: BTreeMap::new(),
            faults: HashMap::new(),
        }
    }

    /// Takes a match that tells so much.
    pub(super) fn add(&mut self, score: u32, candidate: KeptMatch) {
        self.heap.push(Reverse((score, Reverse(candidate.number))));
        self.places.insert(candidate.number, candidate.place);
        if self.heap.len() > self.kept.0
            && let Some(Reverse((_, Reverse(number)))) = self.heap.pop()
        {
            self.places.remove(&number);
        }
    }

    /// Takes a match with the first case of a fault so far.
    pub(super) fn add_of_case(&mut self, candidate: &KeptMatch) {
        self.of_cases.insert(candidate.number, candidate.place.clone());
    }

    /// How much a match tells: early faults of a kind, upsets, blunders, close results.
    /// `counts` says of the bot in each seat whether its row counts the match.
    pub(super) fn score(
        &mut self,
        (summary, counts): (&MatchSummary<'_>, [bool; 2]),
        blunders: u32,
        ratings: PerSeat<Option<f64>>,
    ) -> u32 {
        let mut score = 40 * blunders.min(5);
        for (seat, _) in Seat::BOTH.into_iter().zip(counts).filter(|(_, counts)| *counts) {
            let name = &*summary.names[usize::from(u8::from(seat))];
            for (kind, faults) in
                summary.rounds.iter().flat_map(|round| round.faults[seat].counts())
            {
                let seen = self.faults.entry((name.to_owned(), kind)).or_default();
                score += 300 / (1 + *seen);
                *seen = seen.saturating_add(faults);
            }
        }
        let [a, b] = Seat::BOTH.map(|seat| summary.seeds(seat));
        score += 100_u32.saturating_sub(10 * a.abs_diff(b));
        if let Some(winner) = summary.winner()
            && let Some((won, lost)) = ratings[winner].zip(ratings[!winner])
        {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 400")]
            let upset = (lost - won).clamp(0.0, 400.0) as u32;
            score += upset;
        }
        score
    }

    /// The matches that were chosen, in the order of their places. As many are kept as `kept` says:
    /// those whose numbers are in `cases`, to which the parts of the bots lead, and then those that
    /// tell most.
    pub(super) fn into_sorted(mut self, kept: GamesKept, cases: &BTreeSet<u64>) -> Vec<KeptMatch> {
        let best_first = self.heap.into_sorted_vec().into_iter();
        let others = best_first.map(|Reverse((_, Reverse(number)))| number);
        let others = others.filter(|number| !cases.contains(number));
        let kept = cases.iter().copied().chain(others).zip(0..kept.0);
        let interest: HashMap<u64, usize> = kept.collect();
        self.places.extend(self.of_cases.into_iter().filter(|(number, _)| cases.contains(number)));
        let places = self.places.into_iter();
        places
            .map(|(number, place)| KeptMatch {
                number,
                place,
                interest: interest.get(&number).copied(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(number: u64) -> KeptMatch {
        let place = MatchPlace { file: 0, number, line: number, bytes: 0..1 };
        KeptMatch { number, place, interest: None }
    }

    proptest! {
        /// Against sorting all of them.
        #[test]
        fn cases_and_those_with_the_highest_scores_are_kept(
            scores in proptest::collection::vec(0_u32..9, 0..40),
            mut cases in proptest::collection::btree_set(1_u64..40, 0..5),
            most in 0_usize..12,
            chosen in 0_usize..12,
        ) {
            let kept = GamesKept(most);
            let mut telling = MostInteresting::new(kept.max(GamesKept(chosen)));
            let mut sorted: Vec<(u32, u64)> = Vec::new();
            for (score, number) in scores.iter().zip(1..) {
                telling.add(*score, candidate(number));
                sorted.push((*score, number));
                // The others were first cases until an earlier one came.
                if cases.contains(&number) || number % 3 == 0 {
                    telling.add_of_case(&candidate(number));
                }
            }
            cases.retain(|number| *number <= scores.len() as u64);
            sorted.sort_by_key(|(score, number)| (Reverse(*score), *number));
            let chosen = sorted.iter().take(most.max(chosen)).map(|(_, number)| *number);
            let chosen: BTreeSet<u64> = chosen.chain(cases.iter().copied()).collect();
            sorted.sort_by_key(|(score, number)| {
                let is_case = cases.contains(number);
                (!is_case, Reverse(if is_case { 0 } else { *score }), *number)
            });
            let mut expected: Vec<u64> = sorted.iter().take(most).map(|(_, n)| *n).collect();
            let found = telling.into_sorted(kept, &cases);
            prop_assert!(found.iter().map(|of| of.number).eq(chosen));
            let mut found: Vec<(usize, u64)> =
                found.iter().filter_map(|of| Some((of.interest?, of.number))).collect();
            found.sort_unstable();
            prop_assert!(found.iter().map(|of| of.0).eq(0..expected.len()));
            // The cases in any order.
            let first = expected.iter().filter(|number| cases.contains(number)).count();
            let mut found: Vec<u64> = found.into_iter().map(|(_, number)| number).collect();
            for numbers in [&mut found, &mut expected] {
                numbers[..first].sort_unstable();
            }
            prop_assert_eq!(found, expected);
        }
    }
}
