//! What the moves of records say of each bot.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::judged::JudgedMatch;
use crate::record::MatchRecord;
use crate::seat::Seat;
use crate::solve::JudgedMove;

/// Adds up matches, bot by bot. A bot is known by its name.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    matches: u64,
    bots: BTreeMap<String, Tally>,
}

/// What was counted of a bot.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    rounds: u64,
    moves: u64,
    solved: u64,
    exact: u64,
    blunders: u64,
    /// Seeds given away in the three phases.
    lost: [u64; 3],
}

/// What was found: format `mancala-analysis/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Analysis {
    format: &'static str,
    /// Matches that were analysed.
    pub matches: u64,
    /// The bots; who gave away least comes first, of whom nothing is known last.
    pub rows: Vec<AnalysisRow>,
}

/// What was found of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnalysisRow {
    /// Its name.
    pub name: String,
    /// Rounds that it played.
    pub rounds: u64,
    /// Moves that it chose itself.
    pub moves: u64,
    /// Moves of which it is known what they gave away. Only these are counted further.
    pub solved: u64,
    /// Moves that gave nothing away.
    pub exact: u64,
    /// Seeds that it gave away in all.
    pub seeds_lost: u64,
    /// Moves after which the outcome under best play was worse.
    pub blunders: u64,
    /// Seeds given away a round, by phase.
    pub by_phase: Phases,
}

/// A number for each third of the seeds that were in the houses at the opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Phases {
    /// More than two thirds of them are still there.
    pub opening: f64,
    /// More than one third.
    pub middle: f64,
    /// One third or less.
    pub end: f64,
}

impl AnalysisRow {
    /// Seeds given away a round.
    #[must_use]
    pub fn lost_a_round(&self) -> f64 {
        per(self.seeds_lost, self.rounds)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn per(count: u64, rounds: u64) -> f64 {
    if rounds == 0 { 0.0 } else { count as f64 / rounds as f64 }
}

impl Summary {
    /// Adds a match and its judged moves.
    pub fn add(&mut self, record: &MatchRecord, judged: &JudgedMatch) {
        self.matches += 1;
        let opening = record.opening.board().without_stores().seeds();
        for seat in Seat::BOTH {
            let tally = self.bots.entry(record.bots[seat].name.clone()).or_default();
            for (round, judged) in record.rounds.iter().zip(judged) {
                tally.rounds += 1;
                for (played, judged) in round.moves.iter().zip(judged) {
                    // What was played for a bot is not its choice.
                    if played.bot == seat && played.substitute.is_none() {
                        tally.add(judged, opening);
                    }
                }
            }
        }
    }

    /// Whether there is no match in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.matches == 0
    }

    /// What was found.
    #[must_use]
    pub fn analysis(&self) -> Analysis {
        let mut rows: Vec<AnalysisRow> =
            self.bots.iter().map(|(name, tally)| tally.row(name)).collect();
        rows.sort_by(|a, b| {
            let (a_known, b_known) = (a.solved > 0, b.solved > 0);
            b_known.cmp(&a_known).then_with(|| a.lost_a_round().total_cmp(&b.lost_a_round()))
        });
        Analysis { format: "mancala-analysis/1", matches: self.matches, rows }
    }
}

impl Tally {
    fn add(&mut self, judged: &JudgedMove, opening: u8) {
        self.moves += 1;
        let (Some(loss), Some(is_blunder)) = (judged.loss, judged.is_blunder()) else { return };
        let loss = u64::from(loss.unsigned_abs());
        self.solved += 1;
        self.exact += u64::from(loss == 0);
        self.blunders += u64::from(is_blunder);
        self.lost[phase(judged.board.without_stores().seeds(), opening)] += loss;
    }

    fn row(&self, name: &str) -> AnalysisRow {
        let Tally { rounds, moves, solved, exact, blunders, lost } = *self;
        let [opening, middle, end] = lost.map(|seeds| per(seeds, rounds));
        AnalysisRow {
            name: name.to_owned(),
            rounds,
            moves,
            solved,
            exact,
            seeds_lost: lost.iter().sum(),
            blunders,
            by_phase: Phases { opening, middle, end },
        }
    }
}

/// Which third of a game it is with so many seeds left in the houses.
fn phase(seeds: u8, opening: u8) -> usize {
    match 3 * u16::from(seeds) {
        thrice if thrice > 2 * u16::from(opening) => 0,
        thrice if thrice > u16::from(opening) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_thirds_of_the_seeds_at_the_opening() {
        let phases = [36, 25, 24, 13, 12, 1].map(|seeds| phase(seeds, 36));
        assert_eq!(phases, [0, 0, 1, 1, 2, 2]);
        assert_eq!([240, 161, 160, 81, 80].map(|seeds| phase(seeds, 240)), [0, 0, 1, 1, 2]);
    }
}
