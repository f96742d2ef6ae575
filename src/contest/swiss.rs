//! The rounds of a Swiss tournament: who meets whom, from the results of the rounds before.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::remaining::Remaining;
use super::schedule::{Fixture, is_small};
use crate::seat::PerSeat;

/// The rounds that were paired so far, and what came of them.
#[derive(Clone, Debug)]
pub struct SwissRounds {
    repeat: u64,
    /// Numbers that a round takes, used or not.
    numbers: u64,
    rounds: u64,
    /// Half points of each bot.
    points: Vec<u64>,
    met: HashSet<(usize, usize)>,
    sat_out: HashSet<usize>,
    /// What can still be played in a small field, as long as nobody is out.
    remaining: Option<Remaining>,
}

/// A round's pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissRound {
    /// Its number, from 1, which is its opening's number too.
    pub round: u64,
    /// Its matches.
    pub fixtures: Vec<Fixture>,
    /// Bots without an opponent: one where their number is odd.
    pub byes: Vec<usize>,
}

impl SwissRounds {
    /// A tournament before its first round.
    #[must_use]
    pub fn new(bots: usize, repeat: u64) -> SwissRounds {
        SwissRounds {
            repeat,
            numbers: (bots / 2) as u64 * repeat,
            rounds: 0,
            points: vec![0; bots],
            met: HashSet::new(),
            sat_out: HashSet::new(),
            remaining: is_small(bots).then(|| Remaining::all(bots.next_multiple_of(2).max(2))),
        }
    }

    /// The number of the next round's first match.
    #[must_use]
    pub const fn next_number(&self) -> u64 {
        self.rounds * self.numbers + 1
    }

    /// Pairs the next round: bots with equal points meet, the higher half of a group the lower
    /// half in the order of the plan; nobody meets an opponent twice, and nobody sits out twice
    /// as long as there is another way. Bots that are `out` play no more. In a small field a
    /// round after which others could not be paired is not played: the one that is nearest to it
    /// in points, and leaves others, is.
    pub fn pair(&mut self, out: &dyn Fn(usize) -> bool) -> SwissRound {
        let mut order: Vec<usize> = (0..self.points.len()).filter(|&bot| !out(bot)).collect();
        order.sort_by_key(|&bot| (Reverse(self.points[bot]), bot));
        if order.len() < self.points.len() {
            self.remaining = None;
        }
        let mut byes = Vec::new();
        if order.len() % 2 == 1 {
            let place = order.iter().rposition(|bot| !self.sat_out.contains(bot));
            byes.push(order.remove(place.unwrap_or(order.len() - 1)));
        }
        let mut pairs = self.greedy(&order);
        self.complete(&order, &mut pairs, &mut byes);
        self.leave_others(&mut pairs, &mut byes);
        let begin = self.next_number();
        self.rounds += 1;
        for &bot in &byes {
            self.sat_out.insert(bot);
            // A bye is a point, as a match won is.
            self.points[bot] += 2 * self.repeat;
        }
        let round = self.rounds;
        let mut fixtures = Vec::new();
        for time in 0..self.repeat {
            for (slot, &(one, other)) in (0..).zip(&pairs) {
                let number = begin + time * (self.numbers / self.repeat) + slot;
                let swapped = (round + time + slot).is_multiple_of(2);
                let bots = PerSeat(if swapped { [other, one] } else { [one, other] });
                fixtures.push(Fixture { number, opening: round, bots });
            }
        }
        self.met.extend(pairs.iter().map(|&(one, other)| key(one, other)));
        SwissRound { round, fixtures, byes }
    }

    /// Adds a match's result: 2 for a match won, 1 for one drawn, 0 for one lost.
    pub fn add(&mut self, bots: PerSeat<usize>, half_points: PerSeat<u64>) {
        for (bot, points) in bots.0.into_iter().zip(half_points.0) {
            self.points[bot] += points;
        }
    }

    /// In a small field: puts the nearest round that leaves others in the place of one that does
    /// not.
    fn leave_others(&mut self, pairs: &mut Vec<(usize, usize)>, byes: &mut Vec<usize>) {
        let Some(remaining) = &mut self.remaining else { return };
        // Who sits out meets nobody, whose place is the last.
        let (points, nobody) = (&self.points, self.points.len());
        let sitting_out = byes.iter().map(|&bot| (bot, nobody));
        if remaining.take(pairs.iter().copied().chain(sitting_out)) {
            return;
        }
        let points = |bot: usize| points.get(bot).copied().unwrap_or(0);
        let nearest = remaining.take_nearest(|one, other| points(one).abs_diff(points(other)));
        let Some(mut round) = nearest else { return };
        round.sort_by_key(|&(one, other)| Reverse(points(one).max(points(other))));
        byes.clear();
        byes.extend(round.extract_if(.., |&mut (_, other)| other == nobody).map(|(bot, _)| bot));
        *pairs = round;
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        !self.met.contains(&key(one, other))
    }

