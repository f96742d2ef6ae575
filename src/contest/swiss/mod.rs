//! The rounds of a Swiss tournament: who meets whom, from the results of the rounds before.

use std::cmp::Reverse;

use super::matching::cheapest_pairs;
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
    pub fn new(bots: usize, repeat: u64) -> SwissRounds {
        let past = PastRounds { opponents: vec![Vec::new(); bots], byes: vec![0; bots] };
        let possible = if is_small(bots) { round_robin(bots) } else { Vec::new() };
        SwissRounds { repeat, rounds: 0, past, playing: bots, possible }
    }

    /// The number of the next round's first match.
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
    /// one that is best by 3 and 4. So up to [`most_swiss_rounds`](crate::schedule::most_swiss_rounds)
    /// rounds, and as long as no bot leaves, nobody meets an opponent or sits out twice.
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

    /// How many pairs of bots that still play were paired. Bots for which `out` is true play no more.
    pub fn met_pairs(&self, out: &dyn Fn(usize) -> bool) -> u64 {
        let opponents = (0..).zip(&self.past.opponents).filter(|(bot, _)| !out(*bot));
        let met = opponents.flat_map(|(_, opponents)| opponents).filter(|bot| !out(**bot));
        met.count() as u64 / 2
    }

    /// Half points of a bot: a bye counts as if it had won all matches of the round.
    fn points(&self, bot: usize, points: &dyn Fn(usize, usize) -> u64) -> u64 {
        let played = self.past.opponents[bot].iter().map(|&opponent| points(bot, opponent));
        played.sum::<u64>() + 2 * self.repeat * self.past.byes[bot]
    }
}

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
#[derive(Clone, Debug, Default)]
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

    /// The cheapest round without a repeated pair. `bye` is what it costs that the bot
    /// at a place of `order` sits out, `pair` that two meet; a bye costs more than any pair.
    fn cheapest_round(
        &self,
        order: &[usize],
        bye: impl Fn(usize) -> i128,
        mut pair: impl FnMut(usize, usize) -> i128,
    ) -> RoundPairs {
        let has_met = |one: usize, other| self.opponents[order[one]].contains(&order[other]);
        // The opponent of the one that is added to an odd number sits out; two that have met and
        // are a pair all the same sit out both.
        let added = order.len();
        let mates = cheapest_pairs(added.next_multiple_of(2), |one, other| {
            if other == added {
                bye(one)
            } else if has_met(one, other) {
                bye(one) + bye(other)
            } else {
                pair(one, other)
            }
        });
        let mut round = RoundPairs::default();
        for (one, other) in mates.into_iter().enumerate().filter(|(one, other)| one < other) {
            if other == added {
                round.byes.push(order[one]);
            } else if has_met(one, other) {
                round.byes.extend([order[one], order[other]]);
            } else {
                round.pairs.push((order[one], order[other]));
            }
        }
        round
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

    /// The most rounds that can follow without a repeated pair or bye.
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
mod tests;
