//! Positions to ask a bot: odd ones, and such as come up in games.

use std::time::Duration;

use crate::engine::{Level, Player};
use crate::rules::{Board, CELLS, Opening, Ruleset, Sower};

/// Positions with more seeds in a house than a lap takes, where sowing is easily wrong: a whole
/// lap of 13 and of 14, several laps, numbers of three digits, the fullest board.
const LAPS: [[u8; CELLS]; 3] = [
    [13, 0, 14, 0, 30, 1, 5, 0, 28, 0, 1, 13, 0, 2],
    [0, 0, 0, 0, 0, 120, 0, 1, 0, 0, 0, 119, 0, 0],
    [20, 20, 20, 20, 20, 20, 0, 20, 20, 20, 20, 20, 20, 0],
];

/// Positions near the end: one house that may be played, next to nothing left.
const SCARCE: [[u8; CELLS]; 6] = [
    [1, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 1, 12],
    [0, 2, 0, 0, 0, 0, 4, 3, 1, 4, 1, 5, 9, 2],
    [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 15, 0, 0, 8, 1, 0, 0, 0, 0, 2, 8],
    [0, 0, 0, 0, 1, 0, 16, 0, 0, 0, 0, 1, 0, 18],
    [0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7],
];

/// Odd positions that are the same in every ruleset.
pub(super) fn scarce() -> impl Iterator<Item = Opening> {
    openings(&SCARCE)
}

/// Odd positions in which the rulesets differ.
pub(super) fn laps() -> impl Iterator<Item = Opening> {
    openings(&LAPS)
}

fn openings(all: &[[u8; CELLS]]) -> impl Iterator<Item = Opening> {
    all.iter().filter_map(|&cells| Opening::new(Board::from_cells(cells).ok()?).ok())
}

/// The position after so many random moves of a game, in the view of whom it is to move, or the
/// last one before the game was over. The same seed gives the same position.
pub(super) fn reached(rules: &Ruleset, moves: u32, seed: u64) -> Opening {
    let sower = Sower::new(rules);
    let mut player = Player::new(Level::Random, rules, seed);
    let mut opening = Opening::standard(rules);
    for _ in 0..moves {
        let Some(choice) = player.choose(opening.board(), Duration::ZERO) else { break };
        let Ok(next) = Opening::new(sower.sow(opening.board(), choice.ply).next()) else { break };
        opening = next;
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesetName;

    #[test]
    fn every_odd_position_is_one_to_begin_from() {
        assert_eq!(scarce().count(), SCARCE.len());
        assert_eq!(laps().count(), LAPS.len());
        let one_house =
            |opening: &Opening| Sower::new(&Ruleset::default()).legal(opening.board()).count() == 1;
        assert!(scarce().all(|opening| one_house(&opening)));
    }

    #[test]
    fn a_seed_reaches_the_same_position_and_others_reach_others() {
        let rules = RulesetName::Cs221.rules();
        assert_eq!(reached(&rules, 9, 1), reached(&rules, 9, 1));
        assert_ne!(reached(&rules, 9, 1), reached(&rules, 9, 2));
        assert_eq!(reached(&rules, 0, 1), Opening::standard(&rules));
        let late = reached(&rules, 10_000, 1);
        assert!(!late.board().is_over());
    }
}
