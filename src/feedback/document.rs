//! A page before it is written: the same blocks in Markdown and in HTML, so that neither says more
//! than the other. Text is escaped here, and nowhere else.

use std::fmt::Write as _;

use crate::report::{SentBoard, Table, plain_page};
use crate::rules::Board;
use crate::text::{html, markdown, markdown_block};

/// Blocks in their order.
#[derive(Default)]
pub(super) struct Document(Vec<PageBlock>);

enum PageBlock {
    Heading(u8, String),
    Paragraph(Vec<InlineText>),
    Code(&'static str, Vec<String>),
    Table(Vec<String>, Vec<Vec<Vec<InlineText>>>),
    /// A position that stands in a bundle; it is drawn where a page can have drawings.
    Board(Board),
}

/// A part of a paragraph or of a cell.
pub(super) enum InlineText {
    Plain(String),
    Strong(String),
    Link {
        text: String,
        /// Relative to the page.
        file: String,
    },
}

impl<T: Into<String>> From<T> for InlineText {
    fn from(text: T) -> InlineText {
        InlineText::Plain(text.into())
    }
}

impl Document {
    pub(super) fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.0.push(PageBlock::Heading(level, text.into()));
    }

    pub(super) fn paragraph(&mut self, text: impl Into<InlineText>) {
        self.line([text.into()]);
    }

    /// A paragraph of several parts.
    pub(super) fn line(&mut self, parts: impl Into<Vec<InlineText>>) {
        self.0.push(PageBlock::Paragraph(parts.into()));
    }

    pub(super) fn code(&mut self, language: &'static str, lines: impl Into<Vec<String>>) {
        self.0.push(PageBlock::Code(language, lines.into()));
    }

    /// A table; nothing without rows.
    pub(super) fn table(&mut self, heads: &[&str], rows: Vec<Vec<Vec<InlineText>>>) {
        if !rows.is_empty() {
            let heads = heads.iter().map(|head| (*head).to_owned()).collect();
            self.0.push(PageBlock::Table(heads, rows));
        }
    }

    /// A table of a report with the sentences around it; nothing without rows.
    pub(super) fn table_of_report(&mut self, table: &Table) {
        if table.rows() == 0 {
            return;
        }
        table.sentences_above().iter().for_each(|title| self.paragraph(format!("{title}:")));
        let cells = |row| table.row(row).map(|cell| vec![cell.into()]).collect();
        let titles: Vec<&str> = table.titles().collect();
        self.table(&titles, (0..table.rows()).map(cells).collect());
        let sentences = table.explanations().chain(table.sentences_below());
        sentences.for_each(|sentence| self.paragraph(sentence));
    }

    pub(super) fn board(&mut self, board: Board) {
        self.0.push(PageBlock::Board(board));
    }

    /// The page as Markdown.
    pub(super) fn markdown(&self) -> String {
        let blocks = self.0.iter().filter_map(|block| match block {
            PageBlock::Heading(level, text) => {
                Some(format!("{} {}\n", "#".repeat(usize::from(*level)), markdown(text)))
            }
            PageBlock::Paragraph(parts) => Some(inline_markdown(parts) + "\n"),
            PageBlock::Code(language, lines) => Some(markdown_block(language, lines)),
            PageBlock::Table(heads, rows) => Some(table_markdown(heads, rows)),
            PageBlock::Board(_) => None,
        });
        blocks.collect::<Vec<_>>().join("\n")
    }

    /// The page as HTML.
    pub(super) fn html(&self, title: &str) -> String {
        let (mut body, mut above) = (String::new(), title);
        for block in &self.0 {
            match block {
                PageBlock::Heading(level, text) => {
                    above = text;
                    let _ = writeln!(body, "<h{level}>{}</h{level}>", html(text));
                }
                PageBlock::Paragraph(parts) => {
                    let _ = writeln!(body, "<p>{}</p>", inline_html(parts));
                }
                PageBlock::Code(_, lines) => {
                    let lines: Vec<String> = lines.iter().map(|line| html(line)).collect();
                    let _ = writeln!(body, "<pre>{}</pre>", lines.join("\n"));
                }
                PageBlock::Table(heads, rows) => {
                    body += &scrolled(&table_html(heads, rows), above);
                }
                PageBlock::Board(board) => {
                    let drawing = SentBoard::new(*board).drawing;
                    body += &scrolled(&drawing, above);
                }
            }
        }
        plain_page(title, &body)
    }
}

