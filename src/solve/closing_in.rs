//! The value of a position, by asking again and again whether it is worth so much or more.

use crate::rules::Board;

use super::search::{MOST_PLIES, in_play};
use super::solver::Solver;
use super::value::Bounds;

/// Positions of the first slice of a search. The slices double.
const FIRST_SLICE: u64 = 200_000;

/// From this slice on, easier questions are asked too, so that there are bounds to tell when the
/// budget ends before the answer.
const EASIER_FROM: u64 = 400_000;

impl Solver {
    /// Memory-enhanced test (Plaat and others, 1996): each answer moves a bound up to it, and the
    /// next question is asked where the value is now expected. Values differ by two seeds, since
    /// those in the houses are odd or even in number.
    pub(super) fn bounds(
        &mut self,
        board: Board,
        guess: Option<i16>,
        progress: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let seeds = in_play(board);
        if board.is_over() {
            let swept = board.swept();
            return Bounds::of(i16::from(swept.store()) - i16::from(swept.opponent_store()));
        }
        let mut bounds = Bounds { at_least: -seeds, at_most: seeds };
        let mut asked = guess.unwrap_or(2 + seeds % 2);
        let mut slice = FIRST_SLICE;
        self.grow_for(self.meter.nodes());
        if let Some(value) = self.endgames.value(board.houses()[0], board.houses()[1]) {
            return Bounds::of(value);
        }
        while bounds.exact().is_none() && !self.meter.is_spent() {
            asked = asked.clamp(bounds.at_least + 2, bounds.at_most);
            if let Some(answer) = self.learn(board, asked, slice, &mut bounds) {
                progress(bounds);
                asked = if answer >= asked { answer + 2 } else { answer };
                continue;
            }
            if self.meter.check() {
                break;
            }
            self.grow_for(self.meter.nodes());
            if slice >= EASIER_FROM && self.close_in(board, slice, &mut bounds) {
                progress(bounds);
            }
            slice = slice.saturating_mul(2);
        }
        bounds
    }

    /// Asks easier questions than the one that was too hard, from both ends. Whether it learned
    /// anything.
    fn close_in(&mut self, board: Board, slice: u64, bounds: &mut Bounds) -> bool {
        let before = *bounds;
        for from_below in [true, false] {
            let mut step = 8;
            while step >= 2 && bounds.at_most - bounds.at_least > step {
                let asked =
                    if from_below { bounds.at_least + step } else { bounds.at_most - step + 2 };
                let hoped = |answer: i16| (answer >= asked) == from_below;
                if !self.learn(board, asked, slice / 32, bounds).is_some_and(hoped) {
                    step /= 2;
                }
            }
        }
        *bounds != before
    }

    fn learn(&mut self, board: Board, asked: i16, slice: u64, bounds: &mut Bounds) -> Option<i16> {
        self.meter.allow(slice);
        let answer = self.search().ask(board, asked, MOST_PLIES)?;
        bounds.learn(asked, answer);
        Some(answer)
    }
}
