//! Text with links and stressed words, for cells of tables and paragraphs.

use crate::text::{html, markdown};

/// A part of a paragraph or of a cell; its text is not yet escaped.
#[derive(Clone, Debug)]
pub enum InlineText {
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

/// The text alone.
pub(super) fn inline_plain(parts: &[InlineText]) -> String {
    let text = |part: &InlineText| match part {
        InlineText::Plain(text) | InlineText::Strong(text) | InlineText::Link { text, .. } => {
            text.clone()
        }
    };
    parts.iter().map(text).collect()
}

/// The same for a line of Markdown.
pub fn inline_markdown(parts: &[InlineText]) -> String {
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

/// The same as markup.
pub fn inline_html(parts: &[InlineText]) -> String {
    let text = |part: &InlineText| match part {
        InlineText::Plain(text) => html(text),
        InlineText::Strong(text) => format!("<strong>{}</strong>", html(text)),
        InlineText::Link { text, file } => format!("<a href=\"{}\">{}</a>", html(file), html(text)),
    };
    parts.iter().map(text).collect()
}
