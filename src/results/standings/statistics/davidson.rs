//! Davidson's model of comparisons with draws, fitted by maximum likelihood.
//!
//! R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
//! experiments", JASA 65 (1970): with strengths π, a win, a draw and a loss of i against j are as
//! likely as π<sub>i</sub> : ν√(π<sub>i</sub>π<sub>j</sub>) : π<sub>j</sub>. In the logarithms of
//! all parameters the likelihood has one maximum, which Newton's method finds; what is observed of
//! a player's strength is its wins and half its draws.
//!
//! A player with a perfect score has no finite strength. So each player also has half a match
//! against a virtual player of mean strength, half won and half lost. It scores as a drawn one
//! does, but a drawn one would not do: a large ν would explain it as well, and no bound would be
//! left.

use super::likelihood::Model;
use super::matrix::Inverse;

pub(in crate::standings) use super::likelihood::Comparison;

/// The maximum of the likelihood.
#[derive(Clone, Debug)]
pub(in crate::standings) struct Fit {
    /// The natural logarithm of each player's strength; their mean is 0.
    pub(in crate::standings) strengths: Vec<f64>,
    /// ν, the readiness to draw.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the tests against published values"))]
    pub(in crate::standings) draws: f64,
    /// The inverse of the observed information.
    inverse: Inverse,
    /// How much greater each of its cells is than a covariance of strengths: the information that was given
    /// to their mean, which the data do not have.
    of_the_mean: f64,
}

impl Fit {
    /// The standard deviation of a player's strength against the mean of all.
    pub(in crate::standings) fn deviation(&self, player: usize) -> f64 {
        self.covariance(player, player).max(0.0).sqrt()
    }

    /// The standard deviation of the difference between two players' strengths.
    pub(in crate::standings) fn deviation_between(&self, player: usize, other: usize) -> f64 {
        let at = |row, column| self.covariance(row, column);
        (at(player, player) + at(other, other) - 2.0 * at(player, other)).max(0.0).sqrt()
    }

    fn covariance(&self, player: usize, other: usize) -> f64 {
        self.inverse.at(player, other) - self.of_the_mean
    }
}

/// How many matches each player has against the virtual one.
pub(in crate::standings) const VIRTUAL_MATCHES: f64 = 0.5;

/// Newton's method doubles the right digits with each step; no data that were tried need 30.
const MAX_STEPS: usize = 100;

/// After a step this short, the error left is far smaller still.
const SHORT: f64 = 1e-6;

/// Longer steps are shortened: the quadratic approximation says nothing so far away.
const FAR: f64 = 5.0;

