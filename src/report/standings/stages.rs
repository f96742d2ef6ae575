//! Several tables side by side: a season from file to file, a tournament from update to update.

use std::io::{self, Write};

use super::csv::{CsvColumns, chosen};
use super::words::half;
use super::{rating_of, summary};
use crate::report::csv::write_csv;
use crate::report::format::{OutputFormat, write_result};
use crate::report::table::{Column, Table};
use crate::report::width::Width;
use crate::standings::{Season, Stage, StageRow, StandingsRow, TrendEntry, are_changed, by_bot};
use crate::text::printable;

/// Writes the standings of these files side by side, each with its name; as CSV a row for each
/// file and bot, with only these `columns` after the file if any are given.
///
/// # Errors
///
/// When the writer fails.
pub fn write_season(
    out: &mut dyn Write,
    files: &[(String, Stage)],
    columns: Option<&CsvColumns>,
    (format, width): (OutputFormat, Width),
) -> io::Result<()> {
    let season = Season::new(files);
    let tables = || {
        let rows: Vec<&[StageRow]> = season.files.iter().map(|file| &*file.rows).collect();
        let title = |file: usize| printable(label(&files[file].0));
        let mut table = side_by_side(&rows, title, |row| match row.rank {
            Some(rank) => format!("{} ({rank})", half(row.points)),
            None => "out".to_owned(),
        })
        .titled("Points from file to file, with the rank in brackets:");
        if rows.iter().any(|rows| rows.iter().any(|row| row.disqualified.is_some())) {
            table.remark("out: disqualified in that file.");
        }
        for (file, stage) in files {
            table.remark(format!("{}: {}", printable(file), summary(&stage.standings)));
        }
        vec![table]
    };
    let rows = || {
        let all: Vec<StandingsRow> =
            files.iter().flat_map(|(_, stage)| stage.standings.rows.clone()).collect();
        let names = files.iter().flat_map(|(file, of)| of.standings.rows.iter().map(move |_| file));
        let file = Column::text("file", names, |file| file);
        Table::new([file].into_iter().chain(chosen(&all, columns)))
    };
    write_result(out, (format, width), &season, tables, rows)
}

/// The name of a file without its folder and the usual ending.
fn label(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".jsonl").filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// The ratings of each bot before the first update and after each.
pub(super) fn trend_table(trend: &[TrendEntry]) -> Table {
    let rows: Vec<&[StageRow]> = trend.iter().map(|entry| &*entry.rows).collect();
    let title = |entry: usize| match entry {
        0 => "at first".to_owned(),
        update => format!("update {update}"),
    };
    let rating = |row: &StageRow| rating_of(row.rating, row.rating_low, row.rating_high);
    side_by_side(&rows, title, rating).titled("Ratings before the first --update and after each:")
}

/// A row for each bot and entry of a trend.
///
/// # Errors
///
/// When the writer fails.
pub fn write_trend_csv(out: &mut dyn Write, trend: &[TrendEntry]) -> io::Result<()> {
    let rows: Vec<(usize, &TrendEntry, &StageRow)> = (0..)
        .zip(trend)
        .flat_map(|(update, entry)| entry.rows.iter().map(move |row| (update, entry, row)))
        .collect();
    let number = |title, cell: fn(&StageRow) -> String| {
        Column::number(title, &rows, move |(_, _, row)| cell(row))
    };
    let real = |title, value: fn(&StageRow) -> Option<f64>| {
        let shown = move |row: &StageRow| value(row).map(|x| format!("{x:.4}")).unwrap_or_default();
        Column::number(title, &rows, move |(_, _, row)| shown(row))
    };
    let columns = [
        Column::number("update", &rows, |(update, ..)| update),
        Column::text("id", &rows, |(_, entry, _)| {
            entry.id.map(|id| id.to_string()).unwrap_or_default()
        }),
        number("rank", |row| row.rank.map(|rank| rank.to_string()).unwrap_or_default()),
        Column::text("name", &rows, |(_, _, row)| &row.name),
        number("matches", |row| row.matches.to_string()),
        number("points", |row| half(row.points)),
        number("faults", |row| row.faults.to_string()),
        real("rating", |row| row.rating),
        real("rating_low", |row| row.rating_low),
        real("rating_high", |row| row.rating_high),
        Column::text("disqualified", &rows, |(_, _, row)| {
            row.disqualified.as_deref().unwrap_or_default()
        }),
        Column::text("version", &rows, |(_, _, row)| {
            row.version.map(|version| version.to_string()).unwrap_or_default()
        }),
    ];
    write_csv(out, &Table::new(columns))
}

/// A row for each bot and a column for each table; in a narrow terminal the oldest go first. A bot
/// that was another version before is marked.
fn side_by_side(
    tables: &[&[StageRow]],
    title: impl Fn(usize) -> String,
    cell: impl Fn(&StageRow) -> String,
) -> Table {
    let bots = by_bot(tables);
    let name = Column::text("bot", &bots, |(name, _)| name).cut_to(8);
    let column = |place: usize| {
        let cell = |(_, rows): &(&str, Vec<Option<&StageRow>>)| {
            let mark = if are_changed(rows)[place] { "*" } else { "" };
            rows[place].map_or_else(|| "\u{2013}".to_owned(), |row| cell(row) + mark)
        };
        let column = Column::number(title(place), &bots, cell);
        // The last one stays.
        let rank = u8::try_from(place).ok().filter(|_| place + 1 < tables.len());
        rank.map_or(column.clone(), |rank| column.left_out(rank))
    };
    let mut table = Table::new([name].into_iter().chain((0..tables.len()).map(column)));
    if bots.iter().any(|(_, rows)| are_changed(rows).contains(&true)) {
        table.remark("*: another version of the bot than before.");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_names_alone() {
        let labels = ["week1.jsonl", "a/b.c/week1.jsonl", "-", ".jsonl", "v1.2", "week"].map(label);
        assert_eq!(labels, ["week1", "week1", "-", ".jsonl", "v1.2", "week"]);
    }
}
