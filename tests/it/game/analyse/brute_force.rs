//! Plain minimax over fourteen numbers, one seed at a time, by the rules as a record has them.

use std::collections::HashMap;

use serde_json::Value;

pub struct BruteForce {
    is_sown: bool,
    ways: &'static [i64],
    empty_capture: bool,
    /// By the seeds in the houses.
    seen: HashMap<[u8; 12], i64>,
}

impl BruteForce {
    pub fn new(rules: &Value) -> BruteForce {
        BruteForce {
            is_sown: rules["opponent_store"] == "sow",
            ways: match rules["direction"].as_str() {
                Some("forward") => &[1],
                Some("backward") => &[-1],
                _ => &[1, -1],
            },
            empty_capture: rules["empty_capture"] == true,
            seen: HashMap::new(),
        }
    }

    /// The mover's final margin from now on.
    pub fn value(&mut self, mut cells: [i64; 14]) -> i64 {
        cells[6] = 0;
        cells[13] = 0;
        let (own, opponent) = (cells[..6].iter().sum::<i64>(), cells[7..13].iter().sum::<i64>());
        if own == 0 || opponent == 0 {
            return own - opponent;
        }
        let houses = std::array::from_fn(|house| {
            u8::try_from(cells[house + house / 6]).expect("a board has at most 240 seeds")
        });
        if let Some(&value) = self.seen.get(&houses) {
            return value;
        }
        let mut best = i64::MIN;
        for house in 0..6 {
            for &way in self.ways {
                if cells[house] > 0 {
                    let (mut after, again) = self.play(cells, house, way);
                    let gain = after[6] - after[13];
                    if !again {
                        after.rotate_left(7);
                    }
                    let rest = self.value(after);
                    best = best.max(gain + if again { rest } else { -rest });
                }
            }
        }
        self.seen.insert(houses, best);
        best
    }

    /// The board after a move, in the mover's view, and whether it moves again.
    pub fn play(&self, mut cells: [i64; 14], house: usize, way: i64) -> ([i64; 14], bool) {
        let mut hand = std::mem::take(&mut cells[house]);
        let mut at = house;
        while hand > 0 {
            at = if way == 1 { (at + 1) % 14 } else { (at + 13) % 14 };
            if at != 13 || self.is_sown {
                cells[at] += 1;
                hand -= 1;
            }
        }
        if at < 6 && cells[at] == 1 && (cells[12 - at] > 0 || self.empty_capture) {
            cells[6] += 1 + std::mem::take(&mut cells[12 - at]);
            cells[at] = 0;
        }
        let is_over = cells[..6].iter().all(|&n| n == 0) || cells[7..13].iter().all(|&n| n == 0);
        (cells, at == 6 && !is_over)
    }
}
