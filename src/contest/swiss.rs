//! The rounds of a Swiss tournament: who meets whom, from the results of the rounds before.

use std::cmp::Reverse;

use super::matching::heaviest_matching;
use super::schedule::{Fixture, Pairings, Schedule, is_small};
use crate::chance::Chance;
use crate::seat::PerSeat;

/// The rounds that were paired so far.
#[derive(Clone, Debug)]
pub struct SwissRounds {
    repeat: u64,
    rounds: u64,
    past: PastRounds,
    /// The bots of the last round, and rounds that these can still play, one after another.
    playing: usize,
    possible: Vec<RoundPairs>,
}

/// A round's pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissRound {
    /// Its number, from 1, which is its opening's number too.
    pub round: u64,
    /// Its matches.
    pub fixtures: Vec<Fixture>,
    /// Bots without an opponent.
    pub byes: Vec<usize>,
}

/// How many random rounds are drawn to find rounds that can follow: about 20 ms for 20 bots.
const DRAWS: u32 = 400;

/// How many draws are made of one round before the round ahead of it is drawn again.
const DRAWS_OF_A_ROUND: u32 = 3;

impl SwissRounds {
    /// A tournament before its first round, in which each pair plays `repeat` matches.
    #[must_use]
    pub fn new(bots: usize, repeat: u64) -> SwissRounds {
        let past = PastRounds { opponents: vec![Vec::new(); bots], byes: vec![0; bots] };
        let possible = if is_small(bots) { round_robin(bots) } else { Vec::new() };
        SwissRounds { repeat, rounds: 0, past, playing: bots, possible }
    }

    /// The number of the next round's first match.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.rounds * self.numbers() * self.repeat + 1
    }

    /// Numbers of matches that each repetition of a round takes, used or not.
    fn numbers(&self) -> u64 {
        (self.past.byes.len() / 2) as u64
    }

    /// Pairs the next round. Bots for which `out` is true play no more; `points` are the half points
    /// of a bot against an opponent of an earlier round.
    ///
    /// Nobody meets an opponent twice. Of all rounds in which that is so, the one is played
    ///
    /// 1. in which the fewest bots sit out: one if their number is odd, none if it is even;
    /// 2. in which the fewest of these have sat out before;
    /// 3. in which these have the fewest points;
    /// 4. in which the points of opponents are the least apart, in total;
    /// 5. in which, of bots with equal points, the upper half meets the lower half in the order of
    ///    the plan.
    ///
    /// Among up to 20 bots another round takes its place if fewer rounds without such repetitions
    /// could follow it than could follow others: of the rounds that are known to be possible, the
    /// one that is best by 3 and 4. So up to [`most_swiss_rounds`](super::most_swiss_rounds) rounds,
    /// and as long as no bot leaves, nobody meets an opponent or sits out twice.
    pub fn pair(
        &mut self,
        points: &dyn Fn(usize, usize) -> u64,
        out: &dyn Fn(usize) -> bool,
    ) -> SwissRound {
        let bots = 0..self.past.byes.len();
        let points: Vec<u64> = bots.clone().map(|bot| self.points(bot, points)).collect();
        let mut order: Vec<usize> = bots.filter(|&bot| !out(bot)).collect();
        order.sort_by_key(|&bot| (Reverse(points[bot]), bot));
        let begin = self.next_number();
        self.rounds += 1;
        let mut chance = Chance::new(self.rounds);
        if order.len() != self.playing {
            self.playing = order.len();
            let most = if is_small(order.len()) { self.past.most_rounds(&order) } else { 0 };
            self.possible = self.past.draw_rounds(&order, most, &mut DRAWS.clone(), &mut chance);
        }
        let mut round = self.past.best_round(&order, &points);
        if let Some(most) = self.possible.len().checked_sub(1) {
            let mut past = self.past.clone();
            past.add(&round);
            let possible = past.draw_rounds(&order, most, &mut DRAWS.clone(), &mut chance);
            if possible.len() == most {
                self.possible = possible;
            } else {
                let apart = |place: &usize| self.possible[*place].apart(&points);
                let nearest = (0..=most).min_by_key(apart).unwrap_or(0);
                round = self.possible.swap_remove(nearest);
                round.pairs.sort_by_key(|&(one, other)| Reverse(points[one].max(points[other])));
            }
        }
        self.past.add(&round);
        let (repeat, numbers) = (self.repeat, self.numbers());
        let mut fixtures = Vec::new();
        for time in 0..repeat {
            for (slot, &(one, other)) in (0..).zip(&round.pairs) {
                let number = begin + time * numbers + slot;
                let swapped = (self.rounds + time + slot).is_multiple_of(2);
                let bots = PerSeat(if swapped { [other, one] } else { [one, other] });
                fixtures.push(Fixture { number, opening: self.rounds, bots });
            }
        }
        SwissRound { round: self.rounds, fixtures, byes: round.byes }
    }

    /// Half points of a bot: a bye counts as if it had won all matches of the round.
    fn points(&self, bot: usize, points: &dyn Fn(usize, usize) -> u64) -> u64 {
        let played = self.past.opponents[bot].iter().map(|&opponent| points(bot, opponent));
        played.sum::<u64>() + 2 * self.repeat * self.past.byes[bot]
    }
}

