//! Solves a position: its value, its moves, a line of best play.

use crate::rules::{Board, Ply};

use super::budget::Budget;
use super::solver::{MoveValue, Solver};
use super::value::Bounds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedValues {
    /// The value and one best move.
    Best,
    /// The value and those of all moves.
    AllMoves,
}

/// The result for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub value: Bounds,
    /// The values of its moves, in the order of the rules. With [`WantedValues::Best`] one best move if
    /// the value is exact, otherwise empty.
    pub moves: Vec<MoveValue>,
    /// A line of best play: who moves (true for the player to move now) and what. It goes to the end
    /// of the game if the value is exact and the budget is enough.
    pub line: Vec<(bool, Ply)>,
    /// Positions searched.
    pub nodes: u64,
}

/// Solves a position as far as the budget allows, its value first. Calls `progress` each time the
/// bounds of the value become closer.
pub fn solve(
    solver: &mut Solver,
    board: Board,
    wanted: WantedValues,
    budget: &Budget,
    progress: &mut dyn FnMut(Bounds),
) -> Solution {
    let before = solver.nodes();
    let first = match wanted {
        WantedValues::Best => budget.clone(),
        WantedValues::AllMoves => budget.share(2),
    };
    let mut value = solver.value(board, &first, progress);
    let rest = budget.after(solver.nodes() - before);
    let mut moves = Vec::new();
    if wanted == WantedValues::AllMoves {
        moves = solver.moves(board, value.exact(), &rest);
        reconcile(&mut value, &mut moves);
    }
    let mut line = Vec::new();
    if let Some(value) = value.exact() {
        line = solver.line(board, value, &rest);
        if let (WantedValues::Best, Some(&(_, ply))) = (wanted, line.first()) {
            moves = vec![MoveValue { ply, value: Bounds::of(value) }];
        }
    }
    Solution { value, moves, line, nodes: solver.nodes() - before }
}

/// Narrows the bounds of a position and of all its moves: the position is worth what its best move
/// is.
pub fn reconcile(value: &mut Bounds, moves: &mut [MoveValue]) {
    let at_least = moves.iter().map(|found| found.value.at_least).max();
    let at_most = moves.iter().map(|found| found.value.at_most).max();
    value.at_least = value.at_least.max(at_least.unwrap_or(value.at_least));
    value.at_most = value.at_most.min(at_most.unwrap_or(value.at_most));
    for found in &mut *moves {
        found.value.at_most = found.value.at_most.min(value.at_most);
    }
    let mut may_be_best = moves.iter_mut().filter(|found| found.value.at_most >= value.at_least);
    if let (Some(best), None) = (may_be_best.next(), may_be_best.next()) {
        best.value.at_least = best.value.at_least.max(value.at_least);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BruteForce, TestNumbers, solvable_rules};
    use super::*;
    use crate::rules::Sower;

    #[test]
    fn bounds_of_a_position_and_of_its_moves_agree_and_are_true() {
        let mut numbers = TestNumbers(11);
        let (mut unsolved, mut narrowed) = (0, 0);
        for rules in solvable_rules() {
            let mut brute = BruteForce::new(rules);
            let sower = Sower::new(&rules);
            for nodes in [0, 1, 2, 4, 8, 16, 32, 64] {
                let board = numbers.position(11);
                let mut solver = Solver::new(&rules, 1 << 20).unwrap();
                solver.prepare(0, &Budget::default());
                let budget = Budget { nodes: Some(nodes), ..Budget::default() };
                let found = solve(&mut solver, board, WantedValues::AllMoves, &budget, &mut |_| {});
                let is_true = |bounds: Bounds, value: i16| {
                    (bounds.at_least..=bounds.at_most).contains(&value)
                };
                assert!(is_true(found.value, brute.value(board)), "{board:?} {rules:?}");
                for found_move in &found.moves {
                    let sown = sower.sow(board, found_move.ply);
                    let gain =
                        i16::from(sown.board.store()) - i16::from(sown.board.opponent_store());
                    let next = brute.value(sown.next());
                    let value = gain + if sown.extra_turn { next } else { -next };
                    assert!(is_true(found_move.value, value), "{found:?} {board:?} {rules:?}");
                    assert!(found_move.value.at_most <= found.value.at_most);
                    narrowed += usize::from(found_move.value.at_most == found.value.at_most);
                }
                unsolved += usize::from(found.value.exact().is_none());
            }
        }
        assert!(unsolved > 5 && narrowed > 5, "{unsolved} {narrowed}");
    }

    #[test]
    fn the_only_move_that_may_be_best_is_worth_what_the_position_is() {
        let ply = Sower::new(&crate::rules::Ruleset::default())
            .legal(Board::from_cells([1; 14]).unwrap())
            .next()
            .unwrap();
        let bounds = |at_least, at_most| Bounds { at_least, at_most };
        let mut moves =
            [bounds(-8, 8), bounds(-6, 0), bounds(-4, -2)].map(|value| MoveValue { ply, value });
        let mut value = bounds(2, 6);
        reconcile(&mut value, &mut moves);
        assert_eq!(value, bounds(2, 6));
        assert_eq!(moves.map(|found| found.value), [bounds(2, 6), bounds(-6, 0), bounds(-4, -2)]);
        let mut value = bounds(0, 6);
        let mut moves = [bounds(-8, 8), bounds(-6, 0)].map(|value| MoveValue { ply, value });
        reconcile(&mut value, &mut moves);
        assert_eq!(moves.map(|found| found.value), [bounds(-8, 6), bounds(-6, 0)]);
    }
}
