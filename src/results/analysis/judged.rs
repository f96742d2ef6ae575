//! The judged moves of a match: by a solver, or from the values in its record.

use std::time::{Duration, Instant};

use crate::record::{MatchRecord, RoundRecord};
use crate::rules::{Ply, Ruleset, Sower};
use crate::solve::{Budget, JudgedMove, Solver, judge, positions};

/// The judged moves of each round of a match, in the order in which they were made.
pub type JudgedMatch = Vec<Vec<JudgedMove>>;

/// Judges the moves of a valid match with a solver for its rules, each round within `time`.
pub(super) fn judge_match(
    solver: &mut Solver,
    record: &MatchRecord,
    time: Duration,
    budget: &Budget,
) -> JudgedMatch {
    let judge_round = |round: &RoundRecord| {
        let budget = Budget { until: Some(Instant::now() + time), ..budget.clone() };
        judge(solver, record.opening, &plies(&record.rules, round), &budget)
    };
    record.rounds.iter().map(judge_round).collect()
}

/// The judged moves of a valid record by the values in it.
pub fn judged_before(record: &MatchRecord) -> JudgedMatch {
    let sower = Sower::new(&record.rules);
    let of_round = |round: &RoundRecord| {
        let boards = positions(sower, record.opening, &plies(&record.rules, round));
        let moves = boards.into_iter().zip(&round.moves);
        let judged = moves.map(|(board, played)| JudgedMove {
            board,
            value: played.value,
            loss: played.loss,
        });
        judged.collect()
    };
    record.rounds.iter().map(of_round).collect()
}

/// The moves of a round.
fn plies(rules: &Ruleset, round: &RoundRecord) -> Vec<Ply> {
    round.moves.iter().map(|played| rules.ply(played.house, played.direction)).collect()
}
