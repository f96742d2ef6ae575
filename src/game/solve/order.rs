//! Which move of a position is searched first. No value depends on it, only the time.

use crate::rules::{Board, House};

use super::search::{Child, Search, over};

/// Above the gain of any move.
const EXTRA_TURN: i16 = 512;

/// The own store, as a cell.
const STORE: u8 = 6;

/// Most extra turns in a row that are looked ahead in this turn, and in the turn after it.
const EXTRA_TURNS: u32 = 5;
const LATER_EXTRA_TURNS: u32 = 1;

/// Beside a table of endgames up to so many seeds, the moves of a position are ordered by their
/// prospects from this many seeds in the houses on. That takes as long as searching some ten
/// positions, of which such a one has hundreds below it: most of the time of a search is lost by
/// wrong first moves there.
pub(super) fn many_seeds(endgames: usize) -> i16 {
    i16::try_from(endgames + 10).unwrap_or(i16::MAX).max(28)
}

impl Search<'_> {
    /// Extra turns first, then what gains most: good enough for most positions, and costs nothing.
    #[inline]
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "the tests reverse the order"))]
    pub(super) const fn rank(&self, child: Child) -> i16 {
        let rank = if child.extra_turn { EXTRA_TURN } else { child.gain };
        #[cfg(test)]
        let rank = if self.worst_first { -rank } else { rank };
        rank
    }

    /// What the mover gains in this turn, above all; then what it would gain next if it were its
    /// turn again, few houses with seeds and few extra turns for the opponent.
    ///
    /// The weights took fewest positions over positions drawn from games of `kalah`, `ece1021` and
    /// `mancala5000`. What the opponent gains in its next turn is left out on purpose: with it a
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

    /// What a move gains with the best of the extra turns that follow it.
    fn turn_gain(&self, child: Child, extra_turns: u32) -> i16 {
        if child.board.is_over() {
            child.gain + over(child.board)
        } else if child.extra_turn && extra_turns > 0 {
            child.gain + self.best_gain(child.board, child.left, extra_turns - 1)
        } else {
            child.gain
        }
    }

    /// The most that a turn gains from this position, which is not over and has so many seeds.
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
