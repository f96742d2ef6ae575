//! A page before it is written: the same blocks in Markdown and in HTML, so that neither says more
//! than the other. Text is escaped here, and nowhere else.

use std::fmt::Write as _;

use crate::report::{
    InlineText, SentBoard, Table, inline_html, inline_markdown, plain_page, table_html,
    table_markdown,
};
use crate::rules::Board;
use crate::text::{html, markdown, markdown_block};

/// Blocks in their order.
#[derive(Default)]
pub(super) struct Document(Vec<PageBlock>);

enum PageBlock {
    Heading(u8, String),
    Paragraph(Vec<InlineText>),
    Code(&'static str, Vec<String>),
    Table(Table),
    /// A position that stands in a bundle; it is drawn where a page can have drawings.
    Board(Board),
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

    /// A table with the sentences around it; nothing without rows.
    pub(super) fn table(&mut self, table: Table) {
        if table.rows() == 0 {
            return;
        }
        for title in table.sentences_above() {
            self.paragraph(format!("{title}:"));
        }
        let sentences = table.explanations().chain(table.sentences_below());
        let sentences: Vec<String> = sentences.map(str::to_owned).collect();
        self.0.push(PageBlock::Table(table));
        for sentence in sentences {
            self.paragraph(sentence);
        }
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
            PageBlock::Table(table) => Some(table_markdown(table)),
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
                PageBlock::Table(table) => body += &scrolled(&table_html(table), above),
                PageBlock::Board(board) => {
                    let drawing = SentBoard::new(*board).drawing;
                    body += &scrolled(&drawing, above);
                }
            }
        }
        plain_page(title, &body)
    }
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
    use crate::report::Column;

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
        let column = |title: &str, cells: &[&str]| Column::text(title, cells, |cell| *cell);
        page.table(Table::new([column("opponent", &["ann"]), column("won", &["3"])]));
        page.table(Table::new([column("never", &[])]));
        assert_eq!(
            page.markdown(),
            "# a \\<b\\>\n\n**Out:** see [it](x/y.json), \\* and -\n\n```sh\na && b\nc\n```\n\n\
             | opponent | won |\n|----------|-----|\n| ann      | 3   |\n"
        );
        let html = page.html("<title>");
        assert!(html.contains("<title>&lt;title&gt;</title>"));
        assert!(html.ends_with(
            "<main>\n<h1>a &lt;b&gt;</h1>\n<p><strong>Out:</strong> see \
             <a href=\"x/y.json\">it</a>, * and -</p>\n<pre>a &amp;&amp; b\nc</pre>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"a &lt;b&gt;\"><table>\n<thead><tr><th scope=col>opponent<th scope=col>won\n\
             <tbody>\n<tr><th scope=row>ann<td>3\n</table>\n</div>\n</main>\n</body>\n</html>\n"
        ));
    }
}
