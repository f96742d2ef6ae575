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
    /// Rounds that nobody forfeited.
    whole_rounds: u64,
    phases: [PhaseTotals; 3],
}

/// What was counted for one bot in one phase.
#[derive(Clone, Copy, Debug, Default)]
struct PhaseTotals {
    /// Its moves in rounds that nobody forfeited.
    moves_in_whole_rounds: u64,
    /// Its judged moves in all rounds, and the seeds that these gave away.
    solved: u64,
    lost: u64,
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
    /// Seeds given away a round: the sum of the phases. A phase without a judged move counts by the
    /// judged moves of all. Null without a whole round, one that nobody forfeited, or a judged move.
    pub lost_a_round: Option<f64>,
    /// The parts of `lost_a_round` by phase.
    pub by_phase: Phases,
}

/// For each phase of a round the seeds given away in it: seeds for each judged move of the phase,
/// times the bot's moves in it in a whole round. Null where it has such moves and none is judged, and
/// where `lost_a_round` is null.
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
        let is_whole = round.forfeited.is_none();
        for of in round.moves.iter().filter(|of| of.bot == seat && of.is_own) {
            self.add_move(&of.judged, opening, is_whole);
        }
        self.row.rounds += 1;
        match round.forfeited {
            None => self.whole_rounds += 1,
            Some(bot) => self.row.forfeits += u64::from(bot == seat),
        }
    }

    fn add_move(&mut self, judged: &JudgedMove, opening: u8, is_whole: bool) {
        self.row.moves += 1;
        let phase = &mut self.phases[phase(judged.board.without_stores().seeds(), opening)];
        phase.moves_in_whole_rounds += u64::from(is_whole);
        let (Some(loss), Some(is_blunder)) = (judged.loss, judged.is_blunder()) else { return };
        let loss = u64::from(loss.unsigned_abs());
        phase.solved += 1;
        phase.lost += loss;
        self.row.solved += 1;
        self.row.exact += u64::from(loss == 0);
        self.row.seeds_lost += loss;
        self.row.blunders += u64::from(is_blunder);
    }

    fn moves_in_whole_rounds(&self) -> u64 {
        self.phases.iter().map(|phase| phase.moves_in_whole_rounds).sum()
    }

    /// True if at least half as many moves are judged as its whole and its forfeited rounds would
    /// have, had it forfeited none.
    fn is_comparable(&self) -> bool {
        let rounds = self.whole_rounds + self.row.forfeits;
        let is_half =
            2 * self.row.solved * self.whole_rounds >= self.moves_in_whole_rounds() * rounds;
        is_half && self.is_known()
    }

    /// Whether anything can be said of a whole round.
    fn is_known(&self) -> bool {
        self.row.solved > 0 && self.moves_in_whole_rounds() > 0
    }

    fn row(&self, name: &str) -> AnalysisRow {
        let by_phase = self.phases.map(|phase| self.a_round(&phase, &phase));
        let all = PhaseTotals {
            solved: self.row.solved,
            lost: self.row.seeds_lost,
            moves_in_whole_rounds: self.moves_in_whole_rounds(),
        };
        let parts = self.phases.iter().zip(by_phase);
        let lost_a_round = parts.map(|(phase, own)| own.or_else(|| self.a_round(phase, &all)));
        let [opening, middle, end] = by_phase;
        AnalysisRow {
            name: name.to_owned(),
            lost_a_round: lost_a_round.sum(),
            by_phase: Phases { opening, middle, end },
            ..self.row.clone()
        }
    }

    /// The seeds given away in a phase of a whole round, if for each of its moves there were as many as
    /// for each judged one of these.
    fn a_round(&self, phase: &PhaseTotals, judged: &PhaseTotals) -> Option<f64> {
        let moves = phase.moves_in_whole_rounds;
        let is_known = self.is_known() && (judged.solved > 0 || moves == 0);
        let (seeds, solved) = (judged.lost as f64, judged.solved.max(1) as f64);
        is_known.then(|| seeds * moves as f64 / (solved * self.whole_rounds as f64))
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
