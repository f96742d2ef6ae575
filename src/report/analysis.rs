//! What an analysis found, for people and programs.

use std::io::{self, Write};

use super::formats::OutputFormat;
use super::table::{Column, TableStyle, TextTable, Width};
use crate::analysis::{Analysis, AnalysisRow};
use crate::text::{self, printable};

/// What an analysis had before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisExtent {
    /// The matches of all files, analysed or not.
    pub matches_in_files: usize,
    /// Whether some of them were analysed before, in the file that is written.
    pub is_resumed: bool,
}

/// Writes what an analysis found; a table for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_analysis(
    out: &mut dyn Write,
    analysis: &Analysis,
    extent: AnalysisExtent,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => write_text(out, analysis, extent, TableStyle::Lines, width),
        OutputFormat::Markdown => write_text(out, analysis, extent, TableStyle::Markdown, width),
        OutputFormat::Json => {
            text::write_json(&mut *out, analysis)?;
            writeln!(out)
        }
        OutputFormat::Csv => write_csv(out, analysis),
    }
}

fn write_text(
    out: &mut dyn Write,
    analysis: &Analysis,
    extent: AnalysisExtent,
    style: TableStyle,
    width: Width,
) -> io::Result<()> {
    let unsolved: u64 = analysis.rows.iter().map(|row| row.moves - row.solved).sum();
    let moves: u64 = analysis.rows.iter().map(|row| row.moves).sum();
    let AnalysisExtent { matches_in_files, .. } = extent;
    match (analysis.matches, matches_in_files as u64) {
        (1, 1) => writeln!(out, "1 match.")?,
        (analysed, all) if analysed == all => writeln!(out, "{all} matches.")?,
        (analysed, all) => writeln!(out, "{analysed} of {all} matches.")?,
    }
    writeln!(out)?;
    let mut columns = vec![
        Column::text("bot").cut_to(8),
        Column::number("rounds").left_out(2),
        Column::number("moves").left_out(1),
    ];
    columns.extend((unsolved > 0).then(|| Column::number("solved").left_out(6)));
    columns.extend([
        Column::number("exact").left_out(5),
        Column::number("given away"),
        Column::number("opening").left_out(3),
        Column::number("middle").left_out(3),
        Column::number("end").left_out(3),
        Column::number("blunders").left_out(4),
    ]);
    let mut table = TextTable::new(columns);
    for row in &analysis.rows {
        let mut cells = vec![printable(&row.name), row.rounds.to_string(), row.moves.to_string()];
        cells.extend((unsolved > 0).then(|| row.solved.to_string()));
        let phases = [row.by_phase.opening, row.by_phase.middle, row.by_phase.end];
        cells.push(share(row));
        cells.push(seeds(row.lost_a_round()));
        cells.extend(phases.map(seeds));
        cells.push(row.blunders.to_string());
        if row.solved == 0 {
            // Nothing is known, which is not nothing given away.
            let known = cells.len() - 6;
            cells[known..].fill(String::new());
        }
        table.row(cells);
    }
    table.write(out, style, width)?;
    let mut remarks = vec![GIVEN_AWAY.to_owned()];
    if unsolved > 0 {
        let advice = if extent.is_resumed {
            "with a longer --time give --write a new file, for what this one holds stays as it is."
        } else {
            "--time gives each round more."
        };
        remarks.push(format!(
            "{unsolved} of {moves} moves were not solved in their time and do not count; {advice}"
        ));
    }
    writeln!(out)?;
    for remark in remarks {
        match style {
            TableStyle::Lines => writeln!(out, "{remark}")?,
            TableStyle::Markdown => writeln!(out, "- {remark}")?,
        }
    }
    Ok(())
}

const GIVEN_AWAY: &str = "Given away: seeds a round, against best play; then the same by thirds of \
    the seeds in the houses. Blunders turned a win into less, or a draw into a loss.";

fn seeds(number: f64) -> String {
    format!("{number:.2}")
}

/// The share of solved moves that gave nothing away.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn share(row: &AnalysisRow) -> String {
    if row.solved == 0 {
        return String::new();
    }
    format!("{:.1} %", 100.0 * row.exact as f64 / row.solved as f64)
}

fn write_csv(out: &mut dyn Write, analysis: &Analysis) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "name",
        "rounds",
        "moves",
        "solved",
        "exact",
        "seeds_lost",
        "blunders",
        "opening",
        "middle",
        "end",
    ])?;
    for row in &analysis.rows {
        let counts = [row.rounds, row.moves, row.solved, row.exact, row.seeds_lost, row.blunders];
        let phases = [row.by_phase.opening, row.by_phase.middle, row.by_phase.end];
        let mut cells = vec![printable(&row.name)];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend(phases.map(|seeds| format!("{seeds:.4}")));
        csv.write_record(cells)?;
    }
    csv.flush()
}
