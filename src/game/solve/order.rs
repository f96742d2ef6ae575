//! The order in which the moves of a position are searched. It changes the time, never a value.

use crate::rules::{Board, House};

use super::search::{Child, ValueSearch, over};

/// Above the gain of any move.
const EXTRA_TURN: i16 = 512;

/// The cell of the own store.
const STORE: u8 = 6;

/// Most extra turns in a row that are looked at: in this turn, and in the turn after it.
const EXTRA_TURNS: u32 = 5;
const LATER_EXTRA_TURNS: u32 = 1;

/// With a table of endgames up to `endgames` seeds: from this number of seeds on, moves are ordered
/// by their prospects. That takes as long as searching ten positions. Such a position has hundreds
/// below it, and most time is lost there by searching a wrong move first.
pub(super) fn many_seeds(endgames: usize) -> i16 {
    i16::try_from(endgames + 10).unwrap_or(i16::MAX).max(28)
}

impl ValueSearch<'_> {
    /// Extra turns first, then the largest gain: good enough for most positions, and free.
    #[inline]
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "the tests reverse the order"))]
    pub(super) const fn rank(&self, child: Child) -> i16 {
        let rank = if child.extra_turn { EXTRA_TURN } else { child.gain };
        #[cfg(test)]
        let rank = if self.worst_first { -rank } else { rank };
        rank
    }

    /// Mostly what the mover gains in this turn; then what it would gain in another turn, few houses
    /// with seeds, and few extra turns for the opponent.
    ///
    /// With these weights, searches of positions from games of `kalah`, `ece1021` and `mancala5000`
    /// took the fewest nodes. What the opponent gains in its next turn does not count: with it a
    /// search takes several times as many.
    pub(super) fn prospects(&self, child: Child) -> i16 {
        let board = child.board;
        let mut prospects = 12 * self.turn_gain(child, EXTRA_TURNS);
        if !board.is_over() {
            prospects += self.best_gain(board, child.left, LATER_EXTRA_TURNS);
        }
        let opponent = board.flipped();
        for house in House::ALL {
            prospects -= i16::from(board.seeds_in(house) > 0);
            prospects -= i16::from(opponent.seeds_in(house) > 0);
        }
        for ply in self.sower.legal(opponent) {
            prospects -= 4 * i16::from(self.sower.last_cell(opponent, ply) == STORE);
        }
        #[cfg(test)]
        let prospects = if self.worst_first { -prospects } else { prospects };
        prospects
    }

    /// The gain of a move and of the best extra turns after it.
    fn turn_gain(&self, child: Child, extra_turns: u32) -> i16 {
        if child.board.is_over() {
            child.gain + over(child.board)
        } else if child.extra_turn && extra_turns > 0 {
            child.gain + self.best_gain(child.board, child.left, extra_turns - 1)
        } else {
            child.gain
        }
    }

    /// The most that a turn gains from `board`, which is not over and has `seeds` in its houses.
    fn best_gain(&self, board: Board, seeds: i16, extra_turns: u32) -> i16 {
        let moves = self.sower.legal(board);
        let gain = |ply| self.turn_gain(Child::new(self.sower.sow(board, ply), seeds), extra_turns);
        moves.map(gain).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::in_play;
    use super::super::solver::Solver;
    use super::*;
    use crate::rules::{Direction, Ply, Ruleset, Sower};

    #[test]
    fn a_turn_gains_what_its_extra_turns_gain_too() {
        let rules = Ruleset::default();
        let mut solver = Solver::new(&rules, 1 << 20).unwrap();
        let board = Board::from_cells([4, 0, 0, 0, 0, 1, 0, 2, 7, 0, 0, 0, 0, 0]).unwrap();
        let search = solver.search();
        let gain = |house: usize, extra_turns| {
            let ply = Ply { house: House::ALL[house], direction: Direction::Forward };
            let child = Child::new(Sower::new(&rules).sow(board, ply), in_play(board));
            search.turn_gain(child, extra_turns)
        };
        // House 0 captures seven seeds; house 5 brings an extra turn, in which house 0 does.
        assert_eq!((gain(0, 3), gain(5, 3), gain(5, 0)), (8, 9, 1));
        assert_eq!(search.best_gain(board, in_play(board), 3), 9);
    }
}
