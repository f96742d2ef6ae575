//! Positions that a trial may begin from.

use crate::rules::{Board, CELLS, Opening, RandomOpenings, Ruleset};

/// Odd positions in which the rulesets differ, with houses of 13 seeds and more, where sowing is easily
/// wrong: a whole lap of 13 and of 14 in both rows, and two laps.
pub(super) const LAPS: [[u8; CELLS]; 3] = [
    [13, 0, 1, 0, 2, 1, 0, 0, 1, 0, 1, 13, 0, 0],
    [0, 0, 14, 0, 0, 1, 0, 1, 0, 0, 14, 0, 0, 0],
    [1, 0, 0, 27, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0],
];

/// Odd positions that are the same in every ruleset but for its number of seeds. They are near the end:
/// one legal house, and next to no seeds left.
pub(super) const SCARCE: [[u8; CELLS]; 6] = [
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    [0, 2, 0, 0, 0, 0, 0, 3, 1, 4, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0],
    [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 0, 0, 4, 0],
];

/// Positions that no game from a usual opening reaches: the fullest board, and houses of more
/// seeds than a signed byte holds.
const OVERFULL: [[u8; CELLS]; 2] = [
    [20, 20, 20, 20, 20, 20, 0, 20, 20, 20, 20, 20, 20, 0],
    [0, 1, 0, 0, 0, 130, 0, 1, 0, 0, 0, 108, 0, 0],
];

/// These positions with the rest of the ruleset's seeds in the stores; without those that have too many.
pub(super) fn filled_up(positions: &[[u8; CELLS]], rules: &Ruleset) -> Vec<Opening> {
    let seeds = 12 * rules.seeds.get();
    let filled = positions.iter().filter_map(|&(mut cells)| {
        let left = seeds.checked_sub(cells.iter().sum())?;
        (cells[6], cells[13]) = (left / 2, left - left / 2);
        opening(cells)
    });
    filled.collect()
}

/// Positions with more seeds than `rules` have; only a match with another opening has them.
pub(super) fn overfull(rules: &Ruleset) -> Vec<Opening> {
    let seeds = 12 * u32::from(rules.seeds.get());
    let is_beyond = |cells: &[u8; CELLS]| cells.iter().copied().map(u32::from).sum::<u32>() > seeds;
    OVERFULL.into_iter().filter(is_beyond).filter_map(opening).collect()
}

fn opening(cells: [u8; CELLS]) -> Option<Opening> {
    Opening::new(Board::from_cells(cells).ok()?).ok()
}

/// A random opening of `rules` after `moves` moves, or fewer where a game ends before. The same
/// seed gives the same position.
pub(super) fn reached(rules: &Ruleset, moves: u32, seed: u64) -> Opening {
    let drawn = |moves| RandomOpenings::new(rules, moves, seed).next();
    (0..=moves).rev().find_map(drawn).unwrap_or_else(|| Opening::standard(rules))
}

/// The only house of each side that has a seed, each in its owner's view. No two numberings of
/// houses give the same answers to all six.
pub(super) const ONE_HOUSE: [(u8, u8); 6] = [(0, 3), (1, 5), (2, 0), (3, 1), (4, 2), (5, 4)];

/// The positions in which each side has one house with seeds, in the order of [`ONE_HOUSE`].
pub(super) fn one_house(rules: &Ruleset) -> Vec<Opening> {
    let positions = ONE_HOUSE.map(|(own, opponents)| {
        let mut cells = [0; CELLS];
        cells[usize::from(own)] = 2;
        cells[usize::from(7 + opponents)] = 2;
        cells
    });
    filled_up(&positions, rules)
}

/// Positions in which an answer of 0, 1 or 2 is a place in "legal" and no house with seeds: a bot has
/// only houses 3, 4 and 5, with one, two and three seeds in each order once.
pub(super) const THREE_HOUSES: [[u8; CELLS]; 6] = [
    [0, 0, 0, 3, 2, 1, 0, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 3, 2, 0, 0, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 2, 1, 3, 0, 0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 2, 3, 1, 0, 0, 0, 0, 1, 0, 0, 0],
    [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0],
    [0, 0, 0, 3, 1, 2, 0, 0, 0, 0, 0, 0, 1, 0],
];

/// Positions with empty stores. On both sides another house is the fullest in each of them, and
/// another one the emptiest. A bot that takes a store for a house, which has the most seeds in the
/// other positions, has no reason here to answer the same to all of them.
pub(super) fn empty_stores(rules: &Ruleset) -> Vec<Opening> {
    let position = |fullest: usize| {
        let mut cells = [rules.seeds.get(); CELLS];
        (cells[6], cells[13]) = (0, 0);
        for (row, house) in [(0, fullest), (7, 5 - fullest)] {
            cells[row + house] += 1;
            cells[row + (house + 1) % 6] -= 1;
        }
        opening(cells)
    };
    (0..6).filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::{RulesetName, SeedsAHouse, Sower};

    #[test]
    fn positions_have_as_many_seeds_as_the_rules() {
        for name in RulesetName::ALL {
            let rules = name.rules();
            let (three, stores) = (filled_up(&THREE_HOUSES, &rules), empty_stores(&rules));
            let one_legal = [filled_up(&SCARCE, &rules), one_house(&rules)].concat();
            let laps = filled_up(&LAPS, &rules);
            assert_eq!((one_legal.len(), laps.len()), (12, 3), "{name}");
            assert_eq!((three.len(), stores.len(), overfull(&rules).len()), (6, 6, 2), "{name}");
            for opening in [&one_legal[..], &laps, &three, &stores].concat() {
                assert_eq!(opening.board().seeds(), 12 * rules.seeds.get(), "{name}: {opening:?}");
            }
            let legal = |opening: &Opening| -> BTreeSet<u8> {
                let plies = Sower::new(&rules).legal(opening.board());
                plies.map(|ply| ply.house.cell()).collect()
            };
            assert!(one_legal.iter().all(|opening| legal(opening).len() == 1), "{name}");
            assert!(three.iter().all(|it| legal(it) == BTreeSet::from([3, 4, 5])), "{name}");
            let fullest = |cells: &[u8]| cells.iter().position(|it| cells.iter().all(|o| o <= it));
            for (house, opening) in stores.iter().enumerate() {
                let cells = opening.board().cells();
                assert_eq!(fullest(&cells[..6]), Some(house), "{name}");
                assert_eq!(fullest(&cells[7..13]), Some(5 - house), "{name}");
            }
        }
        let rules = |seeds| Ruleset {
            seeds: SeedsAHouse::new(seeds).unwrap(),
            ..RulesetName::Kalah.rules()
        };
        let count = |positions, seeds| filled_up(positions, &rules(seeds)).len();
        assert_eq!([count(&LAPS, 1), count(&SCARCE, 1), count(&LAPS, 20)], [0, 6, 3]);
        assert_eq!(overfull(&rules(20)).len(), 0);
    }

    #[test]
    fn a_seed_reaches_the_same_position_and_others_reach_others() {
        let rules = RulesetName::Cs221.rules();
        assert_eq!(reached(&rules, 9, 1), reached(&rules, 9, 1));
        assert_ne!(reached(&rules, 9, 1), reached(&rules, 9, 2));
        assert_eq!(reached(&rules, 0, 1), Opening::standard(&rules));
        // Twelve seeds do not last for 40 moves.
        let one = Ruleset { seeds: SeedsAHouse::new(1).unwrap(), ..RulesetName::Ece1021.rules() };
        assert!(!reached(&one, 40, 1).board().is_over());
    }
}
