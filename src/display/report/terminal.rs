//! Tables and sentences on a terminal: fitted to its width, sentences broken between words.

use std::io::{self, Write};

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style};

use super::fit::fit;
use super::table::{Column, Footnote, Table, notes_of_columns};
use super::width::Width;
use crate::text::{and_listed, printable, wrap};

/// Writes tables, an empty line between two of them. Where columns do not fit and are left out, a
/// line below the table names them.
///
/// # Errors
///
/// When the writer fails.
pub fn write_tables(out: &mut dyn Write, tables: &[Table], width: Width) -> io::Result<()> {
    let mut gap = "";
    let mut left_out = Vec::new();
    for table in tables.iter().filter(|table| !table.is_empty()) {
        write!(out, "{}", std::mem::replace(&mut gap, "\n"))?;
        write_table(out, table, width, &mut left_out)?;
    }
    Ok(())
}

/// Writes a table, and adds the titles of its columns that do not fit to `left_out`.
fn write_table(
    out: &mut dyn Write,
    table: &Table,
    width: Width,
    left_out: &mut Vec<String>,
) -> io::Result<()> {
    for sentence in &table.above {
        write_sentence(out, sentence, width)?;
    }
    if table.rows() > 0 {
        if !table.above.is_empty() {
            writeln!(out)?;
        }
        left_out.extend(write_grid(out, &table.columns, width)?);
    }
    if !table.below.is_empty() && (table.rows() > 0 || !table.above.is_empty()) {
        writeln!(out)?;
    }
    write_notes(out, &table.below, width, left_out)
}

/// Writes the columns. Returns the titles of those that are left out.
fn write_grid(out: &mut dyn Write, columns: &[Column], width: Width) -> io::Result<Vec<String>> {
    let shown = |column: &Column| Column {
        title: printable(&column.title),
        cells: column.cells.iter().map(|cell| printable(cell)).collect(),
        linked: Vec::new(),
        ..*column
    };
    let mut fitted: Vec<Column> = columns.iter().map(shown).collect();
    let room = width.columns();
    let left_out = room.map(|room| fit(&mut fitted, room)).unwrap_or_default();
    let mut grid = Builder::default();
    for column in &fitted {
        grid.push_column(std::iter::once(&column.title).chain(&column.cells));
    }
    let mut grid = grid.build();
    grid.with(Style::sharp());
    for (index, _) in fitted.iter().enumerate().filter(|(_, column)| column.is_number) {
        grid.modify(Columns::one(index).not(Rows::first()), Alignment::right());
    }
    writeln!(out, "{grid}")?;
    if !left_out.is_empty() {
        let bot = |title: &String| columns.iter().find(|column| column.title == *title)?.bot;
        let bots: Option<Vec<usize>> = left_out.iter().map(bot).collect();
        let titles = bots.map_or_else(|| left_out.join(", "), |bots| columns_of_bots(&bots));
        // A pager gets stdout alone.
        let pager = if width.is_of_stderr() { "" } else { " or | less -S" };
        let sentence =
            format!("Not shown in this width: {titles}. A wider terminal{pager} shows all.");
        write_sentence(out, &sentence, width)?;
    }
    Ok(left_out)
}

/// The columns of bots with these numbers, in words: `the columns of bots 2, 5 and 7 to 9`.
fn columns_of_bots(numbers: &[usize]) -> String {
    if let [number] = numbers {
        return format!("the column of bot {number}");
    }
    // A range of two numbers is as long as their list.
    let words = |run: &[usize]| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        _ => run.iter().map(usize::to_string).collect(),
    };
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).flat_map(words);
    format!("the columns of bots {}", and_listed(runs, usize::MAX))
}

/// Writes the text below a table, without sentences about the columns that are `left_out`.
///
/// # Errors
///
/// When the writer fails.
pub(super) fn write_notes(
    out: &mut dyn Write,
    notes: &[Footnote],
    width: Width,
    left_out: &[String],
) -> io::Result<()> {
    for note in notes {
        match note {
            Footnote::Sentence(sentence) => write_sentence(out, sentence, width)?,
            Footnote::OfColumns(notes) => match &*notes_of_columns(notes, left_out) {
                "" => {}
                sentences => write_sentence(out, sentences, width)?,
            },
            Footnote::Lines(lines) => {
                for line in lines {
                    writeln!(out, "{}", printable(line))?;
                }
            }
            Footnote::Gap => writeln!(out)?,
        }
    }
    Ok(())
}

