//! How wide what is printed may be.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

/// How wide tables and sentences may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As wide as they need, each sentence in one line: in a pipe or a file.
    Whole,
    /// This many columns of a terminal.
    Columns(usize),
}

impl Width {
    /// The width of the terminal that stdout is, or [`Width::Whole`] if it is not one.
    pub fn of_stdout() -> Width {
        Width::of(&io::stdout())
    }

    /// The width of the terminal that stderr is, or [`Width::Whole`] if it is not one.
    pub fn of_stderr() -> Width {
        Width::of(&io::stderr())
    }

    fn of(output: &(impl IsTerminal + AsFd)) -> Width {
        if !output.is_terminal() {
            return Width::Whole;
        }
        match rustix::termios::tcgetwinsize(output) {
            // A terminal that does not know its size says 0.
            Ok(size) if size.ws_col > 0 => Width::Columns(usize::from(size.ws_col)),
            _ => Width::Whole,
        }
    }

    /// This width, or `columns` if it is smaller or there is no terminal.
    pub fn at_most(self, columns: usize) -> Width {
        match self {
            Width::Whole => Width::Columns(columns),
            Width::Columns(own) => Width::Columns(own.min(columns)),
        }
    }
}
