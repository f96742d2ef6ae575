//! The page of one bot.

use std::path::Path;

use super::Contest;
use super::evidence::Evidence;
use super::faults::{faults, go_to};
use super::results::results;
use super::table::table;
use crate::contest::PlannedBot;
use crate::record::check_options;
use crate::text::{counted, markdown, markdown_block};

/// Most lines of a build that are shown.
const BUILD_LINES: usize = 60;

/// The whole page.
pub(super) fn page(contest: &Contest<'_>, bot: &PlannedBot, evidence: &Evidence) -> String {
    let place = contest.standings.rows.iter().position(|row| row.name == bot.name);
    let mut text = format!("# {}\n\n", markdown(&bot.name));
    let name = contest.name.map(|name| format!(" {}", markdown(name))).unwrap_or_default();
    text += &format!("Contest{name}, id {}.\n\n## Results\n\n", contest.id);
    text += &match place {
        Some(place) => results(contest, place),
        None => "No match of it was played.\n".to_owned(),
    };
    text += "\n## Faults\n\n";
    let folder = match &bot.folder {
        Some(folder) => contest.folder.join(folder),
        None => contest.folder.to_owned(),
    };
    text += &faults(place.map(|place| &contest.standings.rows[place]), evidence, &folder);
    text += &match &evidence.build {
        Some(lines) => build(contest, bot, lines),
        None => check(contest, bot, &folder, evidence),
    };
    text + "\n## Matches\n\n" + &logs(evidence)
}

/// What a check said, and how to make one.
fn check(contest: &Contest<'_>, bot: &PlannedBot, folder: &Path, evidence: &Evidence) -> String {
    let mut text = "\n## Check\n\n".to_owned();
    if let Some(lines) = &evidence.check {
        text += "The bot was checked before the first match:\n\n";
        text += &markdown_block("text", lines);
        text.push('\n');
    }
    text += "This tries the bot in everything that a match may ask of it:\n\n";
    let command = shell_words::join(&bot.as_started().command);
    let rules = contest.rules.name.to_string();
    let mut words = ["mancala", "check", "--rules", &rules].map(str::to_owned).to_vec();
    words.extend(check_options(contest.rules, contest.terms));
    words.push(command);
    text + &markdown_block("sh", &[go_to(folder), shell_words::join(words)])
}

/// How a bot is built that did not build, and what that said.
fn build(contest: &Contest<'_>, bot: &PlannedBot, lines: &[String]) -> String {
    let commands = [go_to(contest.folder), shell_words::join(&bot.build)];
    let mut text = "\n## Build\n\nThe bot was not built. This is the command:\n\n".to_owned();
    text += &markdown_block("sh", &commands);
    if !lines.is_empty() {
        let last = lines.len().saturating_sub(BUILD_LINES);
        text +=
            &format!("\nThe end of what it said:\n\n{}", markdown_block("text", &lines[last..]));
    }
    text
}

fn logs(evidence: &Evidence) -> String {
    if evidence.matches.is_empty() {
        return "None is logged.\n".to_owned();
    }
    let mut text = format!(
        "{} logged: the first ones, and the first ones with a fault. A transcript holds every line \
         that the bot was sent and that it wrote.\n\n",
        counted(evidence.matches.len() as u64, "match is", "matches are")
    );
    let rows: Vec<Vec<String>> = evidence
        .matches
        .iter()
        .map(|log| {
            let transcript = log.transcript.as_deref();
            let bundles = log.faults.iter().map(|fault| {
                format!(
                    "[round {}, turn {}]({})",
                    fault.bundle.round, fault.bundle.turn, fault.file
                )
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
