//! Numbers of standings, and a test, in words.

use crate::standings::{SprtModel, SprtState, SprtVerdict};

pub(super) fn half(points: f64) -> String {
    format!("{points}")
}

pub(in crate::report) fn ms(time: Option<f64>) -> String {
    time.map(|ms| format!("{ms:.3}")).unwrap_or_default()
}

pub(in crate::report) fn percent(likelihood: Option<f64>) -> String {
    likelihood.map(|likelihood| format!("{:.1} %", likelihood * 100.0)).unwrap_or_default()
}

/// A test in words: its state, then what it measured.
pub(in crate::report) fn sprt_lines(sprt: &SprtState) -> [String; 2] {
    let model = match sprt.model {
        SprtModel::Normalised => "normalised Elo",
        SprtModel::Logistic => "Elo",
    };
    let verdict = match sprt.verdict {
        Some(SprtVerdict::Accept) => format!("elo1 is accepted: at least {} stronger", sprt.elo1),
        Some(SprtVerdict::Reject) => format!("elo0 is accepted: not {} stronger", sprt.elo1),
        None => match &sprt.withheld {
            Some(why) => format!("no verdict: {why}"),
            None => "undecided".to_owned(),
        },
    };
    let state = format!(
        "SPRT of {} against {} {model}: {verdict}; log-likelihood ratio {} of {:.2} to {:.2}.",
        sprt.elo0,
        sprt.elo1,
        hundredths(sprt.llr),
        sprt.lower,
        sprt.upper
    );
    let with_error = |name: &str, value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => format!("{name} {} ± {error:.2}", hundredths(value)),
        _ => format!("{name} unknown"),
    };
    let [zero, half, one, more, two] = sprt.pairs;
    let measured = format!(
        "Matches with 0, \u{bd}, 1, 1\u{bd} and 2 points by rounds: {zero}, {half}, {one}, {more}, \
         {two}; {}, {}, likelihood of being stronger {}.",
        with_error("Elo", sprt.elo, sprt.elo_error),
        with_error("normalised Elo", sprt.nelo, sprt.nelo_error),
        sprt.los.map_or_else(|| "unknown".to_owned(), |los| percent(Some(los)))
    );
    [state, measured]
}

/// With two decimals, and never `-0.00`.
fn hundredths(value: f64) -> String {
    format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_a_negative_zero() {
        assert_eq!([-0.004, 0.0, -0.0051].map(hundredths), ["0.00", "0.00", "-0.01"]);
    }
}
