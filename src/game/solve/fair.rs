//! Openings of a given value.

use crate::rules::Opening;

use super::budget::Budget;
use super::solver::Solver;

/// True if the first mover's final margin from `opening` is `value` under best play, the stores
/// included. `None` if the budget is spent first.
pub fn is_worth(
    solver: &mut Solver,
    opening: Opening,
    margin: i16,
    budget: &Budget,
) -> Option<bool> {
    let board = opening.board();
    let value = margin - board.lead();
    // It has the parity of the seeds in the houses, and is no more than they are.
    let seeds = i16::from(board.without_stores().seeds());
    if value.abs() > seeds || (value + seeds) % 2 != 0 {
        return Some(false);
    }
    if solver.is_at_least(board, value + 2, budget)? {
        return Some(false);
    }
    solver.is_at_least(board, value, budget)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BruteForce, TestNumbers, solvable_rules};
    use super::*;
    use crate::rules::Board;

    #[test]
    fn what_an_opening_is_worth_agrees_with_brute_force() {
        let mut numbers = TestNumbers(7);
        for rules in solvable_rules() {
            let mut solver = Solver::new(&rules, 1 << 22).unwrap();
            let mut brute = BruteForce::new(rules);
            for _ in 0..20 {
                let mut cells = numbers.position(9).cells();
                cells[6] = 3;
                cells[13] = 1;
                let opening = Opening::new(Board::from_cells(cells).unwrap()).unwrap();
                let worth = 2 + brute.value(opening.board());
                for margin in worth - 3..=worth + 3 {
                    let found = is_worth(&mut solver, opening, margin, &Budget::default());
                    assert_eq!(found, Some(margin == worth), "{opening:?} {rules:?}");
                }
                for margin in [-99, 99, i16::MAX / 2] {
                    let found = is_worth(&mut solver, opening, margin, &Budget::default());
                    assert_eq!(found, Some(false));
                }
            }
        }
    }

    #[test]
    fn what_there_is_no_time_for_is_not_known() {
        let opening = "5,5,5,5,5,5,0,5,5,5,5,5,5,0".parse().unwrap();
        let mut solver = Solver::new(&crate::rules::Ruleset::default(), 1 << 20).unwrap();
        let budget = Budget { nodes: Some(1000), ..Budget::default() };
        assert_eq!(is_worth(&mut solver, opening, 0, &budget), None);
    }
}
