//! Adds up the judged moves of matches for each bot.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{AnalysedMatch, AnalysedRound, MatchPlace, WorstMove, WorstMoves};
use crate::seat::Seat;
use crate::solve::JudgedMove;

/// Adds up matches, bot by bot. Bots with the same name count as one.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    matches: u64,
    bots: BTreeMap<String, JudgedTotals>,
    /// The moves that gave away most.
    pub worst: WorstMoves,
}

/// What was counted for one bot.
#[derive(Clone, Debug, Default)]
struct JudgedTotals {
    /// The counts that are shown.
    row: AnalysisRow,
    /// Rounds that nobody forfeited, and its moves in them.
    whole_rounds: u64,
    moves_in_whole_rounds: u64,
    /// Seeds given away in the three phases.
    lost: [u64; 3],
}

/// The result of an analysis, format `mancala-analysis/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Analysis {
    format: &'static str,
    /// Matches that were analysed.
    pub matches: u64,
    /// Matches of the files that do not count.
    pub left_out: u64,
    /// What the matches that count differ in, if `--merge` allowed it: `rules`, `terms`, `versions`.
    pub merged: Vec<String>,
    /// The bots by rank, then those without one.
    pub rows: Vec<AnalysisRow>,
    /// The moves that gave away most, worst first; only with `--worst`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<WorstMove>>,
}

/// The result for one bot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AnalysisRow {
    /// The rank by `lost_a_round`, from 1; equal bots share the lowest number. Null if too little is
    /// judged: fewer moves than half of what its whole and its forfeited rounds would have.
    pub rank: Option<u64>,
    /// The bot's name.
    pub name: String,
    /// Rounds that it played.
    pub rounds: u64,
    /// Rounds that it forfeited.
    pub forfeits: u64,
    /// Moves that it chose itself.
    pub moves: u64,
    /// Judged moves: those whose loss is known. Only these are counted further.
    pub solved: u64,
    /// Judged moves that gave nothing away.
    pub exact: u64,
    /// Seeds that its judged moves gave away.
    pub seeds_lost: u64,
    /// Judged moves after which the outcome under best play was worse.
    pub blunders: u64,
    /// Seeds given away a round, where a round counts by its judged moves: seeds for each judged
    /// move, times the bot's moves in a whole round, one that nobody forfeited. Null without a whole
    /// round or a judged move.
    pub lost_a_round: Option<f64>,
    /// The parts of `lost_a_round` by phase.
    pub by_phase: Phases,
}

/// A number for each phase of a round, or null where `lost_a_round` is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Phases {
    /// More than two thirds of the opening's seeds are in the houses.
    pub opening: Option<f64>,
    /// More than one third of them.
    pub middle: Option<f64>,
    /// One third of them or less.
    pub end: Option<f64>,
}

impl Summary {
    /// An empty summary that keeps the `worst` worst moves.
    pub fn with_worst(worst: usize) -> Summary {
        Summary { worst: WorstMoves::new(worst), ..Summary::default() }
    }

    /// Adds a match.
    pub fn add(&mut self, place: &MatchPlace, found: &AnalysedMatch<'_>) {
        self.matches += 1;
        self.worst.add(place, found, &Seat::BOTH);
        let opening = found.opening.board().without_stores().seeds();
        for seat in Seat::BOTH {
            let totals = self.bots.entry(found.names[seat].to_owned()).or_default();
            for round in &found.rounds {
                totals.add_round(seat, round, opening);
            }
        }
    }

    /// True before the first match.
    pub const fn is_empty(&self) -> bool {
        self.matches == 0
    }

