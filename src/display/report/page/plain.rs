//! A page without a script, in the style of the others, for what is not a whole contest.

use super::whole::{STYLE, policy};
use super::words::{ENGLISH as W, filled};
use crate::report::page::parts::board::{BoardDrawing, board};
use crate::rules::Board;
use crate::text::html;

/// A whole page around markup; `title` is text.
pub fn plain_page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        policy(None),
        html(title),
    )
}

/// A board as a bot was sent it.
#[derive(Debug)]
pub struct SentBoard {
    /// The legal houses, with commas.
    pub(crate) legal: String,
    /// The drawing, as markup.
    pub drawing: String,
}

impl SentBoard {
    /// Draws a board in the bot's own view.
    pub fn new(sent: Board) -> SentBoard {
        SentBoard::with(sent, Some(BoardDrawing::Whole))
    }

    /// Draws it, or describes it in words.
    pub(super) fn with(sent: Board, drawn: Option<BoardDrawing>) -> SentBoard {
        let cells = sent.cells();
        let legal: Vec<u8> = (0..6).filter(|house| cells[usize::from(*house)] > 0).collect();
        let listed = legal.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        let described = filled(W.board_described, &[&format!("{cells:?}"), &listed]);
        let drawing = match drawn {
            Some(which) => board(sent, &legal, &described, which).in_page(),
            None => format!("<p>{}</p>", html(&described)),
        };
        SentBoard { legal: listed, drawing }
    }
}
