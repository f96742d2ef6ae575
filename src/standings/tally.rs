//! Sums of matches: of each pair of bots, and from them of each bot.

use super::statistics::davidson::Comparison;
use super::statistics::sprt::Points;
use crate::contest::{FaultCounts, MatchSummary};
use crate::seat::Seat;

/// All matches of two bots. What belongs to one of the two stands in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTally {
    pub(super) matches: u64,
    /// Matches that each of them won; the others are drawn.
    pub(super) won: [u64; 2],
    pub(super) seeds: [u64; 2],
    /// Rounds that each of them began, and its own and its opponent's points in them, doubled.
    pub(super) began: [u64; 2],
    pub(super) halves_as_first: [u64; 2],
    pub(super) halves_as_second: [u64; 2],
    pub(super) faults: [FaultCounts; 2],
    pub(super) double_faults: u64,
    /// Matches of two rounds by the points of the one with the lower number: 0, ½, 1, 1½, 2.
    pub(super) pairs: [u64; 5],
}

impl PairTally {
    /// Adds a match; `low` is the seat of the bot with the lower number.
    pub(super) fn add(&mut self, summary: &MatchSummary, low: Seat) {
        let mut own = PairTally { matches: 1, ..PairTally::default() };
        for (index, seat) in [low, !low].into_iter().enumerate() {
            own.won[index] = u64::from(summary.halves(seat) == 2);
            own.seeds[index] = u64::from(summary.seeds(seat));
            for round in &summary.rounds {
                let halves = u64::from(round.halves(seat));
                if round.first == seat {
                    own.began[index] += 1;
                    own.halves_as_first[index] += halves;
                } else {
                    own.halves_as_second[index] += halves;
                }
                own.faults[index].merge(&round.faults[seat]);
            }
        }
        own.double_faults = u64::from(summary.is_double_fault());
        if let Some(points) = round_points(summary, low) {
            own.pairs[points.index()] = 1;
        }
        self.merge(&own);
    }

    pub(super) fn merge(&mut self, other: &PairTally) {
        let add = |own: &mut [u64], other: &[u64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        };
        self.matches += other.matches;
        add(&mut self.won, &other.won);
        add(&mut self.seeds, &other.seeds);
        add(&mut self.began, &other.began);
        add(&mut self.halves_as_first, &other.halves_as_first);
        add(&mut self.halves_as_second, &other.halves_as_second);
        for (own, other) in self.faults.iter_mut().zip(&other.faults) {
            own.merge(other);
        }
        self.double_faults += other.double_faults;
        add(&mut self.pairs, &other.pairs);
    }

    /// Takes out matches that were added before.
    pub(super) fn subtract(&mut self, other: &PairTally) {
        let take = |own: &mut [u64], other: &[u64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own -= other);
        };
        self.matches -= other.matches;
        take(&mut self.won, &other.won);
        take(&mut self.seeds, &other.seeds);
        take(&mut self.began, &other.began);
        take(&mut self.halves_as_first, &other.halves_as_first);
        take(&mut self.halves_as_second, &other.halves_as_second);
        for (own, other) in self.faults.iter_mut().zip(&other.faults) {
            own.subtract(other);
        }
        self.double_faults -= other.double_faults;
        take(&mut self.pairs, &other.pairs);
    }

    pub(super) const fn drawn(&self) -> u64 {
        self.matches - self.won[0] - self.won[1]
    }

    /// What ratings are made from.
    pub(super) const fn comparison(&self, player: usize, opponent: usize) -> Comparison {
        let [won, lost] = self.won;
        Comparison { player, opponent, won, drawn: self.drawn(), lost }
    }
}

/// All matches of a bot.
#[derive(Clone, Debug, Default)]
pub(super) struct BotTally {
    pub(super) matches: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    pub(super) seeds_for: u64,
    pub(super) seeds_against: u64,
    /// Rounds in which it moved first, then second, and its doubled points in them.
    pub(super) rounds: [u64; 2],
    pub(super) halves: [u64; 2],
    pub(super) faults: FaultCounts,
    pub(super) double_faults: u64,
}

impl BotTally {
    /// Adds its matches against one opponent; `own` is 0 if it has the lower number of the two.
    pub(super) fn add(&mut self, pair: &PairTally, own: usize) {
        let other = 1 - own;
        self.matches += pair.matches;
        self.won += pair.won[own];
        self.drawn += pair.drawn();
        self.lost += pair.won[other];
        self.seeds_for += pair.seeds[own];
        self.seeds_against += pair.seeds[other];
        self.rounds[0] += pair.began[own];
        self.rounds[1] += pair.began[other];
        self.halves[0] += pair.halves_as_first[own];
        self.halves[1] += pair.halves_as_second[own];
        self.faults.merge(&pair.faults[own]);
        self.double_faults += pair.double_faults;
    }
}

/// The points of a bot in both rounds together; `None` unless there are two.
pub(super) fn round_points(summary: &MatchSummary, seat: Seat) -> Option<Points> {
    Points::from_halves(summary.round_halves(seat)?)
}

/// The seat of the bot with the lower number, and the numbers in order.
pub(super) fn in_order(bots: [u32; 2]) -> (Seat, [u32; 2]) {
    let [a, b] = bots;
    if a < b { (Seat::A, [a, b]) } else { (Seat::B, [b, a]) }
}
