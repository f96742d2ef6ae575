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

use super::matrix::Symmetric;

/// What two players did against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::standings) struct Comparison {
    /// The index of one player.
    pub(in crate::standings) player: usize,
    /// The index of the other.
    pub(in crate::standings) opponent: usize,
    /// Matches that the one player won.
    pub(in crate::standings) won: u64,
    /// Matches without a winner.
    pub(in crate::standings) drawn: u64,
    /// Matches that the other player won.
    pub(in crate::standings) lost: u64,
}

/// The maximum of the likelihood.
#[derive(Clone, Debug)]
pub(in crate::standings) struct Fit {
    /// The natural logarithm of each player's strength; their mean is 0.
    pub(in crate::standings) strengths: Vec<f64>,
    /// ν, the readiness to draw.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the tests against published values"))]
    pub(in crate::standings) draws: f64,
    /// The covariance of the strengths, from the observed information.
    covariance: Symmetric,
}

impl Fit {
    /// The standard deviation of a player's strength against the mean of all.
    pub(in crate::standings) fn deviation(&self, player: usize) -> f64 {
        self.covariance.at(player, player).max(0.0).sqrt()
    }

    /// The standard deviation of the difference between two players' strengths.
    pub(in crate::standings) fn deviation_between(&self, player: usize, other: usize) -> f64 {
        let at = |row, column| self.covariance.at(row, column);
        (at(player, player) + at(other, other) - 2.0 * at(player, other)).max(0.0).sqrt()
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
/// `virtual_matches` against the virtual one. None where there is no maximum.
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
    let mut covariance = information.factored()?.inverse();
    // The direction in which all strengths change alike was held by the model; it is no one's.
    let players_f = model.players_f();
    for row in 0..players {
        for column in 0..=row {
            *covariance.at_mut(row, column) -= 1.0 / (model.hold * players_f * players_f);
        }
    }
    let draws = if model.has_draws() { parameters[players].exp() } else { 0.0 };
    parameters.truncate(players);
    let mean = parameters.iter().sum::<f64>() / players_f;
    let strengths = parameters.iter().map(|strength| strength - mean).collect();
    Some(Fit { strengths, draws, covariance })
}

/// The data and what they are fitted by. The parameters are the players' log-strengths and, where
/// a match was drawn, the logarithm of ν.
struct Model<'a> {
    players: usize,
    data: &'a [Comparison],
    virtual_matches: f64,
    drawn: u64,
    /// The information given to the mean of all strengths, which the data say nothing about.
    hold: f64,
}

/// What the model expects of one match.
struct Outcome {
    /// The logarithm of the sum of the three weights.
    log_total: f64,
    draw: f64,
    /// The score of the first player, what it lacks to 1 (exact where it is tiny), and the
    /// variance.
    score: f64,
    missed: f64,
    variance: f64,
}

impl<'a> Model<'a> {
    fn new(players: usize, data: &'a [Comparison], virtual_matches: f64) -> Model<'a> {
        let drawn = data.iter().map(|pair| pair.drawn).sum();
        Model { players, data, virtual_matches, drawn, hold: 1.0 }
    }

    const fn has_draws(&self) -> bool {
        self.drawn > 0
    }

    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 players")]
    const fn players_f(&self) -> f64 {
        self.players as f64
    }

    fn parameters(&self) -> usize {
        self.players + usize::from(self.has_draws())
    }

    /// All of equal strength, and ν as it is then.
    fn start(&self) -> Vec<f64> {
        let mut parameters = vec![0.0; self.parameters()];
        if self.has_draws() {
            let total: f64 = self.data.iter().map(|pair| as_f64(matches(pair))).sum();
            let decided = total - as_f64(self.drawn) + self.virtual_matches * self.players_f();
            parameters[self.players] = (2.0 * as_f64(self.drawn) / decided.max(0.5)).ln();
        }
        parameters
    }

    /// The logarithm of ν.
    fn log_draws(&self, parameters: &[f64]) -> f64 {
        if self.has_draws() { parameters[self.players] } else { f64::NEG_INFINITY }
    }

    fn mean(&self, parameters: &[f64]) -> f64 {
        parameters[..self.players].iter().sum::<f64>() / self.players_f()
    }

    fn likelihood(&self, parameters: &[f64]) -> f64 {
        let log_draws = self.log_draws(parameters);
        let of_pairs = self.data.iter().map(|pair| {
            let lead = parameters[pair.player] - parameters[pair.opponent];
            let log_total = outcome(lead, log_draws).log_total;
            let mut sum = as_f64(pair.won) * (lead / 2.0 - log_total)
                + as_f64(pair.lost) * (-lead / 2.0 - log_total);
            if pair.drawn > 0 {
                sum += as_f64(pair.drawn) * (log_draws - log_total);
            }
            sum
        });
        let mean = self.mean(parameters);
        let of_virtual = parameters[..self.players]
            .iter()
            .map(|strength| -self.virtual_matches * outcome(strength - mean, log_draws).log_total);
        of_pairs.sum::<f64>() + of_virtual.sum::<f64>()
    }

    /// The gradient of the log-likelihood and the observed information, its negated second
    /// derivative.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Symmetric) {
        let players = self.players;
        let log_draws = self.log_draws(parameters);
        let mut gradient = vec![0.0; self.parameters()];
        let mut information = Symmetric::zero(self.parameters());
        for pair in self.data {
            let (a, b) = (pair.player, pair.opponent);
            let expected = outcome(parameters[a] - parameters[b], log_draws);
            let played = as_f64(matches(pair));
            let beyond = as_f64(pair.won) * expected.missed
                + as_f64(pair.drawn) * (0.5 - expected.score)
                - as_f64(pair.lost) * expected.score;
            gradient[a] += beyond;
            gradient[b] -= beyond;
            let weight = played * expected.variance;
            *information.at_mut(a, a) += weight;
            *information.at_mut(b, b) += weight;
            *information.at_mut(a, b) -= weight;
            if self.has_draws() {
                gradient[players] += as_f64(pair.drawn) - played * expected.draw;
                let cross = played * expected.draw * (0.5 - expected.score);
                *information.at_mut(players, a) += cross;
                *information.at_mut(players, b) -= cross;
                *information.at_mut(players, players) +=
                    played * expected.draw * (1.0 - expected.draw);
            }
        }
        self.add_virtual(parameters, &mut gradient, &mut information);
        let hold = self.hold;
        for row in 0..players {
            for column in 0..=row {
                *information.at_mut(row, column) += hold;
            }
        }
        (gradient, information)
    }

