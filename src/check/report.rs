//! The report of a check: its data, which are the format `mancala-check/2`, and how people read it.

use std::io::{self, Write};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::trial::Probe;
use crate::protocol::FaultKind;
use crate::record::{BotRecord, Terms, fine_ms, milliseconds, ms, whole_ms};
use crate::report::{Column, Table, Width, write_sentence, write_tables};
use crate::rules::{DirectionRule, Ruleset};
use crate::text;

/// Everything that a check found out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckReport {
    /// Always `mancala-check/2`.
    pub format: Format,
    /// The bot that was checked.
    pub bot: BotRecord,
    /// The seed that makes the check the same again.
    pub seed: u64,
    /// How long the whole check might take. Whole milliseconds in JSON.
    #[serde(rename = "budget_ms", with = "ms")]
    #[schemars(with = "u64")]
    pub budget: Duration,
    /// What the bot was held to.
    pub limits: Terms,
    /// What was tried, in order.
    pub probes: Vec<ProbeReport>,
    /// The games of each ruleset: losses here, faults in `findings`.
    pub games: Vec<GamesReport>,
    /// How long the bot took.
    pub times: Times,
    /// What was seen and is not a finding.
    pub notes: Vec<Note>,
    /// What is wrong, faults before warnings.
    pub findings: Vec<Finding>,
}

/// The format field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Format {
    /// Version 2.
    #[default]
    #[serde(rename = "mancala-check/2")]
    V2,
}

/// The result of a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeReport {
    /// Which probe.
    pub probe: Probe,
    /// Its result.
    pub result: ProbeResult,
    /// Rounds that were played.
    pub rounds: u32,
    /// Answers that came in time.
    pub answers: u32,
    /// Why it is incomplete, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<String>,
}

/// Clean or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProbeResult {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong.
    Findings,
    /// It was not tried.
    LeftOut,
}

/// The whole games of one ruleset against one built-in bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GamesReport {
    /// The rules.
    pub rules: Ruleset,
    /// The built-in bot's level.
    pub opponent: String,
    /// Rounds that were won by playing.
    pub won: u32,
    /// Rounds that were drawn.
    pub drawn: u32,
    /// Rounds that were lost by playing.
    pub lost: u32,
    /// Rounds that a fault of the bot ended.
    pub faulted: u32,
}

impl GamesReport {
    /// The rules in words: `cs221`, `mancala5000 either`.
    #[must_use]
    pub fn rules_in_words(&self) -> String {
        rules_in_words(&self.rules)
    }
}

/// A ruleset's name, with its direction and its seeds where they are not the usual ones.
pub(super) fn rules_in_words(rules: &Ruleset) -> String {
    let mut words = rules.name.to_string();
    if rules.direction != DirectionRule::Forward {
        words += &format!(" {}", rules.direction);
    }
    if rules.seeds != rules.name.rules().seeds {
        words += &format!(", {} seeds", rules.seeds.get());
    }
    words
}

/// Milliseconds as they are shown.
pub(super) fn in_ms(time: Duration) -> String {
    format!("{:.1} ms", milliseconds(time))
}

/// How long the bot took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Times {
    /// The first answers of processes, their start included.
    pub first_answers: Option<Spread>,
    /// All other answers.
    pub other_answers: Option<Spread>,
}

/// How times are spread. Milliseconds with three decimals in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// Half of them are this long at most.
    #[serde(rename = "median_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub median: Duration,
    /// 99 of 100 are this long at most.
    #[serde(rename = "p99_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub p99: Duration,
    /// The longest.
    #[serde(rename = "longest_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub longest: Duration,
}

impl Spread {
    /// The spread of these times, by nearest rank; none where there are none.
    #[must_use]
    pub fn of(times: &[Duration]) -> Option<Spread> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let count = sorted.len();
        let rank = |percent: usize| sorted.get((count * percent).div_ceil(100).saturating_sub(1));
        Some(Spread { count, median: *rank(50)?, p99: *rank(99)?, longest: *rank(100)? })
    }
}

