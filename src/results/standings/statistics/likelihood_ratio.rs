//! The generalised likelihood ratio of a test's two hypotheses.
//!
//! Formulas: M. Van den Bergh, documents of the pentanomial repository; the same as in fishtest,
//! `OpenBench` and fastchess.

use super::elo::{GAMES, NORMALISED_ELO_A_DEVIATION, SCORES, Scores};
use super::sprt::SprtVerdict;
use super::sprt_terms::{SprtModel, SprtTerms};

impl SprtTerms {
    /// The logarithm of the generalised likelihood ratio of the two hypotheses; 0 without scores.
    pub(crate) fn llr(&self, scores: &Scores) -> f64 {
        if scores.0.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let seen = ScoreShares::new(scores);
        let [under0, under1] = [self.elo0(), self.elo1()].map(|elo| match self.model() {
            SprtModel::Logistic => seen.with_mean(1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
            SprtModel::Normalised => {
                seen.with_deviations(elo / NORMALISED_ELO_A_DEVIATION * GAMES.sqrt())
            }
        });
        let ratios = under1.iter().zip(&under0).map(|(one, zero)| (one / zero).ln());
        seen.matches
            * seen.shares.iter().zip(ratios).map(|(share, ratio)| share * ratio).sum::<f64>()
    }

    /// The hypothesis that this ratio decides for, if it does.
    pub(crate) fn verdict(&self, llr: f64) -> Option<SprtVerdict> {
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
    shares: [f64; 5],
    matches: f64,
}

impl ScoreShares {
    fn new(scores: &Scores) -> ScoreShares {
        let counts = scores.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let matches = counts.iter().sum();
        ScoreShares { shares: counts.map(|count| count / matches), matches }
    }

    /// The likeliest distribution with `mean`.
    fn with_mean(&self, mean: f64) -> [f64; 5] {
        self.tilted(SCORES.map(|score| score - mean))
    }

    /// The likeliest distribution whose mean is `deviations` of its own standard deviations above ½.
    fn with_deviations(&self, deviations: f64) -> [f64; 5] {
        const ENOUGH: f64 = 1e-4;
        // From far away the equations of one round may have no solution: the aim comes nearer to it
        // round by round, in smaller steps where that was too far.
        let (mut step, mut aim) = (0.25, 0.0);
        let mut shares = [1.0 / SCORES.len() as f64; SCORES.len()];
        // It settles within ten rounds; the bound is for numbers that nobody has met.
        for _ in 0..1000 {
            let left: f64 = deviations - aim;
            aim += left.clamp(-step, step);
            let scored = || shares.iter().zip(SCORES);
            let mean: f64 = scored().map(|(share, score)| share * score).sum();
            let variance: f64 = scored().map(|(share, score)| share * (score - mean).powi(2)).sum();
            let deviation = variance.sqrt();
            let levels = |aim: f64| {
                SCORES.map(|score| {
                    let from_mean = (score - mean) / deviation;
                    score - 0.5 - 0.5 * aim * deviation * (1.0 + from_mean.powi(2))
                })
            };
            let mut values = levels(aim);
            // With an aim of 0 they have a solution whatever the shares are.
            while !have_both_signs(&values) {
                (step, aim) = (step / 2.0, aim / 2.0);
                values = levels(aim);
            }
            let next = self.tilted(values);
            let change = |(a, b): (f64, f64)| (a - b).abs();
            let changed = shares.into_iter().zip(next).map(change).fold(0.0, f64::max);
            shares = next;
            if (deviations - aim).abs() < 1e-9 && changed < ENOUGH {
                break;
            }
        }
        shares
    }

    /// The likeliest distribution in which the mean of `values` is 0: each share divided by
    /// `1 + t value`, with the only t that makes it so.
    fn tilted(&self, values: [f64; 5]) -> [f64; 5] {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        debug_assert!(have_both_signs(&values), "{values:?} have no such t");
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        let divided = |tilt: f64| {
            std::array::from_fn::<f64, 5, _>(|i| self.shares[i] / (1.0 + tilt * values[i]))
        };
        let mean = |tilt: f64| -> f64 {
            divided(tilt).iter().zip(values).map(|(share, value)| share * value).sum()
        };
        // The mean falls from +infinity to -infinity between the two: halve down to a float's end.
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if mean(middle) > 0.0 { low = middle } else { high = middle }
        }
        divided(f64::midpoint(low, high))
    }
}

/// Whether some value is below 0 and some other above.
fn have_both_signs(values: &[f64; 5]) -> bool {
    values.iter().any(|&value| value < 0.0) && values.iter().any(|&value| value > 0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(elo0: f64, elo1: f64, model: SprtModel) -> SprtTerms {
        SprtTerms::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn published_ratios() {
        use SprtModel::{Logistic, Normalised};
        for (scores, [elo0, elo1], model, expected) in [
            (Scores([365, 16618, 36229, 16974, 390]), [0.0, 2.0], Normalised, 2.25),
            (Scores([0, 0, 0, 0, 5550]), [0.0, 5.0], Normalised, 111.82),
            (Scores([223, 9863, 21279, 10037, 246]), [0.5, 2.5], Logistic, -3.07),
            (Scores([5, 109, 748, 134, 4]), [0.0, 2.5], Normalised, 0.39),
            (Scores([20, 359, 904, 547, 25]), [0.0, 3.0], Normalised, 3.00),
            (Scores([41, 3112, 7501, 3333, 53]), [0.5, 3.5], Normalised, 2.90),
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

    /// Few and many, none and all.
    fn scores() -> impl Strategy<Value = Scores> {
        let count = prop_oneof![Just(0), 1..20_u64, 1..100_000_u64];
        let scores = proptest::array::uniform5(count).prop_map(Scores);
        scores.prop_filter("at least one", |scores| scores.0.iter().sum::<u64>() > 0)
    }

    /// Under each hypothesis the likeliest distribution is one for which the hypothesis is true.
    #[track_caller]
    fn fits(scores: &Scores, elo: f64) {
        let seen = ScoreShares::new(scores);
        let sum = |shares: &[f64; 5], value: &dyn Fn(f64) -> f64| -> f64 {
            shares.iter().zip(SCORES).map(|(share, score)| share * value(score)).sum()
        };
        let deviations = elo / NORMALISED_ELO_A_DEVIATION * GAMES.sqrt();
        let shares = seen.with_deviations(deviations);
        let mean = sum(&shares, &|score| score);
        let deviation = sum(&shares, &|score| (score - mean).powi(2)).sqrt();
        assert!((sum(&shares, &|_| 1.0) - 1.0).abs() < 1e-6, "{shares:?}");
        let found = (mean - 0.5) / deviation;
        assert!((found - deviations).abs() < 0.01, "{found} {deviations} {shares:?}");
        let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let shares = seen.with_mean(expected);
        assert!((sum(&shares, &|score| score) - expected).abs() < 1e-6, "{shares:?}");
    }

    /// The step towards the hypothesis has no solution here.
    #[test]
    fn scores_far_from_the_hypothesis_have_a_distribution_that_fits_it() {
        fits(&Scores([21640, 38218, 0, 19, 0]), -765.076_154_839_240_4);
        fits(&Scores([0, 19, 0, 38218, 21640]), 765.076_154_839_240_4);
    }

    proptest! {
        #[test]
        fn each_hypothesis_has_a_distribution_that_fits_it(
            scores in scores(),
            elo in -1000.0..1000.0_f64,
        ) {
            fits(&scores, elo);
        }

        /// Whoever lost all is not better, whoever won all is not worse.
        #[test]
        fn the_ratio_is_for_the_hypothesis_that_was_seen(
            matches in 1..50_u64,
            from in 0.0..1000.0_f64,
            above in 0.1..1000.0_f64,
        ) {
            let to = (from + above).min(1000.0);
            prop_assume!(from < to);
            for model in [SprtModel::Normalised, SprtModel::Logistic] {
                let [lost, won] = [Scores([matches, 0, 0, 0, 0]), Scores([0, 0, 0, 0, matches])];
                let llr = terms(from, to, model).llr(&lost);
                prop_assert!(llr < 0.0, "{model:?} {from} {to} {lost:?}: {llr}");
                let mirrored = terms(-to, -from, model).llr(&won);
                prop_assert!((llr + mirrored).abs() < 1e-3 * llr.abs().max(1.0), "{llr} {mirrored}");
            }
        }
    }

    #[test]
    fn no_counts_make_a_ratio_that_is_no_number() {
        let extremes = [[0; 5], [9, 0, 0, 0, 0], [0, 0, 7, 0, 0], [1 << 40, 0, 0, 0, 1]];
        for model in [SprtModel::Normalised, SprtModel::Logistic] {
            for (elo0, elo1) in [(0.0, 0.001), (-1000.0, 1000.0), (999.0, 1000.0)] {
                for pairs in extremes {
                    let llr = terms(elo0, elo1, model).llr(&Scores(pairs));
                    assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {pairs:?}: {llr}");
                }
            }
        }
    }
}
