//! The report of a check where students hand in: `JUnit` XML for GitLab and others, Gradescope's
//! `results.json`, Markdown for the summary of a workflow.

use std::io::{self, Write};

use serde::Serialize;

use super::shown::{games, probes, verdict, write_finding};
use crate::protocol::FaultKind;
use crate::report::format::{OutputFormat, not_written_as};
use crate::report::markdown::write_markdown;
use crate::report::{
    CheckReport, CutShort, Finding, Probe, ProbeReport, ProbeResult, Severity, Width, write_check,
};
use crate::text::{html, markdown_block, write_json_line};

/// How the report of a check can be written.
pub const CHECK_FORMATS: &[OutputFormat] = &[
    OutputFormat::Table,
    OutputFormat::Json,
    OutputFormat::Markdown,
    OutputFormat::Junit,
    OutputFormat::Gradescope,
];

/// Writes a report in a format; a table for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails, or the format is not one of [`CHECK_FORMATS`].
pub fn write_report_of_check(
    out: &mut dyn Write,
    report: &CheckReport,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_check(out, report, width),
        OutputFormat::Markdown => write_summary(out, report),
        OutputFormat::Junit => write_junit(out, report),
        OutputFormat::Json => write_json_line(&mut *out, report),
        OutputFormat::Gradescope => write_json_line(&mut *out, &GradescopeResults::of(report)),
        OutputFormat::Csv => Err(not_written_as(format)),
    }
}

fn write_summary(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    let mut tables = vec![probes(report)];
    tables.extend((!report.games.is_empty()).then(|| games(report)));
    write_markdown(out, &tables)?;
    let lines: Vec<String> = text_of(report, None).lines().map(str::to_owned).collect();
    write!(out, "\n{}", markdown_block("text", &lines))
}

/// All findings, or those of a probe, then the result in a sentence; several lines. A finding that an
/// earlier probe has in full is only named.
fn text_of(report: &CheckReport, probe: Option<Probe>) -> String {
    let mut text = Vec::new();
    let is_meant = |it: &&Finding| probe.is_none_or(|probe| it.probes.contains(&probe));
    for (number, finding) in (1..).zip(report.findings.iter().filter(is_meant)) {
        let earlier = finding.probes.first().filter(|first| probe.is_some_and(|it| it != **first));
        // Memory takes all that is written to it.
        let _ = match earlier {
            Some(first) => {
                writeln!(text, "{number}. {}: the same as in {}.\n", finding.what, first.words())
            }
            None => write_finding(&mut text, number, finding, Width::Whole),
        };
    }
    let _ = writeln!(text, "{}", verdict(report));
    String::from_utf8_lossy(&text).into_owned()
}

