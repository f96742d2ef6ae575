//! Moves of exact value: what is known about a position, the solver that finds the rest, and which of
//! the best moves is hardest to answer.

use crate::rules::{Board, Opening, Ply, Ruleset, Sower};
use crate::solve::{Budget, Solver, memory_of_endgames, refuse_cycles};

/// Memory of a solver beside its table of endgames, in bytes.
const SOLVER: usize = 64 << 20;

/// The most seeds of the table of endgames, which has at most half of the standard opening's. Up to
/// 18 seeds it takes a second or two, up to 20 three to five.
const MOST_ENDGAMES: u8 = 20;

/// What is known of the value of a position before it is solved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Exactly(i16),
    /// At least this; more if the opponent's last turn was a mistake.
    AtLeast(i16),
    /// Nothing is known.
    Unknown,
}

/// The seeds of the table of endgames for `rules`.
fn endgames(rules: &Ruleset) -> usize {
    MOST_ENDGAMES.min(Opening::standard(rules).board().seeds() / 2).into()
}

/// Memory of [`prepared_solver`] in bytes; 0 if the rules have no exact values.
pub(crate) fn memory_of_solver(rules: &Ruleset) -> usize {
    refuse_cycles(rules).map_or(0, |()| memory_of_endgames(endgames(rules)) + SOLVER)
}

/// A solver with its table of endgames, as far as the time of the budget allows. `None` if the rules
/// have no exact values or there is no memory.
pub fn prepared_solver(rules: &Ruleset, budget: &Budget) -> Option<Solver> {
    Solver::prepared(rules, endgames(rules), SOLVER, budget).ok()
}

/// A move that keeps the value of the position, and that value. `None` if the budget is spent.
pub fn exact_move(
    solver: &mut Solver,
    board: Board,
    worth: Worth,
    budget: &Budget,
) -> Option<(Ply, i16)> {
    let before = solver.nodes();
    let value = match worth {
        Worth::Exactly(value) => value,
        Worth::AtLeast(value) => solver.value_near(board, Some(value), budget).exact()?,
        Worth::Unknown => solver.value_near(board, None, budget).exact()?,
    };
    let rest = budget.after(solver.nodes() - before);
    let (ply, _) = solver.best(board, value, &rest)?;
    Some((ply, value))
}

/// Proves that a known value is not too small, as far as the budget allows: that helps with later
/// positions.
pub fn prove(solver: &mut Solver, board: Board, worth: Worth, budget: &Budget) {
    if let Worth::Exactly(value) = worth {
        solver.value_near(board, Some(value), budget);
    }
}

/// Of the moves that keep the value, the one that is hardest to answer. `None` if the budget is
/// spent first.
pub fn hardest_to_answer(
    solver: &mut Solver,
    sower: Sower,
    board: Board,
    value: i16,
    budget: &Budget,
) -> Option<Ply> {
    let mut least = f64::INFINITY;
    let mut hardest = None;
    for ply in sower.legal(board) {
        if !solver.keeps(board, ply, value, budget)? {
            continue;
        }
        let share = right_answers(solver, sower, board, ply, value, budget)?;
        if share < least {
            least = share;
            hardest = Some(ply);
        }
        if least <= 0.0 {
            break;
        }
    }
    hardest
}

/// The share of the opponent's legal moves that are right answers to a move that keeps the value: the
/// smaller, the harder. 0 if the move earns an extra turn. `None` if the budget is spent.
pub fn right_answers(
    solver: &mut Solver,
    sower: Sower,
    board: Board,
    ply: Ply,
    value: i16,
    budget: &Budget,
) -> Option<f64> {
    let sown = sower.sow(board, ply);
    if sown.extra_turn {
        return Some(0.0);
    }
    let next = sown.next();
    if next.is_over() {
        return Some(1.0);
    }
    let least = sown.board.lead() - board.lead() - value;
    let (mut right, mut all) = (0.0, 0.0);
    for answer in sower.legal(next) {
        all += 1.0;
        if solver.keeps(next, answer, least, budget)? {
            right += 1.0;
        }
    }
    Some(right / all)
}

/// Positions that solving takes, about: half as many again for every seed that is not in the table of
/// endgames, measured on standard openings and on positions of games with 24 to 38 seeds in the
/// houses.
pub(crate) fn expected_cost(board: Board, endgames: usize) -> f64 {
    let endgames = i16::try_from(endgames).unwrap_or(i16::MAX);
    let beyond = i16::from(board.without_stores().seeds()) - endgames;
    2_f64.powf(0.6 * f64::from(beyond) + 5.8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{DirectionRule, RulesetName};

    #[test]
    fn without_exact_values_there_is_no_solver_and_no_memory_of_one() {
        let kalah = RulesetName::Kalah.rules();
        assert!(memory_of_solver(&kalah) > SOLVER);
        let either = Ruleset { direction: DirectionRule::Either, ..kalah };
        assert_eq!(memory_of_solver(&either), 0);
        assert!(prepared_solver(&either, &Budget::default()).is_none());
    }

    #[test]
    fn of_a_known_value_a_move_is_found_sooner() {
        let mut solver = prepared_solver(&RulesetName::Kalah.rules(), &Budget::default()).unwrap();
        let board = Board::from_cells([0, 4, 3, 4, 2, 2, 0, 2, 4, 1, 3, 5, 2, 0]).unwrap();
        let mut needed = |worth| {
            solver.forget();
            let before = solver.nodes();
            exact_move(&mut solver, board, worth, &Budget::default()).unwrap();
            solver.nodes() - before
        };
        let [known, not_known] = [Worth::Exactly(0), Worth::AtLeast(0)].map(&mut needed);
        assert!(known < not_known, "{known} {not_known}");
    }
}
