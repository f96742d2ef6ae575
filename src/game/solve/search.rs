//! The search: is a position worth at least a given number?

use std::cmp::Reverse;

use crate::rules::{Board, Direction, House, Ply, Sower, Sown};

use super::bounds_table::BoundsTable;
use super::budget::NodeBudget;
use super::endgames::Endgames;
use super::rows::seeds_of;
use super::value::Bounds;

/// The most moves of a line, which bounds the stack; a search with a longer line gives up. No line
/// that can be searched in full is nearly as long.
pub(super) const MOST_PLIES: u32 = 1000;

/// The most moves of a position: six houses, two directions.
const MOST_MOVES: usize = 12;

/// A search for answers about positions with empty stores.
pub(super) struct ValueSearch<'a> {
    pub(super) sower: Sower,
    pub(super) directions: &'static [Direction],
    pub(super) endgames: &'a Endgames,
    pub(super) known: &'a mut BoundsTable,
    pub(super) budget: &'a mut NodeBudget,
    /// With this many seeds or more in the houses, moves are ordered by their prospects.
    pub(super) many_seeds: i16,
    /// Reverses the order of moves, for the test that it changes no value.
    #[cfg(test)]
    pub(super) worst_first: bool,
}

/// A move, already made.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// The position after it in the mover's view, with empty stores.
    pub(super) board: Board,
    /// The gain of the mover's store less that of the opponent's.
    pub(super) gain: i16,
    /// Seeds that are left in the houses.
    pub(super) left: i16,
    pub(super) extra_turn: bool,
}

impl Child {
    #[inline]
    pub(super) fn new(sown: Sown, seeds: i16) -> Child {
        let store = i16::from(sown.board.store());
        let opponent_store = i16::from(sown.board.opponent_store());
        Child {
            board: sown.board.without_stores(),
            gain: store - opponent_store,
            left: seeds - store - opponent_store,
            extra_turn: sown.extra_turn,
        }
    }

    /// The position in the view of the player who moves next.
    pub(super) const fn next(self) -> Board {
        if self.extra_turn { self.board } else { self.board.flipped() }
    }
}

impl ValueSearch<'_> {
    /// A bound of the position's value: a lower bound if it is `asked` or more, otherwise an upper
    /// bound. `None` if the budget or its slice is spent.
    ///
    /// The position is not over, and its value may be on either side of `asked`.
    pub(super) fn ask(&mut self, board: Board, asked: i16, plies: u32) -> Option<i16> {
        self.budget.count()?;
        let nodes = self.budget.nodes();
        let houses = board.houses();
        let seeds = in_play(board);
        let line = self.known.line(houses);
        let mut best = i16::MIN;
        let nothing = Child { board, gain: 0, left: 0, extra_turn: false };
        let mut children = [nothing; MOST_MOVES];
        let mut count = 0;
        // From the right: of equal moves the one nearest to the own store is looked at first.
        for house in House::ALL.into_iter().rev() {
            if board.seeds_in(house) == 0 {
                continue;
            }
            for &direction in self.directions {
                let child = Child::new(self.sower.sow(board, Ply { house, direction }), seeds);
                if let Some(value) = self.at_once(child, asked) {
                    if value >= asked {
                        return Some(value);
                    }
                    best = best.max(value);
                    continue;
                }
                let rank = self.rank(child);
                let mut place = count;
                while place > 0 && self.rank(children[place - 1]) < rank {
                    children[place] = children[place - 1];
                    place -= 1;
                }
                children[place] = child;
                count += 1;
            }
        }
        if count == 0 {
            return Some(best);
        }
        let known = self.known.get(line, houses, seeds);
        let mut bounds = known.unwrap_or(Bounds { at_least: -seeds, at_most: seeds });
        if bounds.at_least >= asked {
            return Some(bounds.at_least);
        }
        if bounds.at_most < asked {
            return Some(bounds.at_most);
        }
        // Only from here on the line becomes longer.
        let plies = plies.checked_sub(1)?;
        if seeds >= self.many_seeds {
            // A stable sort.
            children[..count].sort_by_cached_key(|&child| Reverse(self.prospects(child)));
        }
        for &child in &children[..count] {
            best = best.max(self.value_of(child, asked, plies)?);
            if best >= asked {
                break;
            }
        }
        if best >= asked {
            bounds.at_least = bounds.at_least.max(best);
        } else {
            bounds.at_most = bounds.at_most.min(best);
        }
        self.known.put(line, houses, seeds, bounds, self.budget.nodes() - nodes + 1);
        Some(best)
    }

    /// The same as [`ask`](ValueSearch::ask) for a move, in the view of the player who makes it.
    pub(super) fn ask_of_move(&mut self, child: Child, asked: i16) -> Option<i16> {
        match self.at_once(child, asked) {
            Some(value) => Some(value),
            None => self.value_of(child, asked, MOST_PLIES),
        }
    }

    fn value_of(&mut self, child: Child, asked: i16, plies: u32) -> Option<i16> {
        if child.extra_turn {
            Some(child.gain + self.ask(child.board, asked - child.gain, plies)?)
        } else {
            Some(child.gain - self.ask(child.board.flipped(), child.gain - asked + 1, plies)?)
        }
    }

    /// The answer, if no search is needed.
    #[inline]
    fn at_once(&self, child: Child, asked: i16) -> Option<i16> {
        let Child { board, gain, left, extra_turn } = child;
        let [own, opponent] = board.houses();
        if own == 0 || opponent == 0 {
            return Some(gain + over(board));
        }
        if gain - left >= asked {
            return Some(gain - left);
        }
        if gain + left < asked {
            return Some(gain + left);
        }
        if extra_turn {
            self.endgames.value(own, opponent).map(|value| gain + value)
        } else {
            self.endgames.value(opponent, own).map(|value| gain - value)
        }
    }
}

/// Seeds in the houses of both sides.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 240")]
pub(super) const fn in_play(board: Board) -> i16 {
    let [own, opponent] = board.houses();
    (seeds_of(own) + seeds_of(opponent)) as i16
}

/// The margin of the seeds that both players take at the end of the game.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 240")]
pub(super) const fn over(board: Board) -> i16 {
    let [own, opponent] = board.houses();
    seeds_of(own) as i16 - seeds_of(opponent) as i16
}
