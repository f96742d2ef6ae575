//! The sequential probability ratio test between two hypotheses about one bot's strength against
//! another: on the five outcomes of a match's two rounds, with a generalised likelihood ratio.
//!
//! Formulas: M. Van den Bergh, documents of the pentanomial repository; the same as in fishtest,
//! `OpenBench` and fastchess.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::elo::{NORMALISED_ELO_A_DEVIATION, Scores};
use super::sprt_terms::{SprtModel, SprtTerms};

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// elo1: the bot is at least that much stronger.
    Accept,
    /// elo0: it is not stronger than that.
    Reject,
}

impl SprtTerms {
    /// The logarithm of the generalised likelihood ratio of the two hypotheses; 0 without scores.
    #[must_use]
    pub fn llr(&self, scores: &Scores) -> f64 {
        if scores.counts().iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let seen = ScoreShares::new(scores);
        let [under0, under1] = [self.elo0(), self.elo1()].map(|elo| match self.model() {
            SprtModel::Logistic => seen.with_mean(1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
            SprtModel::Normalised => {
                let games = match scores {
                    Scores::Games(_) => 1.0_f64,
                    Scores::Pairs(_) => 2.0,
                };
                seen.with_deviations(elo / NORMALISED_ELO_A_DEVIATION * games.sqrt())
            }
        });
        let ratios = under1.iter().zip(&under0).map(|(one, zero)| (one / zero).ln());
        seen.units * seen.shares.iter().zip(ratios).map(|(share, ratio)| share * ratio).sum::<f64>()
    }

    /// The hypothesis that this ratio decides for, if it does.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> Option<SprtVerdict> {
        if llr >= self.upper() {
            Some(SprtVerdict::Accept)
        } else if llr <= self.lower() {
            Some(SprtVerdict::Reject)
        } else {
            None
        }
    }
}

/// The shares of the scores that were seen, none of them 0.
struct ScoreShares {
    shares: Vec<f64>,
    units: f64,
}

impl ScoreShares {
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    fn new(scores: &Scores) -> ScoreShares {
        let counts = scores.counts().iter().map(|&n| if n == 0 { 1e-3 } else { n as f64 });
        let counts: Vec<f64> = counts.collect();
        let units = counts.iter().sum();
        ScoreShares { shares: counts.into_iter().map(|count| count / units).collect(), units }
    }

    #[expect(clippy::cast_precision_loss, reason = "at most five scores")]
    fn scores(&self) -> impl Iterator<Item = f64> + Clone + use<> {
        let last = self.shares.len() - 1;
        (0..=last).map(move |index| index as f64 / last as f64)
    }

    /// The likeliest distribution with this mean.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        self.tilted(&self.scores().map(|score| score - mean).collect::<Vec<f64>>())
    }

    /// The likeliest distribution whose mean is `deviations` of its own standard deviations above ½.
    fn with_deviations(&self, deviations: f64) -> Vec<f64> {
        const ENOUGH: f64 = 1e-4;
        #[expect(clippy::cast_precision_loss, reason = "at most five scores")]
        let mut shares = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        // It settles within ten rounds; the bound is for numbers that nobody has met.
        for _ in 0..100 {
            let scored = || shares.iter().zip(self.scores());
            let mean: f64 = scored().map(|(share, score)| share * score).sum();
            let variance: f64 = scored().map(|(share, score)| share * (score - mean).powi(2)).sum();
            let deviation = variance.sqrt();
            let level = |score: f64| {
                let from_mean = (score - mean) / deviation;
                score - 0.5 - 0.5 * deviations * deviation * (1.0 + from_mean.powi(2))
            };
            let next = self.tilted(&self.scores().map(level).collect::<Vec<f64>>());
            let change = |(a, b): (&f64, &f64)| (a - b).abs();
            let changed = shares.iter().zip(&next).map(change).fold(0.0, f64::max);
            shares = next;
            if changed < ENOUGH {
                break;
            }
        }
        shares
    }

    /// The likeliest distribution in which the mean of these values is 0: each share divided by
    /// `1 + t value`, with the only t that makes it so.
    fn tilted(&self, values: &[f64]) -> Vec<f64> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // All values on one side of 0 would have no such t. Hypotheses within ±1,000 Elo do not
        // come to that; if one did, what was seen would stand.
        if least >= 0.0 || greatest <= 0.0 {
            return self.shares.clone();
        }
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        let mean = |tilt: f64| -> f64 {
            self.shares.iter().zip(values).map(|(share, v)| share * v / (1.0 + tilt * v)).sum()
        };
        // The mean falls from +infinity to -infinity between the two: halve down to a float's end.
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if mean(middle) > 0.0 { low = middle } else { high = middle }
        }
        let tilt = f64::midpoint(low, high);
        self.shares.iter().zip(values).map(|(share, v)| share / (1.0 + tilt * v)).collect()
    }
}

