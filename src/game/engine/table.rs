//! What the search remembers of positions it has seen.

use crate::rules::{Board, Direction, House, Ply};

use super::evaluation::Value;

/// How a remembered value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exact,
}

/// How far a value has been looked into, in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Depth(pub(super) u8);

impl Depth {
    /// To the end of the game, nothing guessed: deeper than any search.
    pub(super) const PROVEN: Depth = Depth(u8::MAX);
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    /// The margin from now on, without the stores.
    pub(super) gain: Value,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
    pub(super) best: Option<Ply>,
}

/// The seeds in the houses of both sides, in the six high bytes of a number each. Stores do not
/// count: positions that differ only in them have the same moves and the same gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PositionKey {
    own: u64,
    opponent: u64,
}

impl PositionKey {
    pub(super) fn of(board: Board) -> PositionKey {
        let [own, opponent] = board.houses().map(|houses| houses << 16);
        PositionKey { own, opponent }
    }

    fn pair(self, pairs: usize) -> usize {
        // Well mixed constants. Their low bits, which no key has, keep both factors above zero.
        let (low, high) = (self.own ^ 0x9e37_79b9_7f4a_7c15)
            .carrying_mul(self.opponent ^ 0xd1b5_4a32_d192_ed03, 0);
        let [a, b, c, d, ..] = (low ^ high).to_le_bytes();
        u32::from_le_bytes([a, b, c, d]) as usize % pairs
    }
}

/// A key and its entry: the houses exactly, so that two positions are never mistaken for each
/// other, and the entry in the four low bytes they leave. All zero is empty, for a position with
/// empty sides is over and never stored.
#[derive(Clone, Copy)]
struct Slot([u64; 2]);

impl Slot {
    const HOUSES: u64 = !0xffff;

    fn new(key: PositionKey, entry: TableEntry, generation: u8) -> Slot {
        let [low, high] = entry.gain.0.to_le_bytes();
        let best = entry.best.map_or(0, |ply| 1 + 2 * ply.house.cell() + ply.direction as u8);
        let flags = entry.bound as u8 | best << 2 | generation << 6;
        Slot([
            key.own | u64::from(u16::from_le_bytes([low, high])),
            key.opponent | u64::from(u16::from_le_bytes([entry.depth.0, flags])),
        ])
    }

    fn is_of(self, key: PositionKey) -> bool {
        self.0[0] & Slot::HOUSES == key.own && self.0[1] & Slot::HOUSES == key.opponent
    }

    fn flags(self) -> u8 {
        self.0[1].to_le_bytes()[1]
    }

    fn generation(self) -> u8 {
        self.flags() >> 6
    }

    fn depth(self) -> Depth {
        Depth(self.0[1].to_le_bytes()[0])
    }

    fn entry(self) -> TableEntry {
        let [low, high, ..] = self.0[0].to_le_bytes();
        let flags = self.flags();
        let bound = match flags & 3 {
            0 => Bound::AtLeast,
            1 => Bound::AtMost,
            _ => Bound::Exact,
        };
        let best = (flags >> 2 & 15).checked_sub(1).and_then(|code| {
            let direction = if code % 2 == 0 { Direction::Forward } else { Direction::Backward };
            Some(Ply { house: House::new(code / 2)?, direction })
        });
        let gain = Value(i16::from_le_bytes([low, high]));
        TableEntry { gain, bound, depth: self.depth(), best }
    }
}

/// A fixed number of positions. In a pair of slots the first keeps the deeper result of the
/// search under way, the second the latest.
pub(super) struct TranspositionTable {
    pairs: Vec<[[u64; 2]; 2]>,
    generation: u8,
}

impl TranspositionTable {
    /// A table of `pairs` pairs of slots, at least one.
    pub(super) fn new(pairs: usize) -> TranspositionTable {
        // Zeroed integers: the allocator takes them from the system without writing them.
        TranspositionTable { pairs: vec![[[0; 2]; 2]; pairs], generation: 0 }
    }

    /// Begins a new search: what is known stays known, but makes room first.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % 4;
    }

    pub(super) fn get(&self, key: PositionKey) -> Option<TableEntry> {
        self.pairs[key.pair(self.pairs.len())]
            .into_iter()
            .map(Slot)
            .find(|slot| slot.is_of(key))
            .map(Slot::entry)
    }

    pub(super) fn put(&mut self, key: PositionKey, entry: TableEntry) {
        let pair = key.pair(self.pairs.len());
        let [first, second] = &mut self.pairs[pair];
        let (deep, latest) = (Slot(*first), Slot(*second));
        let new = Slot::new(key, entry, self.generation);
        let into_first = if deep.is_of(key) {
            true
        } else if latest.is_of(key) {
            false
        } else {
            deep.generation() != self.generation || deep.depth() <= entry.depth
        };
        *(if into_first { first } else { second }) = new.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(cell: u8) -> PositionKey {
        PositionKey::of(Board::from_cells([cell, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap())
    }

    fn entry(depth: u8) -> TableEntry {
        let gain = Value(0);
        TableEntry { gain, bound: Bound::Exact, depth: Depth(depth), best: None }
    }

    #[test]
    fn an_entry_comes_back_as_it_went_in() {
        let mut table = TranspositionTable::new(1 << 16);
        let plies = House::ALL.into_iter().flat_map(|house| {
            [Direction::Forward, Direction::Backward].map(|direction| Ply { house, direction })
        });
        for best in plies.map(Some).chain([None]) {
            for bound in [Bound::AtLeast, Bound::AtMost, Bound::Exact] {
                for (gain, depth) in [(-480, Depth(1)), (-1, Depth(100)), (480, Depth::PROVEN)] {
                    let entry = TableEntry { gain: Value(gain), bound, depth, best };
                    table.age();
                    table.put(key(240 - 1), entry);
                    assert_eq!(table.get(key(240 - 1)), Some(entry));
                }
            }
        }
    }

    #[test]
    fn positions_are_the_same_when_only_their_stores_differ() {
        let cells = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
        let at = |cell: usize| {
            let mut cells = cells;
            cells[cell] += 1;
            PositionKey::of(Board::from_cells(cells).unwrap())
        };
        let key = PositionKey::of(Board::from_cells(cells).unwrap());
        for cell in 0..14 {
            assert_eq!(at(cell) == key, cell == 6 || cell == 13, "{cell}");
        }
    }

    #[test]
    fn nothing_is_known_at_first() {
        assert_eq!(TranspositionTable::new(1 << 16).get(key(1)), None);
    }

    #[test]
    fn a_pair_keeps_the_deepest_and_the_latest() {
        // Three positions of one pair, found by trying.
        let mut keys = (0..1 << 20).map(|n: u32| {
            let mut cells = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
            for (house, cell) in cells[..5].iter_mut().enumerate() {
                *cell = (n >> (4 * house) & 15).to_le_bytes()[0];
            }
            PositionKey::of(Board::from_cells(cells).unwrap())
        });
        let first = keys.next().unwrap();
        let pair = |key: &PositionKey| key.pair(1 << 16);
        let mut same = keys.filter(|key| pair(key) == pair(&first));
        let (second, third) = (same.next().unwrap(), same.next().unwrap());

        let mut table = TranspositionTable::new(1 << 16);
        table.put(first, entry(9));
        table.put(second, entry(3));
        table.put(third, entry(1));
        assert_eq!(table.get(first), Some(entry(9)));
        assert_eq!(table.get(second), None);
        assert_eq!(table.get(third), Some(entry(1)));
        table.age();
        table.put(second, entry(1));
        assert_eq!(table.get(first), None, "the search of the last move makes room");
    }
}
