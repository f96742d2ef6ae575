//! Compares what a bot did when it was asked again with what it did in the match.

use std::io::{self, Write};

use super::reproduction::{Again, Question};
use crate::protocol::FaultKind;
use crate::record::milliseconds;
use crate::text::printable;

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
    again: &Again,
    stderr: &str,
) -> io::Result<()> {
    let bundle = question.bundle;
    let lines: Vec<&str> = stderr.lines().collect();
    if !lines.is_empty() {
        writeln!(out, "\nIts stderr ends with")?;
    }
    for line in &lines[lines.len().saturating_sub(STDERR_LINES)..] {
        writeln!(out, "  | {}", printable(line))?;
    }
    writeln!(out, "\nthen: {}", in_words(bundle.kind, &bundle.detail))?;
    if let (Some(waited), Some(late)) = (bundle.waited_ms, bundle.late_after_ms) {
        writeln!(out, "      {waited:.3} ms, late after {late} ms")?;
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
        writeln!(out, "      {:.3} ms, late after {late_after} ms", milliseconds(waited))?;
    }
    let conclusion = match &again.fault {
        Some(fault) if fault.kind == bundle.kind => "The same kind of fault again.",
        Some(_) => "A different fault from the one in the match.",
        None if !question.from_start && bundle.told.as_ref().is_some_and(|told| told.len() > 1) => {
            "No fault this time. The bot is fixed, or its fault depended on what it was sent before: \
             see --from-start."
        }
        None => "No fault this time.",
    };
    writeln!(out, "{conclusion}")
}

fn in_words(kind: FaultKind, detail: &str) -> String {
    format!("{kind}: {}", printable(detail))
}
