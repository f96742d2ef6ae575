//! One line on stderr that shows what is going on.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A line on a terminal, no wider than it, that is removed when this is dropped.
#[derive(Debug)]
pub struct Status {
    bar: ProgressBar,
}

impl Status {
    /// A line on stderr; hidden if stderr is not a terminal.
    pub fn on_stderr() -> Status {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Status { bar }
    }

    /// The same with the seconds since it began in front. They count on by themselves, for work that
    /// has nothing new to show for a while.
    pub fn with_seconds() -> Status {
        let status = Status::on_stderr();
        if !status.is_hidden() {
            let seconds = |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{} s", state.elapsed().as_secs());
            };
            if let Ok(style) = ProgressStyle::with_template("{seconds}: {wide_msg}") {
                status.bar.set_style(style.with_key("seconds", seconds));
            }
            status.bar.enable_steady_tick(Duration::from_secs(1));
        }
        status
    }

    /// A hidden line.
    pub fn hidden() -> Status {
        Status { bar: ProgressBar::hidden() }
    }

    pub fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// Takes the line away for as long as something else is written to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Shows this text, printable and of one line, from now on.
    pub fn show(&self, text: String) {
        self.bar.set_message(text);
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
