//! What a score between two players says about their strength: Elo, normalised Elo, and the
//! likelihood that one is the stronger.
//!
//! Formulas: M. Van den Bergh, documents of the pentanomial repository; the same as in fishtest.

use super::normal;

/// Normalised Elo points for one standard deviation of a game's score.
pub(in crate::standings) const NORMALISED_ELO_A_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The scores that a match of two games may have.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many games a match has.
pub(super) const GAMES: f64 = 2.0;

/// How many matches of two games had 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scores(pub [u64; 5]);

/// A value and how far its 95 % interval reaches to each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EloEstimate {
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

impl Scores {
    /// The mean score, between 0 and 1, the variance of a match's score, and the number of matches.
    fn moments(&self) -> Option<(f64, f64, f64)> {
        let counts = self.0.map(|count| count as f64);
        let matches: f64 = counts.iter().sum();
        if matches == 0.0 {
            return None;
        }
        let scored = || SCORES.iter().zip(counts);
        let mean = scored().map(|(score, count)| count * score).sum::<f64>() / matches;
        let squares = scored().map(|(score, count)| count * (score - mean).powi(2));
        Some((mean, squares.sum::<f64>() / matches, matches))
    }

    /// The mean score, its standard deviation, and the variance of a match's score; `None`
    /// without matches, or if all have the same score: that says nothing about how sure it is.
    fn spread(&self) -> Option<(f64, f64, f64)> {
        let (mean, variance, matches) = self.moments()?;
        (variance > 0.0).then(|| (mean, (variance / matches).sqrt(), variance))
    }

    /// The difference in Elo, and how far its 95 % interval reaches to each side: `None` where the
    /// score, or an end of its interval, is not between 0 and 1.
    pub(crate) fn elo(&self) -> (Option<f64>, Option<f64>) {
        let error = self.spread().and_then(|(mean, deviation, _)| {
            let reach = normal::TWO_SIDED_95 * deviation;
            Some((elo(mean + reach)? - elo(mean - reach)?) / 2.0)
        });
        (self.moments().and_then(|(mean, ..)| elo(mean)), error)
    }

    /// The difference in normalised Elo: the score in standard deviations of a game.
    pub(crate) fn normalised_elo(&self) -> Option<EloEstimate> {
        let (mean, deviation, variance) = self.spread()?;
        let scale = NORMALISED_ELO_A_DEVIATION / (GAMES * variance).sqrt();
        Some(EloEstimate {
            value: scale * (mean - 0.5),
            error: scale * normal::TWO_SIDED_95 * deviation,
        })
    }

    /// The likelihood that the player whose scores these are is the stronger one.
    pub(crate) fn superiority(&self) -> Option<f64> {
        let (mean, deviation, _) = self.spread()?;
        Some(normal::below((mean - 0.5) / deviation))
    }
}

/// The difference in Elo at which this is the expected score; none at 0 and 1 and beyond.
fn elo(score: f64) -> Option<f64> {
    // Added to 0, a negative zero is 0.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Elo, normalised Elo and likelihood in percent as published, with two decimals.
    type Published = (Option<[f64; 2]>, Option<[f64; 2]>, Option<f64>);

    #[test]
    fn published_numbers() {
        let rows: [(Scores, Published); 6] = [
            (
                Scores([34, 54, 63, 64, 75]),
                (Some([55.58, 27.65]), Some([57.94, 28.28]), Some(100.00)),
            ),
            (
                Scores([332, 433, 498, 333, 334]),
                (Some([-8.64, 10.33]), Some([-9.17, 10.96]), Some(5.05)),
            ),
            (Scores([4, 3, 34, 42, 117]), (Some([277.00, 40.90]), Some([345.17, 34.05]), None)),
            (
                Scores([5, 109, 748, 134, 4]),
                (Some([4.00, 5.68]), Some([10.71, 15.23]), Some(91.59)),
            ),
            (Scores([20, 359, 904, 547, 25]), (Some([18.56, 6.01]), None, None)),
            (Scores([0, 0, 1, 0, 0]), (None, None, None)),
        ];
        for (scores, (elo, normalised, superiority)) in rows {
            let near = |found: f64, expected: f64| (found - expected).abs() < 0.005 + 1e-9;
            if let Some([value, error]) = elo {
                let (Some(found), Some(reach)) = scores.elo() else { panic!("{scores:?}") };
                assert!(near(found, value) && near(reach, error), "{found} {reach}");
            }
            if let Some([value, error]) = normalised {
                let found = scores.normalised_elo().unwrap();
                assert!(near(found.value, value) && near(found.error, error), "{found:?}");
            }
            if let Some(percent) = superiority {
                let found = scores.superiority().unwrap() * 100.0;
                assert!(near(found, percent), "{scores:?}: {found}");
            }
        }
        // OpenBench gives this one without its error.
        let found = Scores([41, 3112, 7501, 3333, 53]).elo().0.unwrap();
        assert!((found - 3.03).abs() < 0.005, "{found}");
    }

    #[test]
    fn where_nothing_can_be_said_nothing_is() {
        for scores in [Scores([0; 5]), Scores([0, 0, 0, 0, 9]), Scores([0, 0, 7, 0, 0])] {
            assert_eq!(scores.elo().1, None);
            assert_eq!(scores.normalised_elo(), None);
            assert_eq!(scores.superiority(), None);
        }
        // The interval of this one reaches beyond a perfect score.
        let scores = Scores([0, 0, 0, 1, 9]);
        assert_eq!(scores.elo().1, None);
        assert!(scores.normalised_elo().is_some());
        let level = Scores([1, 0, 0, 0, 1]).elo();
        assert_eq!(level, (Some(0.0), None));
        assert!(level.0.unwrap().is_sign_positive());
    }

    proptest! {
        /// Whatever the scores, the difference is known where both have some of the points.
        #[test]
        fn elo_is_known_where_both_have_points(counts in any::<[u8; 5]>(), most in 0_u8..=255) {
            let counts = counts.map(|count| u64::from(count.min(most)));
            let won = counts[1..].iter().any(|count| *count > 0);
            let lost = counts[..4].iter().any(|count| *count > 0);
            let (value, error) = Scores(counts).elo();
            prop_assert_eq!(value.is_some(), won && lost);
            prop_assert!(value.is_some() || error.is_none());
            prop_assert!(error.is_none_or(|error| error > 0.0));
        }
    }
}
