//! What a position is worth to the player to move.

use std::ops::{Add, Neg, Sub};

use crate::rules::{Board, DirectionRule, House, Ruleset};

/// A margin of the player to move over its opponent, in half seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(i16);

impl Value {
    /// More than any margin on a board.
    pub(super) const MAX: Value = Value(i16::MAX);

    pub(super) const fn from_seeds(seeds: i16) -> Value {
        Value(2 * seeds)
    }

    /// Whole seeds, rounded towards a draw.
    pub(super) const fn seeds(self) -> i16 {
        self.0 / 2
    }

    pub(super) const fn from_half_seeds(half_seeds: i16) -> Value {
        Value(half_seeds)
    }

    pub(super) const fn half_seeds(self) -> i16 {
        self.0
    }

    /// The least value above this one.
    pub(super) const fn next_up(self) -> Value {
        Value(self.0 + 1)
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add for Value {
    type Output = Value;

    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl Sub for Value {
    type Output = Value;

    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

/// The margin of the stores as they stand.
pub(super) fn margin(board: Board) -> Value {
    Value::from_seeds(i16::from(board.store()) - i16::from(board.opponent_store()))
}

/// Seeds in the houses of both sides.
pub(super) fn seeds_in_play(board: Board) -> Value {
    Value::from_seeds(
        i16::from(board.seeds()) - i16::from(board.store()) - i16::from(board.opponent_store()),
    )
}

/// Guesses the final margin of a game that is not over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    seed_in_a_house: Value,
}

impl Estimate {
    /// The estimate for these rules.
    ///
    /// Sowing backward, a seed mostly stays on its side until the end and is worth half of one in
    /// the store. Where seeds can be sown forward they soon leave the houses again, and a guess
    /// that counts them plays worse the more seeds there are.
    pub(super) const fn new(rules: &Ruleset) -> Estimate {
        let half_seeds = match rules.direction {
            DirectionRule::Forward | DirectionRule::Either => 0,
            DirectionRule::Backward => 1,
        };
        Estimate { seed_in_a_house: Value::from_half_seeds(half_seeds) }
    }

    pub(super) fn of(self, board: Board) -> Value {
        let weight = self.seed_in_a_house.half_seeds();
        if weight == 0 {
            return margin(board);
        }
        let opponent = board.flipped();
        let lead: i16 = House::ALL
            .into_iter()
            .map(|house| i16::from(board.seeds_in(house)) - i16::from(opponent.seeds_in(house)))
            .sum();
        margin(board) + Value::from_half_seeds(weight * lead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesetName;

    #[test]
    fn seeds_in_houses_count_half_when_sown_backward_and_nothing_otherwise() {
        let board = Board::from_cells([5, 0, 0, 0, 0, 0, 10, 0, 2, 0, 0, 0, 0, 7]).unwrap();
        let value = |direction| {
            let rules = Ruleset { direction, ..RulesetName::Mancala5000.rules() };
            Estimate::new(&rules).of(board).half_seeds()
        };
        assert_eq!(value(DirectionRule::Forward), 6);
        assert_eq!(value(DirectionRule::Either), 6);
        assert_eq!(value(DirectionRule::Backward), 9);
    }

    #[test]
    fn a_value_is_told_in_whole_seeds_rounded_towards_a_draw() {
        for (half_seeds, seeds) in [(-480, -480 / 2), (-3, -1), (-1, 0), (1, 0), (4, 2)] {
            assert_eq!(Value::from_half_seeds(half_seeds).seeds(), seeds);
        }
    }

    #[test]
    fn the_largest_board_is_within_bounds() {
        let board = Board::from_cells([239, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        assert_eq!(seeds_in_play(board).seeds(), 240);
        assert_eq!(margin(board.swept()).seeds(), 238);
        assert!(margin(board) + seeds_in_play(board) < Value::MAX);
    }
}
