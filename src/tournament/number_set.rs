//! A set of match numbers, a bit each.

/// A set of match numbers, a bit each.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberSet {
    words: Vec<u64>,
    count: u64,
}

impl NumberSet {
    /// Adds a number; false when it is there already.
    pub(super) fn insert(&mut self, number: u64) -> bool {
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.count += u64::from(is_new);
        is_new
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        let word = self.words.get((number / 64) as usize);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many there are.
    pub(super) const fn len(&self) -> u64 {
        self.count
    }
}
