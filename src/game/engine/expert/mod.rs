//! The strongest player: exact if it can solve the position in its time, otherwise as deep as its time
//! allows.

use std::time::{Duration, Instant};

use super::book::{Book, BookAnswer};
use super::deepening::Thought;
use super::evaluation::BoardEstimate;
use super::exact::{
    Worth, exact_move, expected_cost, hardest_to_answer, memory_of_solver, prepared_solver, prove,
};
use super::player::ChosenMove;
use super::search::SearchAllowance;
use super::searcher::Searcher;
use super::table::TranspositionTable;
use crate::rules::{Board, Ply, Ruleset};
use crate::solve::{Budget, Solver, SolverRefusal, refuse_too_much};

/// Pairs of slots in the table of its search.
const PAIRS: usize = 1 << 20;

/// Memory of that table, in bytes.
const SEARCHER: usize = 32 << 20;

/// Positions for the choice among exact moves: this many, or as many as solving took if that is more.
const AMONG_EQUALS: u64 = 100_000;

/// Positions a second that the solver is expected to search.
const SPEED: f64 = 3e6;

/// The share of its effort for solving, in percent; the rest is for a search. `SURE` if it knows what
/// the position was worth a move ago, otherwise `UNSURE`.
const SURE: u32 = 90;
const UNSURE: u32 = 75;

/// A search has at least `1 / LAST_SEARCH` of the time for a move.
const LAST_SEARCH: u32 = 10;

/// More turns than any search reaches.
const TURNS: u8 = 100;

/// The limits for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The time for a move, on the monotonic clock.
    pub time: Duration,
    /// The time to solve a position whose value is nearly known, if longer. If it is not enough, a
    /// short search follows.
    pub to_solve: Duration,
    /// The most positions, solved and searched together; `None` for no limit.
    pub nodes: Option<u64>,
}

impl Effort {
    /// At most `nodes` positions, however long they take.
    pub const fn positions(nodes: u64) -> Effort {
        let time = Duration::from_hours(1);
        Effort { time, to_solve: time, nodes: Some(nodes) }
    }
}

/// What the expert thought of its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The move, and what a search thought of it.
    pub choice: ChosenMove,
    /// The value of the position, counted from now, where it was solved: the move keeps it.
    pub exact: Option<i16>,
}

/// A player that makes no mistake in positions it can solve.
pub struct Expert {
    searcher: Searcher,
    /// `None` if the rules have no exact values.
    solver: Option<Solver>,
    book: Option<Book>,
    /// The final margin under best play after its last move, if that was exact, or in the opening of
    /// its book.
    margin: Option<i16>,
    /// The position in which it moves next with that margin, after an extra turn or at the start.
    own_turn: Option<Board>,
}

impl Expert {
    /// Makes an expert, which takes a few seconds for its table of endgames.
    ///
    /// # Errors
    ///
    /// [`SolverRefusal::NoMemory`]: with less it would play worse than it is known to.
    pub fn new(rules: &Ruleset) -> Result<Expert, SolverRefusal> {
        Expert::made_within(rules, &Budget::default())
    }

    /// The same with a smaller table of endgames if the time of `budget` is not enough.
    ///
    /// # Errors
    ///
    /// As of [`Expert::new`].
    pub fn made_within(rules: &Ruleset, budget: &Budget) -> Result<Expert, SolverRefusal> {
        refuse_too_much(memory_of_solver(rules) + SEARCHER)?;
        let solver = prepared_solver(rules, budget);
        let searcher = Searcher::new(rules, TranspositionTable::new(PAIRS));
        let searcher = searcher.with_estimate(BoardEstimate::closer(rules));
        Ok(Expert { searcher, solver, book: Book::of(rules), margin: None, own_turn: None })
    }

    /// Begins a game from `opening`, in its own view. What it knows about positions stays.
    pub fn begin_game(&mut self, opening: Board, is_first: bool) {
        // With the value of the opening the first position is solved as fast as later ones.
        let value = self.book.as_ref().and_then(|book| book.value_of_opening(opening));
        self.margin = value.map(|value| opening.lead() + if is_first { value } else { -value });
        self.own_turn = is_first.then_some(opening);
    }

