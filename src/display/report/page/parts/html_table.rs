//! Tables in HTML, which need no script.

use std::fmt::Write as _;

use crate::report::inline_text::{InlineText, inline_html};
use crate::report::table::Table;
use crate::text::html;

/// A table of a page.
#[derive(Clone, Debug, Default)]
pub(in crate::report::page) struct HtmlTable {
    /// What it is, for who does not see it, and above it; empty where a heading says it.
    pub(super) caption: String,
    pub(super) class: &'static str,
    pub(super) heads: Vec<Head>,
    pub(super) rows: Vec<Row>,
}

/// The head of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) is_number: bool,
    /// The whole text, where the title is short; empty if it is not.
    pub(super) help: String,
    /// Where it leads to; empty for nowhere.
    pub(super) link: String,
}

/// A row: its `id`, or none, and its cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) cells: Vec<Cell>,
}

/// A cell of a row; its text is not yet escaped.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Small text below it; empty for none.
    pub(super) small: String,
    /// The whole text, where it may be cut; empty if it is not.
    pub(super) help: String,
    /// Where it leads to; empty for nowhere.
    pub(super) link: String,
    pub(super) class: &'static str,
    /// Whether it names its row.
    pub(super) is_head: bool,
    /// Its text with more than one link; empty if `text` is all.
    pub(super) parts: Vec<InlineText>,
    /// Each `id` that links to it have besides that of its row.
    pub(super) ids: Vec<String>,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    pub(super) fn linked(text: impl Into<String>, link: impl Into<String>) -> Cell {
        Cell { text: text.into(), link: link.into(), ..Cell::default() }
    }

    pub(super) fn head(self) -> Cell {
        Cell { is_head: true, ..self }
    }
}

impl Head {
    pub(super) fn text(title: impl Into<String>) -> Head {
        Head { title: title.into(), ..Head::default() }
    }
}

impl HtmlTable {
    /// The columns of a table for people; the column called `head` names the rows, and leads to what
    /// `link` says of a row.
    pub(super) fn of(
        table: &Table,
        caption: &str,
        (head, link): (&str, &dyn Fn(usize) -> String),
    ) -> HtmlTable {
        let heads = table.columns.iter().map(|column| Head {
            title: column.title.clone(),
            is_number: column.is_number,
            ..Head::default()
        });
        let cell = |row: usize| {
            move |column: &crate::report::table::Column| {
                let is_head = column.title == head;
                let link = if is_head { link(row) } else { String::new() };
                let parts = column.linked.get(row).cloned().unwrap_or_default();
                Cell { is_head, parts, ..Cell::linked(column.cells[row].clone(), link) }
            }
        };
        let cells = |row: usize| table.columns.iter().map(cell(row)).collect();
        let rows = (0..table.rows()).map(|row| Row { cells: cells(row), ..Row::default() });
        let (heads, rows) = (heads.collect(), rows.collect());
        HtmlTable { caption: caption.to_owned(), class: "", heads, rows }
    }

    /// The table as markup. End tags that HTML lets be left out are left out: they would be a third
    /// of a long table.
    pub(in crate::report::page) fn markup(&self) -> String {
        let numbers = (1..).zip(&self.heads).filter(|(_, head)| head.is_number);
        // So that not each of their cells says it.
        let numbers = numbers.map(|(column, _)| format!("n{column}"));
        let classes: Vec<String> = std::iter::once(self.class.to_owned()).chain(numbers).collect();
        let classes = classes.join(" ");
        let class = match classes.trim_start() {
            "" => String::new(),
            classes => format!(" class=\"{classes}\""),
        };
        let mut out = format!("<table{class}>");
        if !self.caption.is_empty() {
            let _ = write!(out, "<caption>{}</caption>", html(&self.caption));
        }
        out.push_str("\n<thead><tr>");
        for head in &self.heads {
            let class = if head.is_number { " class=n" } else { "" };
            let help = title(&head.help);
            // What is seen begins what is spoken.
            let label = format!("{}: {}", head.title, head.help);
            let inside = linked(&head.link, &label, &html(&head.title));
            let _ = write!(out, "<th scope=col{class}{help}>{inside}");
        }
        out.push_str("\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr");
            push_id(&mut out, &row.id);
            out.push('>');
            row.cells.iter().for_each(|cell| cell.write(&mut out));
            out.push('\n');
        }
        out.push_str("</table>\n");
        out
    }
}

/// The columns of a table as markup, without what stands above and below; the first column names
/// the rows.
pub fn table_html(table: &Table) -> String {
    let first = table.columns.first().map_or("", |column| &column.title);
    HtmlTable::of(table, "", (first, &|_| String::new())).markup()
}

impl Cell {
    fn write(&self, out: &mut String) {
        out.push_str(if self.is_head { "<th scope=row" } else { "<td" });
        if !self.class.is_empty() {
            let _ = write!(out, " class=\"{}\"", self.class);
        }
        out.push_str(&title(&self.help));
        out.push('>');
        for id in &self.ids {
            out.push_str("<span");
            push_id(out, id);
            out.push_str("></span>");
        }
        let mut inside =
            if self.parts.is_empty() { html(&self.text) } else { inline_html(&self.parts) };
        if !self.small.is_empty() {
            let _ = write!(inside, " <small>{}</small>", html(&self.small));
        }
        out.push_str(&linked(&self.link, "", &inside));
    }
}

/// What a reader is told who points at an element; nothing if it is empty.
fn title(help: &str) -> String {
    if help.is_empty() { String::new() } else { format!(" title=\"{}\"", html(help)) }
}

fn push_id(out: &mut String, id: &str) {
    if !id.is_empty() {
        let _ = write!(out, " id=\"{id}\"");
    }
}

/// Addresses are made by [`in_address`](crate::text::in_address) and need no quotes but for `#`.
fn linked(link: &str, label: &str, inside: &str) -> String {
    match (link, label) {
        ("", _) => inside.to_owned(),
        (link, "") => format!("<a href=\"{link}\">{inside}</a>"),
        (link, label) => format!("<a href=\"{link}\" aria-label=\"{}\">{inside}</a>", html(label)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_text_is_text_in_every_part() {
        let evil = "</td></table><script>alert(1)</script>\"'";
        let cell = Cell {
            text: evil.to_owned(),
            small: evil.to_owned(),
            help: evil.to_owned(),
            link: "#x".to_owned(),
            ..Cell::default()
        };
        let table = HtmlTable {
            caption: evil.to_owned(),
            class: "",
            heads: vec![Head { help: evil.to_owned(), ..Head::text(evil) }],
            rows: vec![Row { id: String::new(), cells: vec![cell] }],
        };
        let markup = table.markup();
        assert!(
            !markup.contains("<script>") && markup.matches("</table>").count() == 1,
            "{markup}"
        );
        assert_eq!(markup.matches('"').count(), 6, "{markup}");
    }
}
