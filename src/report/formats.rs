//! A match's result in each format that `--format` knows.

use std::io::{self, Write};
use std::time::Duration;

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style};

use super::result::{self, Row};
use crate::record::{FaultPolicy, MatchRecord, RoundRecord, milliseconds};
use crate::seat::Seat;
use crate::text;
use crate::words::words;

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

/// Writes the result of a match.
///
/// # Errors
///
/// When the writer fails.
pub fn write_match(
    out: &mut dyn Write,
    record: &MatchRecord,
    format: OutputFormat,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_text(out, record, false),
        OutputFormat::Markdown => write_text(out, record, true),
        OutputFormat::Json => {
            text::write_json(&mut *out, record)?;
            writeln!(out)
        }
        OutputFormat::Csv => write_csv(out, record),
    }
}

/// The table's column of faults.
const FAULTS: usize = 5;

fn write_text(out: &mut dyn Write, record: &MatchRecord, markdown: bool) -> io::Result<()> {
    let mut builder = Builder::default();
    builder.push_record([
        "round",
        "bot",
        "began",
        "seeds",
        "ended",
        "faults",
        "moves",
        "mean ms",
        "longest ms",
    ]);
    let cell = |text: String| if markdown { text.replace('|', "\\|") } else { text };
    for row in result::rows(record) {
        builder.push_record([
            row.round.to_string(),
            cell(row.bot.clone()),
            if row.began { "yes" } else { "" }.to_owned(),
            row.seeds.to_string(),
            ended(&row),
            row.faults.to_string(),
            row.moves.to_string(),
            ms(row.mean),
            ms(row.longest),
        ]);
    }
    for seat in Seat::BOTH.into_iter().filter(|_| record.rounds.len() > 1) {
        let faults: usize = record.rounds.iter().map(|round| round.faults(seat)).sum();
        builder.push_record([
            "both".to_owned(),
            cell(text::printable(&record.bots[seat].name)),
            String::new(),
            record.score[seat].to_string(),
            result::outcome(record, seat).to_owned(),
            faults.to_string(),
        ]);
    }
    // Where every fault forfeits, the column before it says all that there is to say.
    if record.limits.fault_policy == FaultPolicy::Forfeit {
        builder.remove_column(FAULTS);
    }
    let mut table = builder.build();
    if markdown {
        table.with(Style::markdown());
    } else {
        table.with(Style::sharp());
    }
    let numbers = Columns::new(3..4).and(Columns::new(5..)).not(Rows::first());
    table.modify(numbers, Alignment::right());
    writeln!(out, "{table}\n")?;
    for round in &record.rounds {
        write_notes(out, record, round, markdown)?;
    }
    writeln!(out, "{}", result::verdict(record))
}

fn write_notes(
    out: &mut dyn Write,
    record: &MatchRecord,
    round: &RoundRecord,
    markdown: bool,
) -> io::Result<()> {
    let faults = result::substituted(record, round);
    for fault in &faults {
        writeln!(out, "{}{fault}", if markdown { "- " } else { "" })?;
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
        "round",
        "bot",
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
    for (index, row) in result::rows(record).into_iter().enumerate() {
        let seat = Seat::BOTH[index % 2];
        let ms = |time: Option<Duration>| {
            time.map(|time| format!("{:.3}", milliseconds(time))).unwrap_or_default()
        };
        csv.write_record([
            row.round.to_string(),
            row.bot,
            row.began.to_string(),
            row.seeds.to_string(),
            row.reason.to_string(),
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
