//! Which move to look at first: the sooner the best one is seen, the less is left to search.

use crate::rules::{Board, Direction, House, Ply, Sower, Sown};

/// Six houses, two directions.
const MOST_MOVES: usize = 12;

const REMEMBERED: u16 = 1 << 13;
const EXTRA_TURN: u16 = 1 << 12;

/// A legal move, already made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) ply: Ply,
    pub(super) sown: Sown,
    rank: u16,
}

impl Candidate {
    pub(super) fn new(sower: Sower, board: Board, ply: Ply) -> Candidate {
        let sown = sower.sow(board, ply);
        Candidate { ply, sown, rank: rank(ply, sown) }
    }
}

/// The legal moves of a position, the most promising first: the one remembered from an earlier
/// search, extra turns, the largest capture, the house nearest to the own store.
#[derive(Debug)]
pub(super) struct Candidates {
    moves: [Candidate; MOST_MOVES],
    next: usize,
    end: usize,
}

impl Candidates {
    pub(super) fn new(sower: Sower, board: Board, remembered: Option<Ply>) -> Candidates {
        let filler = Candidate {
            ply: Ply { house: House::ALL[0], direction: Direction::Forward },
            sown: Sown { board, captured: 0, extra_turn: false },
            rank: 0,
        };
        let mut moves = [filler; MOST_MOVES];
        let mut end = 0;
        for (slot, ply) in moves.iter_mut().zip(sower.legal(board)) {
            *slot = Candidate::new(sower, board, ply);
            if Some(ply) == remembered {
                slot.rank |= REMEMBERED;
            }
            end += 1;
        }
        Candidates { moves, next: 0, end }
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    // Picks instead of sorting: mostly the first few are all that is wanted.
    fn next(&mut self) -> Option<Candidate> {
        let left = &mut self.moves[self.next..self.end];
        let mut best = *left.first()?;
        for slot in &mut left[1..] {
            if slot.rank > best.rank {
                std::mem::swap(slot, &mut best);
            }
        }
        self.next += 1;
        Some(best)
    }
}

fn rank(ply: Ply, sown: Sown) -> u16 {
    // At most 240 seeds times 8 and house 5: less than an extra turn.
    let rank = u16::from(sown.captured) * 8 + u16::from(ply.house.cell());
    if sown.extra_turn { rank | EXTRA_TURN } else { rank }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{DirectionRule, Ruleset};

    fn cells_in_order(board: Board, remembered: Option<Ply>) -> Vec<u8> {
        Candidates::new(Sower::new(&Ruleset::default()), board, remembered)
            .map(|candidate| candidate.ply.house.cell())
            .collect()
    }

    #[test]
    fn the_remembered_move_then_extra_turns_then_captures_come_first() {
        // Cell 3 earns an extra turn, cell 0 captures 5, cell 2 ends in an own house.
        let board = Board::from_cells([1, 0, 2, 3, 3, 3, 0, 1, 1, 1, 1, 4, 1, 0]).unwrap();
        assert_eq!(cells_in_order(board, None), [3, 0, 5, 4, 2]);
        let remembered = Ply { house: House::ALL[2], direction: Direction::Forward };
        assert_eq!(cells_in_order(board, Some(remembered)), [2, 3, 0, 5, 4]);
    }

    #[test]
    fn there_are_at_most_twelve() {
        let rules = Ruleset { direction: DirectionRule::Either, ..Ruleset::default() };
        let board = Board::from_cells([9; 14]).unwrap();
        assert_eq!(Candidates::new(Sower::new(&rules), board, None).count(), MOST_MOVES);
    }
}
