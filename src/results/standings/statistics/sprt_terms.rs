//! The terms of a sequential test, as users write them.

use std::fmt;
use std::str::FromStr;

use mancala_game::words;
use schemars::JsonSchema;
use serde::Serialize;

/// What is tested: elo0 against elo1, with which errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtTerms {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

/// The scale of a test's two hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Elo divided by the spread of a game's score: a test takes as long whatever is drawn.
    #[default]
    Normalised,
    /// The usual Elo.
    Logistic,
}

words!(SprtModel, "normalised or logistic", Normalised = "normalised", Logistic = "logistic");

const USAGE: &str =
    "expected elo0=N,elo1=N and, if wanted, alpha=P, beta=P, model=normalised or logistic";

impl SprtTerms {
    /// A test of these hypotheses, at error probabilities of 5 % unless others are given.
    ///
    /// # Errors
    ///
    /// Unless elo0 is below elo1, both are within ±1,000, and the errors are within 0 and ½.
    pub(crate) fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: SprtModel,
    ) -> Result<SprtTerms, String> {
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        if elo0.abs() > 1000.0 || elo1.abs() > 1000.0 {
            return Err("elo0 and elo1 must be from -1000 to 1000".to_owned());
        }
        if elo0 >= elo1 {
            return Err("elo0 must be below elo1".to_owned());
        }
        if !(is_error(alpha) && is_error(beta)) {
            return Err("alpha and beta must be above 0 and below 0.5".to_owned());
        }
        Ok(SprtTerms { elo0, elo1, alpha, beta, model })
    }

    /// The lower hypothesis.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The upper hypothesis.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of both.
    pub(crate) const fn model(&self) -> SprtModel {
        self.model
    }

    /// At or below this ratio elo0 is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this ratio elo1 is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }
}

impl fmt::Display for SprtTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtTerms { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl FromStr for SprtTerms {
    type Err = String;

    /// Reads `elo0=0,elo1=10[,alpha=0.05,beta=0.05,model=normalised]`.
    fn from_str(text: &str) -> Result<SprtTerms, String> {
        const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
        let mut given: [Option<&str>; 5] = [None; 5];
        // Blanks may stand around any sign, and for a comma.
        let pairs = text.split('=').map(str::trim).collect::<Vec<_>>().join("=");
        let parts = pairs.split(|c: char| c == ',' || c.is_whitespace());
        for part in parts.filter(|part| !part.is_empty()) {
            let not_a_pair = || format!("\"{part}\" is not KEY=VALUE; {USAGE}");
            let (key, value) = part.split_once('=').ok_or_else(not_a_pair)?;
            let index = KEYS.iter().position(|known| *known == key);
            let index = index.ok_or_else(|| format!("unknown key \"{key}\"; {USAGE}"))?;
            if given[index].replace(value).is_some() {
                return Err(format!("{} is given twice", KEYS[index]));
            }
        }
        let bad =
            |index: usize, value: &str| format!("{} cannot be \"{value}\"; {USAGE}", KEYS[index]);
        let number = |index: usize, default: Option<f64>| {
            let missing = || format!("{} is missing; {USAGE}", KEYS[index]);
            let Some(value) = given[index] else { return default.ok_or_else(missing) };
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| bad(index, value))
        };
        let model = given[4]
            .map_or(Ok(SprtModel::default()), |model| model.parse().map_err(|_| bad(4, model)))?;
        let (alpha, beta) = (number(2, Some(0.05))?, number(3, Some(0.05))?);
        SprtTerms::new(number(0, None)?, number(1, None)?, alpha, beta, model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_as_they_are_written_and_wrong_ones_say_why() {
        let terms: SprtTerms = "elo0=-1.5, elo1=10,model=logistic".parse().unwrap();
        assert_eq!(terms.to_string(), "elo0=-1.5,elo1=10,alpha=0.05,beta=0.05,model=logistic");
        assert_eq!(terms.to_string().parse(), Ok(terms));
        let spaced: SprtTerms = " elo0 = -1.5 elo1=10  model= logistic ".parse().unwrap();
        assert_eq!(spaced, terms);
        for (text, words) in [
            ("", "elo0 is missing"),
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
            let why = text.parse::<SprtTerms>().unwrap_err();
            assert!(why.contains(words), "{text}: {why}");
        }
    }
}
