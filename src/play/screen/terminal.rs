//! The terminal while a game is on it: taken over, painted, and given back on every way out.

use std::io::{self, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{ContentStyle, PrintStyledContent, ResetColor, Stylize};
use crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use crate::report::terminal_size;

/// A line of text in pieces of different looks.
pub(super) type StyledLine = Vec<(String, Look)>;

/// How a piece of text looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Faint,
    Strong,
    PlayerA,
    PlayerB,
    /// The house that Enter plays.
    Chosen,
    /// Where the last seed would fall.
    Landing,
}

impl Look {
    /// The colours go where `NO_COLOR` is set; the rest stays.
    fn style(self) -> ContentStyle {
        let plain = ContentStyle::new();
        match self {
            Look::Plain => plain,
            Look::Faint => plain.dim(),
            Look::Strong => plain.bold(),
            Look::PlayerA => plain.bold().cyan(),
            Look::PlayerB => plain.bold().yellow(),
            Look::Chosen => plain.reverse(),
            Look::Landing => plain.bold().green(),
        }
    }
}

/// A terminal that was taken over. It is given back by [`close`](Terminal::close), and at the
/// latest when this is dropped.
pub(super) struct Terminal {
    out: io::Stdout,
    /// Its modes before, until it is given back.
    before: Option<Termios>,
    /// The size of the window when it was painted last.
    painted: (usize, usize),
}

/// The value of a special code that no key sends.
const NO_KEY: u8 = 0;

impl Terminal {
    /// Takes over the terminal of stdin and stdout: keys come at once and unseen. Ctrl-C stays the
    /// signal it is, so that it is noticed while a bot thinks too.
    pub(super) fn open() -> io::Result<Terminal> {
        let stdin = io::stdin();
        let before = tcgetattr(&stdin)?;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN);
        modes.input_modes.remove(InputModes::IXON);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Nothing would give the terminal back before the program stops or dies.
        modes.special_codes[SpecialCodeIndex::VSUSP] = NO_KEY;
        modes.special_codes[SpecialCodeIndex::VQUIT] = NO_KEY;
        let mut terminal = Terminal { out: io::stdout(), before: Some(before), painted: (0, 0) };
        tcsetattr(&stdin, OptionalActions::Now, &modes)?;
        execute!(terminal.out, EnterAlternateScreen, Hide)?;
        Ok(terminal)
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        terminal_size(&self.out)
    }

    /// Whether the window has another size than what was painted on it.
    pub(super) fn is_resized(&self) -> bool {
        self.size() != self.painted
    }

    /// Shows `lines`, from the top, and nothing else.
    pub(super) fn paint(&mut self, lines: &[StyledLine]) -> io::Result<()> {
        self.painted = self.size();
        let mut frame = Vec::with_capacity(4096);
        for (row, line) in (0..).zip(lines) {
            queue!(frame, MoveTo(0, row))?;
            for (text, look) in line {
                queue!(frame, PrintStyledContent(look.style().apply(text)))?;
            }
            queue!(frame, Clear(ClearType::UntilNewLine))?;
        }
        if lines.len() < self.painted.1 {
            let row = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            queue!(frame, MoveTo(0, row), Clear(ClearType::FromCursorDown))?;
        }
        self.out.write_all(&frame)?;
        self.out.flush()
    }

    /// Gives the terminal back as it was.
    pub(super) fn close(&mut self) -> io::Result<()> {
        let Some(before) = self.before.take() else { return Ok(()) };
        let shown = execute!(self.out, ResetColor, Show, LeaveAlternateScreen);
        // Keys that were pressed for the game are not left for the shell.
        tcsetattr(io::stdin(), OptionalActions::Flush, &before)?;
        shown
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Where the terminal has gone there is nothing to give back.
        let _ = self.close();
    }
}
