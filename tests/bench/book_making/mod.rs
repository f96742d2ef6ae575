//! Makes opening books: which positions they leave out, and which of the best moves they answer.
//!
//! A book leaves out a position if the expert can solve it in a game without any memory of earlier
//! positions. What comes next may take four times as many positions, so the expert has to be able to
//! solve that, too, with what it knows by then.
//!
//! Of the best moves the answer is one that the expert would choose, and of these the one after
//! which the book has the least to answer.

use std::collections::HashMap;

use mancala_referee::engine::exact::{Worth, exact_move, hardest_to_answer, prove, right_answers};
use mancala_referee::engine::{BookAnswer, BookPosition, after_answer, walk};
use mancala_referee::rules::{Board, Opening, Ply, Sower};
use mancala_referee::solve::{Budget, Solver};

/// A position that takes at most `affordable / CHEAP` nodes is left out without looking at the next
/// ones: nearly all of those are cheap.
pub const CHEAP: u64 = 8;

/// A search for the cost of a position ends at `affordable * DEAR` nodes.
const DEAR: u64 = 4;

/// Characters on a line of a book.
const LINE: usize = 96;

/// Makes the book of the standard opening for the solver's rules, which have one direction of sowing.
/// It leaves out what an expert solves within `affordable` nodes. `progress` is called with the
/// number of answers so far. `cold` is another solver, prepared as an expert's is. `None` if the
/// budget is spent first.
pub fn make_book(
    solver: &mut Solver,
    cold: Solver,
    affordable: u64,
    budget: &Budget,
    progress: &mut dyn FnMut(usize),
) -> Option<String> {
    let rules = *solver.rules();
    let opening = Opening::standard(&rules).board();
    let value_of_opening = solver.value(opening, budget, &mut |_| {}).exact()?;
    let mut maker = BookMaker::new(solver, cold, affordable, budget);
    let (mut entries, mut answers) = (String::new(), 0);
    walk(&rules, value_of_opening, &mut |asked| {
        if maker.leaves_out(asked)? {
            entries.push('.');
            return Some(None);
        }
        let answer = maker.answer(asked)?;
        let steps = usize::try_from((answer.value - asked.least) / 2).ok()?;
        entries += &format!("{}{}", answer.ply.house, "+".repeat(steps));
        answers += 1;
        progress(answers);
        Some(Some(answer))
    })?;
    let lines = entries.as_bytes().chunks(LINE).map(String::from_utf8_lossy);
    let lines: Vec<_> = lines.collect();
    Some(format!("{value_of_opening}\n{}\n", lines.join("\n")))
}

/// Chooses the answers of a book.
pub struct BookMaker<'a> {
    pub solver: &'a mut Solver,
    /// A solver that forgets everything before each position.
    pub cold: Solver,
    pub sower: Sower,
    pub affordable: u64,
    budget: &'a Budget,
    /// The nodes that measured positions take.
    pub costs: HashMap<BookPosition, u64>,
}

impl BookMaker<'_> {
    pub fn new<'a>(
        solver: &'a mut Solver,
        cold: Solver,
        affordable: u64,
        budget: &'a Budget,
    ) -> BookMaker<'a> {
        let sower = Sower::new(solver.rules());
        BookMaker { solver, cold, sower, affordable, budget, costs: HashMap::new() }
    }

    /// True if the expert can afford to solve the position and those after its answer. `None` if the
    /// budget is spent.
    pub fn leaves_out(&mut self, asked: BookPosition) -> Option<bool> {
        let cost = self.cost(asked)?;
        if cost > self.affordable {
            return Some(false);
        }
        // In an extra turn the expert knows the value, so the cost says little of what comes next.
        if cost <= self.affordable / CHEAP && asked.may_be_more {
            return Some(true);
        }
        let value = self.value(asked)?;
        let ply = hardest_to_answer(self.solver, self.sower, asked.board, value, self.budget)?;
        for next in after_answer(self.sower, asked.board, BookAnswer { ply, value }) {
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

    /// Of the moves that are hardest to answer, the one after which the book has the least to answer.
    /// `None` if the budget is spent.
    pub fn answer(&mut self, asked: BookPosition) -> Option<BookAnswer> {
        let value = self.value(asked)?;
        let mut best = None;
        for ply in self.hardest_to_answer(asked.board, value)? {
            let answer = BookAnswer { ply, value };
            let dear = self.dear_after(asked.board, answer)?;
            if best.is_none_or(|(least, _)| dear < least) {
                best = Some((dear, answer));
            }
        }
        best.map(|(_, answer)| answer)
    }

    fn value(&mut self, asked: BookPosition) -> Option<i16> {
        match asked.worth() {
            Worth::Exactly(value) => Some(value),
            _ => self.solver.value_near(asked.board, Some(asked.least), self.budget).exact(),
        }
    }

    /// Of the moves that keep the value, all that are hardest to answer.
    pub fn hardest_to_answer(&mut self, board: Board, value: i16) -> Option<Vec<Ply>> {
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

    /// The nodes of all positions after an answer that are not affordable.
    pub fn dear_after(&mut self, board: Board, answer: BookAnswer) -> Option<u64> {
        let mut sum = 0;
        for asked in after_answer(self.sower, board, answer) {
            let cost = self.cost(asked)?;
            if cost > self.affordable {
                sum += cost;
            }
        }
        Some(sum)
    }

    /// Nodes that the expert searches for its move in a position when it knows no other.
    pub fn cost(&mut self, asked: BookPosition) -> Option<u64> {
        if let Some(&cost) = self.costs.get(&asked) {
            return Some(cost);
        }
        self.cold.forget();
        let cost = self.cost_now(asked, self.affordable.saturating_mul(DEAR))?;
        self.costs.insert(asked, cost);
        Some(cost)
    }

    /// True if the expert can afford `next` after it has solved `asked`, which is affordable.
    fn can_afford_both(&mut self, asked: BookPosition, next: BookPosition) -> Option<bool> {
        self.cold.forget();
        let used = self.cost_now(asked, self.affordable)?;
        let rest = self.budget.at_most(self.affordable - used);
        prove(&mut self.cold, asked.board, asked.worth(), &rest);
        Some(self.cost_now(next, self.affordable + 1)? <= self.affordable)
    }

    /// Nodes that the expert searches for its move with what it knows, at most `most`.
    pub fn cost_now(&mut self, asked: BookPosition, most: u64) -> Option<u64> {
        let before = self.cold.nodes();
        let budget = self.budget.at_most(most);
        match exact_move(&mut self.cold, asked.board, asked.worth(), &budget) {
            Some(_) => Some(self.cold.nodes() - before),
            None if self.budget.is_over() => None,
            None => Some(most),
        }
    }
}
