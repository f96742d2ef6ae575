//! The value of a position, found by asking repeatedly whether it is at least some number.

use crate::rules::Board;

use super::budget::Budget;
use super::search::{MOST_PLIES, in_play};
use super::solver::Solver;
use super::value::Bounds;

/// Positions of the first slice of a search. The slices double.
const FIRST_SLICE: u64 = 200_000;

/// From this slice on easier questions are asked, too, so that bounds are known if the budget ends
/// before the answer.
const EASIER_FROM: u64 = 400_000;

/// An easier question may take `1 / EASIER_PART` of the hard one's positions.
const EASIER_PART: u64 = 128;

/// The least positions that solving `board` is expected to take: 1.5 times as many for every seed,
/// 8 million for four seeds a house.
pub(super) fn expected_nodes(board: Board) -> u64 {
    let doublings = (3 * u32::from(in_play(board).unsigned_abs()) / 5).saturating_sub(5);
    1_u64.checked_shl(doublings).unwrap_or(u64::MAX)
}

/// The bounds that follow from the number of seeds in the houses alone.
pub(super) fn widest(board: Board) -> Bounds {
    let seeds = in_play(board);
    Bounds { at_least: -seeds, at_most: seeds }
}

impl Solver {
    /// The value of a position that is known to be `at_least` or more. The closer `at_least` is, the
    /// faster.
    pub(crate) fn value_from(&mut self, board: Board, at_least: i16, budget: &Budget) -> Bounds {
        self.budget.begin(budget);
        let board = board.without_stores();
        let widest = widest(board);
        // Values differ by two seeds.
        let at_least = at_least.clamp(widest.at_least, widest.at_most);
        let at_least = at_least - (at_least - widest.at_least) % 2;
        self.bounds(board, Bounds { at_least, ..widest }, Some(at_least + 2), &mut |_| {})
    }

    /// True if the position is worth at least `value`; `None` if the budget is spent.
    pub fn is_at_least(&mut self, board: Board, value: i16, budget: &Budget) -> Option<bool> {
        self.budget.begin(budget);
        let board = board.without_stores();
        let Bounds { at_least, at_most } = widest(board);
        if value <= at_least || value > at_most {
            return Some(value <= at_least);
        }
        if board.is_over() {
            return Some(self.bounds(board, widest(board), None, &mut |_| {}).at_least >= value);
        }
        let mut slice = FIRST_SLICE;
        loop {
            self.grow_for(0);
            if let Some(found) = self.endgame(board) {
                return Some(found >= value);
            }
            self.budget.allow(slice);
            if let Some(answer) = self.search().ask(board, value, MOST_PLIES) {
                return Some(answer >= value);
            }
            if self.budget.check() {
                return None;
            }
            slice = slice.saturating_mul(2);
        }
    }

    /// Memory-enhanced test (Plaat and others, 1996): each answer is a new bound, and the next question
    /// is about the number where the value is now expected. All values are odd, or all even, as the
    /// number of seeds in the houses is.
    pub(super) fn bounds(
        &mut self,
        board: Board,
        known: Bounds,
        guess: Option<i16>,
        progress: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let seeds = in_play(board);
        if board.is_over() {
            return Bounds::of(board.swept().lead());
        }
        let mut bounds = known;
        let mut asked = guess.unwrap_or(2 + seeds % 2);
        let mut slice = FIRST_SLICE;
        // Made first, the table of endgames helps with every question.
        self.grow_for(expected_nodes(board));
        if let Some(value) = self.endgames.value(board.houses()[0], board.houses()[1]) {
            return Bounds::of(value);
        }
        while bounds.exact().is_none() && !self.budget.is_spent() {
            asked = asked.clamp(bounds.at_least + 2, bounds.at_most);
            if let Some(answer) = self.narrow(board, asked, slice, &mut bounds) {
                progress(bounds);
                asked = if answer >= asked { answer + 2 } else { answer };
                continue;
            }
            if self.budget.check() {
                break;
            }
            self.grow_for(0);
            if slice >= EASIER_FROM && self.close_in(board, slice, &mut bounds) {
                progress(bounds);
            }
            slice = slice.saturating_mul(2);
        }
        bounds
    }

    /// Asks easier questions than the one that was too hard, from both ends. True if a bound is
    /// closer then.
    fn close_in(&mut self, board: Board, slice: u64, bounds: &mut Bounds) -> bool {
        let before = *bounds;
        for from_below in [true, false] {
            let mut step = 8;
            while step >= 2 && bounds.at_most - bounds.at_least > step {
                let asked =
                    if from_below { bounds.at_least + step } else { bounds.at_most - step + 2 };
                let hoped = |answer: i16| (answer >= asked) == from_below;
                if !self.narrow(board, asked, slice / EASIER_PART, bounds).is_some_and(hoped) {
                    step /= 2;
                }
            }
        }
        *bounds != before
    }

    fn narrow(&mut self, board: Board, asked: i16, slice: u64, bounds: &mut Bounds) -> Option<i16> {
        self.budget.allow(slice);
        let answer = self.search().ask(board, asked, MOST_PLIES)?;
        bounds.narrow(asked, answer);
        Some(answer)
    }
}