/// A test that goes on: matches come in any order and count in the order of their numbers, over
/// the prefix without gaps, so that the decision is the same however many run at once.
#[derive(Clone, Debug)]
pub struct Sprt {
    terms: SprtTerms,
    pairs: [u64; 5],
    /// The last match of the prefix.
    upto: u64,
    /// Matches beyond the prefix; without a value they have no result to count.
    ahead: BTreeMap<u64, Option<Points>>,
    decided: Option<(u64, SprtVerdict)>,
}

/// The points of a match's two rounds together: 0, ½, 1, 1½ or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points(u8);

impl Points {
    /// From twice the points.
    #[must_use]
    pub const fn from_halves(halves: u8) -> Option<Points> {
        if halves <= 4 { Some(Points(halves)) } else { None }
    }

    /// The index of this outcome among the five.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Sprt {
    /// A test that has seen nothing.
    #[must_use]
    pub const fn new(terms: SprtTerms) -> Sprt {
        Sprt { terms, pairs: [0; 5], upto: 0, ahead: BTreeMap::new(), decided: None }
    }

    /// Takes the points of match `number`, from 1, or that it stays without a result. What comes
    /// after a decision, or twice, changes nothing.
    pub fn add(&mut self, number: u64, points: Option<Points>) {
        if self.decided.is_some() || number <= self.upto {
            return;
        }
        self.ahead.entry(number).or_insert(points);
        while let Some(entry) = self.ahead.first_entry() {
            if *entry.key() != self.upto + 1 {
                return;
            }
            self.upto += 1;
            let Some(points) = entry.remove() else { continue };
            self.pairs[points.index()] += 1;
            if let Some(verdict) = self.terms.verdict(self.llr()) {
                self.decided = Some((self.upto, verdict));
                self.ahead.clear();
                return;
            }
        }
    }

    /// What is tested.
    #[must_use]
    pub const fn terms(&self) -> &SprtTerms {
        &self.terms
    }

    /// How many matches of the prefix had 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub const fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// The last match of the prefix without gaps; 0 if the first one is missing.
    #[must_use]
    pub const fn upto(&self) -> u64 {
        self.upto
    }

