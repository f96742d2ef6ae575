//! A table as a value: columns of cells, with text above and below.
//!
//! All text in it is as its author wrote it; whoever prints it in a format escapes it.

use std::fmt::Display;

use super::inline_text::{InlineText, inline_plain};

/// Columns of cells, with text above and below. Without rows it is text alone.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) above: Vec<String>,
    pub(super) columns: Vec<Column>,
    pub(super) below: Vec<Footnote>,
}

/// The title of a column, and a sentence that explains it.
pub(super) type ColumnNote = (&'static str, &'static str);

/// These sentences, without those of columns that are `left_out`.
pub(super) fn notes_of_columns(notes: &[ColumnNote], left_out: &[String]) -> String {
    let shown = notes.iter().filter(|(title, _)| left_out.iter().all(|out| out != title));
    shown.map(|(_, sentence)| *sentence).collect::<Vec<_>>().join(" ")
}

/// A value as the text of a cell, which is empty without one.
pub(super) fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Text below a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Footnote {
    /// A sentence or more.
    Sentence(String),
    /// Sentences, each behind the title of the column that it explains. It stands where that column
    /// is shown.
    OfColumns(&'static [ColumnNote]),
    /// Lines that are shown as they are: a board, the end of stderr.
    Lines(Vec<String>),
    /// An empty line.
    Gap,
}

/// A column: its title and a cell for each row, and what may become of it where room is short.
#[derive(Clone, Debug, Default)]
pub struct Column {
    pub(super) title: String,
    pub(super) cells: Vec<String>,
    /// The cells with their links, where the column has some; else empty.
    pub(super) linked: Vec<Vec<InlineText>>,
    pub(super) is_number: bool,
    /// The fewest characters that its cells may be cut to.
    pub(super) least: Option<usize>,
    /// Whether they are cut at their end, and not in the middle.
    pub(super) is_cut_at_its_end: bool,
    /// Its place among the columns that may be left out.
    pub(super) rank: Option<u16>,
    /// The number of a bot, where that is its title.
    pub(super) bot: Option<usize>,
    /// Whether the table has no such column.
    pub(super) is_missing: bool,
}

impl Column {
    /// A column of text, on the left.
    pub fn text<R, C: Display>(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
        cell: impl Fn(R) -> C,
    ) -> Column {
        let mut rows = rows.into_iter();
        Column::of_cells(title.into(), &mut || rows.next().map(|row| cell(row).to_string()))
    }

    /// The same with links, for formats that can show them.
    pub fn linked<R>(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
        cell: impl Fn(R) -> Vec<InlineText>,
    ) -> Column {
        let linked: Vec<Vec<InlineText>> = rows.into_iter().map(cell).collect();
        let cells = linked.iter().map(|parts| inline_plain(parts)).collect();
        Column { title: title.into(), cells, linked, ..Column::default() }
    }

    /// The part of [`text`](Column::text) that is compiled once, not once for each column.
    fn of_cells(title: String, next_cell: &mut dyn FnMut() -> Option<String>) -> Column {
        let cells = std::iter::from_fn(next_cell).collect();
        Column { title, cells, ..Column::default() }
    }

    /// A column of numbers, on the right. Its cells are our own: no text of a bot.
    pub fn number<R, C: Display>(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
        cell: impl Fn(R) -> C,
    ) -> Column {
        Column { is_number: true, ..Column::text(title, rows, cell) }
    }

    /// Its cells may be cut in the middle, down to `least` characters before any column is left
    /// out, and further when none is left to leave out.
    pub(crate) fn cut_to(self, least: usize) -> Column {
        Column { least: Some(least), ..self }
    }

    /// As [`cut_to`](Column::cut_to), but at the end: of a sentence the beginning is read.
    pub(crate) fn cut_at_its_end(self, least: usize) -> Column {
        Column { least: Some(least), is_cut_at_its_end: true, ..self }
    }

    /// Its title is this number of a bot, which is told where the column is left out.
    pub(super) fn of_bot(self, number: usize) -> Column {
        Column { bot: Some(number), ..self }
    }

    /// It is there only if `condition` is true.
    pub fn only_if(self, condition: bool) -> Column {
        Column { is_missing: !condition, ..self }
    }

    /// It may be left out. The columns with the lowest rank go first, all of one rank together.
    pub fn left_out(self, rank: u16) -> Column {
        Column { rank: Some(rank), ..self }
    }
}

impl Table {
    /// A table of `columns`, which have the same rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        let columns = columns.into_iter().filter(|column| !column.is_missing).collect();
        Table { columns, ..Table::default() }
    }

    /// Text alone.
    pub(crate) fn of_text(sentences: impl IntoIterator<Item = String>) -> Table {
        Table { above: sentences.into_iter().collect(), ..Table::default() }
    }

    /// The same with a sentence above it.
    pub(crate) fn titled(mut self, sentence: impl Into<String>) -> Table {
        self.above.push(sentence.into());
        self
    }

    /// Adds a sentence below it.
    pub fn remark(&mut self, sentence: impl Into<String>) {
        self.below.push(Footnote::Sentence(sentence.into()));
    }

    /// Adds sentences below it that explain columns, of this table or those before it.
    pub(super) fn explain(&mut self, notes: &'static [ColumnNote]) {
        self.below.push(Footnote::OfColumns(notes));
    }

    /// Whether there is nothing to print.
    pub(super) fn is_empty(&self) -> bool {
        self.above.is_empty() && self.rows() == 0 && self.below.is_empty()
    }

    pub fn sentences_above(&self) -> &[String] {
        &self.above
    }

    /// The sentences that explain its columns.
    pub fn explanations(&self) -> impl Iterator<Item = &str> {
        self.below.iter().flat_map(|note| match note {
            Footnote::OfColumns(notes) => notes.iter().map(|(_, sentence)| *sentence).collect(),
            _ => Vec::new(),
        })
    }

    /// The sentences below it that explain no column.
    pub fn sentences_below(&self) -> impl Iterator<Item = &str> {
        self.below.iter().filter_map(|note| match note {
            Footnote::Sentence(sentence) => Some(&**sentence),
            _ => None,
        })
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}
