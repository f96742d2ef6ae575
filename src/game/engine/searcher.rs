//! The search that every player shares: what it knows of the rules, and what it remembers from one
//! move to the next.

use crate::rules::{Board, Ply, Ruleset, Sower};
use crate::solve::Solver;

use super::deepening::{Thought, deepen};
use super::evaluation::BoardEstimate;
use super::search::{SearchAllowance, TurnSearch};
use super::table::TranspositionTable;

/// Sorts moves by merit, looking as deep as it may. The player decides which moves it sorts, how
/// deep it looks, and which move is made.
pub(super) struct Searcher {
    /// How seeds are sown under its rules.
    pub(super) sower: Sower,
    estimate: BoardEstimate,
    table: TranspositionTable,
}

impl Searcher {
    /// A search under `rules` that remembers positions in `table`.
    pub(super) fn new(rules: &Ruleset, table: TranspositionTable) -> Searcher {
        Searcher { sower: Sower::new(rules), estimate: BoardEstimate::new(rules), table }
    }

    /// The same with another estimate of unsolved positions.
    pub(super) fn with_estimate(self, estimate: BoardEstimate) -> Searcher {
        Searcher { estimate, ..self }
    }

    /// Puts the best of the moves first, looked up to `turns` turns ahead. Of equal moves the one
    /// that came first is taken. With a `solver`, endgames in its table are exact.
    pub(super) fn search(
        &mut self,
        board: Board,
        moves: &mut [Ply],
        turns: u8,
        allowance: SearchAllowance,
        solver: Option<&Solver>,
    ) -> Thought {
        self.table.age();
        let mut search = TurnSearch {
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
