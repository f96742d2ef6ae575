//! The report of a check for people: what was tried, games, times, notes, findings.

use std::io::{self, Write};
use std::time::Duration;

use crate::record::{milliseconds, whole_ms};
use crate::report::terminal::{write_sentence, write_tables};
use crate::report::{
    CheckReport, Column, Finding, ProbeReport, ProbeResult, Severity, Spread, Table, Width,
    rules_in_words,
};
use crate::text::{TellingLines, counted};

/// The width of the report in a pipe or a wide window. What was sent stands as it is.
const WIDTH: usize = 100;

/// Most lines of stderr that are shown of a finding.
const STDERR_LINES: usize = 10;

/// Writes the report for people: what was tried, games, times, notes, findings.
///
/// # Errors
///
/// When the writer fails.
pub fn write_check(out: &mut dyn Write, report: &CheckReport, width: Width) -> io::Result<()> {
    let width = width.at_most(WIDTH);
    let mut tables = vec![probes(report)];
    tables.extend((!report.games.is_empty()).then(|| games(report)));
    tables.extend(times(report));
    let notes = report.notes.iter().map(|note| format!("  note  {}", note.what));
    tables.extend((!report.notes.is_empty()).then(|| Table::of_text(notes)));
    write_tables(out, &tables, width)?;
    writeln!(out)?;
    for (number, finding) in (1..).zip(&report.findings) {
        write_finding(out, number, finding, width)?;
    }
    write_sentence(out, &verdict(report), width)
}

pub(super) fn probes(report: &CheckReport) -> Table {
    let probes = &report.probes;
    let result = |probe: &ProbeReport| match probe.result {
        ProbeResult::Clean => "clean",
        ProbeResult::Findings => "findings",
        ProbeResult::Incomplete => "incomplete",
        ProbeResult::LeftOut => "not tried",
    };
    let count = |probe: &ProbeReport, count: u32| match (probe.rounds, probe.answers) {
        (0, 0) => String::new(),
        _ => count.to_string(),
    };
    let limits = &report.limits.time;
    let mut times = Vec::new();
    times.extend(limits.move_time.map(|time| format!("{} ms a move", whole_ms(time))));
    times.extend(limits.game_time.map(|time| format!("{} ms a round", whole_ms(time))));
    times.push(format!("{} ms to start", whole_ms(limits.start_time)));
    let (name, times, seed) = (&report.bot.name, times.join(", "), report.seed);
    let tried = || probes.iter().filter(|probe| probe.result != ProbeResult::LeftOut);
    let mut table = Table::new([
        Column::text("tried", tried(), |probe| probe.probe.words()),
        Column::text("result", tried(), result),
        Column::number("rounds", tried(), |probe| count(probe, probe.rounds)).left_out(2),
        Column::number("answers", tried(), |probe| count(probe, probe.answers)).left_out(1),
    ])
    .titled(format!("{name}, with {times}; seed {seed}"));
    let mut reasons: Vec<(bool, &str, Vec<&str>)> = Vec::new();
    for probe in probes {
        let Some(why) = probe.cut_short.as_ref().map(|why| &*why.words) else { continue };
        let name = probe.probe.words();
        let is_left_out = probe.result == ProbeResult::LeftOut;
        // A later reason may say less of the same.
        match reasons
            .iter_mut()
            .find(|(all, known, _)| *all == is_left_out && known.starts_with(why))
        {
            Some((.., names)) => names.push(name),
            None => reasons.push((is_left_out, why, vec![name])),
        }
    }
    for (is_left_out, why, names) in reasons {
        let what = if is_left_out { "Not tried" } else { "Not tried in full" };
        table.remark(format!("{what}: {} ({why}).", names.join(", ")));
    }
    table
}

pub(super) fn games(report: &CheckReport) -> Table {
    let games = &report.games;
    Table::new([
        Column::text("games", games, |games| rules_in_words(&games.rules)).cut_to(8),
        Column::text("against", games, |games| &games.opponent).left_out(3),
        Column::number("won", games, |games| games.won),
        Column::number("drawn", games, |games| games.drawn).left_out(1),
        Column::number("lost", games, |games| games.lost).left_out(2),
        Column::number("faulted", games, |games| games.faulted),
    ])
}

fn times(report: &CheckReport) -> Option<Table> {
    let rows: Vec<(&str, Spread)> = [
        ("first answers", report.times.first_answers),
        ("other answers", report.times.other_answers),
    ]
    .into_iter()
    .filter_map(|(what, spread)| Some((what, spread?)))
    .collect();
    let ms = |time: Duration| format!("{:.3}", milliseconds(time));
    let table = Table::new([
        Column::text("times", &rows, |(what, _)| *what),
        Column::number("count", &rows, |(_, spread)| spread.count).left_out(1),
        Column::number("median ms", &rows, |(_, spread)| ms(spread.median)).left_out(3),
        Column::number("p99 ms", &rows, |(_, spread)| ms(spread.p99)).left_out(2),
        Column::number("longest ms", &rows, |(_, spread)| ms(spread.longest)),
    ]);
    (!rows.is_empty()).then_some(table)
}

pub(super) fn write_finding(
    out: &mut dyn Write,
    number: u32,
    finding: &Finding,
    width: Width,
) -> io::Result<()> {
    let severity = match finding.severity {
        Severity::Fault => "fault",
        Severity::Warning => "warning",
    };
    write_sentence(out, &format!("{number}. {severity}: {}.", finding.what), width)?;
    let kind = finding.kind.map(|kind| format!("{kind}; ")).unwrap_or_default();
    let times =
        if finding.times == 1 { "once".to_owned() } else { format!("{} times", finding.times) };
    let probes: Vec<&str> = finding.probes.iter().map(|probe| probe.words()).collect();
    let mut sentence = |label: &str, text: &str, width: Width| {
        write_sentence(out, &format!("  {label:<10}{text}"), width)
    };
    sentence("Seen", &format!("{kind}{times}, in {}", probes.join(", ")), width)?;
    sentence("First", &finding.during, width)?;
    for (index, line) in finding.sent.iter().enumerate() {
        sentence(if index == 0 { "Sent" } else { "" }, line, Width::Whole)?;
    }
    sentence("Received", &finding.received, width)?;
    let stderr = TellingLines::of(&finding.stderr, STDERR_LINES).in_one();
    for (index, line) in stderr.iter().enumerate() {
        let label = if index == 0 { "stderr" } else { "" };
        sentence(label, &format!("| {line}"), Width::Whole)?;
    }
    sentence("Fix", &finding.fix, width)?;
    writeln!(out)
}

/// The result in a sentence.
pub fn verdict(report: &CheckReport) -> String {
    let name = &report.bot.name;
    if report.knows_nothing() {
        return format!(
            "{name} gave no answer in this time, so nothing is known of it; a longer --budget or \
             a shorter --move-time tells more."
        );
    }
    if report.findings.is_empty() {
        let is_whole = report.probes.iter().all(|probe| probe.cut_short.is_none());
        let so_far = if is_whole { "" } else { ", as far as it was tried" };
        return format!("{name} is clean{so_far}.");
    }
    let found = [(Severity::Fault, "fault", "faults"), (Severity::Warning, "warning", "warnings")];
    let found = found.map(|(severity, one, many)| {
        let count = report.findings.iter().filter(|finding| finding.severity == severity).count();
        (count > 0).then(|| counted(count as u64, one, many))
    });
    let found: Vec<String> = found.into_iter().flatten().collect();
    format!("{name} has {}.", found.join(" and "))
}
