//! What an analysis found, for people and programs.

use std::io::{self, Write};

use super::format::{OutputFormat, write_result};
use super::table::{Column, Table};
use super::width::Width;
use crate::analysis::{Analysis, AnalysisRow};
use crate::text::counted;

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
    let (tables, rows) = (|| vec![for_people(analysis, extent)], || for_programs(analysis));
    write_result(out, (format, width), analysis, tables, rows)
}

fn for_people(analysis: &Analysis, extent: AnalysisExtent) -> Table {
    let rows = &analysis.rows;
    let unsolved: u64 = rows.iter().map(|row| row.moves - row.solved).sum();
    let moves: u64 = rows.iter().map(|row| row.moves).sum();
    let all = extent.matches_in_files as u64;
    let matches = match analysis.matches {
        analysed if analysed == all => counted(all, "match", "matches"),
        analysed => format!("{analysed} of {all} matches"),
    };
    // Without a solved move it is not known what was given away.
    let known = |row: &AnalysisRow, cell: String| {
        if row.solved == 0 { String::new() } else { cell }
    };
    let seeds = |row: &AnalysisRow, seeds: f64| known(row, format!("{seeds:.2}"));
    let solved = Column::number("solved", rows, |row| row.solved).left_out(6);
    let first = [
        Column::text("bot", rows, |row| &row.name).cut_to(8),
        Column::number("rounds", rows, |row| row.rounds).left_out(2),
        Column::number("moves", rows, |row| row.moves).left_out(1),
    ];
    let last = [
        Column::number("exact", rows, |row| known(row, share(row))).left_out(5),
        Column::number("given away", rows, |row| seeds(row, row.lost_a_round())),
        Column::number("opening", rows, |row| seeds(row, row.by_phase.opening)).left_out(3),
        Column::number("middle", rows, |row| seeds(row, row.by_phase.middle)).left_out(3),
        Column::number("end", rows, |row| seeds(row, row.by_phase.end)).left_out(3),
        Column::number("blunders", rows, |row| known(row, row.blunders.to_string())).left_out(4),
    ];
    let columns = first.into_iter().chain((unsolved > 0).then_some(solved)).chain(last);
    let mut table = Table::new(columns).titled(format!("{matches}."));
    table.remark(GIVEN_AWAY);
    if unsolved > 0 {
        let advice = if extent.is_resumed {
            "with a longer --time give --write a new file, for what this one holds stays as it is."
        } else {
            "--time gives each round more."
        };
        table.remark(format!(
            "{unsolved} of {moves} moves were not solved in their time and do not count; {advice}"
        ));
    }
    table
}

const GIVEN_AWAY: &str = "Given away: seeds a round, against best play; then the same by thirds of \
    the seeds in the houses. Blunders turned a win into less, or a draw into a loss.";

/// The share of solved moves that gave nothing away.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn share(row: &AnalysisRow) -> String {
    format!("{:.1} %", 100.0 * row.exact as f64 / row.solved as f64)
}

fn for_programs(analysis: &Analysis) -> Table {
    let rows = &analysis.rows;
    let phase = |seeds: f64| format!("{seeds:.4}");
    Table::new([
        Column::text("name", rows, |row| &row.name),
        Column::number("rounds", rows, |row| row.rounds),
        Column::number("moves", rows, |row| row.moves),
        Column::number("solved", rows, |row| row.solved),
        Column::number("exact", rows, |row| row.exact),
        Column::number("seeds_lost", rows, |row| row.seeds_lost),
        Column::number("blunders", rows, |row| row.blunders),
        Column::number("opening", rows, |row| phase(row.by_phase.opening)),
        Column::number("middle", rows, |row| phase(row.by_phase.middle)),
        Column::number("end", rows, |row| phase(row.by_phase.end)),
    ])
}
