//! Sums of matches: of each pair of bots, and from them of each bot.

use super::statistics::davidson::Comparison;
use super::stored_match::{StoredResult, halves};
use crate::contest::FaultCounts;

/// All matches of two bots. What belongs to one of the two stands in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTally {
    pub(super) matches: u64,
    pub(super) sides: [SideTally; 2],
    /// Matches in which each bot forfeited a round.
    pub(super) double_faults: u64,
    /// Rounds that ended by a fault.
    pub(super) forfeits: u64,
    /// Matches of two rounds by the points of the bot with the lower number: 0, ½, 1, 1½, 2.
    pub(super) pairs: [u64; 5],
}

/// What one bot of a pair has.
#[derive(Clone, Debug, Default)]
pub(super) struct SideTally {
    pub(super) won: u64,
    pub(super) seeds: u64,
    /// Rounds in which it moved first, then second, and its doubled points in them.
    pub(super) rounds: [u64; 2],
    pub(super) halves: [u64; 2],
    pub(super) faults: FaultCounts,
}

impl PairTally {
    /// Adds a match, and all faults of each bot in it.
    pub(super) fn add(&mut self, result: StoredResult, faults: &[FaultCounts; 2]) {
        self.matches += 1;
        let (mut seeds, mut has_forfeited) = ([0; 2], [false; 2]);
        for round in result.rounds() {
            for (bot, side) in self.sides.iter_mut().enumerate() {
                seeds[bot] += u64::from(round.score[bot]);
                let order = usize::from(round.first != bot);
                side.rounds[order] += 1;
                side.halves[order] += u64::from(round.halves(bot));
            }
            if let Some(bot) = round.forfeited {
                self.forfeits += 1;
                has_forfeited[bot] = true;
            }
        }
        for (bot, side) in self.sides.iter_mut().enumerate() {
            side.seeds += seeds[bot];
            side.won += u64::from(halves(&seeds[bot], &seeds[1 - bot]) == 2);
            side.faults.merge(&faults[bot]);
        }
        self.double_faults += u64::from(has_forfeited == [true; 2]);
        if let Some(halves) = result.halves_of_two() {
            self.pairs[usize::from(halves)] += 1;
        }
    }

    pub(super) const fn drawn(&self) -> u64 {
        self.matches - self.sides[0].won - self.sides[1].won
    }

    /// All rounds.
    pub(super) const fn rounds(&self) -> u64 {
        self.sides[0].rounds[0] + self.sides[0].rounds[1]
    }

    /// What ratings are made from.
    pub(super) const fn comparison(&self, player: usize, opponent: usize) -> Comparison {
        let [won, lost] = [self.sides[0].won, self.sides[1].won];
        Comparison { player, opponent, won, drawn: self.drawn(), lost }
    }
}

/// All matches of a bot.
#[derive(Clone, Debug, Default)]
pub(super) struct BotTotals {
    pub(super) matches: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// What it won, and its own of all else.
    pub(super) own: SideTally,
    pub(super) seeds_against: u64,
    pub(super) double_faults: u64,
}

impl BotTotals {
    /// Adds its matches against one opponent; `bot` is 0 if it has the lower number of the two.
    pub(super) fn add(&mut self, pair: &PairTally, bot: usize) {
        let (own, other) = (&pair.sides[bot], &pair.sides[1 - bot]);
        self.matches += pair.matches;
        self.drawn += pair.drawn();
        self.lost += other.won;
        self.own.won += own.won;
        self.own.seeds += own.seeds;
        for order in 0..2 {
            self.own.rounds[order] += own.rounds[order];
            self.own.halves[order] += own.halves[order];
        }
        self.own.faults.merge(&own.faults);
        self.seeds_against += other.seeds;
        self.double_faults += pair.double_faults;
    }
}
