//! The page of one bot.

use super::Contest;
use super::commands::Commands;
use super::document::Document;
use super::evidence::{Evidence, MatchLog, MeasuredMoves};
use super::faults::{faults, introduce_commands, linked, place};
use crate::contest::PlannedBot;
use crate::report::{
    Column, InlineText, Table, byes_text, given_away_table, result_text, times_table, worst_table,
};
use crate::standings::{CrosstableCell, StandingsRow};
use crate::text::counted;

/// Most lines of a build that are shown.
const BUILD_LINES: usize = 60;

/// Which number of a match is meant.
const NUMBERS: &str = "Match numbers are those of the current plan.";

/// The whole page.
pub(super) fn page(contest: &Contest<'_>, bot: &PlannedBot, evidence: &Evidence) -> Document {
    let row = contest.standings.rows.iter().position(|row| row.name == bot.name);
    let commands = &Commands::of(contest, bot);
    let mut page = Document::default();
    page.heading(1, &*bot.name);
    let name = contest.plan.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    page.paragraph(format!("Contest{name}, id {}.", contest.id));
    page.heading(2, "Results");
    match row {
        Some(row) => results(&mut page, commands, row),
        None => page.paragraph("It played no match."),
    }
    page.heading(2, "Faults");
    let row = row.map(|row| &contest.standings.rows[row]);
    let has_commands = faults(&mut page, commands, row, evidence);
    match &evidence.build {
        Some(lines) => build(&mut page, commands, lines),
        None => check(&mut page, commands, evidence, has_commands),
    }
    measured(&mut page, contest, bot, &evidence.measured);
    page.heading(2, "Matches");
    let has_played = row.is_some_and(|row| row.matches + row.left_out > 0);
    logs(&mut page, evidence, has_played);
    page
}

/// Its times, and what it gave away, where they are known.
fn measured(page: &mut Document, contest: &Contest<'_>, bot: &PlannedBot, of: &MeasuredMoves) {
    let times = times_table(&bot.name, &of.times);
    if times.rows() > 0 {
        page.heading(2, "Times");
        page.table(times);
    }
    if let Some(own) = &of.given_away {
        page.heading(2, "Given away");
        page.table(given_away_table(own));
        page.table(worst_table(&bot.name, &of.worst, !contest.plan.anonymous));
    }
}

/// What a check said, and how to make one; `has_commands` if the page says where commands work.
fn check(page: &mut Document, commands: &Commands<'_>, evidence: &Evidence, has_commands: bool) {
    page.heading(2, "Check");
    if let Some(lines) = &evidence.check {
        page.paragraph("The bot was checked before the first match:");
        page.code("text", &**lines);
    }
    if !has_commands {
        introduce_commands(page, commands);
    }
    page.paragraph("Check the bot for everything that a match may ask of it:");
    page.code("sh", [commands.check()]);
}

/// How a bot is built that did not build, and what that said.
fn build(page: &mut Document, commands: &Commands<'_>, lines: &[String]) {
    page.heading(2, "Build");
    page.paragraph("The bot was not built. This is the command:");
    page.code("sh", [commands.build()]);
    page.paragraph(commands.where_they_work());
    if !lines.is_empty() {
        let shown = &lines[..lines.len().min(BUILD_LINES)];
        let cut = if shown.len() < lines.len() { "The beginning of what" } else { "What" };
        page.paragraph(format!("{cut} it said:"));
        page.code("text", shown);
    }
}

