//! Sums of the matches of each pair of bots.

use super::statistics::davidson::Comparison;
use super::stored_match::StoredResult;
use super::{CrosstableCell, RoundsAs, StandingsRow};
use crate::contest::{FaultCounts, halves};

/// All matches of two bots. What belongs to one of the two stands in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTally {
    pub(super) matches: u64,
    pub(super) sides: [SideTally; 2],
    /// Matches in which each bot forfeited a round.
    pub(super) double_faults: u64,
    /// Rounds that ended by forfeit or had substituted moves.
    pub(super) spoilt: u64,
    /// Matches of two rounds by the points of the bot with the lower number: 0, ½, 1, 1½, 2.
    pub(super) pairs: [u64; 5],
}

/// What one bot of a pair has.
#[derive(Clone, Debug, Default)]
pub(super) struct SideTally {
    pub(super) won: u64,
    pub(super) seeds: u64,
    /// Rounds in which it moved first, then second.
    pub(super) rounds: [RoundsAs; 2],
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
                let rounds = &mut side.rounds[usize::from(round.first != bot)];
                rounds.rounds += 1;
                rounds.points += f64::from(round.halves(bot)) / 2.0;
            }
            self.spoilt += u64::from(round.is_spoilt);
            if let Some(bot) = round.forfeited {
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

    /// Matches of one round.
    pub(super) fn of_one_round(&self) -> u64 {
        self.matches - self.pairs.iter().sum::<u64>()
    }

    pub(super) const fn drawn(&self) -> u64 {
        self.matches - self.sides[0].won - self.sides[1].won
    }

    pub(super) const fn rounds(&self) -> u64 {
        self.sides[0].rounds[0].rounds + self.sides[0].rounds[1].rounds
    }

    /// What ratings are made from.
    pub(super) fn comparison(&self, bots: [u32; 2]) -> Comparison {
        let [player, opponent] = bots.map(|bot| bot as usize);
        let [won, lost] = [self.sides[0].won, self.sides[1].won];
        Comparison { player, opponent, won, drawn: self.drawn(), lost }
    }

    /// Adds what one of the two did to its row; `bot` is 0 for the one with the lower number.
    pub(super) fn add_to(&self, row: &mut StandingsRow, bot: usize) {
        let (own, other) = (&self.sides[bot], &self.sides[1 - bot]);
        row.matches += self.matches;
        row.won += own.won;
        row.drawn += self.drawn();
        row.lost += other.won;
        for (sum, rounds) in [&mut row.first, &mut row.second].into_iter().zip(own.rounds) {
            sum.rounds += rounds.rounds;
            sum.points += rounds.points;
        }
        row.seeds_for += own.seeds;
        row.seeds_against += other.seeds;
        for (kind, faults) in own.faults.counts() {
            *row.faults.entry(kind).or_default() += u64::from(faults);
        }
        row.double_faults += self.double_faults;
    }

    /// Its matches as one of the two sees them; `bot` is 0 for the one with the lower number.
    pub(super) const fn cell(&self, bot: usize) -> CrosstableCell {
        let (own, other) = (&self.sides[bot], &self.sides[1 - bot]);
        CrosstableCell {
            won: own.won,
            drawn: self.drawn(),
            lost: other.won,
            seeds_for: own.seeds,
            seeds_against: other.seeds,
        }
    }
}
