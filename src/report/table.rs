//! Tables for people: as wide as they need in a pipe, fitted to the terminal's width otherwise.
//!
//! A table that is too wide for a terminal gives way in this order: columns that may be cut (names)
//! are cut in the middle down to a length at which they can still be told apart; then columns that
//! may be left out go, one by one, in the order of their ranks; then what may be cut is cut
//! further. What went is said below the table. Nothing else is ever changed: a terminal that is
//! narrower still breaks the lines by itself.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide a table may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As wide as it needs: in a pipe, in a file, in a document.
    Whole,
    /// This many columns of a terminal.
    Columns(usize),
}

impl Width {
    /// The width of the terminal that stdout is, or [`Width::Whole`] where it is none.
    #[must_use]
    pub fn of_stdout() -> Width {
        Width::of(&io::stdout())
    }

    /// The width of the terminal that stderr is, or [`Width::Whole`] where it is none.
    #[must_use]
    pub fn of_stderr() -> Width {
        Width::of(&io::stderr())
    }

    fn of(output: &(impl IsTerminal + AsFd)) -> Width {
        if !output.is_terminal() {
            return Width::Whole;
        }
        match rustix::termios::tcgetwinsize(output) {
            // A terminal that does not know its size says 0.
            Ok(size) if size.ws_col > 0 => Width::Columns(usize::from(size.ws_col)),
            _ => Width::Whole,
        }
    }
}

/// What a table looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStyle {
    /// Lines around cells, for a terminal.
    Lines,
    /// A Markdown table, for a document.
    Markdown,
}

/// A column: its head, and what may become of it where room is short.
#[derive(Clone, Debug)]
pub struct Column {
    head: String,
    is_number: bool,
    cut: Option<usize>,
    rank: Option<u8>,
}

impl Column {
    /// A column of text, on the left.
    pub fn text(head: impl Into<String>) -> Column {
        Column { head: head.into(), is_number: false, cut: None, rank: None }
    }

    /// A column of numbers, on the right.
    pub fn number(head: impl Into<String>) -> Column {
        Column { is_number: true, ..Column::text(head) }
    }

    /// Its cells may be cut in the middle, down to `least` characters before any column is left
    /// out, and further when none is left to leave out.
    #[must_use]
    pub fn cut_to(self, least: usize) -> Column {
        Column { cut: Some(least), ..self }
    }

    /// It may be left out; the column with the lowest rank goes first.
    #[must_use]
    pub fn left_out(self, rank: u8) -> Column {
        Column { rank: Some(rank), ..self }
    }
}

/// Rows of text under named columns.
#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// Columns of a terminal beside the text of a cell: a line and two blanks.
const BESIDE: usize = 3;

/// The fewest characters that a cell is cut to.
const SHORTEST: usize = 3;

impl TextTable {
    /// A table without rows.
    #[must_use]
    pub const fn new(columns: Vec<Column>) -> TextTable {
        TextTable { columns, rows: Vec::new() }
    }

    /// One row more. Cells are printable text of one line; missing ones are empty, and none is
    /// beyond the last column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// Writes the table and, where it did not fit, a line that names the columns left out.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn write(mut self, out: &mut dyn Write, style: TableStyle, width: Width) -> io::Result<()> {
        let left_out = match (style, width) {
            (TableStyle::Lines, Width::Columns(columns)) => self.fit(columns),
            (TableStyle::Markdown, _) | (_, Width::Whole) => Vec::new(),
        };
        let mut builder = Builder::default();
        builder.push_record(self.columns.iter().map(|column| escaped(&column.head, style)));
        for row in &self.rows {
            builder.push_record(row.iter().map(|cell| escaped(cell, style)));
        }
        let mut table = builder.build();
        match style {
            TableStyle::Lines => table.with(Style::sharp()),
            TableStyle::Markdown => table.with(Style::markdown()),
        };
        for (index, _) in self.columns.iter().enumerate().filter(|(_, column)| column.is_number) {
            table.modify(Columns::one(index).not(Rows::first()), Alignment::right());
        }
        writeln!(out, "{table}")?;
        if left_out.is_empty() {
            return Ok(());
        }
        writeln!(out, "Not shown in this width: {}.", left_out.join(", "))
    }

    /// Makes it fit; the heads of the columns that were left out, in the table's order.
    fn fit(&mut self, width: usize) -> Vec<String> {
        let mut left_out: Vec<(usize, String)> = Vec::new();
        loop {
            let widths = self.widths();
            let least =
                |index: usize| self.columns[index].cut.map(|least| least.min(widths[index]));
            if let Some(cut) = shrunk(&widths, least, width) {
                self.cut(&cut);
                break;
            }
            let ranked = self
                .columns
                .iter()
                .enumerate()
                .filter_map(|(index, column)| column.rank.map(|rank| (rank, index)));
            let Some((_, index)) = ranked.min() else {
                let least = |index: usize| self.columns[index].cut.map(|_| SHORTEST);
                let cut = shrunk(&widths, least, width);
                self.cut(&cut.unwrap_or_else(|| {
                    (0..widths.len()).map(|index| least(index).unwrap_or(widths[index])).collect()
                }));
                break;
            };
            // Where it was before any column went.
            let place = index + left_out.iter().filter(|(place, _)| *place <= index).count();
            left_out.push((place, self.columns.remove(index).head));
            for row in &mut self.rows {
                row.remove(index);
            }
        }
        left_out.sort_unstable();
        left_out.into_iter().map(|(_, head)| head).collect()
    }

    /// The width of each column's text.
    fn widths(&self) -> Vec<usize> {
        let width = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| row[index].width());
            cells.chain([column.head.width()]).max().unwrap_or(0)
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    /// Cuts the cells of the columns that may be cut to these widths.
    fn cut(&mut self, widths: &[usize]) {
        for (index, column) in self.columns.iter().enumerate() {
            if column.cut.is_some() {
                for row in &mut self.rows {
                    row[index] = cut_in_the_middle(&row[index], widths[index]);
                }
            }
        }
    }
}

