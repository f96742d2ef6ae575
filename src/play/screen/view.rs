//! A game on a terminal: the board drawn anew after every key.

use std::io::{self, Write};
use std::time::Duration;

use super::super::board_game::BoardGame;
use super::super::drawing::draw;
use super::super::keyboard::Keyboard;
use super::super::view::{Asked, View};
use super::super::words;
use super::choice::Choice;
use super::frame::{Scene, frame};
use super::keys::Key;
use super::pager::show_pages;
use super::presses::{Pressed, wait_for_key, watch_for_quit};
use super::terminal::Terminal;
use crate::bot::Interrupt;
use crate::rules::Ply;
use crate::seat::Seat;
use crate::text::wrap;

/// A game on a terminal.
#[derive(Debug)]
pub struct Screen<'a> {
    terminal: Terminal,
    keyboard: Keyboard<'a>,
    /// What was said in this game.
    said: Vec<String>,
    /// Why what was entered last is not done, until another key is pressed.
    explained: Option<String>,
    choice: Choice,
}

/// Most of what was said that is kept.
const KEPT: usize = 50;

/// The keys that mean something in a game; the first only where the way is free.
const KEYS: [&str; 9] = [
    "↑↓ turn the way",
    "←→ choose",
    "Enter play",
    "u undo",
    "h hint",
    "? help",
    "r rules",
    ": settings",
    "q quit",
];

/// The keys that mean something in a line.
const LINE_KEYS: [&str; 5] =
    ["Enter do it", "Esc leave it", "such as seeds 5", "level hard", "direction either"];

const HELP: &str = "\
Enter plays the house in [ ]; its last seed falls where ( ) is.
  ← →            choose a house, and so do 1 to 6
  ↑ ↓ < >        choose the way, where it is free
  u              takes your last move back, and what followed it
  h              what the built-in player would do
  r              the rules of this game
  n              begins a new game
  q, Ctrl-C      end the game
  :              begins a line, such as :seeds 5
";

/// The last words are not broken into shorter lines than this.
const FEWEST_COLUMNS: usize = 40;

/// How long a position is shown before a bot moves on, unless a key is pressed.
const PAUSE: Duration = Duration::from_millis(500);

impl<'a> Screen<'a> {
    /// Takes over the terminal of stdin and stdout until the game is over.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn open(keyboard: Keyboard<'a>, colours: bool) -> io::Result<Screen<'a>> {
        Ok(Screen {
            terminal: Terminal::open(colours)?,
            keyboard,
            said: Vec::new(),
            explained: None,
            choice: Choice::new(),
        })
    }

    fn paint(
        &mut self,
        table: &BoardGame,
        heading: &str,
        chosen: Option<(Seat, Ply)>,
        keys: &[&str],
    ) -> io::Result<()> {
        let seat = table.to_move();
        let explained = self.explained.as_deref();
        let scene = Scene { table, heading, seat, chosen, explained, said: &self.said, keys };
        let lines = frame(&scene, self.terminal.size());
        self.terminal.paint(&lines)
    }
}

impl View for Screen<'_> {
    fn show(&mut self, table: &BoardGame) -> io::Result<()> {
        // Nothing is asked yet; what follows says what is.
        if table.moves().is_empty() {
            let beginning = self.said.pop();
            self.said.clear();
            self.said.extend(beginning);
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.said.push(text.to_owned());
        if self.said.len() > KEPT {
            self.said.remove(0);
        }
        Ok(())
    }

    fn explain(&mut self, text: &str) -> io::Result<()> {
        self.explained = Some(text.to_owned());
        Ok(())
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        show_pages(text, &mut self.terminal, &mut self.keyboard)
    }

    fn help(&mut self, table: &BoardGame) -> io::Result<()> {
        self.tell(&format!("{HELP}\n{}", words::settings(&table.contest.rules)))
    }

    fn ask(&mut self, table: &BoardGame) -> io::Result<Asked> {
        let Some(seat) = table.to_move() else { return Ok(Asked::End) };
        self.choice.settle(table, seat);
        loop {
            let (heading, keys) = match self.choice.line() {
                Some(line) => (format!(":{line}_"), &LINE_KEYS[..]),
                None if table.contest.rules.direction.is_a_choice() => {
                    (words::prompt(seat), &KEYS[..])
                }
                None => (words::prompt(seat), &KEYS[1..]),
            };
            self.paint(table, &heading, Some((seat, self.choice.ply(seat))), keys)?;
            match wait_for_key(&mut self.keyboard, &self.terminal)? {
                Pressed::Key(key) => {
                    self.explained = None;
                    if let Some(asked) = self.choice.press(table, seat, key) {
                        return Ok(asked);
                    }
                }
                Pressed::Resized => {}
                Pressed::End => return Ok(Asked::End),
                Pressed::Interrupted => return Ok(Asked::Interrupted),
            }
        }
    }

    fn await_bot(
        &mut self,
        table: &BoardGame,
        think: &mut dyn FnMut(&Interrupt),
    ) -> io::Result<bool> {
        let seat = table.to_move().unwrap_or(Seat::B);
        let heading = format!("{} is thinking", words::player(table, seat));
        self.paint(table, &heading, None, &["q quit"])?;
        if self.keyboard.typed().is_empty() {
            self.keyboard.wait(Some(PAUSE))?;
        }
        watch_for_quit(&mut self.keyboard, think)
    }

    fn again(&mut self, table: &BoardGame, ending: &str) -> io::Result<bool> {
        for line in ending.lines().filter(|line| !line.is_empty()) {
            self.say(line)?;
        }
        loop {
            self.paint(table, "The game is over", None, &["n new game", "q leave"])?;
            match wait_for_key(&mut self.keyboard, &self.terminal)? {
                Pressed::Key(Key::Character('n')) => return Ok(true),
                Pressed::Key(Key::Character('q') | Key::Enter | Key::Escape | Key::EndOfInput)
                | Pressed::End
                | Pressed::Interrupted => return Ok(false),
                Pressed::Key(_) | Pressed::Resized => {}
            }
        }
    }

    fn close(&mut self, table: &BoardGame, last_words: &str) -> io::Result<()> {
        let (columns, _) = self.terminal.size();
        self.terminal.close()?;
        let mut out = io::stdout().lock();
        writeln!(out, "{}", draw(table.board(), table.layout))?;
        // The last lines are the score's own, however narrow the window is.
        for line in wrap(last_words, columns.max(FEWEST_COLUMNS)) {
            writeln!(out, "{line}")?;
        }
        out.flush()
    }
}