/// Something that was seen and is not a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Note {
    /// Where it was seen.
    pub probe: Probe,
    /// What it is; printable, one line.
    pub what: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It forfeits a round.
    Fault,
    /// It works in a match today, and may not on a busier machine or with a later version.
    Warning,
}

/// Something that is wrong. All texts are printable and of one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The kind of fault that it is in a match, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FaultKind>,
    /// The probes that saw it.
    pub probes: Vec<Probe>,
    /// How often it was seen.
    pub times: u32,
    /// What is wrong, in a sentence.
    pub what: String,
    /// Where it was seen first.
    pub during: String,
    /// The lines that the bot was sent since its last good answer, without their newlines.
    pub sent: Vec<String>,
    /// What was received.
    pub received: String,
    /// The end of what the bot wrote to stderr; several lines.
    pub stderr: String,
    /// How to fix it.
    pub fix: String,
}

/// The width of the report in a pipe or a wide window. What was sent stands as it is.
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

/// Writes the report as text for a file.
///
/// # Errors
///
/// When the writer fails.
pub fn write_text(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    write_table(out, report, Width::Whole)
}

/// Writes the report for people: what was tried, games, times, notes, findings.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(out: &mut dyn Write, report: &CheckReport, width: Width) -> io::Result<()> {
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

fn probes(report: &CheckReport) -> Table {
    let probes = &report.probes;
    let result = |probe: &ProbeReport| match probe.result {
        ProbeResult::Clean => "clean",
        ProbeResult::Findings => "findings",
        ProbeResult::LeftOut => "left out",
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
    let mut table = Table::new([
        Column::text("tried", probes, |probe| probe.probe.words()),
        Column::text("result", probes, result),
        Column::number("rounds", probes, |probe| count(probe, probe.rounds)),
        Column::number("answers", probes, |probe| count(probe, probe.answers)),
    ])
    .titled(format!("{name}, with {times}; seed {seed}"));
    for same in probes.chunk_by(|one, next| one.cut_short == next.cut_short) {
        if let Some(why) = &same[0].cut_short {
            let names: Vec<&str> = same.iter().map(|probe| probe.probe.words()).collect();
            table.remark(format!("{} incomplete: {why}", names.join(", ")));
        }
    }
    table
}

fn games(report: &CheckReport) -> Table {
    let games = &report.games;
    Table::new([
        Column::text("games", games, GamesReport::rules_in_words),
        Column::text("against", games, |games| &games.opponent),
        Column::number("won", games, |games| games.won),
        Column::number("drawn", games, |games| games.drawn),
        Column::number("lost", games, |games| games.lost),
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
        Column::number("count", &rows, |(_, spread)| spread.count),
        Column::number("median ms", &rows, |(_, spread)| ms(spread.median)),
        Column::number("p99 ms", &rows, |(_, spread)| ms(spread.p99)),
        Column::number("longest ms", &rows, |(_, spread)| ms(spread.longest)),
    ]);
    (!rows.is_empty()).then_some(table)
}

fn write_finding(
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
    let stderr: Vec<&str> = finding.stderr.lines().collect();
    for (index, line) in stderr[stderr.len().saturating_sub(STDERR_LINES)..].iter().enumerate() {
        let label = if index == 0 { "stderr" } else { "" };
        sentence(label, &format!("| {line}"), Width::Whole)?;
    }
    sentence("Fix", &finding.fix, width)?;
    writeln!(out)
}

/// The result in a sentence.
fn verdict(report: &CheckReport) -> String {
    let name = &report.bot.name;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spread_by_nearest_rank() {
        let ms = |ms: &[u64]| ms.iter().copied().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(Spread::of(&[]), None);
        let spread = |times: &[u64]| {
            let Spread { count, median, p99, longest } = Spread::of(&ms(times)).unwrap();
            (count, [median, p99, longest].map(|time| time.as_millis()))
        };
        assert_eq!(spread(&[7]), (1, [7, 7, 7]));
        assert_eq!(spread(&[4, 1, 3, 2]), (4, [2, 4, 4]));
        let hundred: Vec<u64> = (1..=200).collect();
        assert_eq!(spread(&hundred), (200, [100, 198, 200]));
    }
}
