//! All that is asked of one position: its value, its moves, a line of best play.

use crate::rules::{Board, Ply};

use super::budget::Budget;
use super::solver::{MoveValue, Solver};
use super::value::Bounds;

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The value and one best move.
    Best,
    /// The value and those of all moves.
    AllMoves,
}

/// What was found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Its value.
    pub value: Bounds,
    /// The values of its moves, in the order of the rules; of [`Wanted::Best`] one best move where
    /// the value is exact, none otherwise.
    pub moves: Vec<MoveValue>,
    /// A line of best play: who moves (true for the player to move now) and what. To the end of
    /// the game where the value is exact and the budget allows it.
    pub line: Vec<(bool, Ply)>,
    /// Positions searched.
    pub nodes: u64,
}

/// Finds out as much about a position as the budget allows, the value first. `progress` is told
/// each time the bounds of the value become closer.
pub fn solve(
    solver: &mut Solver,
    board: Board,
    wanted: Wanted,
    budget: &Budget,
    progress: &mut dyn FnMut(Bounds),
) -> Solution {
    let before = solver.nodes();
    let first = match wanted {
        Wanted::Best => budget.clone(),
        Wanted::AllMoves => budget.share(2),
    };
    let mut value = solver.value(board, &first, progress);
    let rest = Budget {
        nodes: budget.nodes.map(|nodes| nodes.saturating_sub(solver.nodes() - before)),
        ..budget.clone()
    };
    let mut moves = Vec::new();
    if wanted == Wanted::AllMoves {
        moves = solver.moves(board, &rest);
        // A position is worth what its best move is.
        let at_least = moves.iter().map(|found| found.value.at_least).max();
        let at_most = moves.iter().map(|found| found.value.at_most).max();
        value.at_least = value.at_least.max(at_least.unwrap_or(value.at_least));
        value.at_most = value.at_most.min(at_most.unwrap_or(value.at_most));
    }
    let mut line = Vec::new();
    if let Some(value) = value.exact() {
        line = solver.line(board, value, &rest);
        if let (Wanted::Best, Some(&(_, ply))) = (wanted, line.first()) {
            moves = vec![MoveValue { ply, value: Bounds::of(value) }];
        }
    }
    Solution { value, moves, line, nodes: solver.nodes() - before }
}
