//! A set of match numbers, a bit each.

use std::collections::BTreeMap;

/// A set of match numbers, a bit each. What it takes grows with the numbers that are in it, not with
/// the highest one.
#[derive(Clone, Debug, Default)]
pub struct NumberSet {
    /// 64 numbers to a word.
    words: BTreeMap<u64, u64>,
    count: u64,
}

impl NumberSet {
    /// Adds a number; false when it is there already.
    pub fn insert(&mut self, number: u64) -> bool {
        let word = self.words.entry(number / 64).or_default();
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.count += u64::from(is_new);
        is_new
    }

    pub fn contains(&self, number: u64) -> bool {
        self.words.get(&(number / 64)).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many there are.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The highest one; 0 if there is none.
    pub fn highest(&self) -> u64 {
        self.words.last_key_value().map_or(0, |(word, bits)| word * 64 + u64::from(bits.ilog2()))
    }

    /// How many of them are up to this one.
    pub fn count_up_to(&self, last: u64) -> u64 {
        let (last_word, kept) = (last / 64, last % 64 + 1);
        let count = |(word, bits): (&u64, &u64)| {
            let dropped = if *word == last_word { 64 - kept } else { 0 };
            u64::from((bits << dropped).count_ones())
        };
        self.words.range(..=last_word).map(count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_numbers_take_no_more_room_than_low_ones() {
        let mut numbers = NumberSet::default();
        for number in [1, 63, 64, 1 << 34, 1 << 63, u64::MAX] {
            assert!(numbers.insert(number) && !numbers.insert(number));
            assert_eq!((numbers.highest(), numbers.contains(number)), (number, true));
        }
        assert_eq!((numbers.len(), numbers.words.len()), (6, 5));
        assert!(!numbers.contains(2));
        let counts = [0, 1, 63, 64, 1 << 40, u64::MAX].map(|last| numbers.count_up_to(last));
        assert_eq!(counts, [0, 1, 2, 3, 4, 6]);
    }
}
