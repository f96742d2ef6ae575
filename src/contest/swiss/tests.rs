//! The promises of Swiss rounds, over random tournaments.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::schedule::{SwissRoundState, most_swiss_rounds};

/// A tournament whose matches end by chance.
struct SimulatedContest {
    rounds: SwissRounds,
    halves: HashMap<(usize, usize), u64>,
    met: HashSet<(usize, usize)>,
    byes: Vec<u64>,
    out: HashSet<usize>,
    chance: Chance,
    repeat: u64,
}

impl SimulatedContest {
    fn new(bots: usize, repeat: u64, seed: u64) -> SimulatedContest {
        SimulatedContest {
            rounds: SwissRounds::new(bots, repeat),
            halves: HashMap::new(),
            met: HashSet::new(),
            byes: vec![0; bots],
            out: HashSet::new(),
            chance: Chance::new(seed),
            repeat,
        }
    }

    /// The fewest bots that must sit out in the next round, and of these the fewest that must
    /// do so again.
    fn fewest_byes(&self) -> (usize, usize) {
        let bots: Vec<usize> = (0..self.byes.len()).filter(|bot| !self.out.contains(bot)).collect();
        let has_met = |one: usize, other: usize| {
            let (one, other) = (bots[one], bots[other]);
            self.met.contains(&(one.min(other), one.max(other)))
        };
        let cost = |one: usize| 1000 + i128::from(self.byes[bots[one]] > 0);
        let mates = cheapest_pairs(bots.len().next_multiple_of(2), |one, other| {
            if other == bots.len() {
                cost(one)
            } else if has_met(one, other) {
                cost(one) + cost(other)
            } else {
                0
            }
        });
        let sits_out = |one: &usize| mates[*one] == bots.len() || has_met(*one, mates[*one]);
        let left: Vec<usize> = (0..bots.len()).filter(sits_out).map(|one| bots[one]).collect();
        (left.len(), left.iter().filter(|&&bot| self.byes[bot] > 0).count())
    }

    /// Of many bots, where a round is never replaced: no two pairs, and no pair and a bot that sits
    /// out, would be less apart with opponents exchanged.
    fn expect_no_better_exchange(&self, round: &SwissRound) {
        if is_small(self.byes.len() - self.out.len()) {
            return;
        }
        let points: Vec<u64> = (0..self.byes.len())
            .map(|bot| {
                let of_matches = self.halves.iter().filter(|((own, _), _)| *own == bot);
                let halves: u64 = of_matches.map(|(_, halves)| halves).sum();
                halves + 2 * self.repeat * self.byes[bot]
            })
            .collect();
        let apart = |one: usize, other: usize| points[one].abs_diff(points[other]);
        let may_meet = |one: usize, other: usize| {
            one != other && !self.met.contains(&(one.min(other), one.max(other)))
        };
        let pairs: HashSet<[usize; 2]> =
            round.fixtures.iter().map(|it| sorted(it.bots.0)).collect();
        for &[one, other] in &pairs {
            for &[third, fourth] in &pairs {
                let now = apart(one, other) + apart(third, fourth);
                for [a, b, c, d] in [[one, third, other, fourth], [one, fourth, other, third]] {
                    let is_better = apart(a, b) + apart(c, d) < now;
                    let may_be = may_meet(a, b) && may_meet(c, d);
                    assert!(!(may_be && is_better), "{one}-{other}, {third}-{fourth}: {points:?}");
                }
            }
            for &bye in &round.byes {
                for (out, stays) in [(one, other), (other, one)] {
                    let has_sat_out = |bot: usize| self.byes[bot] > 0;
                    let may_be = has_sat_out(out) == has_sat_out(bye) && may_meet(bye, stays);
                    let now = (points[bye], apart(one, other));
                    let is_better = (points[out], apart(bye, stays)) < now;
                    assert!(!(may_be && is_better), "{bye} sits out, not {out}: {points:?}");
                }
            }
        }
    }