/// All rounds of a round robin.
fn round_robin(bots: usize) -> Vec<RoundPairs> {
    let Ok(schedule) = Schedule::new(Pairings::RoundRobin, bots, 1, 1) else { return Vec::new() };
    let fixtures = (1..=schedule.matches()).filter_map(|number| schedule.fixture(number));
    let pairs: Vec<(usize, usize)> = fixtures.map(|it| (it.bots.0[0], it.bots.0[1])).collect();
    let rounds = pairs.chunks(bots / 2).map(|pairs| {
        let plays = |bot: &usize| pairs.iter().any(|(one, other)| [one, other].contains(&bot));
        let byes = (0..bots).filter(|bot| !plays(bot)).collect();
        RoundPairs { pairs: pairs.to_vec(), byes }
    });
    rounds.collect()
}

/// Who meets whom in a round.
#[derive(Clone, Debug)]
struct RoundPairs {
    pairs: Vec<(usize, usize)>,
    /// Bots without an opponent.
    byes: Vec<usize>,
}

impl RoundPairs {
    /// The points of bots that sit out, and how far those of opponents are apart.
    fn apart(&self, points: &[u64]) -> (u64, u64) {
        let pairs = self.pairs.iter().map(|&(one, other)| points[one].abs_diff(points[other]));
        (self.byes.iter().map(|&bot| points[bot]).sum(), pairs.sum())
    }
}

/// Who met whom, and who sat out.
#[derive(Clone, Debug)]
struct PastRounds {
    opponents: Vec<Vec<usize>>,
    /// How often each bot sat out.
    byes: Vec<u64>,
}

impl PastRounds {
    fn add(&mut self, round: &RoundPairs) {
        for &(one, other) in &round.pairs {
            self.opponents[one].push(other);
            self.opponents[other].push(one);
        }
        for &bot in &round.byes {
            self.byes[bot] += 1;
        }
    }

    /// The round without a repeated pair that is worth the most. `bye` is what it costs that the bot
    /// at a place of `order` sits out, `pair` that two meet; a bye costs more than any pair.
    fn cheapest_round(
        &self,
        order: &[usize],
        bye: impl Fn(usize) -> i128,
        mut pair: impl FnMut(usize, usize) -> i128,
    ) -> RoundPairs {
        let mates = heaviest_matching(order.len(), |one, other| {
            let has_met = self.opponents[order[one]].contains(&order[other]);
            if has_met { 0 } else { bye(one) + bye(other) - pair(one, other) }
        });
        let places = mates.iter().enumerate();
        let pairs = places.clone().filter_map(|(one, mate)| mate.map(|other| (one, other)));
        let pairs = pairs.filter(|(one, other)| one < other);
        RoundPairs {
            pairs: pairs.map(|(one, other)| (order[one], order[other])).collect(),
            byes: places.filter(|(_, mate)| mate.is_none()).map(|(one, _)| order[one]).collect(),
        }
    }

    /// The best round, as [`SwissRounds::pair`] says, of bots in the order of their points.
    fn best_round(&self, order: &[usize], points: &[u64]) -> RoundPairs {
        let points = |place: usize| i128::from(points[order[place]]);
        let half = |place: usize| {
            (0..order.len()).filter(|&other| points(other) == points(place)).count() / 2
        };
        let halves: Vec<usize> = (0..order.len()).map(half).collect();
        let (bots, last) = (order.len() as i128, order.len().saturating_sub(1));
        let spread = if bots > 0 { points(0) - points(last) } else { 0 };
        // Each of the five aims weighs more than all that comes after it can add up to.
        let distance = bots * bots + 1;
        let low = distance * (bots * spread + 1);
        let repeated = low * (bots * spread + 1);
        let missing = repeated * (bots + 1);
        let bye = |place: usize| {
            let sat_out = i128::from(self.byes[order[place]].min(1));
            let above = points(place) - points(last);
            missing + repeated * sat_out + low * above + (last - place) as i128
        };
        let pair = |one: usize, other: usize| {
            let apart = points(one) - points(other);
            let steps = if apart == 0 { halves[one] } else { 1 };
            distance * apart + (other - one).abs_diff(steps) as i128
        };
        self.cheapest_round(order, bye, pair)
    }

    /// At most this many rounds can follow without a repeated pair or bye.
    fn most_rounds(&self, order: &[usize]) -> usize {
        let left = |bot: &usize| {
            let others = order.iter().filter(|it| *it != bot && !self.opponents[*bot].contains(it));
            others.count() + usize::from(order.len() % 2 == 1 && self.byes[*bot] == 0)
        };
        order.iter().map(left).min().unwrap_or(0)
    }

