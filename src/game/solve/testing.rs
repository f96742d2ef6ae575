//! What the solver's tests share: random positions, and values found by brute force with an
//! implementation of the rules that has nothing in common with the one under test.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::rules::{Board, DirectionRule, OpponentStore, Ruleset, RulesetName};

use super::endgames::Endgames;
use super::refuse_cycles;

/// The table of endgames that all solvers for `rules` share if they are prepared up to `seeds`
/// seeds: making one takes seconds.
pub(super) fn shared_endgames(rules: &Ruleset, seeds: usize) -> Arc<Endgames> {
    type Tables = Mutex<Vec<((Ruleset, usize), Arc<Endgames>)>>;
    static TABLES: Tables = Mutex::new(Vec::new());
    let mut tables = TABLES.lock().expect("no test fails while it is locked");
    if let Some((_, endgames)) = tables.iter().find(|(key, _)| *key == (*rules, seeds)) {
        return Arc::clone(endgames);
    }
    let endgames = Arc::new(Endgames::new(rules));
    tables.push(((*rules, seeds), Arc::clone(&endgames)));
    endgames
}

/// Every combination of rules under which no position comes back.
pub(super) fn solvable_rules() -> Vec<Ruleset> {
    all_rules().into_iter().filter(|rules| refuse_cycles(rules).is_ok()).collect()
}

pub(super) fn all_rules() -> Vec<Ruleset> {
    let mut all = Vec::new();
    for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
        for opponent_store in [OpponentStore::Sow, OpponentStore::Skip] {
            for empty_capture in [true, false] {
                let rules = RulesetName::Mancala5000.rules();
                all.push(Ruleset { opponent_store, direction, empty_capture, ..rules });
            }
        }
    }
    all
}

/// Random numbers that are the same in every run (`SplitMix64`).
pub(super) struct TestNumbers(pub(super) u64);

impl TestNumbers {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }

    /// A position that is not over, with `seeds` seeds in the houses and empty stores.
    pub(super) fn position(&mut self, seeds: u64) -> Board {
        loop {
            let mut cells = [0; 14];
            for _ in 0..seeds {
                let house = usize::try_from(self.below(12)).unwrap();
                cells[house + usize::from(house > 5)] += 1;
            }
            let board = Board::from_cells(cells).unwrap();
            if !board.is_over() {
                return board;
            }
        }
    }
}

/// Plain minimax over cells, one seed at a time.
pub(super) struct BruteForce {
    rules: Ruleset,
    seen: HashMap<[u8; 14], i16>,
}

impl BruteForce {
    pub(super) fn new(rules: Ruleset) -> BruteForce {
        BruteForce { rules, seen: HashMap::new() }
    }

    pub(super) fn value(&mut self, board: Board) -> i16 {
        let mut cells = board.cells();
        cells[6] = 0;
        cells[13] = 0;
        self.of(cells)
    }

    fn of(&mut self, cells: [u8; 14]) -> i16 {
        let sum = |side: std::ops::Range<usize>| cells[side].iter().map(|&n| i16::from(n)).sum();
        let (own, opponent): (i16, i16) = (sum(0..6), sum(7..13));
        if own == 0 || opponent == 0 {
            return own - opponent;
        }
        if let Some(&value) = self.seen.get(&cells) {
            return value;
        }
        let ways: &[usize] = match self.rules.direction {
            DirectionRule::Forward => &[1],
            DirectionRule::Backward => &[13],
            DirectionRule::Either => &[1, 13],
        };
        let mut best = i16::MIN;
        for house in 0..6 {
            for &way in ways {
                if cells[house] > 0 {
                    best = best.max(self.after(cells, house, way));
                }
            }
        }
        self.seen.insert(cells, best);
        best
    }

    fn after(&mut self, mut cells: [u8; 14], house: usize, way: usize) -> i16 {
        let mut hand = std::mem::take(&mut cells[house]);
        let mut at = house;
        while hand > 0 {
            at = (at + way) % 14;
            if at == 13 && self.rules.opponent_store == OpponentStore::Skip {
                continue;
            }
            cells[at] += 1;
            hand -= 1;
        }
        if at < 6 && cells[at] == 1 && (cells[12 - at] > 0 || self.rules.empty_capture) {
            cells[6] += cells[12 - at] + 1;
            cells[12 - at] = 0;
            cells[at] = 0;
        }
        let gain = i16::from(cells[6]) - i16::from(cells[13]);
        cells[6] = 0;
        cells[13] = 0;
        if at == 6 {
            return gain + self.of(cells);
        }
        cells.rotate_left(7);
        gain - self.of(cells)
    }
}
