//! Standings for programs, a row for each bot.

use std::io::{self, Write};
use std::str::FromStr;

use super::words::{half, ms};
use crate::protocol::FaultKind;
use crate::record::Digest;
use crate::report::table::or_empty;
use crate::report::{Column, Table, write_csv};
use crate::standings::{Standings, StandingsRow};
use crate::text::printable;

/// Some columns of the CSV of standings, by their titles, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvColumns(Vec<String>);

impl FromStr for CsvColumns {
    type Err = String;

    /// Titles with commas between them.
    fn from_str(text: &str) -> Result<CsvColumns, String> {
        let known: Vec<String> = columns(&[]).into_iter().map(|column| column.title).collect();
        let wanted: Vec<String> = text.split(',').map(|title| title.trim().to_owned()).collect();
        match wanted.iter().find(|title| !known.contains(title)) {
            None => Ok(CsvColumns(wanted)),
            Some(unknown) => Err(format!(
                "no column is named \"{}\"; there are {}",
                printable(unknown),
                known.join(", ")
            )),
        }
    }
}

/// Writes these columns of standings as CSV.
///
/// # Errors
///
/// When the writer fails.
pub fn write_standings_columns(
    out: &mut dyn Write,
    standings: &Standings,
    wanted: &CsvColumns,
) -> io::Result<()> {
    write_csv(out, &Table::new(chosen(&standings.rows, Some(wanted))))
}

/// The wanted columns of `rows`, or all.
pub(super) fn chosen(rows: &[StandingsRow], wanted: Option<&CsvColumns>) -> Vec<Column> {
    let all = columns(rows);
    let Some(CsvColumns(wanted)) = wanted else { return all };
    let column = |title: &String| all.iter().find(|column| column.title == *title).cloned();
    wanted.iter().filter_map(column).collect()
}

pub(in crate::report) fn for_programs(standings: &Standings) -> Table {
    Table::new(columns(&standings.rows))
}

fn columns(rows: &[StandingsRow]) -> Vec<Column> {
    let number = |title, cell: fn(&StandingsRow) -> u64| Column::number(title, rows, cell);
    let shown = |title, cell: fn(&StandingsRow) -> String| Column::number(title, rows, cell);
    let of_kind = |kind: FaultKind| {
        let times = move |row: &StandingsRow| row.faults.get(&kind).copied().unwrap_or(0);
        Column::number(kind.as_str(), rows, times)
    };
    let mut columns = vec![
        shown("rank", |row| or_empty(row.rank)),
        shown("rank_low", |row| or_empty(row.rank_low)),
        shown("rank_high", |row| or_empty(row.rank_high)),
        Column::text("name", rows, |row| &row.name),
        number("matches", |row| row.matches),
        number("won", |row| row.won),
        number("drawn", |row| row.drawn),
        number("lost", |row| row.lost),
        shown("points", |row| half(row.points)),
        number("first_rounds", |row| row.first.rounds),
        shown("first_points", |row| half(row.first.points)),
        number("second_rounds", |row| row.second.rounds),
        shown("second_points", |row| half(row.second.points)),
        number("seeds_for", |row| row.seeds_for),
        number("seeds_against", |row| row.seeds_against),
        number("faults", |row| row.faults.values().sum()),
    ];
    columns.extend(FaultKind::ALL.map(of_kind));
    columns.extend([
        number("double_faults", |row| row.double_faults),
        shown("median_ms", |row| ms(row.median_ms)),
        shown("longest_ms", |row| ms(row.longest_ms)),
        shown("mean_ms", |row| ms(row.mean_ms)),
        shown("p95_ms", |row| ms(row.p95_ms)),
        shown("limit_share", |row| real(row.limit_share)),
        shown("rating", |row| real(row.rating)),
        shown("rating_low", |row| real(row.rating_low)),
        shown("rating_high", |row| real(row.rating_high)),
        shown("los", |row| real(row.los)),
        Column::text("disqualified", rows, |row| row.disqualified.as_deref().unwrap_or_default()),
        Column::text("versions", rows, |row| {
            row.versions.iter().map(Digest::to_string).collect::<Vec<_>>().join(" ")
        }),
    ]);
    columns
}

pub(super) fn real(value: Option<f64>) -> String {
    value.map(|x| format!("{x:.4}")).unwrap_or_default()
}
