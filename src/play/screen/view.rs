//! A game on a terminal: the board drawn anew after every key.

use std::io::{self, Write};
use std::time::Duration;

use super::super::board_game::BoardGame;
use super::super::drawing::draw;
use super::super::keyboard::{Input, Keyboard};
use super::super::view::{CommandOrMistake, View};
use super::super::words;
use super::choice::HouseChoice;
use super::frame::{MOST_ROWS, ScreenContent, frame};
use super::keys::Pressed;
use super::presses::{wait_for_key, watch_for_quit};
use super::terminal::{Look, StyledLine, Terminal};
use crate::bot::Interrupt;
use crate::rules::Ply;
use crate::seat::Seat;
use crate::text::{COLUMNS, wrap};

/// A game on a terminal.
pub(crate) struct Screen<'a> {
    terminal: Terminal,
    keyboard: Keyboard<'a>,
    /// What was said in this game.
    said: Vec<String>,
    /// Why what was entered last is not done, until another key is pressed.
    explained: Option<String>,
    choice: HouseChoice,
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
    pub(crate) fn open(keyboard: Keyboard<'a>) -> io::Result<Screen<'a>> {
        Ok(Screen {
            terminal: Terminal::open()?,
            keyboard,
            said: Vec::new(),
            explained: None,
            choice: HouseChoice::new(),
        })
    }

    fn paint(
        &mut self,
        table: &BoardGame,
        heading: &str,
        chosen: Option<(Seat, Ply)>,
        keys: &[&str],
    ) -> io::Result<()> {
        let Screen { said, explained, .. } = &*self;
        let scene =
            ScreenContent { table, heading, chosen, explained: explained.as_deref(), said, keys };
        let lines = frame(&scene, self.terminal.size());
        self.terminal.paint(&lines)
    }
}

impl View for Screen<'_> {
    fn show(&mut self, table: &BoardGame) -> io::Result<()> {
        // Nothing is asked yet; what follows says what is.
        if table.moves().is_empty() {
            self.said.drain(..self.said.len().saturating_sub(1));
        }
        Ok(())
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.said.push(text.to_owned());
        self.said.drain(..self.said.len().saturating_sub(KEPT));
        Ok(())
    }

    fn explain(&mut self, text: &str) -> io::Result<()> {
        self.explained = Some(text.to_owned());
        Ok(())
    }

    fn show_text(&mut self, text: &str) -> io::Result<()> {
        let mut first = 0;
        loop {
            let (columns, rows) = self.terminal.size();
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
            self.terminal.paint(&painted)?;
            match wait_for_key(&mut self.keyboard, &self.terminal)? {
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

    fn help(&mut self, table: &BoardGame) -> io::Result<()> {
        self.show_text(&format!("{HELP}\n{}", words::settings(&table.contest.rules)))
    }

    fn ask(&mut self, table: &BoardGame) -> io::Result<Input<CommandOrMistake>> {
        let Some(seat) = table.to_move() else { return Ok(Input::End) };
        self.choice.make_playable(table, seat);
        loop {
            let is_fixed = !table.contest.rules.direction.is_a_choice();
            let (heading, keys) = match &self.choice.line {
                Some(line) => (format!(":{line}_"), &LINE_KEYS[..]),
                None => (words::prompt(seat), &KEYS[usize::from(is_fixed)..]),
            };
            self.paint(table, &heading, Some((seat, self.choice.chosen[seat])), keys)?;
            let Some(key) = wait_for_key(&mut self.keyboard, &self.terminal)? else { continue };
            self.explained = None;
            if let Some(input) = self.choice.press(table, seat, key) {
                return Ok(input);
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
        if self.keyboard.typed.is_empty() {
            self.keyboard.wait(None, Some(PAUSE))?;
        }
        watch_for_quit(&mut self.keyboard, think)
    }

    fn again(&mut self, table: &BoardGame, ending: &str) -> io::Result<bool> {
        for line in ending.lines().filter(|line| !line.is_empty()) {
            self.note(line)?;
        }
        loop {
            self.paint(table, "The game is over", None, &["n new game", "q leave"])?;
            match wait_for_key(&mut self.keyboard, &self.terminal)? {
                Some(Pressed::Character('n')) => return Ok(true),
                Some(
                    Pressed::Character('q')
                    | Pressed::Enter
                    | Pressed::Escape
                    | Pressed::EndOfInput
                    | Pressed::Interrupt,
                ) => return Ok(false),
                _ => {}
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

/// A line of a page.
fn cut(line: &str, width: usize, look: Look) -> StyledLine {
    vec![(line.chars().take(width).collect(), look)]
}
