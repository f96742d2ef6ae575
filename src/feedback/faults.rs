//! The faults of a bot, each problem once, in the words of a check.

use super::Contest;
use super::commands::{play_on, reproduce};
use super::evidence::{Evidence, FaultEvidence};
use crate::check::Explanation;
use crate::contest::PlannedBot;
use crate::standings::StandingsRow;
use crate::text::{counted, markdown, markdown_block};

/// Most further faults of one problem that are named.
const NAMED: usize = 9;

/// Most lines of stderr that are shown of a fault.
const STDERR_LINES: usize = 10;

/// A problem, and the faults in which it was seen: the number of the match, and the fault.
struct Problem<'a> {
    explanation: &'a Explanation,
    faults: Vec<(u64, &'a FaultEvidence)>,
}

/// The faults of a bot, whose results are in `row`.
pub(super) fn faults(
    contest: &Contest<'_>,
    bot: &PlannedBot,
    row: Option<&StandingsRow>,
    evidence: &Evidence,
) -> String {
    let kinds = row.into_iter().flat_map(|row| &row.faults);
    let kinds: Vec<String> =
        kinds.map(|(kind, times)| format!("{} {times}", markdown(&kind.to_string()))).collect();
    let problems = problems(evidence);
    if kinds.is_empty() && problems.is_empty() {
        return "None in a match.\n".to_owned();
    }
    let mut text = format!("By kind: {}. ", kinds.join(", "));
    text += "A fault ends the round: the other bot gets all seeds, unless wrong answers are \
             substituted.\n";
    if !problems.is_empty() {
        text += COMMANDS;
    }
    for problem in &problems {
        text += &problem.text(contest, bot);
    }
    text
}

/// Where commands work.
pub(super) const COMMANDS: &str = "Commands are to be run in the folder of this page, with the \
    files of your bot in it; if yours are elsewhere, put your own command in place of the bot's.\n";

fn problems(evidence: &Evidence) -> Vec<Problem<'_>> {
    let mut problems: Vec<Problem<'_>> = Vec::new();
    for log in &evidence.matches {
        for fault in &log.faults {
            let explanation = &fault.explanation;
            match problems.iter_mut().find(|known| known.explanation == explanation) {
                Some(known) => known.faults.push((log.number, fault)),
                None => problems.push(Problem { explanation, faults: vec![(log.number, fault)] }),
            }
        }
    }
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.faults.len()));
    problems
}

impl Problem<'_> {
    /// The first of its faults in full, and where the others were.
    fn text(&self, contest: &Contest<'_>, bot: &PlannedBot) -> String {
        let Explanation { what, fix, .. } = self.explanation;
        let mut capital = what.chars();
        let first = capital.next().into_iter().flat_map(char::to_uppercase);
        let what: String = first.chain(capital).collect();
        let times = counted(self.faults.len() as u64, "fault", "faults");
        let mut text = format!("\n### {}\n\n{times}. {}\n", markdown(&what), markdown(fix));
        let mut faults = self.faults.iter();
        if let Some((number, fault)) = faults.next() {
            text += &example(contest, bot, *number, fault);
        }
        let others: Vec<String> = faults
            .by_ref()
            .take(NAMED)
            .map(|(number, fault)| {
                let place = format!("match {number}, {}", place(fault));
                match &fault.bundle {
                    Some(bundle) => format!("[{place}]({})", bundle.file),
                    None => place,
                }
            })
            .collect();
        if !others.is_empty() {
            let more = faults.count();
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            text += &format!("\nThe same in {}{more}.\n", others.join("; "));
        }
        text
    }
}

/// `round 1, turn 2`.
pub(super) fn place(fault: &FaultEvidence) -> String {
    match fault.turn {
        0 => format!("round {}", fault.round),
        turn => format!("round {}, turn {turn}", fault.round),
    }
}

fn example(contest: &Contest<'_>, bot: &PlannedBot, number: u64, fault: &FaultEvidence) -> String {
    let bundle = fault.bundle.as_ref();
    let bundle = bundle.map(|bundle| format!(" ([bundle]({}))", bundle.file)).unwrap_or_default();
    let mut text = format!(
        "\nMatch {number}, {}, {}: {}{bundle}\n\n",
        place(fault),
        markdown(&fault.kind),
        markdown(&fault.detail),
    );
    let stderr: Vec<String> = fault.stderr.lines().map(str::to_owned).collect();
    if !stderr.is_empty() {
        let last = stderr.len().saturating_sub(STDERR_LINES);
        text += &format!("The end of its stderr:\n\n{}\n", markdown_block("text", &stderr[last..]));
    }
    if let Some(command) = reproduce(contest, bot, fault) {
        text += &format!("See it again:\n\n{}", markdown_block("sh", &[command]));
    }
    if let Some(command) = play_on(contest, bot, fault) {
        let newline = if fault.bundle.is_some() { "\n" } else { "" };
        text += &format!(
            "{newline}Play a round from that position:\n\n{}",
            markdown_block("sh", &[command])
        );
    }
    text
}
