//! A transposition table: the proven bounds of searched positions.

use super::hints::{prefer_large_pages, prefetch};
use super::value::Bounds;

/// Slots for a position: one line of the processor's cache.
const SLOTS: usize = 4;

/// Bytes of four slots.
const LINE: usize = 64;

/// The least lines in use at the beginning, if there is room: 4 MiB. The first write to memory is
/// slow.
const FIRST_LINES: u64 = 1 << 16;

/// Proven bounds of positions. In a full line the one that is cheapest to prove again is replaced.
///
/// A slot is two words. The low 48 bits are the houses of both sides, all of them, so that positions
/// are never confused. Above them are the bounds, in pairs of seeds from the least possible value,
/// and the effort. An empty slot is zero: a position that is over is never stored.
pub(super) struct BoundsTable {
    words: Vec<u64>,
    /// Words before the first line, which is aligned to the cache.
    offset: usize,
    /// Lines in use.
    lines: u64,
    /// Lines that the memory has room for.
    most_lines: u64,
}

/// The index of the first word of a position's line.
#[derive(Clone, Copy)]
pub(super) struct CacheLine(usize);

const HOUSES: u64 = 0x0000_ffff_ffff_ffff;

impl BoundsTable {
    /// A table of at most `bytes` bytes, but at least one line.
    pub(super) fn new(bytes: usize) -> BoundsTable {
        let lines = (bytes / LINE).max(2) - 1;
        // Zeroed memory takes no room until it is first written.
        let words = vec![0; (lines + 1) * LINE / 8];
        prefer_large_pages(&words);
        let offset = words.as_ptr().align_offset(LINE).min(LINE / 8);
        let most_lines = lines as u64;
        let mut lines = most_lines;
        while lines / 2 >= FIRST_LINES {
            lines /= 2;
        }
        BoundsTable { words, offset, lines, most_lines }
    }

    /// Removes all positions.
    pub(super) fn clear(&mut self) {
        let used = self.first_word(self.lines);
        self.words[..used].fill(0);
    }

    /// Doubles the table until it has room for `positions`, or all memory is in use.
    pub(super) fn grow_for(&mut self, positions: u64) {
        while self.lines * (SLOTS as u64) < positions && self.lines * 2 <= self.most_lines {
            self.double();
        }
    }

    /// Doubles the lines in use. The positions of a line go into the two lines that replace it.
    fn double(&mut self) {
        let before = self.lines;
        self.lines *= 2;
        // From the end: a line is never after the two that replace it.
        for line in (0..before).rev() {
            let from = self.first_word(line);
            let mut slots = [0; 2 * SLOTS];
            slots.copy_from_slice(&self.words[from..from + 2 * SLOTS]);
            let to = self.first_word(2 * line);
            self.words[to..to + 4 * SLOTS].fill(0);
            let mut next = [to, to + 2 * SLOTS];
            for slot in slots.chunks_exact(2).filter(|slot| slot[0] != 0 || slot[1] != 0) {
                let is_second = self.index([slot[0] & HOUSES, slot[1] & HOUSES]) % 2;
                let place = &mut next[usize::from(is_second == 1)];
                self.words[*place..*place + 2].copy_from_slice(slot);
                *place += 2;
            }
        }
    }

    /// The line of a position. The processor begins to fetch it, which takes as long as making all
    /// moves of a position.
    #[inline]
    pub(super) fn line(&self, houses: [u64; 2]) -> CacheLine {
        let line = self.first_word(self.index(houses));
        if let Some(word) = self.words.get(line) {
            prefetch(word);
        }
        CacheLine(line)
    }

    /// The number of a position's line.
    #[inline]
    fn index(&self, [own, opponent]: [u64; 2]) -> u64 {
        // Odd constants that mix well.
        let mixed = (own ^ opponent.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32 ^ opponent).wrapping_mul(0xd1b5_4a32_d192_ed03);
        mixed.carrying_mul(self.lines, 0).1
    }

