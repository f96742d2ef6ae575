//! Numbers of standings, and a test, in words.

use crate::record::Digest;
use crate::standings::{Sprt, SprtModel, SprtState, SprtVerdict, StandingsRow};
use crate::text::printable;

pub(super) fn half(points: f64) -> String {
    format!("{points}")
}

/// `3.5`, and `3.5, 70.0 %` where shares of points rank.
pub(super) fn points_and_share(points: f64, share: Option<f64>) -> String {
    let share = share.map(|share| format!(", {}", percent(Some(share)))).unwrap_or_default();
    half(points) + &share
}

pub(in crate::report) fn ms(time: Option<f64>) -> String {
    time.map(|ms| format!("{ms:.3}")).unwrap_or_default()
}

/// `70.0 %`; empty without a number.
pub fn percent(likelihood: Option<f64>) -> String {
    likelihood.map(|likelihood| format!("{:.1} %", likelihood * 100.0)).unwrap_or_default()
}

/// `5d41402a, 7d793037`: how the versions that are added up begin; empty if there is one.
pub(super) fn versions(row: &StandingsRow) -> String {
    const SHOWN: usize = 8;
    let begins = |version: &Digest| version.to_string()[..SHOWN].to_owned();
    let several = row.versions.iter().filter(|_| row.versions.len() > 1);
    several.map(begins).collect::<Vec<_>>().join(", ")
}

/// A test in words: its state, then what it measured.
pub(in crate::report) fn sprt_lines(sprt: &SprtState) -> [String; 2] {
    let model = match sprt.model {
        SprtModel::Normalised => "normalised Elo",
        SprtModel::Logistic => "Elo",
    };
    let verdict = match sprt.verdict {
        Some(verdict) => verdict_in_words(sprt, verdict),
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
    let [zero, half, one, more, two] = sprt.pairs;
    let measured = format!(
        "Matches with 0, \u{bd}, 1, 1\u{bd} and 2 points by rounds: {zero}, {half}, {one}, {more}, \
         {two}; {}, {}, likelihood of being stronger {}.",
        with_error("Elo by rounds", sprt.elo, sprt.elo_error),
        with_error("normalised Elo", sprt.nelo, sprt.nelo_error),
        sprt.los.map_or_else(|| "unknown".to_owned(), |los| percent(Some(los)))
    );
    [state, measured]
}

/// What a test has accepted, and what that says of its first bot.
fn verdict_in_words(sprt: &SprtState, verdict: SprtVerdict) -> String {
    let SprtState { elo0, elo1, bots, .. } = sprt;
    let [name, opponent] = bots.each_ref().map(|name| printable(name));
    let about = format!("for {name} against {opponent}");
    match verdict {
        SprtVerdict::Accept if *elo0 >= 0.0 => format!(
            "H1 accepted: {name} is stronger than {opponent} (elo1={elo1} rather than elo0={elo0})"
        ),
        SprtVerdict::Accept => format!("H1 accepted: elo1={elo1} rather than elo0={elo0} {about}"),
        SprtVerdict::Reject => format!("H0 accepted: elo0={elo0} rather than elo1={elo1} {about}"),
    }
}

/// How a running test stands, in a few words.
pub fn sprt_progress(sprt: &Sprt) -> String {
    let (terms, (elo, elo_error)) = (sprt.terms(), sprt.elo());
    format!(
        "LLR {} of {:.2} to {:.2}, {}",
        hundredths(sprt.llr()),
        terms.lower(),
        terms.upper(),
        with_error("Elo by rounds", elo, elo_error)
    )
}

fn with_error(name: &str, value: Option<f64>, error: Option<f64>) -> String {
    match (value, error) {
        (Some(value), Some(error)) => format!("{name} {} ± {error:.2}", hundredths(value)),
        (Some(value), None) => format!("{name} {}", hundredths(value)),
        (None, _) => format!("{name} unknown"),
    }
}

/// With two decimals, and never `-0.00`.
fn hundredths(value: f64) -> String {
    format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_names_the_bot_and_what_was_accepted() {
        let sprt = |elo0, elo1| SprtState {
            bots: ["new", "old"].map(str::to_owned),
            elo0,
            elo1,
            model: SprtModel::Normalised,
            pairs: [0; 5],
            llr: 0.0,
            lower: -2.94,
            upper: 2.94,
            verdict: None,
            withheld: None,
            elo: None,
            elo_error: None,
            nelo: None,
            nelo_error: None,
            los: None,
        };
        let said = |sprt, verdict| verdict_in_words(&sprt, verdict);
        assert_eq!(
            said(sprt(0.0, 20.0), SprtVerdict::Accept),
            "H1 accepted: new is stronger than old (elo1=20 rather than elo0=0)"
        );
        assert_eq!(
            said(sprt(-5.0, 0.0), SprtVerdict::Accept),
            "H1 accepted: elo1=0 rather than elo0=-5 for new against old"
        );
        assert_eq!(
            said(sprt(0.0, 20.0), SprtVerdict::Reject),
            "H0 accepted: elo0=0 rather than elo1=20 for new against old"
        );
        let terms = "elo0=0,elo1=20".parse().unwrap();
        assert_eq!(
            sprt_progress(&Sprt::new(terms)),
            "LLR 0.00 of -2.94 to 2.94, Elo by rounds unknown"
        );
    }

    #[test]
    fn no_number_is_a_negative_zero() {
        assert_eq!([-0.004, 0.0, -0.0051].map(hundredths), ["0.00", "0.00", "-0.01"]);
    }
}
