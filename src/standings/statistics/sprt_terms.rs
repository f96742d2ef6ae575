//! The terms of a sequential test, as users write them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Elo divided by the spread of a game's score: a test takes as long whatever is drawn.
    #[default]
    Normalised,
    /// The usual Elo.
    Logistic,
}

/// Why a test cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSprt {
    /// A part that is not KEY=VALUE.
    #[error("\"{0}\" is not KEY=VALUE; {USAGE}")]
    NotAPair(String),
    /// An unknown key.
    #[error("unknown key \"{0}\"; {USAGE}")]
    UnknownKey(String),
    /// A key that stands twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A value that is not a number or a model.
    #[error("{key} cannot be \"{value}\"; {USAGE}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// What was given.
        value: String,
    },
    /// A hypothesis is missing.
    #[error("{0} is missing; {USAGE}")]
    Missing(&'static str),
    /// The hypotheses are the wrong way round, or not apart.
    #[error("elo0 must be below elo1")]
    NotApart,
    /// Hypotheses beyond what a test can tell apart.
    #[error("elo0 and elo1 must be from -1000 to 1000")]
    BeyondReason,
    /// An error probability out of range.
    #[error("alpha and beta must be above 0 and below 0.5")]
    BadErrors,
}

const USAGE: &str =
    "expected elo0=N,elo1=N and, if wanted, alpha=P, beta=P, model=normalised or logistic";

impl SprtTerms {
    /// A test of these hypotheses, at error probabilities of 5 % unless others are given.
    ///
    /// # Errors
    ///
    /// Unless elo0 is below elo1, both are within ±1,000, and the errors are within 0 and ½.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: SprtModel,
    ) -> Result<SprtTerms, BadSprt> {
        let is_within = |elo: f64| elo.abs() <= 1000.0;
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        if !(is_within(elo0) && is_within(elo1)) {
            return Err(BadSprt::BeyondReason);
        }
        if elo0 >= elo1 {
            return Err(BadSprt::NotApart);
        }
        if !(is_error(alpha) && is_error(beta)) {
            return Err(BadSprt::BadErrors);
        }
        Ok(SprtTerms { elo0, elo1, alpha, beta, model })
    }

    /// The lower hypothesis.
    #[must_use]
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The upper hypothesis.
    #[must_use]
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of both.
    #[must_use]
    pub const fn model(&self) -> SprtModel {
        self.model
    }

    /// At or below this ratio elo0 is accepted.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this ratio elo1 is accepted.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }
}

impl fmt::Display for SprtTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtTerms { elo0, elo1, alpha, beta, model } = self;
        let model = match model {
            SprtModel::Normalised => "normalised",
            SprtModel::Logistic => "logistic",
        };
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl FromStr for SprtTerms {
    type Err = BadSprt;

    /// Reads `elo0=0,elo1=10[,alpha=0.05,beta=0.05,model=normalised]`.
    fn from_str(text: &str) -> Result<SprtTerms, BadSprt> {
        const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
        let mut given: [Option<&str>; 5] = [None; 5];
        for part in text.split(',') {
            let not_a_pair = || BadSprt::NotAPair(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(not_a_pair)?;
            let index = KEYS.iter().position(|known| *known == key.trim());
            let index = index.ok_or_else(|| BadSprt::UnknownKey(key.to_owned()))?;
            if given[index].replace(value.trim()).is_some() {
                return Err(BadSprt::Twice(KEYS[index]));
            }
        }
        let number = |index: usize, default: Option<f64>| {
            let Some(value) = given[index] else {
                return default.ok_or(BadSprt::Missing(KEYS[index]));
            };
            let bad = || BadSprt::BadValue { key: KEYS[index], value: value.to_owned() };
            value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(bad)
        };
        let model = match given[4] {
            None | Some("normalised") => SprtModel::Normalised,
            Some("logistic") => SprtModel::Logistic,
            Some(other) => {
                return Err(BadSprt::BadValue { key: "model", value: other.to_owned() });
            }
        };
        let (alpha, beta) = (number(2, Some(0.05))?, number(3, Some(0.05))?);
        SprtTerms::new(number(0, None)?, number(1, None)?, alpha, beta, model)
    }
}

impl Serialize for SprtTerms {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SprtTerms {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<SprtTerms, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
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
}
