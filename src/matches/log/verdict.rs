//! Compares what a bot did when it was asked again with what it did in the match.

use std::io::{self, Write};
use std::time::Duration;

use super::reproduction::{Question, Reproduced};
use crate::protocol::FaultKind;
use crate::record::milliseconds;
use crate::text::{TellingLines, printable};

/// Most lines of stderr that are shown.
const STDERR_LINES: usize = 20;

/// Writes what a bot did in the match, what it did now, and `stderr`, the end of what it wrote
/// there now.
///
/// # Errors
///
/// When the writer fails.
pub fn write_comparison(
    out: &mut impl Write,
    question: Question<'_>,
    again: &Reproduced,
    stderr: &str,
) -> io::Result<()> {
    let bundle = question.bundle;
    let lines = TellingLines::of(stderr, STDERR_LINES).in_one();
    if !lines.is_empty() {
        writeln!(out, "\nIts stderr ends with")?;
    }
    for line in lines {
        writeln!(out, "  | {}", printable(line))?;
    }
    writeln!(out, "\nthen: {}", in_words(bundle.kind, &bundle.detail))?;
    if let (Some(waited), Some(late)) = (bundle.waited_ms, bundle.late_after_ms) {
        writeln!(out, "      after {waited:.3} ms (limit {late} ms)")?;
    }
    let mut now = Vec::new();
    if let Some(played) = &again.played {
        let mut words = format!("a legal move, {}", played.ply.house);
        if bundle.rules.direction.is_a_choice() {
            words += &format!(" {}", played.ply.direction);
        }
        now.push(words);
    }
    if let Some(fault) = &again.fault {
        now.push(in_words(fault.kind, &fault.detail));
    }
    if now.is_empty() {
        now.push("it was asked nothing, and wrote nothing".to_owned());
    }
    writeln!(out, "now:  {}", now.join("; then "))?;
    if let Some((waited, late_after)) = again.time {
        let late_after = late_after.as_millis();
        writeln!(out, "      after {:.3} ms (limit {late_after} ms)", milliseconds(waited))?;
    }
    if let Some(words) = slower_than_allowed(question, again) {
        return writeln!(out, "{words}");
    }
    if let (Some(fault), Some(turn)) = (&again.fault, again.early_turn)
        && fault.kind == bundle.kind
    {
        // Maybe it does not even start here.
        return writeln!(
            out,
            "The same kind of fault, but earlier, at turn {turn}; in the match it was in round {}, at \
             turn {}: see its stderr.",
            bundle.round, bundle.turn
        );
    }
    let conclusion = match &again.fault {
        Some(fault) if fault.kind == bundle.kind => "The same kind of fault again.",
        Some(_) => "A different fault from the one in the match.",
        None if !question.from_start && bundle.has_earlier_lines() => {
            "No fault this time. The bot is fixed, or its fault depended on what it was sent before: \
             see --from-start."
        }
        None if bundle.is_of_earlier_process() => {
            "An earlier process spent the time bank. The bundles of earlier turns show how."
        }
        None => "No fault this time.",
    };
    writeln!(out, "{conclusion}")
}

/// The remark on an answer that only the start time kept from being late: in the match the process
/// had started long before.
fn slower_than_allowed(question: Question<'_>, again: &Reproduced) -> Option<String> {
    let Question { bundle, from_start, changes } = question;
    let ((waited, _), limit, late) = (again.time?, bundle.limit_ms?, bundle.late_after_ms?);
    let start = changes.start_time.unwrap_or(bundle.terms.time.start_time);
    let is_saved_by_start_time = bundle.kind == FaultKind::Timeout
        && again.fault.is_none()
        && !from_start
        && changes.move_time.is_none()
        && !start.is_zero()
        && waited > Duration::from_millis(late);
    if !is_saved_by_start_time {
        return None;
    }
    let start = match start.subsec_millis() {
        0 => format!("{} s", start.as_secs()),
        _ => format!("{} ms", start.as_millis()),
    };
    let mut words = format!(
        "It took {} ms; the match allowed {limit} ms. A first answer has {start} more to start",
        waited.as_millis()
    );
    words += if bundle.has_earlier_lines() {
        ": --from-start measures it as in the match."
    } else {
        "."
    };
    Some(words)
}

fn in_words(kind: FaultKind, detail: &str) -> String {
    format!("{kind}: {}", printable(detail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::bundle::tests::bundle;
    use crate::log::{Bundle, LimitChanges};

    #[test]
    fn an_answer_that_only_the_start_time_saved_is_no_sign_of_a_fixed_bot() {
        let late = Bundle { kind: FaultKind::Timeout, ..bundle() };
        let said = |waited, bundle: &Bundle, from_start| {
            let question = Question { bundle, from_start, changes: LimitChanges::default() };
            let time = Some((Duration::from_millis(waited), Duration::from_millis(11_050)));
            let mut out = Vec::new();
            write_comparison(
                &mut out,
                question,
                &Reproduced { played: None, fault: None, early_turn: None, time },
                "",
            )
            .unwrap();
            String::from_utf8(out).unwrap().lines().last().unwrap().to_owned()
        };
        assert_eq!(
            said(1124, &late, false),
            "It took 1124 ms; the match allowed 1000 ms. A first answer has 10 s more to start: \
             --from-start measures it as in the match."
        );
        for said in
            [said(1050, &late, false), said(1124, &bundle(), false), said(1124, &late, true)]
        {
            assert!(said.starts_with("No fault this time."), "{said}");
        }
        let forgotten = Bundle { told: None, ..late };
        assert!(said(1124, &forgotten, false).ends_with("more to start."));
    }
}
