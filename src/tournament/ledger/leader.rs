//! Who leads so far, by the same rule as in the table.

use super::Ledger;
use crate::standings::{Score, are_played_unequally, compare_points};

/// The bot that is first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leader {
    /// Its place in the plan.
    pub bot: usize,
    /// Its points, byes included.
    pub points: f64,
    /// Of how many matches and byes, where it is their share that ranks.
    pub of: Option<u64>,
    /// How many bots have the same result, itself included.
    pub tied: usize,
}

impl Ledger {
    /// The bot with the best points so far; the first in the plan of several. `None` before the first
    /// match.
    pub(crate) fn leader(&self) -> Option<Leader> {
        let playing = (0..self.total.len()).filter(|bot| !self.disqualified.contains_key(bot));
        let scores: Vec<_> = playing.map(|bot| (bot, self.score(bot))).collect();
        let by_share = are_played_unequally(scores.iter().map(|(_, score)| *score));
        let ranked = |score: Score| (score.share().filter(|_| by_share), score.points);
        let better = |one: Score, other| compare_points(ranked(one), ranked(other));
        let &(bot, score) = scores.iter().min_by(|(_, one), (_, other)| better(*one, *other))?;
        let of = by_share.then_some(score.played);
        let tied = scores.iter().filter(|(_, other)| better(score, *other).is_eq()).count();
        (!self.done.is_empty()).then_some(Leader { bot, points: score.points, of, tied })
    }

    fn score(&self, bot: usize) -> Score {
        let (halves, played) = self.total[bot];
        let points = halves as f64 / 2.0;
        Score { points, played }
    }
}
