//! What a search has proven of positions: bounds of their values, in a table of fixed size.

use super::hints::{prefer_large_pages, prefetch};
use super::value::Bounds;

/// Slots that are looked at for a position: one line of the processor's cache.
const SLOTS: usize = 4;

/// Bytes of four slots.
const LINE: usize = 64;

/// Proven bounds of as many positions as there is room for; the cheapest to prove again make room.
///
/// A slot is two words: the houses of both sides in the low 48 bits, so that no position is taken
/// for another one; above them the bounds, counted in pairs of seeds from the least value there
/// can be, and the effort. All zero is empty: a position that is over is never stored.
pub(super) struct Known {
    words: Vec<u64>,
    /// Words before the first line, which begins where a line of the cache does.
    offset: usize,
    lines: u64,
}

/// The first word of the line that a position is looked for in.
#[derive(Clone, Copy)]
pub(super) struct Line(usize);

const HOUSES: u64 = 0x0000_ffff_ffff_ffff;

impl Known {
    /// A table of at most so many bytes, at least one line.
    pub(super) fn new(bytes: usize) -> Known {
        let lines = (bytes / LINE).max(2) - 1;
        // Zeroed integers: the system hands out memory when it is first written.
        let words = vec![0; (lines + 1) * LINE / 8];
        prefer_large_pages(&words);
        let offset = words.as_ptr().align_offset(LINE).min(LINE / 8);
        Known { words, offset, lines: lines as u64 }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Where a position is looked for, which the processor fetches from now on: that takes as long
    /// as making all moves of a position.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "less than the number of lines, a usize")]
    pub(super) fn line(&self, [own, opponent]: [u64; 2]) -> Line {
        // Odd constants that mix well.
        let mixed = (own ^ opponent.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32 ^ opponent).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let (_, line) = mixed.carrying_mul(self.lines, 0);
        let line = self.offset + line as usize * (LINE / 8);
        if let Some(word) = self.words.get(line) {
            prefetch(word);
        }
        Line(line)
    }

    /// The bounds of the position with these houses and that many seeds in them.
    #[inline]
    pub(super) fn get(
        &self,
        Line(line): Line,
        [own, opponent]: [u64; 2],
        seeds: i16,
    ) -> Option<Bounds> {
        let slots = self.words.get(line..line + 2 * SLOTS)?;
        slots.chunks_exact(2).find(|slot| is_of(slot, own, opponent)).map(|slot| {
            let pairs = |word: u64| (word >> 48 & 0xff) as i16;
            Bounds { at_least: 2 * pairs(slot[0]) - seeds, at_most: 2 * pairs(slot[1]) - seeds }
        })
    }

    /// Remembers bounds that took `effort` positions to prove.
    #[inline]
    pub(super) fn put(
        &mut self,
        Line(line): Line,
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
        // Neither is negative: no value is further from zero than there are seeds.
        let pairs = |value: i16| u64::from((value + seeds).cast_unsigned() >> 1 & 0xff) << 48;
        slots[2 * place] = own | pairs(new.at_least) | effort << 56;
        slots[2 * place + 1] = opponent | pairs(new.at_most);
    }
}

#[inline]
fn is_of(slot: &[u64], own: u64, opponent: u64) -> bool {
    slot[0] & HOUSES == own && slot[1] & HOUSES == opponent
}
