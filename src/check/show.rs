//! A check's report for people, and as JSON.

use std::io::{self, Write};

use super::report::{CheckReport, Finding, ProbeResult, Severity, Spread};
use crate::record::{milliseconds, whole_ms};
use crate::text::{self, printable, wrap};

/// The width that sentences are broken at. What was sent stands as it is.
const WIDTH: usize = 100;

/// Most lines of stderr that are shown of a finding.
const STDERR_LINES: usize = 10;

/// Writes the report as one line of JSON.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    text::write_json(&mut *out, report)?;
    writeln!(out)
}

/// Writes the report for people: what was tried, games, times, notes, findings.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    write_head(out, report)?;
    write_probes(out, report)?;
    write_games(out, report)?;
    write_times(out, report)?;
    for note in &report.notes {
        write_wrapped(out, &format!("  note  {}", printable(&note.what)))?;
    }
    if !report.notes.is_empty() {
        writeln!(out)?;
    }
    for (number, finding) in (1..).zip(&report.findings) {
        write_finding(out, number, finding)?;
    }
    writeln!(out, "{}", verdict(report))
}

fn write_head(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    let limits = &report.limits.time;
    let mut times = Vec::new();
    times.extend(limits.move_time.map(|time| format!("{} ms a move", whole_ms(time))));
    times.extend(limits.game_time.map(|time| format!("{} ms a round", whole_ms(time))));
    times.push(format!("{} ms to start", whole_ms(limits.start_time)));
    writeln!(
        out,
        "{}, with {}; seed {}\n",
        printable(&report.bot.name),
        times.join(", "),
        report.seed
    )
}

fn write_probes(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    writeln!(out, "{:<18}{:<10}{:>7}{:>9}", "tried", "result", "rounds", "answers")?;
    for (index, probe) in report.probes.iter().enumerate() {
        let result = match probe.result {
            ProbeResult::Clean => "clean",
            ProbeResult::Findings => "findings",
            ProbeResult::LeftOut => "left out",
        };
        let counts = match (probe.rounds, probe.answers) {
            (0, 0) => String::new(),
            (rounds, answers) => format!("{rounds:>7}{answers:>9}"),
        };
        let line = format!("{:<18}{result:<10}{counts}", probe.probe.words());
        writeln!(out, "{}", line.trim_end())?;
        let next = report.probes.get(index + 1).and_then(|next| next.cut_short.as_ref());
        if let Some(why) = probe.cut_short.as_ref().filter(|why| next != Some(why)) {
            write_wrapped(out, &format!("  incomplete: {}", printable(why)))?;
        }
    }
    writeln!(out)
}

fn write_games(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    if report.games.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{:<22}{:<9}{:>5}{:>7}{:>6}{:>9}",
        "games", "against", "won", "drawn", "lost", "faulted"
    )?;
    for games in &report.games {
        let rules = games.rules_in_words();
        writeln!(
            out,
            "{rules:<22}{:<9}{:>5}{:>7}{:>6}{:>9}",
            games.opponent, games.won, games.drawn, games.lost, games.faulted
        )?;
    }
    writeln!(out)
}

fn write_times(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    let rows = [
        ("first answers", report.times.first_answers),
        ("other answers", report.times.other_answers),
    ];
    if rows.iter().all(|(_, spread)| spread.is_none()) {
        return Ok(());
    }
    writeln!(
        out,
        "{:<16}{:>6}{:>12}{:>12}{:>12}",
        "times", "count", "median ms", "p99 ms", "longest ms"
    )?;
    for (what, spread) in rows {
        if let Some(Spread { count, median, p99, longest }) = spread {
            let [median, p99, longest] = [median, p99, longest].map(milliseconds);
            writeln!(out, "{what:<16}{count:>6}{median:>12.3}{p99:>12.3}{longest:>12.3}")?;
        }
    }
    writeln!(out)
}

fn write_finding(out: &mut dyn Write, number: u32, finding: &Finding) -> io::Result<()> {
    let severity = match finding.severity {
        Severity::Fault => "fault",
        Severity::Warning => "warning",
    };
    let what = printable(&finding.what);
    write_wrapped(out, &format!("{number}. {severity}: {what}."))?;
    let kind = finding.kind.map(|kind| format!("{kind}; ")).unwrap_or_default();
    let times =
        if finding.times == 1 { "once".to_owned() } else { format!("{} times", finding.times) };
    let probes: Vec<&str> = finding.probes.iter().map(|probe| probe.words()).collect();
    write_wrapped(out, &format!("  Seen      {kind}{times}, in {}", probes.join(", ")))?;
    write_wrapped(out, &format!("  First     {}", printable(&finding.during)))?;
    if let Some(called) = &finding.called {
        write_wrapped(out, &format!("  Called    {}", printable(called)))?;
    } else {
        for (index, line) in finding.sent.iter().enumerate() {
            let label = if index == 0 { "Sent" } else { "" };
            writeln!(out, "  {label:<10}{}", printable(line))?;
        }
    }
    write_wrapped(out, &format!("  Received  {}", printable(&finding.received)))?;
    let stderr: Vec<&str> = finding.stderr.lines().collect();
    for (index, line) in stderr[stderr.len().saturating_sub(STDERR_LINES)..].iter().enumerate() {
        let label = if index == 0 { "stderr" } else { "" };
        writeln!(out, "  {label:<10}| {}", printable(line))?;
    }
    write_wrapped(out, &format!("  Fix       {}", printable(&finding.fix)))?;
    writeln!(out)
}

fn write_wrapped(out: &mut dyn Write, text: &str) -> io::Result<()> {
    for line in wrap(text, WIDTH) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The result in a sentence.
fn verdict(report: &CheckReport) -> String {
    let name = printable(&report.bot.name);
    let count =
        |severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let some = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    if report.findings.is_empty() {
        let is_whole = report.probes.iter().all(|probe| probe.cut_short.is_none());
        let so_far = if is_whole { "" } else { ", as far as it was tried" };
        return format!("{name} is clean{so_far}.");
    }
    let found: Vec<String> = [(Severity::Fault, "fault"), (Severity::Warning, "warning")]
        .into_iter()
        .filter_map(|(severity, what)| some(count(severity), what))
        .collect();
    format!("{name} has {}.", found.join(" and "))
}
