//! A text that is read instead of the board, a page at a time.

use std::io;

use super::super::keyboard::Keyboard;
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
            Some(
                Pressed::Escape
                | Pressed::EndOfInput
                | Pressed::Interrupt
                | Pressed::Character('q'),
            ) => return Ok(()),
            Some(Pressed::Up | Pressed::Left) => first = first.saturating_sub(page),
            Some(Pressed::Enter | Pressed::Down | Pressed::Right | Pressed::Character(' ')) => {
                first += page;
            }
            _ => {}
        }
    }
}

fn cut(line: &str, width: usize, look: Look) -> StyledLine {
    vec![(line.chars().take(width).collect(), look)]
}
