//! The faults of a bot, each problem once, in the words of a check.

use std::collections::BTreeMap;

use super::commands::Commands;
use super::document::Document;
use super::evidence::{Evidence, FaultEvidence};
use crate::problems::Explanation;
use crate::report::InlineText;
use crate::standings::StandingsRow;
use crate::text::{TellingLines, capitalised, counted};

/// Most further faults of one problem that are named.
const NAMED: usize = 9;

/// Most lines of stderr that are shown of a fault.
const STDERR_LINES: usize = 10;

/// A problem, and the faults in which it was seen: the number of the match, and the fault.
struct ExplainedFaults<'a> {
    explanation: &'a Explanation,
    faults: Vec<(u64, &'a FaultEvidence)>,
}

/// The faults of a bot, whose results are in `row`. Returns whether there are commands.
pub(super) fn faults(
    page: &mut Document,
    commands: &Commands<'_>,
    row: Option<&StandingsRow>,
    evidence: &Evidence,
) -> bool {
    let problems = problems(evidence);
    let mut listed: BTreeMap<String, u64> = BTreeMap::new();
    for (_, fault) in problems.iter().flat_map(|problem| &problem.faults) {
        *listed.entry(fault.kind.clone()).or_default() += 1;
    }
    // The row leaves out matches that do not count, and a bundle may have been deleted.
    let mut counted = 0;
    let mut kinds: Vec<(String, u64)> = Vec::new();
    for (kind, times) in row.into_iter().flat_map(|row| &row.faults) {
        let kind = kind.to_string();
        let times_listed = listed.remove(&kind).unwrap_or(0);
        kinds.push((kind, times_listed.max(*times)));
        counted += times;
    }
    kinds.extend(listed);
    let all: u64 = kinds.iter().map(|(_, times)| times).sum();
    if all == 0 {
        let is_out_before =
            |row: &StandingsRow| row.disqualified.is_some() && row.won + row.drawn + row.lost == 0;
        page.paragraph(match evidence {
            _ if !row.is_some_and(is_out_before) => "None in a match.",
            Evidence { build: Some(_), .. } => "It played no match; see Build.",
            Evidence { check: Some(_), .. } => "It played no match; see Check.",
            _ => "It played no match.",
        });
        return false;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, times)| format!("{kind} {times}")).collect();
    let others = match all - counted {
        0 => String::new(),
        1 => " 1 of them is in a match that does not count.".to_owned(),
        others => format!(" {others} of them are in matches that do not count."),
    };
    page.paragraph(format!(
        "By kind: {}.{others} A fault ends the round: the other bot gets all seeds, unless wrong \
         answers are substituted.",
        kinds.join(", ")
    ));
    if !problems.is_empty() {
        introduce_commands(page, commands);
    }
    for problem in &problems {
        problem.write(page, commands);
    }
    !problems.is_empty()
}

/// What is to be known before the first command: where commands work, and how the bot is built.
pub(super) fn introduce_commands(page: &mut Document, commands: &Commands<'_>) {
    page.paragraph(commands.where_they_work());
    if let Some(words) = commands.where_they_fail() {
        page.paragraph(words);
    }
    if !commands.bot.build.is_empty() {
        page.paragraph("First build it:");
        page.code("sh", [commands.build()]);
    }
}

fn problems(evidence: &Evidence) -> Vec<ExplainedFaults<'_>> {
    let mut problems: Vec<ExplainedFaults<'_>> = Vec::new();
    for log in &evidence.matches {
        for fault in &log.faults {
            let explanation = &fault.explanation;
            match problems.iter_mut().find(|known| known.explanation == explanation) {
                Some(known) => known.faults.push((log.number, fault)),
                None => problems
                    .push(ExplainedFaults { explanation, faults: vec![(log.number, fault)] }),
            }
        }
    }
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.faults.len()));
    problems
}

impl ExplainedFaults<'_> {
    /// The first of its faults in full, or the first that can be seen again with its bundle, and where
    /// the others were.
    fn write(&self, page: &mut Document, commands: &Commands<'_>) {
        let Explanation { what, fix, .. } = self.explanation;
        page.heading(3, capitalised(what));
        let times = counted(self.faults.len() as u64, "fault", "faults");
        page.paragraph(format!("{times}. {fix}"));
        let can_be_seen_again =
            |fault: &FaultEvidence| fault.bundle.as_ref().is_some_and(|it| it.can_be_seen_again);
        let first = |is_fit: &dyn Fn(&FaultEvidence) -> bool| {
            self.faults.iter().position(|(_, fault)| is_fit(fault))
        };
        let example_at = first(&can_be_seen_again)
            .or_else(|| first(&|fault| fault.bundle.is_some()))
            .unwrap_or_default();
        if let Some((number, fault)) = self.faults.get(example_at) {
            example(page, commands, *number, fault);
        }
        let others = self.faults.iter().enumerate().filter(|(at, _)| *at != example_at);
        let mut faults = others.map(|(_, fault)| fault);
        let mut others = vec!["The same in ".into()];
        for (number, fault) in faults.by_ref().take(NAMED) {
            if others.len() > 1 {
                others.push("; ".into());
            }
            others.push(linked(format!("match {number}, {}", place(fault)), fault));
        }
        if others.len() > 1 {
            let more = faults.count();
            others.push(if more > 0 { format!("; and {more} more.").into() } else { ".".into() });
            page.line(others);
        }
    }
}

/// `round 1, turn 2`.
pub(super) fn place(fault: &FaultEvidence) -> String {
    match fault.turn {
        0 => format!("round {}", fault.round),
        turn => format!("round {}, turn {turn}", fault.round),
    }
}

/// A text that leads to the bundle of a fault, if there is one.
pub(super) fn linked(text: String, fault: &FaultEvidence) -> InlineText {
    match &fault.bundle {
        Some(bundle) => InlineText::Link { text, file: bundle.file.clone() },
        None => InlineText::Plain(text),
    }
}

fn example(page: &mut Document, commands: &Commands<'_>, number: u64, fault: &FaultEvidence) {
    let FaultEvidence { kind, detail, explanation, .. } = fault;
    let meaning = explanation.meaning();
    let what = format!("Match {number}, {}, {kind}: {detail}{meaning}", place(fault));
    if fault.bundle.is_some() {
        page.line([format!("{what} (").into(), linked("bundle".to_owned(), fault), ")".into()]);
    } else {
        page.paragraph(what);
    }
    if let Some(time) = &fault.time {
        page.paragraph(format!("{time}."));
    }
    if let Some(board) = fault.board {
        page.board(board);
    }
    if !fault.sent.is_empty() {
        page.paragraph("Sent:");
        page.code("json", [fault.sent.clone()]);
    }
    let stderr = TellingLines::of(&fault.stderr, STDERR_LINES).in_one();
    if !stderr.is_empty() {
        page.paragraph("The end of its stderr:");
        page.code("text", stderr.into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    if let Some(command) = commands.reproduce(fault) {
        page.paragraph("See it again:");
        page.code("sh", [command]);
    }
    if let Some(command) = commands.play_on(fault) {
        page.paragraph("Play a round from that position:");
        page.code("sh", [command]);
    }
}