/// Fits the model to players who are all connected by matches, or to any players where each has
/// `virtual_matches` against the virtual one. `None` if there is no maximum.
pub(in crate::standings) fn fit(
    players: usize,
    data: &[Comparison],
    virtual_matches: f64,
) -> Option<Fit> {
    let model = Model::new(players, data, virtual_matches);
    let mut parameters = model.start();
    let mut likelihood = model.likelihood(&parameters);
    let mut longest = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let (gradient, information) = model.derivatives(&parameters);
        let step = information.factored()?.solve(&gradient);
        longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        if !longest.is_finite() {
            return None;
        }
        // Far from the maximum a whole step may go too far.
        let mut share = if longest > FAR { FAR / longest } else { 1.0 };
        loop {
            let moved = parameters.iter().zip(&step).map(|(at, part)| at + share * part);
            let moved: Vec<f64> = moved.collect();
            let found = model.likelihood(&moved);
            // At the maximum, rounding makes the likelihood go either way.
            if found >= likelihood - 1e-9 * likelihood.abs().max(1.0) {
                (parameters, likelihood) = (moved, found);
                break;
            }
            share /= 2.0;
            if share < 1e-12 {
                return None;
            }
        }
        if longest < SHORT {
            break;
        }
    }
    if longest >= SHORT {
        return None;
    }
    let (_, information) = model.derivatives(&parameters);
    let inverse = information.factored()?.inverse();
    let players_f = model.players_f();
    let of_the_mean = 1.0 / (model.hold * players_f * players_f);
    let draws = if model.has_draws() { parameters[players].exp() } else { 0.0 };
    parameters.truncate(players);
    let mean = parameters.iter().sum::<f64>() / players_f;
    let strengths = parameters.iter().map(|strength| strength - mean).collect();
    Some(Fit { strengths, draws, inverse, of_the_mean })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(player: usize, opponent: usize, [won, drawn, lost]: [u64; 3]) -> Comparison {
        Comparison { player, opponent, won, drawn, lost }
    }

    /// Davidson's second example, chocolate pudding of six brands: players, then wins, draws and
    /// losses of the first.
    const PUDDING: [(usize, usize, [u64; 3]); 15] = [
        (1, 2, [19, 16, 22]),
        (1, 3, [16, 12, 19]),
        (2, 3, [19, 10, 19]),
        (1, 4, [18, 13, 23]),
        (2, 4, [23, 9, 19]),
        (3, 4, [19, 15, 20]),
        (1, 5, [13, 18, 19]),
        (2, 5, [16, 12, 20]),
        (3, 5, [16, 17, 15]),
        (4, 5, [17, 16, 14]),
        (1, 6, [18, 12, 21]),
        (2, 6, [22, 12, 20]),
        (3, 6, [13, 10, 18]),
        (4, 6, [14, 18, 19]),
        (5, 6, [11, 12, 21]),
    ];

    fn pudding() -> Vec<Comparison> {
        PUDDING.iter().map(|&(one, other, counts)| pair(one - 1, other - 1, counts)).collect()
    }

    #[test]
    fn davidsons_example_has_its_maximum() {
        let data = pudding();
        let fit = fit(6, &data, 0.0).unwrap();
        let total: f64 = fit.strengths.iter().map(|strength| strength.exp()).sum();
        let expected =
            [0.138_803_4, 0.173_001_5, 0.161_747_4, 0.165_373_0, 0.158_685_4, 0.202_389_3];
        for (strength, expected) in fit.strengths.iter().zip(expected) {
            assert!((strength.exp() / total - expected).abs() < 5.1e-8, "{strength}");
        }
        assert!((fit.draws - 0.746_823).abs() < 5.1e-7, "{}", fit.draws);
        let model = Model::new(6, &data, 0.0);
        let mut parameters = fit.strengths.clone();
        parameters.push(fit.draws.ln());
        let likelihood = model.likelihood(&parameters);
        assert!((likelihood + 809.7095).abs() < 5.1e-5, "{likelihood}");
        let elo = |player: usize| (fit.strengths[player] - fit.strengths[0]) * 400.0 / 10_f64.ln();
        for (player, expected) in (1..).zip([38.260, 26.575, 30.426, 23.255, 65.515]) {
            assert!((elo(player) - expected).abs() < 5.1e-4, "{}", elo(player));
        }
    }

    #[test]
    fn the_gradient_and_the_information_are_those_of_the_likelihood() {
        let data = pudding();
        for virtual_matches in [0.0, 0.5, 7.0] {
            let mut model = Model::new(6, &data, virtual_matches);
            model.hold = 0.0;
            let at = [0.3, -0.2, 0.5, 0.0, -1.0, 0.1, -0.4];
            let (gradient, information) = model.derivatives(&at);
            let moved = |changes: &[(usize, f64)]| {
                let mut moved = at;
                for &(index, by) in changes {
                    moved[index] += by;
                }
                model.likelihood(&moved)
            };
            let h = 1e-4;
            for row in 0..7 {
                let slope = (moved(&[(row, h)]) - moved(&[(row, -h)])) / (2.0 * h);
                assert!((slope - gradient[row]).abs() < 1e-4, "{row}: {slope} {gradient:?}");
                for column in 0..7 {
                    let corner = |a: f64, b: f64| moved(&[(row, a * h), (column, b * h)]);
                    let curve = corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0)
                        + corner(-1.0, -1.0);
                    let curve = -curve / (4.0 * h * h);
                    let found = information.at(row, column);
                    assert!((curve - found).abs() < 1e-2, "{row} {column}: {curve} {found}");
                }
            }
        }
    }

    #[test]
    fn without_draws_it_is_the_model_of_bradley_and_terry() {
        // Two players: the odds are those of the wins.
        let fit = fit(2, &[pair(0, 1, [30, 0, 10])], 0.0).unwrap();
        assert!((fit.strengths[0] - fit.strengths[1] - 3_f64.ln()).abs() < 1e-9);
        // The variance of a log-odds: 1/30 + 1/10.
        assert!((fit.deviation_between(0, 1).powi(2) - 2.0 / 15.0).abs() < 1e-9);
        assert!((fit.deviation(0).powi(2) - 2.0 / 60.0).abs() < 1e-9);
    }

    #[test]
    fn extremes_have_finite_ratings() {
        for data in [
            vec![pair(0, 1, [1, 0, 0])],
            vec![pair(0, 1, [0, 1, 0])],
            vec![pair(0, 1, [0, 1_000_000, 0])],
            vec![pair(0, 1, [1_000_000_000, 0, 0])],
            vec![pair(0, 1, [1_000_000_000, 1, 0])],
            vec![pair(0, 1, [100, 0, 0]), pair(1, 2, [100, 0, 0]), pair(0, 2, [0, 100, 0])],
            (0..40).map(|n| pair(n, n + 1, [1000, 0, 0])).collect(),
            (0..40).map(|n| pair(n, n + 1, [0, 3, 0])).collect(),
            vec![],
        ] {
            let players = data.iter().map(|pair| pair.opponent + 1).max().unwrap_or(1);
            let fit = fit(players, &data, VIRTUAL_MATCHES).unwrap_or_else(|| panic!("{data:?}"));
            assert!(fit.strengths.iter().all(|strength| strength.is_finite()), "{data:?}");
            for player in 0..players {
                assert!(fit.deviation(player).is_finite(), "{data:?}");
            }
        }
    }

    #[test]
    fn without_the_virtual_player_a_perfect_score_has_no_maximum() {
        assert!(fit(2, &[pair(0, 1, [9, 0, 0])], 0.0).is_none());
    }
}
