//! A text that is read instead of the board, a page at a time.

use std::io;

use super::super::keyboard::{Input, Keyboard};
use super::frame::MOST_ROWS;
use super::keys::Pressed;
use super::presses::wait_for_key;
use super::terminal::{Look, StyledLine, Terminal};
use crate::text::{COLUMNS, wrap};

/// Shows a text until it has been read or left.
pub(super) fn show_pages(
    text: &str,
    terminal: &mut Terminal,
    keyboard: &mut Keyboard<'_>,
) -> io::Result<()> {
    let mut first = 0;
    loop {
        let (columns, rows) = terminal.size();
        let width = columns.saturating_sub(1).clamp(1, COLUMNS);
        let lines = wrap(text, width);
        let page = rows.saturating_sub(1).clamp(1, MOST_ROWS);
        if first >= lines.len() {
            return Ok(());
        }
        let shown = lines.iter().skip(first).take(page);
        let mut painted: Vec<StyledLine> =
            shown.map(|line| cut(line, width, Look::Plain)).collect();
        painted.resize(page, Vec::new());
        let is_last = first + page >= lines.len();
        let keys = if is_last { "Enter back to the game" } else { "Enter more · q back" };
        painted.push(cut(keys, width, Look::Faint));
        terminal.paint(&painted)?;
        match wait_for_key(keyboard, terminal)? {
            Input::Entered(Some(
                Pressed::Escape | Pressed::EndOfInput | Pressed::Character('q'),
            ))
            | Input::End
            | Input::Interrupted => return Ok(()),
            Input::Entered(Some(Pressed::Up | Pressed::Left)) => first = first.saturating_sub(page),
            Input::Entered(Some(
                Pressed::Enter | Pressed::Down | Pressed::Right | Pressed::Character(' '),
            )) => first += page,
            Input::Entered(_) => {}
        }
    }
}

fn cut(line: &str, width: usize, look: Look) -> StyledLine {
    vec![(line.chars().take(width).collect(), look)]
}
