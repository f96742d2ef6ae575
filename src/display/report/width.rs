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
    /// This many columns of the terminal that stderr is.
    StderrColumns(usize),
}

impl Width {
    /// The width of the terminal that stdout is, or [`Width::Whole`] if it is not one.
    pub fn of_stdout() -> Width {
        columns_of(&io::stdout()).map_or(Width::Whole, Width::Columns)
    }

    /// The width of the terminal that stderr is, or [`Width::Whole`] if it is not one.
    pub fn of_stderr() -> Width {
        columns_of(&io::stderr()).map_or(Width::Whole, Width::StderrColumns)
    }

    /// How many columns there are; `None` if there is no terminal.
    pub const fn columns(self) -> Option<usize> {
        match self {
            Width::Whole => None,
            Width::Columns(columns) | Width::StderrColumns(columns) => Some(columns),
        }
    }

    pub(super) const fn is_of_stderr(self) -> bool {
        matches!(self, Width::StderrColumns(_))
    }

    /// This width, or `columns` if it is smaller or there is no terminal.
    pub fn at_most(self, columns: usize) -> Width {
        match self {
            Width::Whole => Width::Columns(columns),
            Width::Columns(own) => Width::Columns(own.min(columns)),
            Width::StderrColumns(own) => Width::StderrColumns(own.min(columns)),
        }
    }
}

/// Columns and rows of the terminal that this is; the usual ones of one that does not know its size.
pub fn terminal_size(output: impl AsFd) -> (usize, usize) {
    let size = rustix::termios::tcgetwinsize(output).map(|size| (size.ws_col, size.ws_row));
    let size = size.ok().filter(|&(columns, rows)| columns > 0 && rows > 0).unwrap_or((80, 24));
    (size.0.into(), size.1.into())
}

/// Whether this is a terminal that can be drawn on, and not only written to from the top.
pub fn can_be_drawn_on(output: &impl IsTerminal) -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    output.is_terminal() && !is_dumb
}

fn columns_of(output: &(impl IsTerminal + AsFd)) -> Option<usize> {
    // A terminal that does not know its size says 0.
    let size = output.is_terminal().then(|| rustix::termios::tcgetwinsize(output));
    size?.ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