    /// The move it makes on a board in its own view, or `None` when the game is over.
    pub fn choose(&mut self, board: Board, effort: Effort) -> Option<Judgement> {
        let judgement = self.judge(board, effort)?;
        self.margin = judgement.exact.map(|value| value + board.lead());
        let sown = self.searcher.sower.sow(board, judgement.choice.ply);
        self.own_turn = sown.extra_turn.then_some(sown.board);
        Some(judgement)
    }

    fn worth(&self, board: Board) -> Worth {
        match self.margin.map(|margin| margin - board.lead()) {
            Some(value) if self.own_turn == Some(board) => Worth::Exactly(value),
            Some(value) => Worth::AtLeast(value),
            None => Worth::Unknown,
        }
    }

    fn judge(&mut self, board: Board, effort: Effort) -> Option<Judgement> {
        let since = Instant::now();
        if let Some(BookAnswer { ply, value }) =
            self.book.as_ref().and_then(|book| book.answer(board))
        {
            return Some(exact(board, ply, value, 0));
        }
        let solver_nodes = |expert: &Expert| expert.solver.as_ref().map_or(0, Solver::nodes);
        let before = solver_nodes(self);
        if let Some(solved) = self.solved(board, effort, since) {
            return Some(solved);
        }
        let nodes = solver_nodes(self) - before;
        let legal = self.searcher.sower.legal(board).filter(|_| !board.is_over());
        let mut moves: Vec<Ply> = legal.collect();
        // Of equal moves, the one nearest to the own store.
        moves.reverse();
        let left = effort.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        let time = effort.time.max(since.elapsed() + effort.time / LAST_SEARCH);
        let allowance = SearchAllowance { nodes: left, since, time };
        let solver = self.solver.as_ref();
        let thought = self.searcher.search(board, &mut moves, TURNS, allowance, solver);
        let thought = Thought { nodes: thought.nodes + nodes, ..thought };
        let exact = thought.solved.then_some(thought.value - board.lead());
        Some(Judgement { choice: ChosenMove { ply: *moves.first()?, thought }, exact })
    }

    /// A move of exact value, if the share of the effort is enough to solve the position.
    fn solved(&mut self, board: Board, effort: Effort, since: Instant) -> Option<Judgement> {
        let worth = self.worth(board);
        let solver = self.solver.as_mut()?;
        let most = effort
            .nodes
            .map_or(f64::INFINITY, |most| f64::from(u32::try_from(most).unwrap_or(u32::MAX)));
        let affordable = most.min(effort.time.as_secs_f64() * SPEED);
        // After an exact move, much of the next position is known.
        if worth == Worth::Unknown && expected_cost(board, solver.endgame_seeds()) > affordable {
            return None;
        }
        let percent = if worth == Worth::Unknown { UNSURE } else { SURE };
        let time = effort.time * percent / 100;
        let nodes_to_solve = effort.nodes.map(|most| most.saturating_mul(percent.into()) / 100);
        let budget = Budget { nodes: nodes_to_solve, until: since.checked_add(time), stop: None };
        let longer = if worth == Worth::Unknown { time } else { time.max(effort.to_solve) };
        let to_solve = Budget { until: since.checked_add(longer), ..budget.clone() };
        let before = solver.nodes();
        let (best, value) = exact_move(solver, board, worth, &to_solve)?;
        prove(solver, board, worth, &budget.after(solver.nodes() - before));
        let nodes = solver.nodes() - before;
        let rest = budget.after(nodes).at_most(AMONG_EQUALS.max(nodes));
        let ply =
            hardest_to_answer(solver, self.searcher.sower, board, value, &rest).unwrap_or(best);
        Some(exact(board, ply, value, solver.nodes() - before))
    }
}

fn exact(board: Board, ply: Ply, value: i16, nodes: u64) -> Judgement {
    let thought = Thought { depth: 0, value: value + board.lead(), nodes, solved: true };
    Judgement { choice: ChosenMove { ply, thought }, exact: Some(value) }
}

#[cfg(test)]
mod tests;
