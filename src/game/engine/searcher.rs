//! The search that every player shares: what it knows of the rules, and what it remembers from one
//! move to the next.

use crate::rules::{Board, Ply, Ruleset, Sower};
use crate::solve::Solver;

use super::deepening::{Thought, deepen};
use super::evaluation::Estimate;
use super::search::{Allowance, Search};
use super::table::TranspositionTable;

/// Puts moves in order of merit, as deep as it may look. It does not choose: which of the moves
/// are asked for, how deep, and what is made of the answer is a player's affair.
pub(super) struct Searcher {
    sower: Sower,
    estimate: Estimate,
    table: TranspositionTable,
}

impl Searcher {
    /// A search under these rules that remembers positions in this table.
    pub(super) fn new(rules: &Ruleset, table: TranspositionTable) -> Searcher {
        Searcher { sower: Sower::new(rules), estimate: Estimate::new(rules), table }
    }

    /// The same with another estimate of what is not solved.
    pub(super) fn with_estimate(self, estimate: Estimate) -> Searcher {
        Searcher { estimate, ..self }
    }

    /// How seeds are sown under its rules.
    pub(super) const fn sower(&self) -> Sower {
        self.sower
    }

    /// Puts the best of the moves first, looked up to `turns` turns ahead. Of equal moves the one
    /// that came first is taken. A solver, where there is one, knows the endgames.
    pub(super) fn search(
        &mut self,
        board: Board,
        moves: &mut [Ply],
        turns: u8,
        allowance: Allowance,
        solver: Option<&Solver>,
    ) -> Thought {
        self.table.age();
        let mut search = Search {
            sower: self.sower,
            estimate: self.estimate,
            table: &mut self.table,
            solver,
            allowance,
            nodes: 0,
        };
        deepen(&mut search, board, moves, turns)
    }
}
