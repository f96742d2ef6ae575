//! The drawing of a board that a bot was sent.

use super::plot::{Anchor, SvgDrawing};
use crate::rules::Board;

/// Whether a drawing has the wood and the houses, which all boards have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report::page) enum BoardDrawing {
    Whole,
    /// It has them, for the other drawings of the page too.
    Defines,
    /// It uses those of the drawing that defines them.
    Uses,
}

/// A board as its owner sees it, with the number of each house; houses of `legal` stand out.
pub(in crate::report::page) fn board(
    board: Board,
    legal: &[u8],
    description: &str,
    which: BoardDrawing,
) -> SvgDrawing {
    const PIT: f64 = 40.0;
    let mut drawing = SvgDrawing::new(8.0 * PIT + 16.0, 148.0, description);
    let column = |cell: u8| if cell < 6 { cell } else { 12 - cell };
    let x = |cell: u8| 6.0 + PIT * 1.5 + f64::from(column(cell)) * PIT;
    let y = |cell: u8| if cell < 6 { 98.0 } else { 50.0 };
    let houses = || (0..6).chain(7..13);
    drawing.push(match which {
        BoardDrawing::Whole => "<g>",
        // The page's style is for what is in an `svg`, wherever that is shown again.
        BoardDrawing::Defines => "<svg id=\"sent\">",
        BoardDrawing::Uses => "<use href=\"#sent\"/>",
    });
    if which != BoardDrawing::Uses {
        drawing.rounded("wood", (2.0, 18.0), (8.0 * PIT + 12.0, 112.0));
        for x in [10.0, 10.0 + 7.0 * PIT] {
            drawing.rounded("pit", (x, 28.0), (PIT - 8.0, 92.0));
        }
        for cell in houses() {
            drawing.house("pit", (x(cell), y(cell)), PIT / 2.0 - 3.0);
            let label = if cell < 6 { 144.0 } else { 13.0 };
            drawing.text("faint", (x(cell), label), Anchor::Middle, &cell.to_string());
        }
        drawing.push(if which == BoardDrawing::Defines { "</svg>" } else { "</g>" });
    }
    for cell in legal {
        drawing.house("legal", (x(*cell), y(*cell)), PIT / 2.0 - 3.0);
    }
    let stores = [(6, 6.0 + 7.5 * PIT), (13, 6.0 + PIT / 2.0)].map(|(cell, x)| (cell, x, 79.0));
    let seeds = houses().map(|cell| (cell, x(cell), y(cell) + 4.0)).chain(stores);
    drawing.push("<g text-anchor=\"middle\">");
    for (cell, x, y) in seeds {
        let seeds = board.cells()[usize::from(cell)];
        drawing.push(&format!("<text x=\"{x}\" y=\"{y}\">{seeds}</text>"));
    }
    drawing.push("</g>");
    drawing
}
