//! What a book answers, and what it leaves out.
//!
//! It leaves out a position that the expert can afford to solve in a game, where it has solved
//! nothing yet. That alone is not enough: what comes next may take four times as many positions. So
//! the expert has to afford that, too, with what it has found by then.
//!
//! Of the moves that are equally good the answer is one that the expert would choose, and of these
//! the one after which the book has the least to answer.

use std::collections::HashMap;

use super::super::exact::{
    Worth, exact_move, hardest_to_answer, prepared_solver, prove, right_answers,
};
use super::{Answer, Asked, after_answer};
use crate::rules::{Board, Ply, Sower};
use crate::solve::{Budget, Solver};

/// A position that takes at most this part of what is affordable, one of so many, is left out
/// without a look at those after it: nearly all of them are cheap.
const CHEAP: u64 = 8;

/// What takes more than so many times what is affordable is not searched to the end.
const DEAR: u64 = 4;

/// Answers the positions of a book.
pub(super) struct Maker<'a> {
    solver: &'a mut Solver,
    /// An expert's without memories.
    cold: Solver,
    sower: Sower,
    affordable: u64,
    budget: &'a Budget,
    /// What positions take that were measured.
    costs: HashMap<Asked, u64>,
}

impl Maker<'_> {
    /// A book leaves out what takes at most so many positions. None where there is no memory.
    pub(super) fn new<'a>(
        solver: &'a mut Solver,
        affordable: u64,
        budget: &'a Budget,
    ) -> Option<Maker<'a>> {
        let rules = *solver.rules();
        let (cold, sower) = (prepared_solver(&rules, budget)?, Sower::new(&rules));
        Some(Maker { solver, cold, sower, affordable, budget, costs: HashMap::new() })
    }

    /// Whether a book leaves a position out: an expert without memories can afford to solve it, and
    /// after its move the positions that come next. `None` when the budget is spent.
    pub(super) fn leaves_out(&mut self, asked: Asked) -> Option<bool> {
        let cost = self.cost(asked)?;
        if cost > self.affordable {
            return Some(false);
        }
        // In its own turn the expert knows the value: a move is cheap, but not what comes next.
        if cost <= self.affordable / CHEAP && asked.may_be_more {
            return Some(true);
        }
        let value = self.value(asked)?;
        let ply = hardest_to_answer(self.solver, self.sower, asked.board, value, self.budget)?;
        for next in after_answer(self.sower, asked.board, Answer { ply, value }) {
            if self.cost(next)? > self.affordable && !self.can_afford_both(asked, next)? {
                return Some(false);
            }
            let is_own_turn = !next.may_be_more;
            if is_own_turn && !self.leaves_out(next)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Of the moves that are hardest to answer, the one after which the fewest positions need an
    /// answer. `None` when the budget is spent.
    pub(super) fn answer(&mut self, asked: Asked) -> Option<Answer> {
        let value = self.value(asked)?;
        let mut best = None;
        for ply in self.hardest_to_answer(asked.board, value)? {
            let answer = Answer { ply, value };
            let dear = self.dear_after(asked.board, answer)?;
            if best.is_none_or(|(least, _)| dear < least) {
                best = Some((dear, answer));
            }
        }
        best.map(|(_, answer)| answer)
    }

    fn value(&mut self, asked: Asked) -> Option<i16> {
        match asked.worth() {
            Worth::Exactly(value) => Some(value),
            _ => self.solver.value_near(asked.board, Some(asked.least), self.budget).exact(),
        }
    }

    /// Of the moves that keep the value, all that are hardest to answer.
    fn hardest_to_answer(&mut self, board: Board, value: i16) -> Option<Vec<Ply>> {
        let mut least = f64::INFINITY;
        let mut hardest = Vec::new();
        for ply in self.sower.legal(board) {
            if !self.solver.keeps(board, ply, value, self.budget)? {
                continue;
            }
            let share = right_answers(self.solver, self.sower, board, ply, value, self.budget)?;
            if share < least {
                least = share;
                hardest.clear();
            }
            if share <= least {
                hardest.push(ply);
            }
        }
        Some(hardest)
    }

    /// What the positions after an answer take together, of those that are not affordable.
    fn dear_after(&mut self, board: Board, answer: Answer) -> Option<u64> {
        let mut sum = 0;
        for asked in after_answer(self.sower, board, answer) {
            let cost = self.cost(asked)?;
            if cost > self.affordable {
                sum += cost;
            }
        }
        Some(sum)
    }

    /// Positions that an expert without memories searches to find its move.
    fn cost(&mut self, asked: Asked) -> Option<u64> {
        if let Some(&cost) = self.costs.get(&asked) {
            return Some(cost);
        }
        self.cold.forget();
        let cost = self.cost_now(asked, self.affordable.saturating_mul(DEAR))?;
        self.costs.insert(asked, cost);
        Some(cost)
    }

    /// Whether an expert that has solved one affordable position can afford to solve another one, of
    /// which it knows something then.
    fn can_afford_both(&mut self, asked: Asked, next: Asked) -> Option<bool> {
        self.cold.forget();
        let used = self.cost_now(asked, self.affordable)?;
        let rest = self.budget.at_most(self.affordable - used);
        prove(&mut self.cold, asked.board, asked.worth(), &rest);
        Some(self.cost_now(next, self.affordable + 1)? <= self.affordable)
    }

    /// Positions that an expert searches with the memories it has, or that many if they are not
    /// enough.
    fn cost_now(&mut self, asked: Asked, most: u64) -> Option<u64> {
        let before = self.cold.nodes();
        let budget = self.budget.at_most(most);
        match exact_move(&mut self.cold, asked.board, asked.worth(), &budget) {
            Some(_) => Some(self.cold.nodes() - before),
            None if self.budget.is_over() => None,
            None => Some(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk;
    use super::*;
    use crate::rules::{Ruleset, RulesetName, SeedsAHouse};

    /// Two seeds a house, by the rules of kalah.
    fn small() -> (Ruleset, Solver) {
        let rules = Ruleset { seeds: SeedsAHouse::new(2).unwrap(), ..RulesetName::Kalah.rules() };
        (rules, Solver::new(&rules, 4 << 20).unwrap())
    }

    /// What its opening is worth.
    const VALUE: i16 = 6;

    #[test]
    fn what_a_book_leaves_out_is_affordable_and_so_is_what_comes_next() {
        let (rules, mut solver) = small();
        let all = Budget::default();
        let mut maker = Maker::new(&mut solver, 40, &all).unwrap();
        let (mut affordable, mut looked_further) = (0, 0);
        walk(&rules, VALUE, &mut |asked| {
            let cost = maker.cost(asked).unwrap();
            let answer = maker.answer(asked).unwrap();
            if !maker.leaves_out(asked).unwrap() {
                affordable += u32::from(cost <= 40);
                return Some(Some(answer));
            }
            assert!(cost <= 40, "{asked:?}");
            if cost > 40 / CHEAP {
                looked_further += 1;
                let hardest = maker.hardest_to_answer(asked.board, answer.value).unwrap();
                let answer = Answer { ply: hardest[0], ..answer };
                for next in after_answer(maker.sower, asked.board, answer) {
                    maker.cold.forget();
                    maker.cost_now(asked, 1000).unwrap();
                    let after = maker.cost_now(next, 1000).unwrap();
                    let cost = after.min(maker.cost(next).unwrap());
                    assert!(cost <= 40, "{asked:?} {next:?}");
                }
            }
            Some(None)
        })
        .unwrap();
        // Some are affordable, but not what comes after them.
        assert!(affordable > 0 && looked_further > 10, "{affordable} {looked_further}");
    }

    #[test]
    fn an_answer_is_hardest_to_answer_and_leaves_the_least_to_answer() {
        let (rules, mut solver) = small();
        let mut other = Solver::new(&rules, 4 << 20).unwrap();
        let (all, sower) = (Budget::default(), Sower::new(&rules));
        let mut maker = Maker::new(&mut solver, 0, &all).unwrap();
        let mut chosen = 0;
        for affordable in [2, 5, 10, 20] {
            maker.affordable = affordable;
            maker.costs.clear();
            walk(&rules, VALUE, &mut |asked| {
                if maker.leaves_out(asked)? {
                    return Some(None);
                }
                let board = asked.board;
                let found = maker.answer(asked)?;
                let mut share = |ply| {
                    let keeps = other.keeps(board, ply, found.value, &all)?;
                    let share = right_answers(&mut other, sower, board, ply, found.value, &all)?;
                    Some(if keeps { share } else { f64::INFINITY })
                };
                let least = share(found.ply)?;
                for ply in sower.legal(board) {
                    assert!(share(ply)? >= least, "{asked:?} {ply:?}");
                    if share(ply)? <= least {
                        let other = maker.dear_after(board, Answer { ply, ..found })?;
                        let own = maker.dear_after(board, found)?;
                        assert!(own <= other, "{asked:?} {ply:?}");
                        chosen += u32::from(own < other);
                    }
                }
                Some(Some(found))
            })
            .unwrap();
        }
        assert!(chosen > 0);
    }
}
