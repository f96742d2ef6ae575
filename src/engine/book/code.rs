//! Yes and no, many times over, in as few characters as their chances allow: arithmetic coding.
//!
//! All texts are numbers in order, as fractions with the digits `!` to `~`. Each answer to a
//! question narrows the range of numbers: *yes* keeps a lower part of it, as wide as *yes* is
//! likely, and *no* keeps the rest. The text that is left in the end is any number of the range.
//! What is likely is learned on the way, by the same rule in writing and in reading: of the
//! answers to one kind of question so far.
//!
//! Witten, Neal and Cleary, "Arithmetic coding for data compression", 1987; the chances by
//! Krichevsky and Trofimov, 1981.

use std::collections::HashMap;
use std::hash::Hash;

/// The first digit.
const ZERO: u8 = b'!';

/// Digits that there are.
const BASE: u64 = (b'~' - ZERO) as u64 + 1;

/// What the first digit of a range counts. A range has nine.
const FIRST_DIGIT: u64 = BASE.pow(8);

/// A text that is written, or one that is read.
pub(super) struct Code<Kind> {
    /// The range that is left, both ends in it, after the digits that both ends have in common.
    low: u64,
    high: u64,
    /// How often the answer was no and how often yes.
    answers: HashMap<Kind, [u64; 2]>,
    /// The digits so far.
    written: Vec<u8>,
    /// The text that is read.
    text: Option<Reading>,
}

struct Reading {
    text: Vec<u8>,
    /// Its number in the range.
    number: u64,
    /// Its digits in that number. Zeros follow the text.
    taken: usize,
}

impl Reading {
    fn take(&mut self) {
        let digit = self.text.get(self.taken).map_or(0, |byte| u64::from(byte - ZERO));
        self.number = self.number % FIRST_DIGIT * BASE + digit;
        self.taken += 1;
    }
}

impl<Kind: Eq + Hash> Code<Kind> {
    /// Begins to write.
    pub(super) fn writing() -> Code<Kind> {
        Code {
            low: 0,
            high: FIRST_DIGIT * BASE - 1,
            answers: HashMap::new(),
            written: Vec::new(),
            text: None,
        }
    }

    /// Begins to read; none if there are other characters in the text.
    pub(super) fn reading(text: Vec<u8>) -> Option<Code<Kind>> {
        if !text.iter().all(|byte| (ZERO..=b'~').contains(byte)) {
            return None;
        }
        let mut reading = Reading { text, number: 0, taken: 0 };
        (0..9).for_each(|_| reading.take());
        Some(Code { text: Some(reading), ..Code::writing() })
    }

    /// Whether the answer to a question of this kind is yes. Who writes says it, who reads is told.
    pub(super) fn is(&mut self, kind: Kind, yes: bool) -> bool {
        let [noes, yeses] = self.answers.entry(kind).or_default();
        let width = u128::from(self.high - self.low);
        let share = width * u128::from(2 * *yeses + 1) / u128::from(2 * (*noes + *yeses + 1));
        // The share is less than the width.
        let last = self.low + u64::try_from(share).unwrap_or(0);
        let yes = self.text.as_ref().map_or(yes, |reading| reading.number <= last);
        if yes {
            *yeses += 1;
            self.high = last;
        } else {
            *noes += 1;
            self.low = last + 1;
        }
        while self.low / FIRST_DIGIT == self.high / FIRST_DIGIT {
            self.write(self.low / FIRST_DIGIT);
            self.low = self.low % FIRST_DIGIT * BASE;
            self.high = self.high % FIRST_DIGIT * BASE + BASE - 1;
            if let Some(reading) = &mut self.text {
                reading.take();
            }
        }
        yes
    }

    /// The text that was written; who has read is told the text as it would be written.
    pub(super) fn text(mut self) -> Vec<u8> {
        // Followed by zeros, it is above the low end and not above the high one.
        self.write(self.low / FIRST_DIGIT + 1);
        self.written
    }

    fn write(&mut self, digit: u64) {
        self.written.extend(u8::try_from(digit).map(|digit| ZERO + digit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// Writes these answers, and reads them again.
    fn written(answers: &[(u32, bool)]) -> usize {
        let mut code = Code::writing();
        for &(kind, yes) in answers {
            assert_eq!(code.is(kind, yes), yes);
        }
        let text = code.text();
        let mut code = Code::reading(text.clone()).unwrap();
        for &(kind, yes) in answers {
            assert_eq!(code.is(kind, !yes), yes);
        }
        assert_eq!(code.text(), text);
        text.len()
    }

    #[test]
    fn answers_are_read_as_they_were_written() {
        let mut chance = Chance::new(1);
        for length in 0..300 {
            let kinds = length % 7 + 1;
            let likely = 1 << (length % 11);
            let answers: Vec<(u32, bool)> =
                (0..length).map(|_| (chance.below(kinds), chance.below(likely) == 0)).collect();
            written(&answers);
        }
    }

    #[test]
    fn the_likelier_the_answers_the_shorter_is_the_text() {
        let mut chance = Chance::new(2);
        let mut length = |likely| {
            let answers: Vec<(u32, bool)> =
                (0..10_000).map(|_| (7, chance.below(likely) == 0)).collect();
            written(&answers)
        };
        // The base is 94: a character is worth 6.55 answers when both are as likely. One answer in
        // 100 takes 0.081 of what one in two takes (Shannon, 1948).
        let lengths = [1, 2, 100].map(&mut length);
        assert!(lengths[0] <= 3, "{lengths:?}");
        assert!((1520..1540).contains(&lengths[1]), "{lengths:?}");
        assert!((100..150).contains(&lengths[2]), "{lengths:?}");
    }

    #[test]
    fn any_characters_can_be_read_but_not_others() {
        let mut chance = Chance::new(3);
        for length in 0..100 {
            let text: Vec<u8> =
                (0..length).filter_map(|_| u8::try_from(chance.below(94) + 33).ok()).collect();
            let mut code = Code::reading(text).unwrap();
            let yeses = (0..10_000).filter(|kind| code.is(kind % 3, true)).count();
            assert!(yeses > 0 || length < 2, "{length}");
        }
        for other in [" ", "\n", "\u{7f}", "é"] {
            assert!(Code::<u8>::reading(format!("M0{other}").into_bytes()).is_none());
        }
    }
}