    /// The part of the matches against the virtual player, whose strength is the mean of all and
    /// so moves with each of them.
    fn add_virtual(&self, parameters: &[f64], gradient: &mut [f64], information: &mut Symmetric) {
        if self.virtual_matches == 0.0 {
            return;
        }
        let (players, count) = (self.players, self.players_f());
        let log_draws = self.log_draws(parameters);
        let mean = self.mean(parameters);
        let expected: Vec<Outcome> = parameters[..players]
            .iter()
            .map(|strength| outcome(strength - mean, log_draws))
            .collect();
        let of_each = |value: &dyn Fn(&Outcome) -> f64| -> Vec<f64> {
            expected.iter().map(|outcome| self.virtual_matches * value(outcome)).collect()
        };
        let beyond = of_each(&|outcome| 0.5 - outcome.score);
        let weights = of_each(&|outcome| outcome.variance);
        let cross = of_each(&|outcome| outcome.draw * (0.5 - outcome.score));
        let draws = of_each(&|outcome| outcome.draw);
        let curve = of_each(&|outcome| outcome.draw * (1.0 - outcome.draw));
        let mean_of = |values: &[f64]| values.iter().sum::<f64>() / count;
        let (mean_beyond, mean_weight, mean_cross) =
            (mean_of(&beyond), mean_of(&weights), mean_of(&cross));
        for row in 0..players {
            gradient[row] += beyond[row] - mean_beyond;
            for column in 0..=row {
                let own = if row == column { weights[row] } else { 0.0 };
                *information.at_mut(row, column) +=
                    own - (weights[row] + weights[column] - mean_weight) / count;
            }
            if self.has_draws() {
                *information.at_mut(players, row) += cross[row] - mean_cross;
            }
        }
        if self.has_draws() {
            gradient[players] -= draws.iter().sum::<f64>();
            *information.at_mut(players, players) += curve.iter().sum::<f64>();
        }
    }
}

/// What is expected of a player that leads by so much, in log-strength.
fn outcome(lead: f64, log_draws: f64) -> Outcome {
    // Weights relative to the greatest, so that none overflows.
    let greatest = (lead.abs() / 2.0).max(log_draws);
    let weights = [lead / 2.0, log_draws, -lead / 2.0].map(|log| (log - greatest).exp());
    let total: f64 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / total);
    let (score, missed) = (win + draw / 2.0, loss + draw / 2.0);
    let variance = win * missed.powi(2) + draw * (0.5 - score).powi(2) + loss * score.powi(2);
    Outcome { log_total: greatest + total.ln(), draw, score, missed, variance }
}

const fn matches(pair: &Comparison) -> u64 {
    pair.won + pair.drawn + pair.lost
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
const fn as_f64(count: u64) -> f64 {
    count as f64
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
            let model = Model { hold: 0.0, ..Model::new(6, &data, virtual_matches) };
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
