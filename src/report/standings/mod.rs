//! Standings in each format that `--format` knows.

mod csv;
mod words;

use std::io::{self, Write};

use self::csv::write_csv;
use self::words::{half, ms, percent, sprt_lines};
use super::formats::OutputFormat;
use super::table::{Column, TableStyle, TextTable, Width};
use crate::standings::{CrosstableCell, Standings, StandingsRow};
use crate::text::{self, printable};

/// Writes standings; a table for a terminal is fitted to `width`. JSON and CSV have no remarks.
///
/// # Errors
///
/// When the writer fails.
pub fn write_standings(
    out: &mut dyn Write,
    standings: &Standings,
    remarks: &[String],
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_text(out, standings, remarks, TableStyle::Lines, width),
        OutputFormat::Markdown => write_text(out, standings, remarks, TableStyle::Markdown, width),
        OutputFormat::Json => {
            text::write_json(&mut *out, standings)?;
            writeln!(out)
        }
        OutputFormat::Csv => write_csv(out, standings),
    }
}

fn write_text(
    out: &mut dyn Write,
    standings: &Standings,
    remarks: &[String],
    style: TableStyle,
    width: Width,
) -> io::Result<()> {
    writeln!(out, "{}\n", summary(standings))?;
    let (counted, disqualified): (Vec<_>, Vec<_>) =
        standings.rows.iter().partition(|row| row.disqualified.is_none());
    if !counted.is_empty() {
        main_table(standings, &counted).write(out, style, width)?;
        writeln!(out)?;
    }
    if !disqualified.is_empty() {
        writeln!(out, "Disqualified; these matches count for nobody:\n")?;
        disqualified_table(&disqualified).write(out, style, width)?;
        writeln!(out)?;
    }
    write_crosstable(out, standings, counted.len(), style, width)?;
    if let Some(sprt) = &standings.sprt {
        for line in sprt_lines(sprt) {
            write_paragraph(out, &line, style)?;
        }
        writeln!(out)?;
    }
    if counted.iter().any(|row| row.rating.is_some()) {
        write_paragraph(out, RATINGS, style)?;
    }
    for remark in remarks {
        write_paragraph(out, remark, style)?;
    }
    Ok(())
}

const RATINGS: &str = "Ratings are Elo points with 95 % bounds, by Davidson's model on matches. \
    Half a match more of each bot, against one of mean strength, keeps them finite.";

fn write_paragraph(out: &mut dyn Write, text: &str, style: TableStyle) -> io::Result<()> {
    match style {
        TableStyle::Lines => writeln!(out, "{text}"),
        TableStyle::Markdown => writeln!(out, "- {}", text.replace('|', "\\|")),
    }
}

