//! Negamax with alpha-beta, a table of known positions and a null window for all but the first
//! move of a position.

use std::time::{Duration, Instant};

use crate::rules::{Board, Sower};
use crate::solve::Solver;

use super::evaluation::{BoardEstimate, Value, margin, seeds_in_play};
use super::ordering::{Candidate, Candidates};
use super::table::{Bound, Depth, PositionKey, TableEntry, TranspositionTable};

/// Positions between two reads of the clock: well under a millisecond.
const CLOCK_INTERVAL: u64 = 1024;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchAllowance {
    /// Positions looked at.
    pub(super) nodes: u64,
    pub(super) since: Instant,
    pub(super) time: Duration,
}

/// The value of a position, or a bound of it when it lies outside the window asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundValue {
    pub(super) value: Value,
    /// Whether every line that it rests on was followed to the end of the game.
    pub(super) proven: bool,
}

/// Asks whether a value is above `alpha`, below `beta`, or which it is in between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    /// The question whether a value is above `alpha` at all.
    fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha.next_up() }
    }

    fn is_null(self) -> bool {
        self.alpha.next_up() == self.beta
    }

    fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// One search from a root, until its allowance is spent.
pub(super) struct TurnSearch<'table> {
    pub(super) sower: Sower,
    pub(super) estimate: BoardEstimate,
    pub(super) table: &'table mut TranspositionTable,
    /// Has the exact values of endgames in its table.
    pub(super) solver: Option<&'table Solver>,
    pub(super) allowance: SearchAllowance,
    /// Positions looked at so far.
    pub(super) nodes: u64,
}

impl TurnSearch<'_> {
    /// The value of a move to the player who makes it, looked `turns` turns into, this one
    /// among them: an extra turn is part of the turn that earned it. `None` when the allowance is
    /// spent.
    ///
    /// `is_first` is for the move that is thought best: any other is first asked whether it is
    /// better at all.
    pub(super) fn value_of_move(
        &mut self,
        candidate: Candidate,
        turns: u8,
        window: Window,
        is_first: bool,
    ) -> Option<FoundValue> {
        if !is_first && !window.is_null() {
            let found = self.after(candidate, turns, Window::null(window.alpha))?;
            if found.value <= window.alpha || found.value >= window.beta {
                return Some(found);
            }
        }
        self.after(candidate, turns, window)
    }

    fn after(&mut self, candidate: Candidate, turns: u8, window: Window) -> Option<FoundValue> {
        let next = candidate.sown.next();
        if candidate.sown.extra_turn {
            return self.visit(next, turns, window);
        }
        let found = self.visit(next, turns - 1, window.flipped())?;
        Some(FoundValue { value: -found.value, ..found })
    }

    // Every move of a chain of extra turns adds to the store, and `turns` bounds the rest: the
    // recursion is at most `turns` and 240 deep, whatever the rules, cycles included. A cycle is
    // never proven, for each time round costs turns until a guess ends it.
    fn visit(&mut self, board: Board, turns: u8, mut window: Window) -> Option<FoundValue> {
        self.count()?;
        if board.is_over() {
            return Some(FoundValue { value: margin(board.swept()), proven: true });
        }
        let margin = margin(board);
        let in_play = seeds_in_play(board);
        let (most, least) = (margin + in_play, margin - in_play);
        if most <= window.alpha {
            return Some(FoundValue { value: most, proven: true });
        }
        if least >= window.beta {
            return Some(FoundValue { value: least, proven: true });
        }
        if let Some(value) = self.solver.and_then(|solver| solver.endgame(board)) {
            return Some(FoundValue { value: margin + Value::from_seeds(value), proven: true });
        }
        if turns == 0 {
            return Some(FoundValue { value: self.estimate.of(board), proven: false });
        }
        let key = PositionKey::of(board);
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= Depth(turns)) {
            let value = margin + entry.gain;
            let answers = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= window.beta,
                Bound::AtMost => value <= window.alpha,
            };
            if answers {
                return Some(FoundValue { value, proven: entry.depth == Depth::PROVEN });
            }
        }

        let asked = window;
        let mut best = None;
        let mut value = -Value::MAX;
        let mut proven = true;
        let candidates = Candidates::new(self.sower, board, known.and_then(|entry| entry.best));
        for (order, candidate) in candidates.enumerate() {
            let found = self.value_of_move(candidate, turns, window, order == 0)?;
            proven &= found.proven;
            if found.value > value {
                value = found.value;
                best = Some(candidate.ply);
            }
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                // This move alone is reason enough, whatever the others rest on.
                proven = found.proven;
                break;
            }
        }
        let bound = if value >= asked.beta {
            Bound::AtLeast
        } else if value <= asked.alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let depth = if proven { Depth::PROVEN } else { Depth(turns) };
        self.table.put(key, TableEntry { gain: value - margin, bound, depth, best });
        Some(FoundValue { value, proven })
    }

    fn count(&mut self) -> Option<()> {
        if self.nodes >= self.allowance.nodes {
            return None;
        }
        self.nodes += 1;
        let is_late = self.nodes.is_multiple_of(CLOCK_INTERVAL)
            && self.allowance.since.elapsed() >= self.allowance.time;
        (!is_late).then_some(())
    }
}
