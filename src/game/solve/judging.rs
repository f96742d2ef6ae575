//! Judges the moves of a game: the value of each position, and what each move gave away.

use crate::rules::{Board, Opening, Ply, Sower};

use super::budget::Budget;
use super::solver::Solver;
use super::value::Bounds;

/// A move and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The position before it in the mover's view, stores included.
    pub board: Board,
    /// The value of that position to the mover, or `None` if it was not solved.
    pub value: Option<i16>,
    /// The seeds that the move gave away: the value less what the move keeps, or `None` if one of them
    /// is unknown.
    pub loss: Option<i16>,
}

impl JudgedMove {
    /// True if the outcome under best play is worse after the move: a win given away, or a draw lost.
    /// `None` if the loss is unknown.
    pub fn is_blunder(&self) -> Option<bool> {
        let (value, loss) = (self.value?, self.loss?);
        let margin = self.board.lead() + value;
        Some((margin - loss).signum() < margin.signum())
    }
}

/// The positions of a game: one before each of its moves and the last one, each in the view of the
/// player who moves in it. The moves have to be legal.
pub fn positions(sower: Sower, opening: Opening, plies: &[Ply]) -> Vec<Board> {
    let mut board = opening.board();
    let mut boards = vec![board];
    for &ply in plies {
        board = sower.sow(board, ply).next();
        boards.push(board);
    }
    boards
}

/// Judges every move of a game, as far as the budget allows. The moves have to be legal.
///
/// It begins at the end: proven values of later positions help with earlier ones, and what a move
/// keeps is a bound of its position's value.
pub fn judge(
    solver: &mut Solver,
    opening: Opening,
    plies: &[Ply],
    budget: &Budget,
) -> Vec<JudgedMove> {
    let sower = Sower::new(solver.rules());
    let boards = positions(sower, opening, plies);
    let mut judged = Vec::with_capacity(plies.len());
    // The value of the position after the current move.
    let mut after = match boards.last() {
        Some(&last) if !plies.is_empty() => solver.value(last, budget, &mut |_| {}),
        _ => Bounds::of(0),
    };
    for (&board, &ply) in boards.iter().zip(plies).rev() {
        let sown = sower.sow(board.without_stores(), ply);
        let kept = if sown.extra_turn { after } else { after.flipped() }.plus(sown.board.lead());
        let value = if sower.legal(board).nth(1).is_none() {
            kept
        } else if let Some(kept) = kept.exact() {
            solver.value_from(board, kept, budget)
        } else {
            solver.value(board, budget, &mut |_| {})
        };
        judged.push(judged_as(board, value.exact(), kept.exact()));
        after = value;
    }
    judged.reverse();
    judged
}

/// A judged move from `board`, by the position's value and what the move keeps, if known.
fn judged_as(board: Board, value: Option<i16>, kept: Option<i16>) -> JudgedMove {
    let loss = value.zip(kept).map(|(value, kept)| value - kept);
    JudgedMove { board, value, loss }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BruteForce, TestNumbers, solvable_rules};
    use super::*;
    use crate::rules::Ruleset;

    /// A random game of at most `most` moves, from an opening with `seeds` seeds.
    fn game(
        numbers: &mut TestNumbers,
        rules: &Ruleset,
        seeds: u64,
        most: usize,
    ) -> (Opening, Vec<Ply>) {
        let opening = Opening::new(numbers.position(seeds)).unwrap();
        let sower = Sower::new(rules);
        let mut board = opening.board();
        let mut plies = Vec::new();
        while !board.is_over() && plies.len() < most {
            let legal: Vec<Ply> = sower.legal(board).collect();
            let chosen = numbers.below(legal.len() as u64);
            let ply = legal[usize::try_from(chosen).unwrap()];
            plies.push(ply);
            board = sower.sow(board, ply).next();
        }
        (opening, plies)
    }

    #[test]
    fn moves_are_judged_as_brute_force_judges_them() {
        let mut numbers = TestNumbers(5);
        for rules in solvable_rules() {
            let mut solver = Solver::new(&rules, 1 << 24).unwrap();
            let mut brute = BruteForce::new(rules);
            let sower = Sower::new(&rules);
            for index in 0..12 {
                // Some of them end in the middle, as a fault or a limit ends a round.
                let (opening, plies) = game(&mut numbers, &rules, 9, 3 + 20 * (index % 2));
                let judged = judge(&mut solver, opening, &plies, &Budget::default());
                assert_eq!(judged.len(), plies.len());
                for (found, &ply) in judged.iter().zip(&plies) {
                    let sown = sower.sow(found.board.without_stores(), ply);
                    let stored = |seeds| i16::from(seeds);
                    let gain = stored(sown.board.store()) - stored(sown.board.opponent_store());
                    let next = brute.value(sown.next());
                    let kept = gain + if sown.extra_turn { next } else { -next };
                    let value = brute.value(found.board);
                    assert_eq!(found.value, Some(value), "{found:?} {rules:?}");
                    assert_eq!(found.loss, Some(value - kept), "{found:?} {rules:?}");
                }
            }
        }
    }

    #[test]
    fn without_time_nothing_is_known() {
        let rules = Ruleset::default();
        let mut numbers = TestNumbers(6);
        let (opening, plies) = game(&mut numbers, &rules, 60, 3);
        let mut solver = Solver::new(&rules, 1 << 20).unwrap();
        let budget = Budget { nodes: Some(0), ..Budget::default() };
        let judged = judge(&mut solver, opening, &plies, &budget);
        assert_eq!(judged.len(), 3);
        assert!(judged.iter().all(|found| found.value.is_none() && found.loss.is_none()));
        assert!(judge(&mut solver, opening, &[], &budget).is_empty());
    }

    #[test]
    fn a_blunder_makes_the_outcome_worse() {
        let board = |store: u8, opponent: u8| {
            Board::from_cells([1, 1, 1, 0, 0, 0, store, 1, 1, 1, 0, 0, 0, opponent]).unwrap()
        };
        let is = |board, value, loss| {
            JudgedMove { board, value: Some(value), loss: Some(loss) }.is_blunder()
        };
        // A win that stays one; a win, then a draw; a draw, then a loss; a loss that grows.
        assert_eq!(is(board(5, 1), 0, 2), Some(false));
        assert_eq!(is(board(5, 1), 0, 4), Some(true));
        assert_eq!(is(board(1, 1), 0, 2), Some(true));
        assert_eq!(is(board(1, 5), 0, 2), Some(false));
        let unknown = JudgedMove { board: board(1, 1), value: Some(2), loss: None };
        assert_eq!(unknown.is_blunder(), None);
    }
}