fn logs(page: &mut Document, evidence: &Evidence, has_played: bool) {
    if !has_played && evidence.matches.is_empty() {
        return page.paragraph("It played no match.");
    }
    let logged = evidence.matches.iter().filter(|log| log.transcript.is_some()).count();
    page.paragraph(if logged == 0 {
        "There are no transcripts: this page was made without logs of the bot's matches.".to_owned()
    } else {
        format!(
            "{} logged. Logs are kept of the first matches of a bot, and of the first ones with a \
             fault. A transcript holds what the bot was sent and what it wrote.",
            counted(logged as u64, "match is", "matches are")
        )
    });
    if !evidence.matches.is_empty() {
        page.paragraph(NUMBERS);
    }
    let number = |log: &MatchLog| {
        let before = log.number_before.map(|number| format!(", played as match {number}"));
        format!("match {}{}", log.number, before.unwrap_or_default())
    };
    let transcript = |log: &MatchLog| {
        let link =
            |file: &String| InlineText::Link { text: "transcript".to_owned(), file: file.clone() };
        log.transcript.iter().map(link).collect()
    };
    let faults = |log: &MatchLog| {
        let mut faults = Vec::new();
        for fault in &log.faults {
            if !faults.is_empty() {
                faults.push("; ".into());
            }
            faults.push(linked(place(fault), fault));
        }
        faults
    };
    let matches = &evidence.matches;
    page.table(Table::new([
        Column::text("match", matches, number),
        Column::linked("transcript", matches, transcript),
        Column::linked("faults", matches, faults),
    ]));
}

/// The results of the bot in that row.
fn results(page: &mut Document, commands: &Commands<'_>, place: usize) {
    let contest = commands.contest;
    let standings = contest.standings;
    let row = &standings.rows[place];
    if let Some(why) = &row.disqualified {
        let text = " None of its matches count. The reason:".into();
        page.line([InlineText::Strong("Disqualified.".to_owned()), text]);
        // As it is: it may hold a command.
        return page.code("text", [commands.in_own_folder(why)]);
    }
    page.paragraph(summary(row, contest));
    let against = standings.crosstable.iter().flat_map(|table| table.row(place));
    let mut against: Vec<_> =
        against.map(|(other, cell)| (cell, &standings.rows[*other])).collect();
    if contest.plan.anonymous {
        // In an order that tells nothing of the table's.
        let halves = |cell: &CrosstableCell| 2 * cell.won + cell.drawn;
        against.sort_by_key(|(cell, _)| std::cmp::Reverse((halves(cell), cell.seeds_for)));
    }
    let is_anonymous = contest.plan.anonymous;
    let names = (1..).zip(&against).map(|(number, (_, other))| {
        if is_anonymous { format!("opponent {number}") } else { other.name.clone() }
    });
    let number = |title: &str, value: fn(&CrosstableCell) -> String| {
        Column::number(title, &against, |(cell, _)| value(cell))
    };
    page.table(Table::new([
        Column::text("against", names, |name| name),
        number("won", |cell| cell.won.to_string()),
        number("drawn", |cell| cell.drawn.to_string()),
        number("lost", |cell| cell.lost.to_string()),
        number("seeds", |cell| format!("{}:{}", cell.seeds_for, cell.seeds_against)),
    ]));
}

fn summary(row: &StandingsRow, contest: &Contest<'_>) -> String {
    if row.matches == 0 && row.left_out > 0 {
        return "None of its matches count: the other bots are disqualified.".to_owned();
    }
    if row.matches == 0 {
        return format!("It played no match.{}", byes_text(row));
    }
    let mut text = result_text(contest.standings, row, row.share) + " ";
    let mut parts = Vec::new();
    for (when, rounds) in [("moving first", row.first), ("moving second", row.second)] {
        if rounds.rounds > 0 {
            parts.push(format!("{} of {} {when}", rounds.points, rounds.rounds));
        }
    }
    text += &format!("Points in rounds: {}. ", parts.join(", "));
    text += &format!("Seeds: {} to {}.", row.seeds_for, row.seeds_against);
    if let Some(missing) = what_is_missing(contest) {
        text += &format!(" {missing}");
    }
    text
}

/// That results are not final; `None` if no match is known to be missing.
pub(super) fn what_is_missing(contest: &Contest<'_>) -> Option<String> {
    let missing = contest.standings.missing.filter(|missing| *missing > 0)?;
    let matches = counted(missing, "match is", "matches are");
    Some(format!("{matches} missing in the whole contest: these are not the final results."))
}
