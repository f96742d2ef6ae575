//! Exact values of positions and moves, and lines of best play.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::rules::{Board, Direction, Ply, Ruleset, Sower};

use super::bounds_table::BoundsTable;
use super::budget::{Budget, NodeBudget};
use super::endgames::Endgames;
use super::order::many_seeds;
use super::search::{Child, ValueSearch, in_play};
use super::value::Bounds;
use super::value_bisection::{expected_nodes, widest};

/// Memory in bytes that is enough for every position that can be solved within minutes.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// Memory in bytes for many hard positions: enough for a table of endgames up to 22 seeds. With it all
/// moves of ece1021's opening took a third of the positions and 27 % less processor time.
pub const MANY_MEMORY: usize = 1 << 30;

/// Finds exact values under one set of rules. What it has proven makes later positions faster.
pub struct Solver {
    pub(super) sower: Sower,
    pub(super) directions: &'static [Direction],
    pub(super) rules: Ruleset,
    pub(super) endgames: Arc<Endgames>,
    /// The most seeds that the table of endgames may grow to.
    pub(super) most_seeds: usize,
    pub(super) known: BoundsTable,
    pub(super) budget: NodeBudget,
    /// Threads that make the table of endgames.
    pub(super) threads: usize,
    /// The number of solvers that share the table of endgames.
    pub(super) sharers: u64,
    #[cfg(test)]
    pub(super) worst_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    pub ply: Ply,
    /// The mover's final margin after it, counted from before it.
    pub value: Bounds,
}

impl Solver {
    pub const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Positions searched so far.
    pub const fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The value of a position: exact, or proven bounds if the budget is spent first. Calls `progress`
    /// each time the bounds become closer.
    pub fn value(
        &mut self,
        board: Board,
        budget: &Budget,
        progress: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        self.budget.begin(budget);
        let board = board.without_stores();
        self.bounds(board, widest(board), None, progress)
    }

    /// The value of a position; a close `guess` makes it faster.
    pub fn value_near(&mut self, board: Board, guess: Option<i16>, budget: &Budget) -> Bounds {
        self.budget.begin(budget);
        let board = board.without_stores();
        self.bounds(board, widest(board), guess, &mut |_| {})
    }

    /// The value of a legal move; a close `guess` makes it faster.
    pub(crate) fn value_of_move(
        &mut self,
        board: Board,
        ply: Ply,
        guess: Option<i16>,
        budget: &Budget,
    ) -> Bounds {
        self.budget.begin(budget);
        let child = self.child(board.without_stores(), ply);
        let guess = guess.map(|value| value - child.gain);
        let next = child.next();
        if child.extra_turn {
            self.bounds(next, widest(next), guess, &mut |_| {}).plus(child.gain)
        } else {
            let guess = guess.map(|value| -value);
            self.bounds(next, widest(next), guess, &mut |_| {}).flipped().plus(child.gain)
        }
    }

    /// The values of all legal moves, in the order of [`Sower::legal`]; empty if the game is over. A
    /// close `guess` of the best value makes it faster. Moves that need less than their share of the
    /// budget leave the rest to the others.
    pub fn moves(&mut self, board: Board, guess: Option<i16>, budget: &Budget) -> Vec<MoveValue> {
        let before = self.nodes();
        let mut guess = guess;
        let plies = self.plies(board);
        let mut moves: Vec<MoveValue> =
            plies.map(|ply| MoveValue { ply, value: Bounds::WIDEST }).collect();
        // The table helps with all moves; for one alone it would not pay.
        self.budget.begin(budget);
        self.grow_for(expected_nodes(board).saturating_mul(moves.len() as u64));
        loop {
            let is_open = |found: &&mut MoveValue| found.value.exact().is_none();
            let open: Vec<&mut MoveValue> = moves.iter_mut().filter(is_open).collect();
            let shares = (1..=open.len()).rev();
            for (found, shares) in open.into_iter().zip(shares) {
                let share = budget.after(self.nodes() - before).share(shares);
                found.value = found.value.and(self.value_of_move(board, found.ply, guess, &share));
                // Most moves are worth no more than the best of those before them.
                guess = guess.max(found.value.exact());
            }
            let is_spent = budget.is_over() || budget.after(self.nodes() - before).nodes == Some(0);
            if is_spent || moves.iter().all(|found| found.value.exact().is_some()) {
                return moves;
            }
        }
    }