/// Widths with which the table fits, the widest columns that may be cut giving way first, none
/// below its least; none where that is not enough.
fn shrunk(
    widths: &[usize],
    least: impl Fn(usize) -> Option<usize>,
    width: usize,
) -> Option<Vec<usize>> {
    let mut widths = widths.to_vec();
    let needed = widths.iter().map(|width| width + BESIDE).sum::<usize>() + 1;
    let mut too_many = needed.saturating_sub(width);
    while too_many > 0 {
        let can_give = |&index: &usize| least(index).is_some_and(|least| least < widths[index]);
        // Of equally wide ones the first.
        let gives = (0..widths.len()).rev().filter(can_give).max_by_key(|&index| widths[index])?;
        widths[gives] -= 1;
        too_many -= 1;
    }
    Some(widths)
}

/// The text, or its beginning and its end with `…` between them, in at most so many columns of a
/// terminal.
#[must_use]
pub fn cut_in_the_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let head = up_to(text.chars(), room.div_ceil(2));
    let tail = up_to(text.chars().rev(), room / 2);
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// As many of these characters as have room.
fn up_to(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut used = 0;
    let fits = |character: &char| {
        used += character.width().unwrap_or(0);
        used <= room
    };
    characters.take_while(fits).collect()
}

fn escaped(cell: &str, style: TableStyle) -> String {
    match style {
        TableStyle::Lines => cell.to_owned(),
        TableStyle::Markdown => cell.replace('|', "\\|"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new(vec![
            Column::number("rank"),
            Column::text("bot").cut_to(8),
            Column::number("points"),
            Column::text("comment").left_out(2),
            Column::number("ms").left_out(1),
        ]);
        let cells = ["1", "the-first-of-all-the-bots", "3.5", "never lost", "0.125"];
        table.row(cells.map(str::to_owned));
        table.row(["2", "播棋播棋播棋播棋播棋", "1"].map(str::to_owned));
        table
    }

    fn drawn(width: Width) -> String {
        let mut out = Vec::new();
        table().write(&mut out, TableStyle::Lines, width).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn in_a_pipe_it_is_whole() {
        let expected = "\
┌──────┬───────────────────────────┬────────┬────────────┬───────┐
│ rank │ bot                       │ points │ comment    │ ms    │
├──────┼───────────────────────────┼────────┼────────────┼───────┤
│    1 │ the-first-of-all-the-bots │    3.5 │ never lost │ 0.125 │
│    2 │ 播棋播棋播棋播棋播棋      │      1 │            │       │
└──────┴───────────────────────────┴────────┴────────────┴───────┘
";
        assert_eq!(drawn(Width::Whole), expected);
        assert_eq!(drawn(Width::Columns(66)), expected);
    }

    #[test]
    fn names_are_cut_first_then_columns_go_in_their_order() {
        let expected = "\
┌──────┬──────────┬────────┬────────────┬───────┐
│ rank │ bot      │ points │ comment    │ ms    │
├──────┼──────────┼────────┼────────────┼───────┤
│    1 │ the-…ots │    3.5 │ never lost │ 0.125 │
│    2 │ 播棋…棋  │      1 │            │       │
└──────┴──────────┴────────┴────────────┴───────┘
";
        assert_eq!(drawn(Width::Columns(49)), expected);
        let expected = "\
┌──────┬───────────────┬────────┬────────────┐
│ rank │ bot           │ points │ comment    │
├──────┼───────────────┼────────┼────────────┤
│    1 │ the-fi…e-bots │    3.5 │ never lost │
│    2 │ 播棋播…棋播棋 │      1 │            │
└──────┴───────────────┴────────┴────────────┘
Not shown in this width: ms.
";
        assert_eq!(drawn(Width::Columns(46)), expected);
        let expected = "\
┌──────┬────────┬────────┐
│ rank │ bot    │ points │
├──────┼────────┼────────┤
│    1 │ the…ts │    3.5 │
│    2 │ 播…棋  │      1 │
└──────┴────────┴────────┘
Not shown in this width: comment, ms.
";
        assert_eq!(drawn(Width::Columns(26)), expected);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_down_to_what_cannot_be_cut() {
        for width in 23..80 {
            let drawn = drawn(Width::Columns(width));
            let table = drawn.lines().filter(|line| !line.starts_with("Not shown"));
            assert!(
                table.map(UnicodeWidthStr::width).all(|line| line <= width),
                "{width}\n{drawn}"
            );
        }
        assert_eq!(drawn(Width::Columns(1)), drawn(Width::Columns(23)));
    }

    #[test]
    fn a_cut_keeps_both_ends() {
        assert_eq!(cut_in_the_middle("abcdef", 6), "abcdef");
        assert_eq!(cut_in_the_middle("abcdef", 5), "ab…ef");
        assert_eq!(cut_in_the_middle("abcdef", 4), "ab…f");
        assert_eq!(cut_in_the_middle("abcdef", 1), "…");
    }

    #[test]
    fn in_a_document_a_bar_does_not_end_a_cell() {
        let mut table = TextTable::new(vec![Column::text("bot").cut_to(3)]);
        table.row(["a|b".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out, TableStyle::Markdown, Width::Columns(2)).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "| bot  |\n|------|\n| a\\|b |\n");
    }
}