    /// The result so far, without the worst moves.
    pub fn analysis(&self) -> Analysis {
        let mut rows: Vec<AnalysisRow> =
            self.bots.iter().map(|(name, tally)| tally.row(name)).collect();
        let is_comparable = |row: &AnalysisRow| self.bots[&row.name].is_comparable();
        let lost = |row: &AnalysisRow| row.lost_a_round.unwrap_or(f64::INFINITY);
        rows.sort_by(|a, b| {
            let order = is_comparable(b).cmp(&is_comparable(a));
            // Of two bots without a number, the one of which more is known.
            order.then_with(|| lost(a).total_cmp(&lost(b))).then_with(|| b.solved.cmp(&a.solved))
        });
        let mut above = None;
        for (index, row) in (1..).zip(&mut rows).take_while(|(_, row)| is_comparable(row)) {
            let rank =
                above.filter(|&(_, lost)| lost == row.lost_a_round).map_or(index, |(r, _)| r);
            row.rank = Some(rank);
            above = Some((rank, row.lost_a_round));
        }
        Analysis {
            format: "mancala-analysis/1",
            matches: self.matches,
            left_out: 0,
            merged: Vec::new(),
            rows,
            worst: None,
        }
    }
}

impl JudgedTotals {
    fn add_round(&mut self, seat: Seat, round: &AnalysedRound, opening: u8) {
        let before = self.row.moves;
        for of in round.moves.iter().filter(|of| of.bot == seat && of.is_own) {
            self.add_move(&of.judged, opening);
        }
        self.row.rounds += 1;
        match round.forfeited {
            None => {
                self.whole_rounds += 1;
                self.moves_in_whole_rounds += self.row.moves - before;
            }
            Some(bot) => self.row.forfeits += u64::from(bot == seat),
        }
    }

    fn add_move(&mut self, judged: &JudgedMove, opening: u8) {
        self.row.moves += 1;
        let (Some(loss), Some(is_blunder)) = (judged.loss, judged.is_blunder()) else { return };
        let loss = u64::from(loss.unsigned_abs());
        self.row.solved += 1;
        self.row.exact += u64::from(loss == 0);
        self.row.seeds_lost += loss;
        self.row.blunders += u64::from(is_blunder);
        self.lost[phase(judged.board.without_stores().seeds(), opening)] += loss;
    }

    /// True if at least half as many moves are judged as its whole and its forfeited rounds would
    /// have, had it forfeited none.
    fn is_comparable(&self) -> bool {
        let rounds = self.whole_rounds + self.row.forfeits;
        let is_half =
            2 * self.row.solved * self.whole_rounds >= self.moves_in_whole_rounds * rounds;
        is_half && self.a_round(0).is_some()
    }

    fn row(&self, name: &str) -> AnalysisRow {
        let [opening, middle, end] = self.lost.map(|seeds| self.a_round(seeds));
        AnalysisRow {
            name: name.to_owned(),
            lost_a_round: self.a_round(self.row.seeds_lost),
            by_phase: Phases { opening, middle, end },
            ..self.row.clone()
        }
    }

    /// `seeds` for each judged move, times the moves of a whole round.
    fn a_round(&self, seeds: u64) -> Option<f64> {
        let is_known = self.row.solved > 0 && self.moves_in_whole_rounds > 0;
        let (seeds, moves) = (seeds as f64, self.moves_in_whole_rounds as f64);
        is_known.then(|| seeds * moves / (self.row.solved as f64 * self.whole_rounds as f64))
    }
}

/// The phase, 0 to 2, with `seeds` left in the houses of the `opening` ones.
fn phase(seeds: u8, opening: u8) -> usize {
    match 3 * u16::from(seeds) {
        thrice if thrice > 2 * u16::from(opening) => 0,
        thrice if thrice > u16::from(opening) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::phase;

    #[test]
    fn phases_are_thirds_of_the_seeds_at_the_opening() {
        let phases = [36, 25, 24, 13, 12, 1].map(|seeds| phase(seeds, 36));
        assert_eq!(phases, [0, 0, 1, 1, 2, 2]);
        assert_eq!([240, 161, 160, 81, 80].map(|seeds| phase(seeds, 240)), [0, 0, 1, 1, 2]);
    }
}