fn inline_markdown(parts: &[InlineText]) -> String {
    let last = parts.len().saturating_sub(1);
    let text = |(index, part): (usize, &InlineText)| match part {
        InlineText::Plain(text) => {
            // Within a line a blank is a blank; at its ends it would be dropped.
            let begin = if index == 0 { text } else { text.trim_start_matches(' ') };
            let inner = if index == last { begin } else { begin.trim_end_matches(' ') };
            let before = text.len() - begin.len();
            let after = begin.len() - inner.len();
            // Nor does what acts at the beginning of a line act within one.
            let ahead = if index == 0 { "" } else { "," };
            let shown = markdown(&format!("{ahead}{inner}"));
            let shown = &shown[ahead.len()..];
            format!("{}{shown}{}", " ".repeat(before), " ".repeat(after))
        }
        InlineText::Strong(text) => format!("**{}**", markdown(text)),
        InlineText::Link { text, file } => format!("[{}]({file})", markdown(text)),
    };
    parts.iter().enumerate().map(text).collect()
}

fn inline_html(parts: &[InlineText]) -> String {
    let text = |part: &InlineText| match part {
        InlineText::Plain(text) => html(text),
        InlineText::Strong(text) => format!("<strong>{}</strong>", html(text)),
        InlineText::Link { text, file } => format!("<a href=\"{}\">{}</a>", html(file), html(text)),
    };
    parts.iter().map(text).collect()
}

fn table_markdown(heads: &[String], rows: &[Vec<Vec<InlineText>>]) -> String {
    let mut table = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| inline_markdown(cell)).collect();
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

fn table_html(heads: &[String], rows: &[Vec<Vec<InlineText>>]) -> String {
    let mut table = "<table>\n<thead><tr>".to_owned();
    for head in heads {
        let _ = write!(table, "<th scope=col>{head}");
    }
    table += "\n<tbody>\n";
    for row in rows {
        table += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let tag = if column == 0 { "th scope=row" } else { "td" };
            let _ = write!(table, "<{tag}>{}", inline_html(cell));
        }
        table.push('\n');
    }
    table + "</table>"
}

/// What may be wider than a screen, so that keys reach it, too; `above` is the heading over it.
fn scrolled(inside: &str, above: &str) -> String {
    let label = html(above);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">{inside}</div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_writings_have_the_same_blocks() {
        let mut page = Document::default();
        page.heading(1, "a <b>");
        page.line([
            InlineText::Strong("Out:".to_owned()),
            " see ".into(),
            InlineText::Link { text: "it".to_owned(), file: "x/y.json".to_owned() },
            ", * and -".into(),
        ]);
        page.code("sh", ["a && b".to_owned(), "c".to_owned()]);
        page.table(&["opponent", "won"], vec![vec![vec!["ann".into()], vec!["3".into()]]]);
        page.table(&["never"], Vec::new());
        assert_eq!(
            page.markdown(),
            "# a \\<b\\>\n\n**Out:** see [it](x/y.json), \\* and -\n\n```sh\na && b\nc\n```\n\n\
             | opponent | won |\n|---|---|\n| ann | 3 |\n"
        );
        let html = page.html("<title>");
        assert!(html.contains("<title>&lt;title&gt;</title>"));
        assert!(html.ends_with(
            "<main>\n<h1>a &lt;b&gt;</h1>\n<p><strong>Out:</strong> see \
             <a href=\"x/y.json\">it</a>, * and -</p>\n<pre>a &amp;&amp; b\nc</pre>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"a &lt;b&gt;\"><table>\n<thead><tr><th scope=col>opponent<th scope=col>won\n\
             <tbody>\n<tr><th scope=row>ann<td>3\n</table></div>\n</main>\n</body>\n</html>\n"
        ));
    }
}