    /// Draws rounds that can follow one another without a repeated pair or bye: `most`, or as many
    /// as are found with `draws`.
    fn draw_rounds(
        &self,
        order: &[usize],
        most: usize,
        draws: &mut u32,
        chance: &mut Chance,
    ) -> Vec<RoundPairs> {
        let mut best = Vec::new();
        for _ in 0..DRAWS_OF_A_ROUND {
            if best.len() == most || *draws == 0 {
                break;
            }
            *draws -= 1;
            let bye = |place: usize| (1 << 40) * i128::from(1 + self.byes[order[place]]);
            let round = self.cheapest_round(order, bye, |_, _| i128::from(chance.below(1 << 16)));
            let is_repeated = round.byes.iter().any(|&bot| self.byes[bot] > 0);
            if round.byes.len() != order.len() % 2 || is_repeated {
                break;
            }
            let mut past = self.clone();
            past.add(&round);
            let mut rounds = past.draw_rounds(order, most - 1, draws, chance);
            rounds.push(round);
            if rounds.len() > best.len() {
                best = rounds;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::contest::most_swiss_rounds;

    /// A tournament whose matches end by chance.
    struct Contest {
        rounds: SwissRounds,
        halves: HashMap<(usize, usize), u64>,
        met: HashSet<(usize, usize)>,
        byes: Vec<u64>,
        out: HashSet<usize>,
        chance: Chance,
        repeat: u64,
    }

    impl Contest {
        fn new(bots: usize, repeat: u64, seed: u64) -> Contest {
            Contest {
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
            let bots: Vec<usize> =
                (0..self.byes.len()).filter(|bot| !self.out.contains(bot)).collect();
            let value = |bot: usize| 1000 + i128::from(self.byes[bot] > 0);
            let mates = heaviest_matching(bots.len(), |one, other| {
                let (one, other) = (bots[one], bots[other]);
                let has_met = self.met.contains(&(one, other));
                if has_met { 0 } else { value(one) + value(other) }
            });
            let left = bots.iter().zip(mates).filter(|(_, mate)| mate.is_none());
            let left: Vec<usize> = left.map(|(bot, _)| *bot).collect();
            (left.len(), left.iter().filter(|&&bot| self.byes[bot] > 0).count())
        }

        /// Pairs and plays a round, which must keep what is promised.
        fn play(&mut self) -> SwissRound {
            let fewest = self.fewest_byes();
            let begin = self.rounds.next_number();
            let points = |bot, opponent| self.halves.get(&(bot, opponent)).copied().unwrap_or(0);
            let round = self.rounds.pair(&points, &|bot| self.out.contains(&bot));
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
                assert!(
                    [one, other].iter().all(|bot| seen.insert(*bot) && !self.out.contains(bot))
                );
            }
            assert_eq!(seen.len(), self.byes.len() - self.out.len());
            round
        }
    }

    #[test]
    fn up_to_the_most_rounds_nobody_meets_or_sits_out_twice() {
        for bots in 2..40 {
            for seed in 0..2 {
                let mut contest = Contest::new(bots, 1, seed);
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
            let mut contest = Contest::new(bots, repeat, seed);
            for round in 1..=most_swiss_rounds(bots).min(8) {
                contest.play();
                let leave = leaving.iter().filter(|(when, bot)| *when == round && *bot < bots);
                contest.out.extend(leave.map(|(_, bot)| *bot));
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

    /// All rounds of these bots in which nobody meets twice.
    fn all_rounds(past: &PastRounds, bots: &[usize]) -> Vec<RoundPairs> {
        let Some((&one, rest)) = bots.split_first() else {
            return vec![RoundPairs { pairs: Vec::new(), byes: Vec::new() }];
        };
        let mut rounds = all_rounds(past, rest);
        rounds.iter_mut().for_each(|round| round.byes.push(one));
        for &other in rest.iter().filter(|other| !past.opponents[one].contains(other)) {
            let left: Vec<usize> = rest.iter().copied().filter(|&bot| bot != other).collect();
            let mut with = all_rounds(past, &left);
            with.iter_mut().for_each(|round| round.pairs.push((one, other)));
            rounds.append(&mut with);
        }
        rounds
    }

    #[test]
    fn one_bot_sits_out_when_one_of_an_even_field_has_left() {
        for (bots, rounds, repeat) in [(6, 4, 1), (4, 3, 2), (8, 5, 1), (10, 6, 2)] {
            for (seed, leaves) in (0..4).flat_map(|seed| (0..bots).map(move |bot| (seed, bot))) {
                let mut contest = Contest::new(bots, repeat, seed);
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
            round
                .fixtures
                .iter()
                .map(|it| [it.bots.0[0].min(it.bots.0[1]), it.bots.0[0].max(it.bots.0[1])])
                .collect()
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
}
