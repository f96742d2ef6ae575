//! Each plot as an SVG and each table as CSV, for papers.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::contents::Contents;
use super::games;
use super::plots::plots;
use crate::record::own_files::create;
use crate::report::csv::write_csv;
use crate::report::standings::for_programs;
use crate::report::table::{Column, Table};

/// Writes all of them into a folder, which is made if it is missing. Files of the same names are
/// overwritten.
///
/// # Errors
///
/// When one cannot be written.
pub fn write_assets(folder: &Path, contents: &Contents) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for plot in plots(contents) {
        let text = plot.drawing.file();
        create(&folder.join(format!("{}.svg", plot.name)))?.write_all(text.as_bytes())?;
    }
    let mut tables = vec![
        ("ranking", for_programs(&contents.standings)),
        ("crosstable", crosstable(contents)),
        ("games", games::for_programs(contents)),
        ("first-mover", first_mover(contents)),
    ];
    if let Some(analysis) = &contents.analysis {
        tables.push(("given-away", crate::report::analysis::for_programs(analysis)));
    }
    for (name, table) in tables {
        let mut csv = Vec::new();
        write_csv(&mut csv, &table)?;
        create(&folder.join(format!("{name}.csv")))?.write_all(&csv)?;
    }
    Ok(())
}

/// How the first mover fared: a row for each pair and each of the two who moved first.
fn first_mover(contents: &Contents) -> Table {
    let mut pairs: Vec<_> = contents.by_mover.iter().collect();
    pairs.sort_unstable();
    let name = |row: usize| &contents.standings.rows[row].name;
    Table::new([
        Column::text("first", &pairs, |((first, _), _)| name(*first)),
        Column::text("second", &pairs, |((_, second), _)| name(*second)),
        Column::number("won", &pairs, |(_, [won, ..])| won),
        Column::number("drawn", &pairs, |(_, [_, drawn, _])| drawn),
        Column::number("lost", &pairs, |(_, [.., lost])| lost),
    ])
}

/// A row for each pair, which is easier to read by a program than a square.
fn crosstable(contents: &Contents) -> Table {
    let rows = &contents.standings.rows;
    let all = contents.standings.crosstable.as_ref();
    let pairs: Vec<_> = (0..rows.len())
        .flat_map(|row| all.iter().flat_map(move |table| table.row(row)).map(move |of| (row, of)))
        .collect();
    Table::new([
        Column::text("name", &pairs, |(row, _)| &rows[*row].name),
        Column::text("opponent", &pairs, |(_, (other, _))| &rows[**other].name),
        Column::number("won", &pairs, |(_, (_, cell))| cell.won),
        Column::number("drawn", &pairs, |(_, (_, cell))| cell.drawn),
        Column::number("lost", &pairs, |(_, (_, cell))| cell.lost),
        Column::number("seeds_for", &pairs, |(_, (_, cell))| cell.seeds_for),
        Column::number("seeds_against", &pairs, |(_, (_, cell))| cell.seeds_against),
    ])
}
