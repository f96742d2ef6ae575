//! The values of all positions with few seeds in the houses, a byte each.

use std::sync::atomic::{AtomicI8, Ordering};
use std::sync::{Mutex, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

use crate::rules::Ruleset;

use super::filling::fill;
use super::hints::prefer_large_pages;
use super::refusal::refuse_too_much;
use super::row_moves::{Rows, room};
use super::rows::{number_of, rows_with, seeds_of};

/// Most seeds in the houses of both sides that a table may be made for: 1.3 GB.
pub(super) const MOST_SEEDS: usize = 24;

/// After how many searched positions a table up to how many seeds pays: making it takes about as long
/// as the search took until then, and saves more.
pub(super) const WORTH: [(u64, usize); 7] = [
    (0, 8),
    (100_000, 12),
    (400_000, 14),
    (1_000_000, 16),
    (2_500_000, 18),
    (15_000_000, 20),
    (30_000_000, 22),
];

/// The seeds of [`WORTH`] after `nodes` positions.
pub(super) fn worth(nodes: u64) -> usize {
    let worth = WORTH.iter().filter(|&&(least, _)| least <= nodes).map(|&(_, seeds)| seeds);
    worth.max().unwrap_or(0)
}

const LENGTH: usize = MOST_SEEDS + 1;

/// The pause between two checks whether another thread has made the table.
const WAIT: Duration = Duration::from_millis(1);

/// The value of every position with few seeds in the houses, for one set of rules. Several threads
/// may use it at once, even while one of them makes it larger.
pub(super) struct Endgames {
    rules: Ruleset,
    /// By the seeds in the houses of both sides; filled from 0 without gaps.
    levels: [OnceLock<EndgameLevel>; LENGTH],
    /// Held by the thread that makes the table larger.
    growing: Mutex<()>,
}

/// The values of all positions with one number of seeds. Atomic, for several threads write them.
pub(super) type EndgameLevel = Vec<AtomicI8>;

/// `BLOCKS[own][opponent]`: the index in a level of the first position with these seeds on either
/// side. Positions with fewer seeds on the mover's side come first.
static BLOCKS: [[u32; LENGTH]; LENGTH] = {
    let mut blocks = [[0; LENGTH]; LENGTH];
    let mut seeds = 0;
    while seeds <= MOST_SEEDS {
        let mut next = 0;
        let mut own = 0;
        while own <= seeds {
            blocks[own][seeds - own] = next;
            next += rows_with(own) * rows_with(seeds - own);
            own += 1;
        }
        seeds += 1;
    }
    blocks
};

/// How many rows have each number of seeds.
pub(super) static ROWS: [u32; LENGTH] = {
    let mut rows = [0; LENGTH];
    let mut seeds = 0;
    while seeds < LENGTH {
        rows[seeds] = rows_with(seeds);
        seeds += 1;
    }
    rows
};

/// The index in its level of the first position with these seeds on either side.
#[inline]
pub(super) fn block(own_seeds: usize, opponent_seeds: usize) -> usize {
    BLOCKS[own_seeds][opponent_seeds] as usize
}

/// The index of a position in its level, by the seeds and the numbers of both rows.
#[inline]
fn index(own_seeds: usize, own: u32, opponent_seeds: usize, opponent: u32) -> usize {
    (BLOCKS[own_seeds][opponent_seeds] + own * ROWS[opponent_seeds] + opponent) as usize
}

/// The number of positions with at most `seeds` seeds in the houses; `seeds` is at most
/// [`MOST_SEEDS`].
pub(super) const fn positions(seeds: usize) -> usize {
    // Stars and bars: `seeds` and twelve bars in any order, the last part being left out.
    let mut count = 1;
    let mut bar = 1;
    while bar <= 12 {
        count = count * (seeds + bar) / bar;
        bar += 1;
    }
    count
}

/// Memory in bytes of a table up to `seeds` seeds, while it is made.
pub fn memory_of_endgames(seeds: usize) -> usize {
    positions(seeds) + room(seeds)
}

impl Endgames {
    /// A table of the one position without seeds.
    pub(super) fn new(rules: &Ruleset) -> Endgames {
        let levels = [const { OnceLock::new() }; LENGTH];
        let _ = levels[0].set(vec![AtomicI8::new(0)]);
        Endgames { rules: *rules, levels, growing: Mutex::new(()) }
    }

    /// Enlarges the table up to `seeds` seeds, or as far as there is memory, on `threads` threads, this
    /// one included. Stops early when `stop` returns true, and does nothing if play can come back to
    /// a position. If another thread is enlarging it, waits for that.
    pub(super) fn grow(&self, seeds: usize, threads: usize, stop: &mut dyn FnMut() -> bool) {
        let _growing = loop {
            match self.growing.try_lock() {
                Ok(lock) => break lock,
                Err(TryLockError::Poisoned(lock)) => break lock.into_inner(),
                Err(TryLockError::WouldBlock) if self.seeds() >= seeds || stop() => return,
                Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
            }
        };
        let before = self.seeds();
        let has_room = |&seeds: &usize| {
            refuse_too_much(positions(seeds) - positions(before) + room(seeds)).is_ok()
        };
        let Some(seeds) = (before + 1..=seeds.min(MOST_SEEDS)).rev().find(has_room) else { return };
        let rows = (0..=seeds).map(|seeds| Rows::new(&self.rules, seeds));
        let Some(rows) = rows.collect::<Option<Vec<Rows>>>() else { return };
        for total in before + 1..=seeds {
            let mut level = EndgameLevel::new();
            let count = positions(total) - positions(total - 1);
            level.reserve_exact(count);
            prefer_large_pages(&level);
            level.resize_with(count, AtomicI8::default);
            let mut levels: Vec<&[AtomicI8]> =
                self.levels.iter().map_while(OnceLock::get).map(Vec::as_slice).collect();
            levels.push(&level);
            if !fill(&levels, &rows, self.rules.empty_capture, threads, stop) {
                return;
            }
            let _ = self.levels[total].set(level);
        }
    }

    /// The most seeds of a position in the table.
    pub(super) fn seeds(&self) -> usize {
        self.levels.iter().take_while(|level| level.get().is_some()).count() - 1
    }

    /// The value of the position with these houses; `None` if it has too many seeds.
    #[inline]
    pub(super) fn value(&self, own: u64, opponent: u64) -> Option<i16> {
        let (own_seeds, opponent_seeds) = (seeds_of(own), seeds_of(opponent));
        let level = self.levels.get(own_seeds + opponent_seeds)?.get()?;
        let index = index(own_seeds, number_of(own), opponent_seeds, number_of(opponent));
        level.get(index).map(|value| i16::from(value.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::filling::FEWEST_SEEDS_TO_SHARE;
    use super::super::refuse_cycles;
    use super::super::testing::{BruteForce, TestNumbers, all_rules, solvable_rules};
    use super::*;
    use crate::rules::{Board, RulesetName, Sower};

    fn table(rules: &Ruleset, seeds: usize) -> Endgames {
        let endgames = Endgames::new(rules);
        endgames.grow(seeds, 1, &mut || false);
        endgames
    }

    fn values(endgames: &Endgames) -> Vec<i8> {
        let levels = endgames.levels.iter().filter_map(OnceLock::get);
        levels.flatten().map(|value| value.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn a_table_made_by_several_threads_is_the_same() {
        let seeds = FEWEST_SEEDS_TO_SHARE;
        for rules in [RulesetName::Learneroo, RulesetName::Kalah].map(RulesetName::rules) {
            let endgames = Endgames::new(&rules);
            endgames.grow(seeds, 3, &mut || false);
            assert_eq!(endgames.seeds(), seeds);
            assert!(values(&endgames) == values(&table(&rules, seeds)));
        }
    }

    #[test]
    fn every_position_has_a_place_of_its_own() {
        for total in 1..=6 {
            let mut places = vec![0; positions(total) - positions(total - 1)];
            let mut count = 0;
            for own_seeds in 0..=total {
                let opponent_seeds = total - own_seeds;
                for own in 0..rows_with(own_seeds) {
                    for opponent in 0..rows_with(opponent_seeds) {
                        places[index(own_seeds, own, opponent_seeds, opponent)] += 1;
                        count += 1;
                    }
                }
            }
            assert_eq!(count, places.len());
            assert!(places.iter().all(|&times| times == 1));
        }
        // Stars and bars.
        assert_eq!((positions(14), positions(18)), (9_657_700, 86_493_225));
    }

    #[test]
    fn values_are_those_of_brute_force() {
        let mut numbers = TestNumbers(1);
        for rules in solvable_rules() {
            let endgames = table(&rules, 8);
            let mut brute = BruteForce::new(rules);
            for _ in 0..15_000 {
                let seeds = 2 + numbers.below(7);
                let board = numbers.position(seeds);
                let [own, opponent] = board.houses();
                assert_eq!(endgames.value(own, opponent), Some(brute.value(board)), "{board:?}");
            }
        }
    }

    #[test]
    fn a_table_that_grows_is_one_that_was_made_at_once() {
        let rules = Ruleset::default();
        let endgames = table(&rules, 3);
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            calls > 12
        };
        endgames.grow(7, 1, &mut stop);
        assert_eq!(endgames.seeds(), 4, "stopped in the middle of five seeds");
        endgames.grow(7, 1, &mut || false);
        assert_eq!(values(&endgames), values(&table(&rules, 7)));
        assert_eq!(endgames.value(0x0303_0303_0303, 0x0303_0303_0303), None);
    }

    #[test]
    fn no_table_is_made_for_rules_that_can_cycle() {
        for rules in all_rules() {
            let refused = refuse_cycles(&rules).is_err();
            assert_eq!(table(&rules, 5).seeds() == 0, refused, "{rules:?}");
        }
    }

    #[test]
    fn sowing_around_the_board_is_in_the_table() {
        let seeds = 14;
        for rules in solvable_rules() {
            let (endgames, sower) = (Endgames::new(&rules), Sower::new(&rules));
            endgames.grow(seeds, 2, &mut || false);
            let value = |board: Board| {
                let [own, opponent] = board.houses();
                endgames.value(own, opponent).unwrap()
            };
            for (house, other) in (0..6).flat_map(|house| (7..13).map(move |other| (house, other)))
            {
                for many in 11..=13 {
                    let mut cells = [0; 14];
                    cells[house] = many;
                    cells[other] = 14 - many;
                    let board = Board::from_cells(cells).unwrap();
                    let values = sower.legal(board).map(|ply| {
                        let sown = sower.sow(board, ply);
                        let after = value(sown.next().without_stores());
                        let gain =
                            i16::from(sown.board.store()) - i16::from(sown.board.opponent_store());
                        gain + if sown.extra_turn { after } else { -after }
                    });
                    assert_eq!(values.max(), Some(value(board)), "{rules:?} {board:?}");
                }
            }
        }
    }

    #[test]
    fn several_threads_use_a_table_while_it_grows() {
        let rules = Ruleset::default();
        let endgames = Endgames::new(&rules);
        let until = |seeds| while endgames.seeds() < seeds {};
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| endgames.grow(9, 2, &mut || false));
            }
            until(6);
            assert_eq!(
                endgames.value(0x01_0000_0000, 0x01),
                table(&rules, 2).value(0x01_0000_0000, 0x01)
            );
        });
        assert_eq!(endgames.seeds(), 9);
        assert!(values(&endgames) == values(&table(&rules, 9)));
    }

    #[test]
    fn whoever_waits_for_a_table_stops_in_time() {
        let endgames = Endgames::new(&Ruleset::default());
        let _growing = endgames.growing.lock();
        let mut calls = 0;
        endgames.grow(9, 1, &mut || {
            calls += 1;
            calls > 3
        });
        assert_eq!((endgames.seeds(), calls), (0, 4));
    }
}