/// Writes a sentence, broken between words on a terminal. One that begins with a blank goes on below
/// its second column.
///
/// # Errors
///
/// When the writer fails.
pub fn write_sentence(out: &mut dyn Write, sentence: &str, width: Width) -> io::Result<()> {
    let sentence = printable(sentence);
    match width.columns() {
        None => writeln!(out, "{sentence}"),
        Some(columns) => {
            wrap(&sentence, columns).iter().try_for_each(|line| writeln!(out, "{line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    fn drawn(table: &Table, width: Width) -> String {
        let mut out = Vec::new();
        write_tables(&mut out, std::slice::from_ref(table), width).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn table() -> Table {
        let rows = [
            ["1", "the-first-of-all-the-bots", "3.5", "never lost", "0.125"],
            ["2", "播棋播棋播棋播棋播棋", "1", "", ""],
        ];
        Table::new([
            Column::number("rank", &rows, |row| row[0]),
            Column::text("bot", &rows, |row| row[1]).cut_to(8),
            Column::number("points", &rows, |row| row[2]),
            Column::text("comment", &rows, |row| row[3]).left_out(2),
            Column::number("ms", &rows, |row| row[4]).left_out(1),
        ])
    }

    #[test]
    fn in_a_pipe_a_table_is_whole() {
        let expected = "\
┌──────┬───────────────────────────┬────────┬────────────┬───────┐
│ rank │ bot                       │ points │ comment    │ ms    │
├──────┼───────────────────────────┼────────┼────────────┼───────┤
│    1 │ the-first-of-all-the-bots │    3.5 │ never lost │ 0.125 │
│    2 │ 播棋播棋播棋播棋播棋      │      1 │            │       │
└──────┴───────────────────────────┴────────┴────────────┴───────┘
";
        assert_eq!(drawn(&table(), Width::Whole), expected);
        assert_eq!(drawn(&table(), Width::Columns(66)), expected);
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
        assert_eq!(drawn(&table(), Width::Columns(49)), expected);
        let expected = "\
┌──────┬───────────────┬────────┬────────────┐
│ rank │ bot           │ points │ comment    │
├──────┼───────────────┼────────┼────────────┤
│    1 │ the-fi…e-bots │    3.5 │ never lost │
│    2 │ 播棋播…棋播棋 │      1 │            │
└──────┴───────────────┴────────┴────────────┘
Not shown in this width: ms. A wider terminal
or | less -S shows all.
";
        assert_eq!(drawn(&table(), Width::Columns(46)), expected);
        let expected = "\
┌──────┬────────┬────────┐
│ rank │ bot    │ points │
├──────┼────────┼────────┤
│    1 │ the…ts │    3.5 │
│    2 │ 播…棋  │      1 │
└──────┴────────┴────────┘
Not shown in this width:
comment, ms. A wider
terminal or | less -S
shows all.
";
        assert_eq!(drawn(&table(), Width::Columns(26)), expected);
    }

    #[test]
    fn columns_of_bots_that_do_not_fit_are_told_as_such() {
        let cross = |bots: usize| {
            let column = |number: usize| {
                let rank = u16::try_from(bots - number).unwrap();
                Column::number(number.to_string(), ["12/12"], |row| row)
                    .of_bot(number)
                    .left_out(rank)
            };
            Table::new(
                [Column::text("bot", ["ann"], |row| row)].into_iter().chain((1..=bots).map(column)),
            )
        };
        let end = |bots, width| drawn(&cross(bots), Width::Columns(width)).replace('\n', " ");
        let shown = |bots, words: &str| {
            let drawn = end(bots, 60);
            assert!(drawn.contains(&format!("in this width: {words}. A wider")), "{drawn}");
        };
        shown(7, "the column of bot 7");
        shown(8, "the columns of bots 7 and 8");
        shown(23, "the columns of bots 7 to 23");
        let numbers = [2, 5, 7, 8, 9, 11];
        assert_eq!(columns_of_bots(&numbers), "the columns of bots 2, 5, 7 to 9 and 11");
    }

    #[test]
    fn on_stderr_no_pager_is_named() {
        let drawn = drawn(&table(), Width::StderrColumns(46));
        assert!(drawn.ends_with("Not shown in this width: ms. A wider terminal\nshows all.\n"));
    }

    #[test]
    fn only_columns_that_are_shown_are_explained() {
        let mut table = table();
        table.explain(&[("ms", "Ms: for a move."), ("points", "Points: of matches.")]);
        let explained = |width| drawn(&table, width).lines().last().unwrap().to_owned();
        assert_eq!(explained(Width::Columns(46)), "Points: of matches.");
        assert_eq!(explained(Width::Columns(49)), "Ms: for a move. Points: of matches.");
        assert_eq!(explained(Width::Whole), "Ms: for a move. Points: of matches.");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_down_to_what_cannot_be_cut() {
        let mut table = table().titled("Two bots, and the second is named in Chinese.");
        table.remark("  Fix       What is below a table is broken between words as well.");
        for width in 23..80 {
            let drawn = drawn(&table, Width::Columns(width));
            assert!(drawn.lines().map(UnicodeWidthStr::width).all(|line| line <= width), "{drawn}");
        }
    }

    #[test]
    fn a_title_that_is_longer_than_its_cells_counts() {
        let rows = ["ann", "bob-the-builder"];
        let table = Table::new([
            Column::text("points against", rows, |row| row).cut_to(8),
            Column::number("first", rows, |_| 1).left_out(2),
            Column::number("second", rows, |_| 2).left_out(1),
        ]);
        for width in 18..40 {
            let drawn = drawn(&table, Width::Columns(width));
            assert!(drawn.lines().map(UnicodeWidthStr::width).all(|line| line <= width), "{drawn}");
        }
    }
}
