//! The page of one bot.

use super::Contest;
use super::commands;
use super::evidence::Evidence;
use super::faults::{COMMANDS, faults, place};
use super::results::results;
use super::table::table;
use crate::contest::PlannedBot;
use crate::text::{counted, markdown, markdown_block};

/// Most lines of a build that are shown.
const BUILD_LINES: usize = 60;

/// The whole page.
pub(super) fn page(contest: &Contest<'_>, bot: &PlannedBot, evidence: &Evidence) -> String {
    let row = contest.standings.rows.iter().position(|row| row.name == bot.name);
    let mut text = format!("# {}\n\n", markdown(&bot.name));
    let name = contest.name.map(|name| format!(" {}", markdown(name))).unwrap_or_default();
    text += &format!("Contest{name}, id {}.\n\n## Results\n\n", contest.id);
    text += &match row {
        Some(row) => results(contest, row),
        None => "No match of it was played.\n".to_owned(),
    };
    text += "\n## Faults\n\n";
    let row = row.map(|row| &contest.standings.rows[row]);
    text += &faults(contest, bot, row, evidence);
    let has_commands = text.contains(COMMANDS);
    text += &match &evidence.build {
        Some(lines) => build(contest, bot, lines),
        None => check(contest, bot, evidence, has_commands),
    };
    text + "\n## Matches\n\n" + &logs(evidence)
}

/// What a check said, and how to make one; `has_commands` if the page says where commands work.
fn check(
    contest: &Contest<'_>,
    bot: &PlannedBot,
    evidence: &Evidence,
    has_commands: bool,
) -> String {
    let mut text = "\n## Check\n\n".to_owned();
    if let Some(lines) = &evidence.check {
        text += "The bot was checked before the first match:\n\n";
        text += &markdown_block("text", lines);
        text.push('\n');
    }
    text += "This tries the bot in everything that a match may ask of it:\n\n";
    text += &markdown_block("sh", &[commands::check(contest, bot)]);
    if has_commands { text } else { format!("{text}\n{COMMANDS}") }
}

/// How a bot is built that did not build, and what that said.
fn build(contest: &Contest<'_>, bot: &PlannedBot, lines: &[String]) -> String {
    let command = [commands::build(contest, bot)];
    let mut text = "\n## Build\n\nThe bot was not built. This is the command:\n\n".to_owned();
    text += &markdown_block("sh", &command);
    if !lines.is_empty() {
        let shown = &lines[..lines.len().min(BUILD_LINES)];
        let cut = if shown.len() < lines.len() { "The beginning of what" } else { "What" };
        text += &format!("\n{cut} it said:\n\n{}", markdown_block("text", shown));
    }
    text
}

fn logs(evidence: &Evidence) -> String {
    let logged = evidence.matches.iter().filter(|log| log.transcript.is_some()).count();
    let mut text = if logged == 0 {
        "There are no transcripts: the contest kept no logs of this bot's matches.\n".to_owned()
    } else {
        format!(
            "{} logged: the first ones, and the first ones with a fault. A transcript holds every \
             line that the bot was sent and that it wrote.\n",
            counted(logged as u64, "match is", "matches are")
        )
    };
    if evidence.matches.is_empty() {
        return text;
    }
    text.push('\n');
    let rows: Vec<Vec<String>> = evidence
        .matches
        .iter()
        .map(|log| {
            let transcript = log.transcript.as_deref();
            let bundles = log.faults.iter().map(|fault| match &fault.bundle {
                Some(bundle) => format!("[{}]({})", place(fault), bundle.file),
                None => place(fault),
            });
            vec![
                format!("match {}", log.number),
                transcript.map(|file| format!("[transcript]({file})")).unwrap_or_default(),
                bundles.collect::<Vec<_>>().join(", "),
            ]
        })
        .collect();
    text += &table(&["match", "transcript", "faults"], &rows);
    text
}
