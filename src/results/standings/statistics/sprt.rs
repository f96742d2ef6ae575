//! The sequential probability ratio test between two hypotheses about one bot's strength against
//! another, on the five outcomes of a match's two rounds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::elo::Scores;
use super::sprt_terms::SprtTerms;

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// elo1: the bot is at least that much stronger.
    Accept,
    /// elo0: it is not stronger than that.
    Reject,
}

/// A test that goes on: matches come in any order and count in the order of their numbers, over
/// the prefix without gaps, so that the decision is the same however many run at once.
#[derive(Clone, Debug)]
pub struct Sprt {
    terms: SprtTerms,
    pairs: [u64; 5],
    /// The last match of the prefix.
    upto: u64,
    /// Matches beyond the prefix: twice the points of each, 0 to 4; `None` if there is no result to
    /// count.
    ahead: BTreeMap<u64, Option<u8>>,
    decided: Option<(u64, SprtVerdict)>,
}

impl Sprt {
    /// A test that has seen nothing.
    pub const fn new(terms: SprtTerms) -> Sprt {
        Sprt { terms, pairs: [0; 5], upto: 0, ahead: BTreeMap::new(), decided: None }
    }

    /// Takes twice the points of match `number`, from 1, in its two rounds, or that it stays without a
    /// result. What comes after a decision, or twice, changes nothing.
    pub fn add(&mut self, number: u64, halves: Option<u8>) {
        if self.decided.is_some() || number <= self.upto {
            return;
        }
        self.ahead.entry(number).or_insert(halves.filter(|halves| *halves <= 4));
        while let Some(entry) = self.ahead.first_entry() {
            if *entry.key() != self.upto + 1 {
                return;
            }
            self.upto += 1;
            let Some(halves) = entry.remove() else { continue };
            self.pairs[usize::from(halves)] += 1;
            if let Some(verdict) = self.terms.verdict(self.llr()) {
                self.decided = Some((self.upto, verdict));
                self.ahead.clear();
                return;
            }
        }
    }

    /// What is tested.
    pub const fn terms(&self) -> &SprtTerms {
        &self.terms
    }

    /// How many matches of the prefix had 0, ½, 1, 1½ and 2 points.
    pub const fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// The last match of the prefix without gaps; 0 if the first one is missing.
    pub const fn upto(&self) -> u64 {
        self.upto
    }

    /// The log-likelihood ratio over the prefix.
    pub fn llr(&self) -> f64 {
        self.terms.llr(&Scores(self.pairs))
    }

    /// The difference in Elo over the prefix, and its error, as [`Scores::elo`] has them.
    pub fn elo(&self) -> (Option<f64>, Option<f64>) {
        Scores(self.pairs).elo()
    }

    /// The match that decided, and the verdict.
    pub const fn decided(&self) -> Option<(u64, SprtVerdict)> {
        self.decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::statistics::elo::NORMALISED_ELO_A_DEVIATION;
    use crate::standings::statistics::sprt_terms::SprtModel;

    fn terms(elo0: f64, elo1: f64, model: SprtModel) -> SprtTerms {
        SprtTerms::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn a_decision_is_the_same_in_any_order() {
        let terms = terms(0.0, 50.0, SprtModel::Normalised);
        let points = |number: u64| match number % 10 {
            3 => None,
            digit => Some(if digit < 3 { 1 } else { 3 }),
        };
        let run = |order: &[u64]| {
            let mut sprt = Sprt::new(terms);
            for &number in order {
                sprt.add(number, points(number));
            }
            (sprt.decided(), sprt.pairs(), sprt.upto())
        };
        let forward: Vec<u64> = (1..=300).collect();
        let backward: Vec<u64> = (1..=300).rev().collect();
        let shards: Vec<u64> = (0..7).flat_map(|k| (1..=300).filter(move |n| n % 7 == k)).collect();
        let expected = run(&forward);
        assert!(matches!(expected.0, Some((_, SprtVerdict::Accept))), "{expected:?}");
        assert_eq!(run(&backward), expected);
        assert_eq!(run(&shards), expected);
        // Without match 5 the prefix ends before it.
        let gap: Vec<u64> = forward.iter().copied().filter(|&number| number != 5).collect();
        assert_eq!(run(&gap).2, 4);
        assert_eq!(run(&gap).0, None);
    }

    /// A small sample of what `cargo bench --bench standings` does in full.
    #[test]
    fn a_test_errs_no_more_often_than_it_says() {
        let terms = terms(0.0, 60.0, SprtModel::Normalised);
        let mut random = super::super::testing::Random::new(4);
        // Variance 0.075; a tilt moves the mean and hardly the variance.
        let (shares, variance) = ([0.1, 0.2, 0.4, 0.2, 0.1], 0.075_f64);
        for (truth, wrong) in
            [(terms.elo0(), SprtVerdict::Accept), (terms.elo1(), SprtVerdict::Reject)]
        {
            let shift = truth / NORMALISED_ELO_A_DEVIATION * (2.0 * variance).sqrt();
            let mut errors = 0;
            for _ in 0..100 {
                let mut sprt = Sprt::new(terms);
                while sprt.decided().is_none() {
                    let mut point = random.unit();
                    let mut outcome = 0;
                    for (index, share) in (0_u8..).zip(shares) {
                        outcome = index;
                        point -= share * (1.0 + (f64::from(index) / 4.0 - 0.5) * shift / variance);
                        if point < 0.0 {
                            break;
                        }
                    }
                    sprt.add(sprt.upto() + 1, Some(outcome));
                }
                errors += u32::from(sprt.decided().is_some_and(|(_, verdict)| verdict == wrong));
            }
            assert!(errors <= 11, "{truth}: {errors} of 100");
        }
    }
}
