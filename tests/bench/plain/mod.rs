//! A plain opponent: alpha-beta with a table of positions and iterative deepening, on fourteen
//! numbers, by its own implementation of the rules. It shares no code with the built-in players.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use mancala_referee::rules::{DirectionRule, OpponentStore, Ruleset};

/// Entries that its table is emptied at: some 100 MB.
const MOST_ENTRIES: usize = 2_000_000;

type Cells = [u8; 14];

/// What is known of a position: how deep it was looked into, and bounds of its value.
#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    at_least: i32,
    at_most: i32,
    best: usize,
}

/// Alpha-beta for rules that sow forward.
pub struct PlainAlphaBeta {
    is_sown: bool,
    empty_capture: bool,
    table: HashMap<Cells, Entry>,
    until: Instant,
    nodes: u64,
}

impl PlainAlphaBeta {
    pub fn new(rules: &Ruleset) -> PlainAlphaBeta {
        assert_eq!(rules.direction, DirectionRule::Forward);
        PlainAlphaBeta {
            is_sown: rules.opponent_store == OpponentStore::Sow,
            empty_capture: rules.empty_capture,
            table: HashMap::new(),
            until: Instant::now(),
            nodes: 0,
        }
    }

    /// The house it plays on a board that is not over, after this time.
    pub fn choose(&mut self, cells: Cells, time: Duration) -> usize {
        self.until = Instant::now() + time;
        let mut best = (0..6).find(|&house| cells[house] > 0).expect("the game is not over");
        for depth in 1..60 {
            if self.table.len() > MOST_ENTRIES {
                self.table.clear();
            }
            if self.search(cells, depth, -1000, 1000).is_none() {
                break;
            }
            best = self.table.get(&cells).map_or(best, |entry| entry.best);
        }
        best
    }

    /// The mover's margin, looked `depth` moves ahead; `None` when time is up.
    fn search(&mut self, cells: Cells, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && Instant::now() >= self.until {
            return None;
        }
        let sum = |cells: &[u8]| cells.iter().copied().map(i32::from).sum::<i32>();
        let margin = i32::from(cells[6]) - i32::from(cells[13]);
        let (own, opponent) = (sum(&cells[..6]), sum(&cells[7..13]));
        if own == 0 || opponent == 0 {
            return Some(margin + own - opponent);
        }
        if depth == 0 {
            return Some(margin);
        }
        let known = self.table.get(&cells).copied();
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            if entry.at_least >= beta || entry.at_least == entry.at_most {
                return Some(entry.at_least);
            }
            if entry.at_most <= alpha {
                return Some(entry.at_most);
            }
        }
        let from = alpha;
        let (mut value, mut best) = (i32::MIN, 0);
        let first = known.map(|entry| entry.best);
        let others = (0..6).rev().filter(|&house| Some(house) != first);
        for house in first.into_iter().chain(others) {
            if cells[house] == 0 {
                continue;
            }
            let (mut next, again) = self.play(cells, house);
            let found = if again {
                self.search(next, depth - 1, alpha, beta)?
            } else {
                next.rotate_left(7);
                -self.search(next, depth - 1, -beta, -alpha)?
            };
            if found > value {
                (value, best) = (found, house);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let at_least = if value > from { value } else { -1000 };
        let at_most = if value < beta { value } else { 1000 };
        self.table.insert(cells, Entry { depth, at_least, at_most, best });
        Some(value)
    }

    fn play(&self, mut cells: Cells, house: usize) -> (Cells, bool) {
        let mut hand = std::mem::take(&mut cells[house]);
        let mut at = house;
        while hand > 0 {
            at = (at + 1) % 14;
            if at != 13 || self.is_sown {
                cells[at] += 1;
                hand -= 1;
            }
        }
        if at < 6 && cells[at] == 1 && (cells[12 - at] > 0 || self.empty_capture) {
            cells[6] += 1 + std::mem::take(&mut cells[12 - at]);
            cells[at] = 0;
        }
        (cells, at == 6)
    }
}
