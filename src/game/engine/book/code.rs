//! Yes and no, many times over, in few characters: arithmetic coding.
//!
//! A text is a fraction with the digits `!` to `~`. Each answer to a question narrows the range that
//! the fraction is in: *yes* keeps the lower part of it, as wide as *yes* is likely, and *no* keeps
//! the rest. In the end any fraction of the range is the text. How likely *yes* is, the answers to
//! the same kind of question so far tell, alike in writing and in reading.
//!
//! Witten, Neal and Cleary, "Arithmetic coding for data compression", 1987; how likely *yes* is
//! after so many answers by Krichevsky and Trofimov, 1981.

use std::collections::HashMap;
use std::hash::Hash;

/// The first digit.
const ZERO: u8 = b'!';

/// Digits that there are.
const BASE: u64 = (b'~' - ZERO) as u64 + 1;

/// What the first digit of an end of the range is worth. It has nine.
const FIRST_DIGIT: u64 = BASE.pow(8);

/// A text that is written, or one that is read.
pub(super) struct Code<Kind> {
    /// The ends of the range, both in it, without the digits that both began with.
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
    /// The nine digits that are compared with the range.
    number: u64,
    /// Those after them. Zeros follow the last one.
    rest: std::vec::IntoIter<u8>,
}

impl Reading {
    fn take(&mut self) {
        let digit = u64::from(self.rest.next().unwrap_or(ZERO) - ZERO);
        self.number = self.number % FIRST_DIGIT * BASE + digit;
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
        let mut reading = Reading { number: 0, rest: text.into_iter() };
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
