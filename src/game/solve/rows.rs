//! The rows of six houses with a given number of seeds: their numbers, and an order in which every
//! row comes after the rows that a move within it leads to.

use crate::rules::{Board, Ruleset, Sower};

/// Most seeds of a row that has a number.
pub(super) const MOST_SEEDS: usize = 31;

/// `STEPS[i][n]` is the binomial coefficient of `n + i` over `i + 1`.
static STEPS: [[u32; MOST_SEEDS + 1]; 5] = {
    let mut steps = [[0; MOST_SEEDS + 1]; 5];
    let mut house = 0;
    while house < 5 {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            let above = if house == 0 { 1 } else { steps[house - 1][seeds] };
            steps[house][seeds] = steps[house][seeds - 1] + above;
            seeds += 1;
        }
        house += 1;
    }
    steps
};

/// The number of rows with `seeds` seeds.
#[expect(clippy::cast_possible_truncation, reason = "at most 31 seeds")]
pub(super) const fn rows_with(seeds: usize) -> u32 {
    // Stars and bars: `seeds` and five bars in any order.
    let mut count = 1;
    let mut bar = 1;
    while bar <= 5 {
        count = count * (seeds as u32 + bar) / bar;
        bar += 1;
    }
    count
}

/// The seeds of a row of at most 255.
#[inline]
pub(super) const fn seeds_of(row: u64) -> usize {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
}

/// The number of a row among all with as many seeds, at most [`MOST_SEEDS`]: from 0 without gaps.
#[inline]
pub(super) fn number_of(row: u64) -> u32 {
    // Byte `i` of this is the seeds of the houses 0 to `i`.
    let sums = row.wrapping_mul(0x0101_0101_0101_0101);
    let sums = sums.to_le_bytes().map(usize::from);
    let step = |house: usize| STEPS[house][sums[house] & MOST_SEEDS];
    step(0) + step(1) + step(2) + step(3) + step(4)
}

/// All rows with `seeds` seeds, at most [`MOST_SEEDS`], by their numbers.
fn rows(seeds: usize) -> Vec<u64> {
    let mut rows = Vec::with_capacity(rows_with(seeds) as usize);
    fill(&mut rows, seeds as u64, 5, 0);
    rows.sort_unstable_by_key(|&row| number_of(row));
    rows
}

fn fill(rows: &mut Vec<u64>, seeds: u64, house: u32, row: u64) {
    if house == 0 {
        rows.push(row | seeds);
        return;
    }
    for here in 0..=seeds {
        fill(rows, seeds - here, house - 1, row | here << (8 * house));
    }
}

/// All rows with `seeds` seeds in an order for filling: if a move leaves all seeds in its row, the row
/// after it comes first. `None` if such moves can lead back to a row.
pub(super) fn ordered(rules: &Ruleset, seeds: usize) -> Option<Vec<u64>> {
    let rows = rows(seeds);
    let mut walk = Walk {
        sower: Sower::new(rules),
        states: vec![VisitState::Unseen; rows.len()],
        order: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        walk.visit(row)?;
    }
    Some(walk.order)
}

struct Walk {
    sower: Sower,
    /// By the numbers of rows.
    states: Vec<VisitState>,
    order: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Unseen,
    /// On the way to the row that is being visited.
    Open,
    Done,
}

impl Walk {
    fn visit(&mut self, row: u64) -> Option<()> {
        let number = number_of(row) as usize;
        match self.states[number] {
            VisitState::Unseen => {}
            VisitState::Open => return None,
            VisitState::Done => return Some(()),
        }
        self.states[number] = VisitState::Open;
        // The other side is empty, which allows the most moves within the row.
        let board = Board::from_houses([row, 0])?;
        for ply in self.sower.legal(board) {
            let next = self.sower.sow(board, ply).board;
            let [own, _] = next.houses();
            if seeds_of(own) == seeds_of(row) {
                self.visit(own)?;
            }
        }
        self.states[number] = VisitState::Done;
        self.order.push(row);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::rules::{DirectionRule, OpponentStore, RulesetName};

    #[test]
    fn rows_are_numbered_without_gaps() {
        for seeds in 0..=12 {
            let numbers: Vec<u32> = rows(seeds).into_iter().map(number_of).collect();
            assert_eq!(numbers, (0..rows_with(seeds)).collect::<Vec<_>>());
            assert!(rows(seeds).into_iter().all(|row| seeds_of(row) == seeds));
        }
        assert_eq!(number_of(0x1f), rows_with(31) - 1);
    }

    /// Whether moves within rows lead from this one back to a row that led to it.
    fn comes_back(sower: Sower, row: u64, done: &mut HashMap<u64, bool>) -> bool {
        if let Some(&is_done) = done.get(&row) {
            return !is_done;
        }
        done.insert(row, false);
        let board = Board::from_houses([row, 0]).unwrap();
        for ply in sower.legal(board) {
            let [next, _] = sower.sow(board, ply).board.houses();
            if seeds_of(next) == seeds_of(row) && comes_back(sower, next, done) {
                return true;
            }
        }
        done.insert(row, true);
        false
    }

    #[test]
    fn no_row_with_at_most_five_seeds_a_house_comes_back_with_empty_capture() {
        // `refuse_cycles` explains why this is enough for rows with any number of seeds.
        let rules = Ruleset {
            direction: DirectionRule::Either,
            opponent_store: OpponentStore::Sow,
            empty_capture: true,
            ..RulesetName::Mancala5000.rules()
        };
        let rows = (0..6_u64.pow(6)).map(|number| {
            (0..6).fold(0, |row, house| (row << 8) | (number / 6_u64.pow(house) % 6))
        });
        let mut done = HashMap::new();
        for row in rows.clone() {
            assert!(!comes_back(Sower::new(&rules), row, &mut done), "{row:012x}");
        }
        let without = Sower::new(&Ruleset { empty_capture: false, ..rules });
        assert!(rows.clone().any(|row| comes_back(without, row, &mut HashMap::new())));
    }
}
