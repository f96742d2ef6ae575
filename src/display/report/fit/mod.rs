//! Columns made to fit a terminal.
//!
//! Columns that are too wide together give way in this order: those that may be cut (names) are cut
//! in the middle, sentences at their end, down to a length at which they can still be told apart;
//! then those that may be left out go, in the order of their ranks, and those of one rank together; then
//! what may be cut is cut further. A terminal that is narrower still breaks the lines by itself.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::table::Column;

/// Columns of a terminal beside the text of a cell: a line and two blanks.
const BESIDE: usize = 3;

/// The fewest characters that a cell is cut to.
const SHORTEST: usize = 3;

/// Makes the columns, whose cells are printable, fit `width`; the titles of those that were left
/// out, in the table's order.
pub(super) fn fit(columns: &mut Vec<Column>, width: usize) -> Vec<String> {
    let mut left_out: Vec<(usize, String)> = Vec::new();
    loop {
        let widths: Vec<usize> = columns.iter().map(width_of).collect();
        // Titles are not cut.
        let least = |index: usize, least: usize| {
            let column: &Column = &columns[index];
            column.least.map(|_| least.max(column.title.width()).min(widths[index]))
        };
        let first = |index: usize| least(index, columns[index].least.unwrap_or(0));
        if let Some(cut) = shrunk(&widths, first, width) {
            cut_cells(columns, &cut);
            break;
        }
        let Some(lowest) = columns.iter().filter_map(|column| column.rank).min() else {
            let shortest = |index: usize| least(index, SHORTEST);
            let narrowest = || (0..widths.len()).map(|i| shortest(i).unwrap_or(widths[i]));
            let cut = shrunk(&widths, shortest, width).unwrap_or_else(|| narrowest().collect());
            cut_cells(columns, &cut);
            break;
        };
        for index in (0..columns.len()).rev() {
            if columns[index].rank != Some(lowest) {
                continue;
            }
            // Where it was before any column went.
            let place =
                (0..).filter(|place| left_out.iter().all(|(gone, _)| gone != place)).nth(index);
            left_out.push((place.unwrap_or(index), columns.remove(index).title));
        }
    }
    left_out.sort_unstable();
    left_out.into_iter().map(|(_, title)| title).collect()
}

fn width_of(column: &Column) -> usize {
    let cells = column.cells.iter().map(|cell| cell.width());
    cells.chain([column.title.width()]).max().unwrap_or(0)
}

/// Cuts the cells of the columns that may be cut to `widths`.
fn cut_cells(columns: &mut [Column], widths: &[usize]) {
    for (column, &width) in columns.iter_mut().zip(widths).filter(|(it, _)| it.least.is_some()) {
        for cell in &mut column.cells {
            *cell = shortened(cell, width, column.is_cut_at_its_end);
        }
    }
}

/// Widths with which the table fits, the widest columns that may be cut giving way first, each at
/// least `least(index)` wide; `None` if that is not enough.
fn shrunk(
    widths: &[usize],
    least: impl Fn(usize) -> Option<usize>,
    width: usize,
) -> Option<Vec<usize>> {
    let mut widths = widths.to_vec();
    let needed = widths.iter().map(|width| width + BESIDE).sum::<usize>() + 1;
    for _ in width..needed {
        let can_give = |&index: &usize| least(index).is_some_and(|least| least < widths[index]);
        // Of equally wide ones the first.
        let gives = (0..widths.len()).rev().filter(can_give).max_by_key(|&index| widths[index])?;
        widths[gives] -= 1;
    }
    Some(widths)
}

/// The text, or its beginning and its end with `…` between them, in at most `width` columns of a
/// terminal; the beginning alone if it is cut `at_its_end`.
fn shortened(text: &str, width: usize, at_its_end: bool) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let tail = if at_its_end { 0 } else { room / 2 };
    let head = up_to(text.chars(), room - tail);
    let tail = up_to(text.chars().rev(), tail);
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// The first of `characters` that take at most `room` columns.
fn up_to(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    let fits = |character: &char| {
        used += character.width().unwrap_or(0);
        used <= room
    };
    characters.take_while(fits).collect()
}

#[cfg(test)]
mod tests;
