//! The faults of a bot, each problem once, in the words of a check.

use std::path::Path;

use super::evidence::{Evidence, LoggedFault};
use crate::check::{Explanation, explain};
use crate::standings::StandingsRow;
use crate::text::{counted, markdown, markdown_block};

/// Most examples of one problem.
const EXAMPLES: usize = 3;

/// Most lines of stderr that are shown of a fault.
const STDERR_LINES: usize = 10;

/// A problem, and the faults in which it was seen: the number of the match, and the fault.
struct Problem<'a> {
    explanation: Explanation,
    faults: Vec<(u64, &'a LoggedFault)>,
}

/// The faults of a bot whose command line is started in `folder`.
pub(super) fn faults(row: Option<&StandingsRow>, evidence: &Evidence, folder: &Path) -> String {
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
        text += "The commands below work where the contest was played. Elsewhere, go to the \
                 folder of this page, name the bundle as its link does, and put your bot's command \
                 in place of the last word.\n";
    }
    for problem in &problems {
        text += &problem.text(folder);
    }
    text
}

fn problems(evidence: &Evidence) -> Vec<Problem<'_>> {
    let mut problems: Vec<Problem<'_>> = Vec::new();
    for log in &evidence.matches {
        for fault in &log.faults {
            let explanation = explain(&fault.bundle);
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
    fn text(&self, folder: &Path) -> String {
        let Explanation { what, fix, .. } = &self.explanation;
        let mut capital = what.chars();
        let first = capital.next().into_iter().flat_map(char::to_uppercase);
        let what: String = first.chain(capital).collect();
        let times = counted(self.faults.len() as u64, "logged fault", "logged faults");
        let mut text = format!("\n### {}\n\n{times}. {}\n", markdown(&what), markdown(fix));
        for (number, fault) in self.faults.iter().take(EXAMPLES) {
            text += &example(*number, fault, folder);
        }
        let more = self.faults.len().saturating_sub(EXAMPLES);
        if more > 0 {
            let faults = counted(more as u64, "more is", "more are");
            text += &format!("\n{faults} below, by match.\n");
        }
        text
    }
}

fn example(number: u64, fault: &LoggedFault, folder: &Path) -> String {
    let bundle = &fault.bundle;
    let turn = match bundle.turn {
        0 => String::new(),
        turn => format!(", turn {turn}"),
    };
    let mut text = format!(
        "\nMatch {number}, round {}{turn}, {}: {} ([bundle]({}))\n\n",
        bundle.round,
        markdown(&bundle.kind.to_string()),
        markdown(&bundle.detail),
        fault.file
    );
    let stderr: Vec<String> = bundle.stderr.lines().map(str::to_owned).collect();
    if !stderr.is_empty() {
        let last = stderr.len().saturating_sub(STDERR_LINES);
        text += &format!("The end of its stderr:\n\n{}\n", markdown_block("text", &stderr[last..]));
    }
    let commands = [go_to(folder), bundle.reproduce.clone()];
    text + "See it again:\n\n" + &markdown_block("sh", &commands)
}

/// The command that goes to a folder.
pub(super) fn go_to(folder: &Path) -> String {
    shell_words::join(["cd", &*folder.to_string_lossy()])
}
