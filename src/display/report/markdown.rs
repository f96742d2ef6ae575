//! Tables in Markdown, for a document.

use std::io::{self, Write};

use super::inline_text::inline_markdown;
use super::table::{Column, Footnote, Table, notes_of_columns};
use crate::text::{markdown, markdown_block};

/// Writes tables: sentences above them as paragraphs, remarks below them as a list.
///
/// # Errors
///
/// When the writer fails.
pub(super) fn write_markdown(out: &mut dyn Write, tables: &[Table]) -> io::Result<()> {
    // Between two parts is an empty line.
    let mut gap = "";
    let mut gap = move || std::mem::replace(&mut gap, "\n");
    for table in tables {
        for sentence in &table.above {
            writeln!(out, "{}{}", gap(), markdown(sentence))?;
        }
        if table.rows() > 0 {
            write!(out, "{}", gap())?;
            write_grid(out, table)?;
        }
        if !table.below.is_empty() {
            write!(out, "{}", gap())?;
            write_list(out, &table.below)?;
        }
    }
    Ok(())
}

/// The columns of a table, without what stands above and below.
pub fn table_markdown(table: &Table) -> String {
    let mut grid = Vec::new();
    // Nothing fails to be written to memory, and all that is written is text.
    let _ = write_grid(&mut grid, table);
    String::from_utf8(grid).unwrap_or_default()
}

/// The pipes stand below each other where no character is wide.
fn write_grid(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    let shown = |column: &Column| -> Vec<String> {
        // Numbers are our own text; escaped, a minus sign would look odd in the source.
        let cell = |(row, cell): (usize, &String)| match column.linked.get(row) {
            Some(parts) => inline_markdown(parts),
            None if column.is_number => cell.clone(),
            None => markdown(cell),
        };
        let cells = column.cells.iter().enumerate().map(cell);
        std::iter::once(markdown(&column.title)).chain(cells).collect()
    };
    let columns: Vec<Vec<String>> = table.columns.iter().map(shown).collect();
    let width = |cells: &Vec<String>| cells.iter().map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = columns.iter().map(|cells| width(cells).unwrap_or(0)).collect();
    for row in 0..=table.rows() {
        for ((cells, column), &width) in columns.iter().zip(&table.columns).zip(&widths) {
            if column.is_number {
                write!(out, "| {:>width$} ", cells[row])?;
            } else {
                write!(out, "| {:<width$} ", cells[row])?;
            }
        }
        writeln!(out, "|")?;
        if row == 0 {
            for (column, &width) in table.columns.iter().zip(&widths) {
                let end = if column.is_number { ":" } else { "-" };
                write!(out, "|{}{end}", "-".repeat(width + 1))?;
            }
            writeln!(out, "|")?;
        }
    }
    Ok(())
}

/// Lines belong to the sentence before them.
fn write_list(out: &mut dyn Write, remarks: &[Footnote]) -> io::Result<()> {
    for remark in remarks {
        match remark {
            Footnote::Sentence(sentence) => writeln!(out, "- {}", markdown(sentence.trim_start()))?,
            Footnote::OfColumns(notes) => {
                writeln!(out, "- {}", markdown(&notes_of_columns(notes, &[])))?;
            }
            Footnote::Lines(lines) => {
                writeln!(out)?;
                for line in markdown_block("text", lines).lines() {
                    writeln!(out, "  {line}")?;
                }
                writeln!(out)?;
            }
            Footnote::Gap => {}
        }
    }
    Ok(())
}