/// What a probe came to where students hand in.
enum ProbeOutcome<'a> {
    Passed,
    /// Why not, in short and in full.
    Failed(&'a Finding, String),
    /// It was not tried in full, for this reason if one is known.
    Skipped(Option<&'a CutShort>),
}

fn outcome<'a>(report: &'a CheckReport, probe: &'a ProbeReport) -> ProbeOutcome<'a> {
    let is_meant = |finding: &Finding| finding.probes.contains(&probe.probe);
    let first = report.findings.iter().find(|finding| is_meant(finding));
    match (first, probe.result) {
        (Some(first), _) => {
            let text = text_of(report, Some(probe.probe));
            ProbeOutcome::Failed(first, tried(probe) + &text)
        }
        (None, ProbeResult::Incomplete | ProbeResult::LeftOut) => {
            ProbeOutcome::Skipped(probe.cut_short.as_ref())
        }
        (None, ProbeResult::Clean | ProbeResult::Findings) => ProbeOutcome::Passed,
    }
}

fn words_of(why: Option<&CutShort>) -> &str {
    why.map_or("it was left out", |why| &why.words)
}

/// A line that says what a probe tries.
fn tried(probe: &ProbeReport) -> String {
    format!("Tried: {}\n", probe.probe.meaning())
}

/// A suite with a test for each probe. Warnings fail a test as faults do: both are findings, and
/// `type` tells them apart.
fn write_junit(out: &mut dyn Write, report: &CheckReport) -> io::Result<()> {
    let outcomes: Vec<_> =
        report.probes.iter().map(|probe| (probe, outcome(report, probe))).collect();
    let count = |is_one: fn(&ProbeOutcome<'_>) -> bool| {
        outcomes.iter().filter(|(_, outcome)| is_one(outcome)).count()
    };
    let tests = outcomes.len();
    let failures = count(|outcome| matches!(outcome, ProbeOutcome::Failed(..)));
    let skipped = count(|outcome| matches!(outcome, ProbeOutcome::Skipped(_)));
    // A job whose tests were all skipped passes.
    let (untried, errors, skipped) =
        if report.knows_nothing() { ("error", skipped, 0) } else { ("skipped", 0, skipped) };
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let name = xml(&format!("mancala check of {}", report.bot.name));
    let counts = format!(r#"tests="{tests}" failures="{failures}" errors="{errors}""#);
    writeln!(out, r#"<testsuites name="{name}" {counts}>"#)?;
    writeln!(out, r#"  <testsuite name="{name}" {counts} skipped="{skipped}">"#)?;
    for (probe, outcome) in &outcomes {
        let test = format!(r#"<testcase classname="mancala.check" name="{}""#, probe.probe.words());
        match outcome {
            ProbeOutcome::Passed => writeln!(out, "    {test}/>")?,
            ProbeOutcome::Skipped(why) => {
                writeln!(
                    out,
                    r#"    {test}><{untried} message="{}"/></testcase>"#,
                    xml(words_of(*why))
                )?;
            }
            ProbeOutcome::Failed(finding, words) => writeln!(
                out,
                "    {test}><failure type=\"{}\" message=\"{}\">{}</failure></testcase>",
                kind(finding),
                xml(&finding.what),
                xml(words)
            )?,
        }
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn kind(finding: &Finding) -> String {
    match (finding.severity, finding.kind) {
        (Severity::Fault, Some(kind)) => kind.to_string(),
        (Severity::Fault, None) => "fault".to_owned(),
        (Severity::Warning, _) => "warning".to_owned(),
    }
}

/// Text of several lines in an element or in the quotes of an attribute: control characters are
/// escaped as for a terminal, and what no XML may hold is left out.
fn xml(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(html).collect();
    lines.join("\n").replace(['\u{fffe}', '\u{ffff}'], "")
}

/// Gradescope's `results.json`.
#[derive(Serialize)]
struct GradescopeResults {
    /// A point for each test in which no fault was seen.
    score: f64,
    output: String,
    tests: Vec<GradescopeTest>,
    leaderboard: Vec<LeaderboardEntry>,
}

#[derive(Serialize)]
struct GradescopeTest {
    name: &'static str,
    score: f64,
    max_score: f64,
    status: &'static str,
    output: String,
}

/// A value by which submissions are compared.
#[derive(Clone, Serialize)]
struct LeaderboardEntry {
    name: String,
    value: f64,
    order: &'static str,
}

impl GradescopeResults {
    fn of(report: &CheckReport) -> GradescopeResults {
        let is_faultless = report.findings.iter().all(|it| it.severity != Severity::Fault);
        let has_answered = report.probes.iter().any(|probe| probe.answers > 0);
        let test = |probe: &ProbeReport| {
            let (passed, output) = match outcome(report, probe) {
                ProbeOutcome::Passed => (true, tried(probe) + "clean"),
                // A bot may take its time; what its own faults have cut short is another matter.
                ProbeOutcome::Skipped(why) => (
                    has_answered && (is_faultless || why.is_some_and(|why| why.budget_is_spent)),
                    tried(probe) + "not tried in full: " + words_of(why),
                ),
                ProbeOutcome::Failed(first, text) => (first.severity == Severity::Warning, text),
            };
            GradescopeTest {
                name: probe.probe.words(),
                score: if passed { 1.0 } else { 0.0 },
                max_score: 1.0,
                status: if passed { "passed" } else { "failed" },
                output,
            }
        };
        let tests: Vec<GradescopeTest> = report.probes.iter().map(test).collect();
        let no_start = report.findings.iter().find(|it| it.kind == Some(FaultKind::StartFailed));
        let more = match (no_start, &report.limits.keeping.sandbox) {
            (Some(finding), _) => &*finding.received,
            (None, Some(_)) => "It played in the sandbox.",
            (None, None) => "It played without the sandbox.",
        };
        GradescopeResults {
            // Not the sum, which is -0 of nothing.
            score: tests.iter().fold(0.0, |sum, test| sum + test.score),
            output: format!("{} {more}", verdict(report)),
            leaderboard: leaderboard(report),
            tests,
        }
    }
}

/// The built-in levels that a check plays whole games against by its first rules.
const LEVELS: [&str; 4] = ["random", "easy", "average", "hard"];

/// The points of the two rounds against each of these levels by the first rules, a round won 1 and a
/// drawn one ½, and the number of faults.
fn leaderboard(report: &CheckReport) -> Vec<LeaderboardEntry> {
    let rules = report.games.first().map(|games| games.rules);
    let entry = |level: &str| {
        let mut by_first_rules = report.games.iter().filter(|it| Some(it.rules) == rules);
        let games = by_first_rules.find(|it| it.opponent == level);
        let halves = games.map_or(0, |it| 2 * it.won + it.drawn);
        let name = format!("rounds against {level}");
        LeaderboardEntry { name, value: f64::from(halves) / 2.0, order: "desc" }
    };
    let mut board = LEVELS.map(entry).to_vec();
    let faults = report.findings.iter().filter(|finding| finding.severity == Severity::Fault);
    let faults: u32 = faults.map(|finding| finding.times).sum();
    board.push(LeaderboardEntry { name: "faults".to_owned(), value: faults.into(), order: "asc" });
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{BotRecord, Terms};
    use crate::report::{AnswerTimes, CheckFormat};

    /// A report of `probes`: how each ended, and its answers.
    fn report(probes: &[(ProbeResult, u32)]) -> CheckReport {
        let all = [Probe::Start, Probe::Games, Probe::EndOfInput, Probe::Levels];
        let findings = all.iter().zip(probes).filter(|(_, it)| it.0 == ProbeResult::Findings);
        let finding = |(&probe, _): (&Probe, _)| Finding {
            severity: Severity::Fault,
            kind: None,
            probes: vec![probe],
            times: 1,
            what: String::new(),
            during: String::new(),
            sent: Vec::new(),
            received: String::new(),
            stderr: String::new(),
            fix: String::new(),
        };
        let spent = || CutShort { words: "its share is spent".to_owned(), budget_is_spent: true };
        let is_cut = |result| matches!(result, ProbeResult::Incomplete | ProbeResult::LeftOut);
        let tried = |(&probe, &(result, answers)): (&Probe, &(ProbeResult, u32))| {
            let cut_short = is_cut(result).then(spent);
            ProbeReport { probe, result, rounds: 0, answers, cut_short }
        };
        CheckReport {
            format: CheckFormat::V2,
            bot: BotRecord::default(),
            seed: 1,
            budget_ms: 1,
            limits: Terms::default(),
            findings: findings.map(finding).collect(),
            probes: all.iter().zip(probes).map(tried).collect(),
            games: Vec::new(),
            times: AnswerTimes::default(),
            notes: Vec::new(),
        }
    }

    proptest::proptest! {
        #[test]
        fn a_bot_that_gave_no_answer_has_no_point_for_what_was_cut_short(
            results in proptest::array::uniform4(0..4_usize),
            answers in proptest::array::uniform4(0..3_u32),
        ) {
            use ProbeResult::{Clean, Findings, Incomplete, LeftOut};
            let results = results.map(|it| [Clean, Findings, Incomplete, LeftOut][it]);
            let probes: Vec<_> = results.into_iter().zip(answers).collect();
            let found = GradescopeResults::of(&report(&probes));
            let has_answered = answers.iter().any(|count| *count > 0);
            for (test, result) in found.tests.iter().zip(results) {
                let passes = match result {
                    Clean => true,
                    Findings => false,
                    Incomplete | LeftOut => has_answered,
                };
                proptest::prop_assert_eq!(test.score.to_bits(), f64::from(u8::from(passes)).to_bits());
            }
        }

        #[test]
        fn text_in_xml_has_only_characters_of_xml(text in "\\PC*|[\\x00-\\x1f<>&'\"\u{fffe}]{0,20}") {
            let shown = xml(&text);
            let is_of_xml = |c: char| c == '\n' || (c >= ' ' && !matches!(c, '<' | '>' | '"' | '\u{fffe}' | '\u{ffff}'));
            proptest::prop_assert!(shown.chars().all(is_of_xml), "{shown:?}");
        }
    }
}