/// `90 matches of 96: 5 missing, 1 unfinished; 88 different games.`
fn summary(standings: &Standings) -> String {
    let mut summary = count(standings.matches, "match", "matches");
    // Those of disqualified bots, and those after a decision, cannot be played.
    let open = standings.missing.map(|missing| missing + standings.unfinished);
    if let Some(open) = open.filter(|open| *open > 0) {
        summary.push_str(&format!(" of {}", standings.matches + open));
    }
    let parts = [
        (standings.missing.unwrap_or(0), "missing"),
        (standings.unfinished, "unfinished"),
        (standings.not_played, "of disqualified bots"),
        (standings.beyond, "beyond the one that decided the test"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    if !parts.is_empty() {
        summary.push_str(&format!(": {}", parts.join(", ")));
    }
    if let Some(games) = standings.distinct_games {
        summary.push_str(&format!("; {}", count(games, "different game", "different games")));
    }
    summary + "."
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The table of the bots that count. Where a terminal is too narrow, the times go first, then
/// what follows from other columns, then what a ranking needs least.
fn main_table(standings: &Standings, rows: &[&StandingsRow]) -> TextTable {
    let has_times = rows.iter().any(|row| row.median_ms.is_some());
    let has_test = standings.sprt.is_some();
    let has_faults = rows.iter().any(|row| !row.faults.is_empty());
    let mut columns =
        vec![Column::number("rank"), Column::text("bot").cut_to(8), Column::number("points")];
    let has_shares = rows.iter().any(|row| row.share.is_some());
    columns.extend(has_shares.then(|| Column::number("share")));
    columns.extend(has_test.then(|| Column::number("by rounds")));
    columns.extend([
        Column::number("matches").left_out(9),
        Column::number("won").left_out(10),
        Column::number("drawn").left_out(10),
        Column::number("lost").left_out(10),
        Column::number("seeds").left_out(6),
        Column::number("margin").left_out(7),
        Column::number("first").left_out(5),
        Column::number("second").left_out(5),
    ]);
    columns.extend(has_faults.then(|| Column::text("faults").left_out(8)));
    if has_times {
        columns.push(Column::number("median ms").left_out(2));
        columns.push(Column::number("mean ms").left_out(0));
        columns.push(Column::number("95 % ms").left_out(0));
        columns.push(Column::number("longest ms").left_out(1));
        columns.push(Column::number("of limit").left_out(1));
    }
    columns.extend([
        Column::number("rating").left_out(11),
        Column::number("ranks").left_out(4),
        Column::number("over next").left_out(3),
    ]);
    let mut table = TextTable::new(columns);
    for row in rows {
        let mut cells = vec![
            row.rank.map(|rank| rank.to_string()).unwrap_or_default(),
            printable(&row.name),
            half(row.points),
        ];
        cells.extend(has_shares.then(|| percent(row.share)));
        cells.extend(has_test.then(|| half(row.first.points + row.second.points)));
        cells.extend([
            row.matches.to_string(),
            row.won.to_string(),
            row.drawn.to_string(),
            row.lost.to_string(),
            format!("{}:{}", row.seeds_for, row.seeds_against),
            margin(row),
            format!("{}/{}", half(row.first.points), row.first.rounds),
            format!("{}/{}", half(row.second.points), row.second.rounds),
        ]);
        cells.extend(has_faults.then(|| faults(row)));
        if has_times {
            let times = [row.median_ms, row.mean_ms, row.p95_ms, row.longest_ms];
            cells.extend(times.map(ms).into_iter().chain([percent(row.limit_share)]));
        }
        cells.extend([rating(row), ranks(row), percent(row.los)]);
        table.row(cells);
    }
    table
}

fn disqualified_table(rows: &[&StandingsRow]) -> TextTable {
    let mut table = TextTable::new(vec![
        Column::text("bot").cut_to(8),
        Column::number("won").left_out(2),
        Column::number("drawn").left_out(2),
        Column::number("lost").left_out(2),
        Column::text("faults").left_out(1),
        Column::text("why").cut_to(20),
    ]);
    for row in rows {
        table.row([
            printable(&row.name),
            row.won.to_string(),
            row.drawn.to_string(),
            row.lost.to_string(),
            faults(row),
            row.disqualified.as_deref().map(printable).unwrap_or_default(),
        ]);
    }
    table
}

/// With more bots than this, a crosstable is for programs.
const MOST_IN_CROSSTABLE: usize = 100;

fn write_crosstable(
    out: &mut dyn Write,
    standings: &Standings,
    bots: usize,
    style: TableStyle,
    width: Width,
) -> io::Result<()> {
    if bots > MOST_IN_CROSSTABLE {
        return writeln!(out, "The crosstable of {bots} bots is in --format json.\n");
    }
    if bots < 3 || standings.matches == 0 {
        // The rows say it all.
        return Ok(());
    }
    let mut columns = vec![Column::number("#"), Column::text("points against").cut_to(8)];
    // The last ones go first.
    columns.extend((0..bots).map(|index| {
        let rank = u8::try_from(bots - index).unwrap_or(u8::MAX);
        Column::number((index + 1).to_string()).left_out(rank)
    }));
    let mut table = TextTable::new(columns);
    let Some(crosstable) = &standings.crosstable else { return Ok(()) };
    for (index, row) in standings.rows.iter().take(bots).enumerate() {
        let first = [(index + 1).to_string(), printable(&row.name)];
        let cells = (0..bots).map(|other| match crosstable.cell(index, other) {
            Some(cell) => points_of(cell),
            None if other == index => "\u{2013}".to_owned(),
            None => String::new(),
        });
        table.row(first.into_iter().chain(cells));
    }
    table.write(out, style, width)?;
    writeln!(out)
}

/// `3.5/4`: points of matches.
fn points_of(cell: &CrosstableCell) -> String {
    let matches = cell.won + cell.drawn + cell.lost;
    let dot_five = if cell.drawn % 2 == 1 { ".5" } else { "" };
    format!("{}{dot_five}/{matches}", cell.won + cell.drawn / 2)
}

/// Seeds a match ahead of the opponents, on the mean.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn margin(row: &StandingsRow) -> String {
    if row.matches == 0 {
        return String::new();
    }
    let ahead = row.seeds_for as f64 - row.seeds_against as f64;
    format!("{:+.1}", ahead / row.matches as f64)
}

/// `timeout 2, exited 1`.
fn faults(row: &StandingsRow) -> String {
    let parts: Vec<String> =
        row.faults.iter().map(|(kind, times)| format!("{kind} {times}")).collect();
    parts.join(", ")
}

/// `35 ± 60`.
fn rating(row: &StandingsRow) -> String {
    match (row.rating, row.rating_low, row.rating_high) {
        (Some(rating), Some(low), Some(high)) => {
            format!("{} ± {}", whole(rating), whole((high - low) / 2.0))
        }
        _ => String::new(),
    }
}

/// Rounded, and never `-0`.
fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}

fn ranks(row: &StandingsRow) -> String {
    match (row.rank_low, row.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}\u{2013}{high}"),
        _ => String::new(),
    }
}