    /// The index of the first word of a line.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most the number of lines, a usize")]
    const fn first_word(&self, line: u64) -> usize {
        self.offset + line as usize * (LINE / 8)
    }

    /// The bounds of the position with these houses and `seeds` seeds in them.
    #[inline]
    pub(super) fn get(
        &self,
        CacheLine(line): CacheLine,
        [own, opponent]: [u64; 2],
        seeds: i16,
    ) -> Option<Bounds> {
        let slots = self.words.get(line..line + 2 * SLOTS)?;
        slots.chunks_exact(2).find(|slot| is_of(slot, own, opponent)).map(|slot| {
            let pairs = |word: u64| (word >> 48 & 0xff) as i16;
            Bounds { at_least: 2 * pairs(slot[0]) - seeds, at_most: 2 * pairs(slot[1]) - seeds }
        })
    }

    /// Stores bounds that took `effort` positions to prove.
    #[inline]
    pub(super) fn put(
        &mut self,
        CacheLine(line): CacheLine,
        [own, opponent]: [u64; 2],
        seeds: i16,
        new: Bounds,
        effort: u64,
    ) {
        let Some(slots) = self.words.get_mut(line..line + 2 * SLOTS) else { return };
        let effort = u64::from(64 - effort.leading_zeros());
        let mut place = 0;
        let mut least = u64::MAX;
        for (number, slot) in slots.chunks_exact(2).enumerate() {
            if is_of(slot, own, opponent) {
                place = number;
                break;
            }
            let kept = slot[0] >> 56;
            if kept < least {
                least = kept;
                place = number;
            }
        }
        // Never negative: no value is further from zero than the number of seeds.
        let pairs = |value: i16| u64::from((value + seeds).cast_unsigned() >> 1 & 0xff) << 48;
        slots[2 * place] = own | pairs(new.at_least) | effort << 56;
        slots[2 * place + 1] = opponent | pairs(new.at_most);
    }
}

#[inline]
fn is_of(slot: &[u64], own: u64, opponent: u64) -> bool {
    slot[0] & HOUSES == own && slot[1] & HOUSES == opponent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_stays_known_as_the_table_grows() {
        let mut known = BoundsTable::new(32 << 20);
        let room = (32 << 20) / LINE as u64 - 1;
        assert_eq!(known.lines, room >> 2);
        // Positions that no game has, but each is another one.
        let houses = |number: u64| [number * 0x101, number << 20 | 1];
        let bounds = |number: u64| {
            let at_least = 2 * i16::try_from(number % 7).unwrap() - 6;
            Bounds { at_least, at_most: at_least + 4 }
        };
        for number in 1..=50_000 {
            known.put(known.line(houses(number)), houses(number), 20, bounds(number), number);
        }
        let is_there = |known: &BoundsTable, number| {
            let found = known.get(known.line(houses(number)), houses(number), 20);
            assert!(found.is_none_or(|found| found == bounds(number)), "{number}");
            found.is_some()
        };
        let before: Vec<bool> = (1..=50_000).map(|number| is_there(&known, number)).collect();
        assert!(before.iter().filter(|&&there| there).count() > 49_000);
        known.grow_for(600_000);
        assert_eq!(known.lines, 2 * (room >> 2));
        known.grow_for(u64::MAX);
        assert_eq!(known.lines, 4 * (room >> 2));
        let after: Vec<bool> = (1..=50_000).map(|number| is_there(&known, number)).collect();
        assert_eq!(before, after);
        known.clear();
        assert!(!(1..=50_000).any(|number| is_there(&known, number)));
    }

    #[test]
    fn a_small_table_stays_small() {
        let mut known = BoundsTable::new(3 * LINE);
        assert_eq!(known.lines, 2);
        known.grow_for(u64::MAX);
        assert_eq!(known.lines, 2);
    }
}