    /// Pairs and plays a round, which must keep what is promised.
    fn play(&mut self) -> SwissRound {
        let fewest = self.fewest_byes();
        let begin = self.rounds.next_number();
        let points = |bot, opponent| self.halves.get(&(bot, opponent)).copied().unwrap_or(0);
        let round = self.rounds.pair(&points, &|bot| self.out.contains(&bot));
        self.expect_no_better_exchange(&round);
        let again = round.byes.iter().filter(|&&bot| self.byes[bot] > 0).count();
        assert_eq!((round.byes.len(), again), fewest, "{round:?}");
        let mut seen = HashSet::new();
        for &bot in &round.byes {
            assert!(seen.insert(bot) && !self.out.contains(&bot));
            self.byes[bot] += 1;
        }
        let mut numbers = HashSet::new();
        let mut pairs: HashMap<(usize, usize), u64> = HashMap::new();
        for fixture in &round.fixtures {
            assert!(fixture.number >= begin && fixture.number < self.rounds.next_number());
            assert!(numbers.insert(fixture.number) && fixture.opening == round.round);
            let [one, other] = fixture.bots.0;
            *pairs.entry((one.min(other), one.max(other))).or_default() += 1;
            let halves = u64::from(self.chance.below(3));
            *self.halves.entry((one, other)).or_default() += halves;
            *self.halves.entry((other, one)).or_default() += 2 - halves;
        }
        for ((one, other), times) in pairs {
            assert_eq!(times, self.repeat);
            assert!(self.met.insert((one, other)), "{one} meets {other} twice");
            assert!([one, other].iter().all(|bot| seen.insert(*bot) && !self.out.contains(bot)));
        }
        assert_eq!(seen.len(), self.byes.len() - self.out.len());
        round
    }
}

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