    /// Forgets all proven bounds, but not the table of endgames.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The most seeds of a position in the table of endgames.
    pub fn endgame_seeds(&self) -> usize {
        self.endgames.seeds()
    }

    /// The value of a position, if it is in the table of endgames.
    #[inline]
    pub(crate) fn endgame(&self, board: Board) -> Option<i16> {
        let [own, opponent] = board.houses();
        self.endgames.value(own, opponent)
    }

    /// True if a legal move is worth at least `value`; `None` if the budget is spent.
    pub fn keeps(&mut self, board: Board, ply: Ply, value: i16, budget: &Budget) -> Option<bool> {
        self.budget.begin(budget);
        let child = self.child(board.without_stores(), ply);
        self.ask_of_move(child, value).map(|answer| answer >= value)
    }

    /// A move that keeps `value`, the exact value of the position, and the value after it in the view
    /// of the player who moves next. `None` if the game is over or the budget is spent.
    pub fn best(&mut self, board: Board, value: i16, budget: &Budget) -> Option<(Ply, i16)> {
        self.budget.begin(budget);
        let board = board.without_stores();
        let mut moves: Vec<(Ply, Child)> =
            self.plies(board).map(|ply| (ply, self.child(board, ply))).collect();
        // In the order of the search: what it has refuted is known, and cheap to ask again.
        let search = self.search();
        moves.sort_by_key(|&(ply, child)| {
            (Reverse(search.rank(child)), 5 - ply.house.cell(), ply.direction)
        });
        if in_play(board) >= search.many_seeds {
            moves.sort_by_cached_key(|&(_, child)| Reverse(search.prospects(child)));
        }
        for (ply, child) in moves {
            if self.ask_of_move(child, value)? >= value {
                let left = value - child.gain;
                return Some((ply, if child.extra_turn { left } else { -left }));
            }
        }
        None
    }

    /// A line of best play from a position with its exact `value`, until the game ends or the budget is
    /// spent: who moves (true for the mover of the first move) and what.
    pub(crate) fn line(&mut self, board: Board, value: i16, budget: &Budget) -> Vec<(bool, Ply)> {
        let (mut board, mut value, mut own) = (board.without_stores(), value, true);
        let mut line = Vec::new();
        while !board.is_over() && !budget.is_over() {
            let Some((ply, next)) = self.best(board, value, budget) else { break };
            let child = self.child(board, ply);
            line.push((own, ply));
            own ^= !child.extra_turn;
            board = child.next();
            value = next;
        }
        line
    }

    fn plies(&self, board: Board) -> impl Iterator<Item = Ply> + use<> {
        let is_over = board.is_over();
        self.sower.legal(board).filter(move |_| !is_over)
    }

    pub(super) fn child(&self, board: Board, ply: Ply) -> Child {
        Child::new(self.sower.sow(board, ply), in_play(board))
    }

    fn ask_of_move(&mut self, child: Child, asked: i16) -> Option<i16> {
        self.budget.allow(u64::MAX);
        self.search().ask_of_move(child, asked)
    }

    pub(super) fn search(&mut self) -> ValueSearch<'_> {
        ValueSearch {
            sower: self.sower,
            directions: self.directions,
            endgames: &self.endgames,
            known: &mut self.known,
            budget: &mut self.budget,
            many_seeds: many_seeds(self.endgames.seeds()),
            #[cfg(test)]
            worst_first: self.worst_first,
        }
    }
}
