//! The plain view: lines out, lines in. It is what a pipe sees.

use std::io::{self, Write};

use super::board_game::BoardGame;
use super::drawing::draw;
use super::keyboard::{Input, Keyboard};
use super::typed_line::LineReader;
use super::view::{CommandOrMistake, View};
use super::words;
use crate::bot::Interrupt;
use crate::report::{Width, write_sentence};
use crate::text::COLUMNS;

/// A game as lines of text.
pub(crate) struct Plain<'a, W> {
    out: W,
    keyboard: Keyboard<'a>,
    width: Width,
    has_shown_help: bool,
}

/// Most bytes of a line that are kept; the rest of it is passed over.
const LONGEST: usize = 4096;

impl<'a, W: Write> Plain<'a, W> {
    /// Shows games on `out`, sentences broken between words to fit `width`.
    pub(crate) const fn new(out: W, keyboard: Keyboard<'a>, width: Width) -> Plain<'a, W> {
        Plain { out, keyboard, width, has_shown_help: false }
    }

    /// The next line, or why it is not read.
    fn line(&mut self) -> io::Result<Input<Result<String, String>>> {
        let mut too_long = false;
        loop {
            if self.keyboard.interrupt.is_raised() {
                return Ok(Input::Interrupted);
            }
            if let Some(line) = take_line(&mut self.keyboard.typed) {
                let why = || "that line is too long".to_owned();
                return Ok(Input::Entered((!too_long).then_some(line).ok_or_else(why)));
            }
            if self.keyboard.typed.len() > LONGEST {
                too_long = true;
                self.keyboard.typed.clear();
            }
            match self.keyboard.wait(None, None)? {
                Input::Entered(_) => {}
                Input::Interrupted => return Ok(Input::Interrupted),
                Input::End if self.keyboard.typed.is_empty() && !too_long => {
                    return Ok(Input::End);
                }
                // The last line may lack its end.
                Input::End => self.keyboard.typed.push(b'\n'),
            }
        }
    }
}

/// Takes a whole line, without its end.
fn take_line(typed: &mut Vec<u8>) -> Option<String> {
    let end = typed.iter().position(|&byte| byte == b'\n')?;
    let line: Vec<u8> = typed.drain(..=end).collect();
    Some(String::from_utf8_lossy(line.trim_ascii_end()).into_owned())
}

impl<W: Write> View for Plain<'_, W> {
    fn show(&mut self, table: &BoardGame) -> io::Result<()> {
        write!(self.out, "\n{}\n", draw(table.board(), table.layout))
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        let mut lines = text.trim_end().lines();
        lines.try_for_each(|line| write_sentence(&mut self.out, line, self.width))
    }

    fn explain(&mut self, text: &str) -> io::Result<()> {
        self.note(text)
    }

    fn show_text(&mut self, text: &str) -> io::Result<()> {
        let width = self.width.at_most(COLUMNS);
        text.lines().try_for_each(|line| write_sentence(&mut self.out, line, width))
    }

    fn help(&mut self, table: &BoardGame) -> io::Result<()> {
        let rules = &table.contest.rules;
        let moves = if rules.direction.is_a_choice() {
            "  3 < or 3 >     plays your house 3, its seeds to the left or to the right; 3 clockwise and 3 anticlockwise say the same"
        } else {
            "  1 to 6         plays your house of that number"
        };
        self.show_text(&format!("{moves}\n{}{}", words::ENTRIES, words::settings(rules)))
    }

    fn ask(&mut self, table: &BoardGame) -> io::Result<Input<CommandOrMistake>> {
        let Some(seat) = table.to_move() else { return Ok(Input::End) };
        if !std::mem::replace(&mut self.has_shown_help, true) {
            self.show_text("Type the number of a house; help lists the other commands.")?;
        }
        let way = if table.contest.rules.direction.is_a_choice() {
            " (house and way, such as 3 < or 3 >)"
        } else {
            ""
        };
        self.show_text(&format!("{}{way}", words::prompt(seat)))?;
        self.out.flush()?;
        let reader = LineReader { seat, rules: &table.contest.rules };
        match self.line()? {
            Input::Entered(line) => Ok(Input::Entered(line.and_then(|line| reader.read(&line)))),
            Input::End => Ok(Input::End),
            Input::Interrupted => {
                // The terminal has shown ^C in the line of what was typed.
                writeln!(self.out)?;
                Ok(Input::Interrupted)
            }
        }
    }

    fn await_bot(
        &mut self,
        _table: &BoardGame,
        think: &mut dyn FnMut(&Interrupt),
    ) -> io::Result<bool> {
        self.out.flush()?;
        // What is typed meanwhile is read when the player is asked.
        think(self.keyboard.interrupt);
        Ok(false)
    }

    fn again(&mut self, _table: &BoardGame, _ending: &str) -> io::Result<bool> {
        Ok(false)
    }

    fn close(&mut self, _table: &BoardGame, last_words: &str) -> io::Result<()> {
        self.note(last_words)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut typed = b"3\r\n\n 4 <\nunfin".to_vec();
        assert_eq!(take_line(&mut typed).as_deref(), Some("3"));
        assert_eq!(take_line(&mut typed).as_deref(), Some(""));
        assert_eq!(take_line(&mut typed).as_deref(), Some(" 4 <"));
        assert_eq!(take_line(&mut typed), None);
        assert_eq!(typed, b"unfin");
    }
}