#[test]
fn up_to_the_most_rounds_nobody_meets_or_sits_out_twice() {
    for bots in 2..40 {
        for seed in 0..2 {
            let mut contest = SimulatedContest::new(bots, 1, seed);
            for number in 1..=most_swiss_rounds(bots) {
                let round = contest.play();
                assert_eq!(round.round, number);
                assert_eq!(round.byes.len(), bots % 2, "{bots} bots, round {number}");
            }
            assert!(contest.byes.iter().all(|&byes| byes <= 1), "{bots} bots");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn promises_are_kept_when_bots_leave(
        bots in 2_usize..=100,
        repeat in 1_u64..=2,
        seed: u64,
        leaving in prop::collection::vec((1_u64..8, 0_usize..100), 0..12),
    ) {
        let mut contest = SimulatedContest::new(bots, repeat, seed);
        for round in 1..=most_swiss_rounds(bots).min(8) {
            contest.play();
            let leave = leaving.iter().filter(|(when, bot)| *when == round && *bot < bots);
            contest.out.extend(leave.map(|(_, bot)| *bot));
        }
    }

    /// As long as no other bot leaves.
    #[test]
    fn no_more_matches_follow_than_are_said(
        bots in 2_usize..=24,
        repeat in 1_u64..=2,
        seed: u64,
        leaving in prop::collection::vec((1_u64..8, 0_usize..24), 0..16),
    ) {
        let rounds = most_swiss_rounds(bots).min(8);
        let schedule = Schedule::new(Pairings::Swiss, bots, rounds, repeat).unwrap();
        let mut contest = SimulatedContest::new(bots, repeat, seed);
        let mut state = SwissRoundState::default();
        let mut last = 0;
        let (mut left, mut said) = (Vec::new(), Vec::new());
        for number in 1..=rounds {
            let round = contest.play();
            for said in &mut said {
                *said -= i128::try_from(round.fixtures.len()).unwrap();
            }
            round.byes.iter().for_each(|_| state.add_bye(number));
            for fixture in &round.fixtures {
                state.add_match(number, fixture.bots.0);
                last = fixture.number;
            }
            let leave = leaving.iter().filter(|(when, bot)| *when == number && *bot < bots);
            let leave = leave.map(|(_, bot)| *bot).filter(|bot| contest.out.insert(*bot));
            let leave: Vec<usize> = leave.collect();
            if !leave.is_empty() {
                said.clear();
                left.extend(leave.into_iter().map(|bot| (bot, last)));
            }
            let out = |bot: usize| contest.out.contains(&bot);
            let met = contest.met.iter().filter(|(one, other)| !out(*one) && !out(*other)).count();
            prop_assert_eq!(contest.rounds.met_pairs(&out), met as u64);
            let playing = (bots - contest.out.len()) as u64;
            let most = schedule.never_paired(number, playing, met as u64);
            prop_assert_eq!(schedule.open_in_swiss(&state, left.iter().copied()), most);
            prop_assert!(most <= (playing * playing.saturating_sub(1) / 2 - met as u64) * repeat);
            said.push(i128::from(most));
        }
        for said in said {
            prop_assert!(said >= 0 && (said == 0 || !contest.out.is_empty()), "{}", said);
        }
    }

    #[test]
    fn no_other_round_is_better(
        bots in 1_usize..=7,
        seed: u64,
        spread in 1_u32..9,
        met in 0_u32..100,
    ) {
        let mut chance = Chance::new(seed);
        let mut past = PastRounds { opponents: vec![Vec::new(); bots], byes: vec![0; bots] };
        let mut points: Vec<u64> = (0..bots).map(|_| u64::from(chance.below(spread))).collect();
        points.sort_unstable_by_key(|&points| Reverse(points));
        for one in 0..bots {
            past.byes[one] = u64::from(chance.below(3) / 2);
            for other in one + 1..bots {
                if chance.below(100) < met {
                    past.opponents[one].push(other);
                    past.opponents[other].push(one);
                }
            }
        }
        let order: Vec<usize> = (0..bots).collect();
        let worth = |round: &RoundPairs| {
            let again = round.byes.iter().filter(|&&bot| past.byes[bot] > 0).count();
            (round.byes.len(), again, round.apart(&points))
        };
        let best = all_rounds(&past, &order).iter().map(worth).min().unwrap();
        prop_assert_eq!(worth(&past.best_round(&order, &points)), best);
    }
}

/// All rounds of `bots` in which nobody meets twice.
fn all_rounds(past: &PastRounds, bots: &[usize]) -> Vec<RoundPairs> {
    let Some((&one, rest)) = bots.split_first() else {
        return vec![RoundPairs { pairs: Vec::new(), byes: Vec::new() }];
    };
    let mut rounds = all_rounds(past, rest);
    for round in &mut rounds {
        round.byes.push(one);
    }
    for &other in rest.iter().filter(|other| !past.opponents[one].contains(other)) {
        let left: Vec<usize> = rest.iter().copied().filter(|&bot| bot != other).collect();
        let mut with = all_rounds(past, &left);
        for round in &mut with {
            round.pairs.push((one, other));
        }
        rounds.append(&mut with);
    }
    rounds
}

#[test]
fn one_bot_sits_out_when_one_of_an_even_field_has_left() {
    for (bots, rounds, repeat) in [(6, 4, 1), (4, 3, 2), (8, 5, 1), (10, 6, 2)] {
        for (seed, leaves) in (0..4).flat_map(|seed| (0..bots).map(move |bot| (seed, bot))) {
            let mut contest = SimulatedContest::new(bots, repeat, seed);
            assert!(contest.play().byes.is_empty());
            contest.out.insert(leaves);
            for _ in 1..rounds {
                assert_eq!(contest.play().byes.len(), 1, "{bots} bots without {leaves}");
            }
            assert!(contest.byes.iter().all(|&byes| byes <= 1), "{bots} without {leaves}");
        }
    }
}

#[test]
fn equal_scores_meet() {
    let mut rounds = SwissRounds::new(8, 1);
    // Of two bots the one that the plan has first wins.
    let points = |bot: usize, opponent: usize| if bot < opponent { 2 } else { 0 };
    let mut pairs = || -> Vec<[usize; 2]> {
        let round = rounds.pair(&points, &|_| false);
        round.fixtures.iter().map(|it| sorted(it.bots.0)).collect()
    };
    assert_eq!(pairs(), [[0, 4], [1, 5], [2, 6], [3, 7]]);
    assert_eq!(pairs(), [[0, 2], [1, 3], [4, 6], [5, 7]]);
    assert_eq!(pairs()[0], [0, 1]);
}

#[test]
fn bots_that_are_out_keep_the_numbers_of_later_rounds() {
    let mut rounds = SwissRounds::new(6, 2);
    let mut numbers = |out: usize| {
        let round = rounds.pair(&|_, _| 0, &|bot| bot < out);
        let numbers: Vec<u64> = round.fixtures.iter().map(|fixture| fixture.number).collect();
        (numbers, round.byes.len())
    };
    assert_eq!(numbers(0), (vec![1, 2, 3, 4, 5, 6], 0));
    assert_eq!(numbers(1), (vec![7, 8, 10, 11], 1));
    assert_eq!(numbers(4), (vec![13, 16], 0));
    assert_eq!(numbers(6), (vec![], 0));
}
