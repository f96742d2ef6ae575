//! Tables in CSV, for programs and spreadsheets.

use std::io::{self, Write};

use super::table::{Column, Table};
use crate::text::csv_cell;

/// Writes the columns of a table, their titles first; text above and below it is left out.
///
/// # Errors
///
/// When the writer fails.
pub fn write_csv(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    write_rows(out, table, true)
}

/// The same with or without the titles.
///
/// # Errors
///
/// When the writer fails.
pub(super) fn write_rows(out: &mut dyn Write, table: &Table, with_titles: bool) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    if with_titles {
        csv.write_record(table.columns.iter().map(|column| &column.title))?;
    }
    let cell = |column: &Column, row: usize| {
        let cell = &column.cells[row];
        if column.is_number { cell.clone() } else { csv_cell(cell) }
    };
    for row in 0..table.rows() {
        csv.write_record(table.columns.iter().map(|column| cell(column, row)))?;
    }
    csv.flush()
}