    /// The log-likelihood ratio over the prefix.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.terms.llr(&Scores::Pairs(self.pairs))
    }

    /// The match that decided, and the verdict.
    #[must_use]
    pub const fn decided(&self) -> Option<(u64, SprtVerdict)> {
        self.decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(elo0: f64, elo1: f64, model: SprtModel) -> SprtTerms {
        SprtTerms::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn published_ratios() {
        use SprtModel::{Logistic, Normalised};
        for (scores, [elo0, elo1], model, expected) in [
            (Scores::Games([36027, 68692, 36433]), [0.0, 2.0], Normalised, 0.92),
            (Scores::Games([0, 0, 4250]), [0.0, 10.0], Normalised, 120.56),
            (Scores::Games([21184, 40708, 21404]), [0.5, 2.5], Logistic, -1.57),
            (Scores::Pairs([365, 16618, 36229, 16974, 390]), [0.0, 2.0], Normalised, 2.25),
            (Scores::Pairs([0, 0, 0, 0, 5550]), [0.0, 5.0], Normalised, 111.82),
            (Scores::Pairs([223, 9863, 21279, 10037, 246]), [0.5, 2.5], Logistic, -3.07),
            (Scores::Pairs([5, 109, 748, 134, 4]), [0.0, 2.5], Normalised, 0.39),
            (Scores::Pairs([20, 359, 904, 547, 25]), [0.0, 3.0], Normalised, 3.00),
            (Scores::Pairs([41, 3112, 7501, 3333, 53]), [0.5, 3.5], Normalised, 2.90),
        ] {
            let found = terms(elo0, elo1, model).llr(&scores);
            // The two perfect scores were published from a solver that stops early.
            let error = if expected > 100.0 { 3e-4 * expected } else { 0.005 + 1e-9 };
            assert!((found - expected).abs() < error, "{scores:?}: {found}");
        }
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let terms = terms(0.0, 10.0, SprtModel::Normalised);
        assert!((terms.upper() - 2.944).abs() < 5e-4 && (terms.lower() + 2.944).abs() < 5e-4);
        assert_eq!(terms.verdict(terms.upper()), Some(SprtVerdict::Accept));
        assert_eq!(terms.verdict(terms.lower()), Some(SprtVerdict::Reject));
        assert_eq!(terms.verdict(0.0), None);
        let lopsided: SprtTerms = "elo0=0,elo1=5,alpha=0.01,beta=0.1".parse().unwrap();
        assert!((lopsided.upper() - 90_f64.ln()).abs() < 1e-12);
        assert!((lopsided.lower() - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    }

    #[test]
    fn no_counts_make_a_ratio_that_is_no_number() {
        let extremes = [[0; 5], [9, 0, 0, 0, 0], [0, 0, 7, 0, 0], [1 << 40, 0, 0, 0, 1]];
        for model in [SprtModel::Normalised, SprtModel::Logistic] {
            for (elo0, elo1) in [(0.0, 0.001), (-1000.0, 1000.0), (999.0, 1000.0)] {
                for pairs in extremes {
                    let llr = terms(elo0, elo1, model).llr(&Scores::Pairs(pairs));
                    assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {pairs:?}: {llr}");
                }
            }
        }
    }

    #[test]
    fn terms_are_read_as_they_are_written_and_wrong_ones_say_why() {
        let terms: SprtTerms = "elo0=-1.5, elo1=10,model=logistic".parse().unwrap();
        assert_eq!(terms.to_string(), "elo0=-1.5,elo1=10,alpha=0.05,beta=0.05,model=logistic");
        assert_eq!(terms.to_string().parse(), Ok(terms));
        for (text, words) in [
            ("", "\"\" is not KEY=VALUE"),
            ("elo0", "\"elo0\" is not KEY=VALUE"),
            ("elo0=0", "elo1 is missing"),
            ("elo1=0", "elo0 is missing"),
            ("elo0=0,elo1=ten", "elo1 cannot be \"ten\""),
            ("elo0=0,elo1=NaN", "elo1 cannot be \"NaN\""),
            ("elo0=0,elo1=10,gamma=1", "unknown key \"gamma\""),
            ("elo0=0,elo0=1,elo1=10", "elo0 is given twice"),
            ("elo0=10,elo1=0", "elo0 must be below elo1"),
            ("elo0=0,elo1=2000", "from -1000 to 1000"),
            ("elo0=0,elo1=10,alpha=0.5", "below 0.5"),
            ("elo0=0,elo1=10,model=bayes", "model cannot be \"bayes\""),
        ] {
            let why = text.parse::<SprtTerms>().unwrap_err().to_string();
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn a_decision_is_the_same_in_any_order() {
        let terms = terms(0.0, 50.0, SprtModel::Normalised);
        let points = |number: u64| match number % 10 {
            3 => None,
            digit => Points::from_halves(if digit < 3 { 1 } else { 3 }),
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
        let mut random = super::super::simulation::Random::new(4);
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
                    sprt.add(sprt.upto() + 1, Points::from_halves(outcome));
                }
                errors += u32::from(sprt.decided().is_some_and(|(_, verdict)| verdict == wrong));
            }
            assert!(errors <= 11, "{truth}: {errors} of 100");
        }
    }
}