    /// From the top down, everybody takes the best opponent that is left.
    fn greedy(&self, order: &[usize]) -> Vec<(usize, usize)> {
        let mut left = order.to_vec();
        let mut pairs = Vec::new();
        while !left.is_empty() {
            let one = left.remove(0);
            // Those of the same group, beginning with the higher one of its lower half.
            let group =
                1 + left.iter().filter(|&&bot| self.points[bot] == self.points[one]).count();
            let half = (group / 2).saturating_sub(1);
            let places = (half..group - 1).chain((0..half).rev()).chain(group - 1..left.len());
            let chosen = places.into_iter().find(|&place| self.may_meet(one, left[place]));
            if let Some(place) = chosen {
                pairs.push((one, left.remove(place)));
            }
        }
        pairs
    }

    /// Pairs those whom the greedy way left over: two that have met each other before take the
    /// partners of a pair, of all pairs the one that is nearest to them in points. With at most
    /// half as many rounds as bots there always is one (as in Dirac's theorem on long circles).
    fn complete(&self, order: &[usize], pairs: &mut Vec<(usize, usize)>, byes: &mut Vec<usize>) {
        let paired: HashSet<usize> = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
        let mut left: Vec<usize> =
            order.iter().copied().filter(|bot| !paired.contains(bot)).collect();
        while let (Some(other), Some(one)) = (left.pop(), left.pop()) {
            let apart = |a: usize, b: usize| self.points[a].abs_diff(self.points[b]);
            let swaps = pairs.iter().enumerate().flat_map(|(place, &(a, b))| {
                [(place, (one, a), (other, b)), (place, (one, b), (other, a))]
            });
            let best = swaps
                .filter(|(_, p, q)| self.may_meet(p.0, p.1) && self.may_meet(q.0, q.1))
                .min_by_key(|&(place, p, q)| (apart(p.0, p.1) + apart(q.0, q.1), Reverse(place)));
            match best {
                Some((place, first, second)) => {
                    pairs[place] = first;
                    pairs.push(second);
                }
                // Only after disqualifications in a small field.
                None => byes.extend([one, other]),
            }
        }
    }
}

fn key(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::super::schedule::most_swiss_rounds;
    use super::*;
    use crate::chance::Chance;

    fn play(rounds: &mut SwissRounds, round: &SwissRound, winner: impl Fn(usize, usize) -> usize) {
        for fixture in &round.fixtures {
            let [one, other] = fixture.bots.0;
            let points = if winner(one, other) == one { [2, 0] } else { [0, 2] };
            rounds.add(fixture.bots, PerSeat(points));
        }
    }

    #[test]
    fn nobody_meets_or_sits_out_twice_and_everybody_plays() {
        for bots in 2..40 {
            for seed in 0..10 {
                let mut chance = Chance::new(seed);
                let mut rounds = SwissRounds::new(bots, 1);
                let mut met = HashSet::new();
                let mut byes = HashSet::new();
                let mut last = 0;
                for number in 1..=most_swiss_rounds(bots) {
                    let round = rounds.pair(&|_| false);
                    assert_eq!(round.round, number);
                    let mut seen: HashSet<usize> = round.byes.iter().copied().collect();
                    assert_eq!(seen.len(), bots % 2, "{bots} bots, round {number}");
                    assert!(round.byes.iter().all(|&bot| byes.insert(bot)));
                    for fixture in &round.fixtures {
                        let [one, other] = fixture.bots.0;
                        assert!(met.insert(key(one, other)), "{bots} bots, round {number}");
                        assert!(seen.insert(one) && seen.insert(other));
                        assert!(fixture.number > last && fixture.opening == number);
                        last = fixture.number;
                    }
                    assert_eq!(seen.len(), bots);
                    for fixture in &round.fixtures {
                        let halves = [[2, 0], [1, 1], [0, 2]][chance.below(3) as usize];
                        rounds.add(fixture.bots, PerSeat(halves));
                    }
                }
            }
        }
    }

    #[test]
    fn equal_scores_meet() {
        let mut rounds = SwissRounds::new(8, 1);
        let first = rounds.pair(&|_| false);
        let pairs: HashSet<_> =
            first.fixtures.iter().map(|f| key(f.bots.0[0], f.bots.0[1])).collect();
        assert_eq!(pairs, [(0, 4), (1, 5), (2, 6), (3, 7)].into());
        play(&mut rounds, &first, usize::min);
        let second = rounds.pair(&|_| false);
        let pairs: HashSet<_> =
            second.fixtures.iter().map(|f| key(f.bots.0[0], f.bots.0[1])).collect();
        assert_eq!(pairs, [(0, 2), (1, 3), (4, 6), (5, 7)].into());
        play(&mut rounds, &second, usize::min);
        let third = rounds.pair(&|_| false);
        assert_eq!(key(third.fixtures[0].bots.0[0], third.fixtures[0].bots.0[1]), (0, 1));
    }

    #[test]
    fn repetitions_and_bots_that_are_out_keep_the_numbers_of_later_rounds() {
        let mut rounds = SwissRounds::new(6, 2);
        let first = rounds.pair(&|_| false);
        let numbers: Vec<u64> = first.fixtures.iter().map(|fixture| fixture.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
        let second = rounds.pair(&|bot| bot == 0);
        let numbers: Vec<u64> = second.fixtures.iter().map(|fixture| fixture.number).collect();
        assert_eq!(numbers, [7, 8, 10, 11]);
        assert_eq!(second.byes.len(), 1);
    }
}
