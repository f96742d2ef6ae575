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
    // Why it failed is known by the kind of the inner error, such as that a reader is gone.
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    };
    if with_titles {
        csv.write_record(table.columns.iter().map(|column| &column.title)).map_err(failed)?;
    }
    let cell = |column: &Column, row: usize| {
        let cell = &column.cells[row];
        if column.is_number { cell.clone() } else { csv_cell(cell) }
    };
    for row in 0..table.rows() {
        csv.write_record(table.columns.iter().map(|column| cell(column, row))).map_err(failed)?;
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_gone_is_known_by_the_kind_of_the_error() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let rows: Vec<String> = (0..10_000).map(|row| row.to_string()).collect();
        let table = Table::new([Column::text("row", &rows, |row| row)]);
        let error = write_csv(&mut Gone, &table).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
