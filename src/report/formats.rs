//! A match's result in each format that `--format` knows.

use std::io::{self, Write};
use std::time::Duration;

use super::result::{self, Row};
use super::table::{Column, TableStyle, TextTable, Width};
use crate::record::{FaultPolicy, MatchRecord, RoundRecord, milliseconds};
use crate::seat::Seat;
use crate::text;
use mancala_game::words;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// For people, in a terminal.
    Table,
    /// The record itself, one line.
    Json,
    /// The table for a document.
    Markdown,
    /// A row for each bot and round.
    Csv,
}

words!(
    OutputFormat,
    "table, json, markdown or csv",
    Table = "table",
    Json = "json",
    Markdown = "markdown",
    Csv = "csv"
);

/// Writes the result of a match; a table for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_match(
    out: &mut dyn Write,
    record: &MatchRecord,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_text(out, record, TableStyle::Lines, width),
        OutputFormat::Markdown => write_text(out, record, TableStyle::Markdown, width),
        OutputFormat::Json => {
            text::write_json(&mut *out, record)?;
            writeln!(out)
        }
        OutputFormat::Csv => write_csv(out, record),
    }
}

/// The columns of a match's table. Where a terminal is too narrow, the times go first, then the
/// number of moves, who began, and the faults.
fn columns(counts_faults: bool) -> Vec<Column> {
    let faults = counts_faults.then(|| Column::number("faults").left_out(5));
    let first = [
        Column::text("round"),
        Column::text("bot").cut_to(12),
        Column::text("began").left_out(4),
        Column::number("seeds"),
        Column::text("ended").cut_to(18),
    ];
    let last = [
        Column::number("moves").left_out(3),
        Column::number("mean ms").left_out(1),
        Column::number("longest ms").left_out(2),
    ];
    first.into_iter().chain(faults).chain(last).collect()
}

fn write_text(
    out: &mut dyn Write,
    record: &MatchRecord,
    style: TableStyle,
    width: Width,
) -> io::Result<()> {
    let bullet = if style == TableStyle::Markdown { "- " } else { "" };
    // Where every fault forfeits, the column before it says all that there is to say.
    let counts_faults = record.terms.faults.policy != FaultPolicy::Forfeit;
    let faults = |count: usize| counts_faults.then(|| count.to_string());
    let mut table = TextTable::new(columns(counts_faults));
    for row in result::rows(record) {
        let first = [
            row.round.to_string(),
            row.bot.clone(),
            if row.began { "yes" } else { "" }.to_owned(),
            row.seeds.to_string(),
            ended(&row),
        ];
        let last = [row.moves.to_string(), ms(row.mean), ms(row.longest)];
        table.row(first.into_iter().chain(faults(row.faults)).chain(last));
    }
    for seat in Seat::BOTH.into_iter().filter(|_| record.rounds.len() > 1) {
        let count: usize = record.rounds.iter().map(|round| round.faults(seat)).sum();
        let first = [
            "both".to_owned(),
            text::printable(&record.bots[seat].name),
            String::new(),
            record.score[seat].to_string(),
            result::outcome(record, seat).to_owned(),
        ];
        table.row(first.into_iter().chain(faults(count)));
    }
    table.write(out, style, width)?;
    writeln!(out)?;
    for round in &record.rounds {
        write_notes(out, record, round, style)?;
    }
    writeln!(out, "{}", result::verdict(record))?;
    let steps = result::next_steps(record);
    if !steps.is_empty() {
        writeln!(out)?;
    }
    steps.iter().try_for_each(|step| writeln!(out, "{bullet}{step}"))
}

fn write_notes(
    out: &mut dyn Write,
    record: &MatchRecord,
    round: &RoundRecord,
    style: TableStyle,
) -> io::Result<()> {
    let bullet = if style == TableStyle::Markdown { "- " } else { "" };
    let faults = result::substituted(record, round);
    for fault in &faults {
        writeln!(out, "{bullet}{fault}")?;
    }
    if !faults.is_empty() {
        writeln!(out)?;
    }
    for note in result::notes(record, round) {
        writeln!(out, "{note}\n")?;
    }
    Ok(())
}

/// How the round ended for this bot: its own forfeit, its opponent's, or the rules' end.
fn ended(row: &Row) -> String {
    match (row.fault, row.reason) {
        (Some(kind), _) => format!("forfeit: {kind}"),
        (None, crate::protocol::Reason::Fault(_)) => "opponent's forfeit".to_owned(),
        (None, reason) => reason.to_string().replace('_', " "),
    }
}

fn ms(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{:.3}", milliseconds(time)))
}

fn write_csv(out: &mut dyn Write, record: &MatchRecord) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "started",
        "tournament",
        "match",
        "rules",
        "opening",
        "round",
        "bot",
        "opponent",
        "began",
        "seeds",
        "reason",
        "fault",
        "moves",
        "mean_ms",
        "longest_ms",
        "match_score",
        "match_outcome",
        "replayed",
        "faults",
    ])?;
    let place = record.tournament.as_ref();
    let opening = record.opening.board().cells().map(|seeds| seeds.to_string());
    let name = |seat: Seat| text::printable(&record.bots[seat].name);
    let ms = |time: Option<Duration>| {
        time.map(|time| format!("{:.3}", milliseconds(time))).unwrap_or_default()
    };
    for (index, row) in result::rows(record).into_iter().enumerate() {
        let seat = Seat::BOTH[index % 2];
        csv.write_record([
            record.started.map(|started| started.to_string()).unwrap_or_default(),
            place.map(|place| place.id.to_string()).unwrap_or_default(),
            place.map(|place| place.number.to_string()).unwrap_or_default(),
            record.rules.name.to_string(),
            opening.join(" "),
            row.round.to_string(),
            name(seat),
            name(!seat),
            row.began.to_string(),
            row.seeds.to_string(),
            own_reason(&row),
            row.fault.map(|kind| kind.to_string()).unwrap_or_default(),
            row.moves.to_string(),
            ms(row.mean),
            ms(row.longest),
            record.score[seat].to_string(),
            result::outcome(record, seat).to_owned(),
            row.replayed.to_string(),
            row.faults.to_string(),
        ])?;
    }
    csv.flush()
}

/// How the round ended for this bot, as one word.
fn own_reason(row: &Row) -> String {
    match (row.fault, row.reason) {
        (Some(_), _) => "forfeit".to_owned(),
        (None, crate::protocol::Reason::Fault(_)) => "opponent_forfeit".to_owned(),
        (None, reason) => reason.to_string(),
    }
}
