//! How likely Davidson's model makes what was seen, and the derivatives of that.

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

/// The data and what they are fitted by. The parameters are the players' log-strengths and, where
/// a match was drawn, the logarithm of ν.
pub(super) struct Model<'a> {
    players: usize,
    data: &'a [Comparison],
    virtual_matches: f64,
    drawn: u64,
    /// The information given to the mean of all strengths, which the data say nothing about.
    pub(super) hold: f64,
}

/// What the model expects of one match.
struct MatchExpectation {
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
    pub(super) fn new(players: usize, data: &'a [Comparison], virtual_matches: f64) -> Model<'a> {
        let drawn = data.iter().map(|pair| pair.drawn).sum();
        Model { players, data, virtual_matches, drawn, hold: 1.0 }
    }

    pub(super) const fn has_draws(&self) -> bool {
        self.drawn > 0
    }

    pub(super) const fn players_f(&self) -> f64 {
        self.players as f64
    }

    fn parameters(&self) -> usize {
        self.players + usize::from(self.has_draws())
    }

    /// All of equal strength, and ν as it is then.
    pub(super) fn start(&self) -> Vec<f64> {
        let mut parameters = vec![0.0; self.parameters()];
        if self.has_draws() {
            let total: f64 = self.data.iter().map(|pair| matches(pair) as f64).sum();
            let decided = total - self.drawn as f64 + self.virtual_matches * self.players_f();
            parameters[self.players] = (2.0 * self.drawn as f64 / decided.max(0.5)).ln();
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

    pub(super) fn likelihood(&self, parameters: &[f64]) -> f64 {
        let log_draws = self.log_draws(parameters);
        let of_pairs = self.data.iter().map(|pair| {
            let lead = parameters[pair.player] - parameters[pair.opponent];
            let log_total = outcome(lead, log_draws).log_total;
            let mut sum = pair.won as f64 * (lead / 2.0 - log_total)
                + pair.lost as f64 * (-lead / 2.0 - log_total);
            if pair.drawn > 0 {
                sum += pair.drawn as f64 * (log_draws - log_total);
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
    pub(super) fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Symmetric) {
        let players = self.players;
        let log_draws = self.log_draws(parameters);
        let mut gradient = vec![0.0; self.parameters()];
        let mut information = Symmetric::zero(self.parameters());
        for pair in self.data {
            let (a, b) = (pair.player, pair.opponent);
            let expected = outcome(parameters[a] - parameters[b], log_draws);
            let played = matches(pair) as f64;
            let beyond = pair.won as f64 * expected.missed
                + pair.drawn as f64 * (0.5 - expected.score)
                - pair.lost as f64 * expected.score;
            gradient[a] += beyond;
            gradient[b] -= beyond;
            let weight = played * expected.variance;
            *information.at_mut(a, a) += weight;
            *information.at_mut(b, b) += weight;
            *information.at_mut(a, b) -= weight;
            if self.has_draws() {
                gradient[players] += pair.drawn as f64 - played * expected.draw;
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
        let expected: Vec<MatchExpectation> = parameters[..players]
            .iter()
            .map(|strength| outcome(strength - mean, log_draws))
            .collect();
        let of_each = |value: &dyn Fn(&MatchExpectation) -> f64| -> Vec<f64> {
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
fn outcome(lead: f64, log_draws: f64) -> MatchExpectation {
    // Weights relative to the greatest, so that none overflows.
    let greatest = (lead.abs() / 2.0).max(log_draws);
    let weights = [lead / 2.0, log_draws, -lead / 2.0].map(|log| (log - greatest).exp());
    let total: f64 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / total);
    let (score, missed) = (win + draw / 2.0, loss + draw / 2.0);
    let variance = win * missed.powi(2) + draw * (0.5 - score).powi(2) + loss * score.powi(2);
    MatchExpectation { log_total: greatest + total.ln(), draw, score, missed, variance }
}

const fn matches(pair: &Comparison) -> u64 {
    pair.won + pair.drawn + pair.lost
}
