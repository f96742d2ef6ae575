//! One line on stderr that says what is going on.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A line that is there only on a terminal, no wider than it, and gone when this is dropped.
#[derive(Debug)]
pub struct Status {
    bar: ProgressBar,
}

impl Status {
    /// A line on stderr; nothing where stderr is no terminal.
    #[must_use]
    pub fn on_stderr() -> Status {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Status { bar }
    }

    /// The same with the seconds since it began in front, which go on by themselves: for work that
    /// may have nothing new to say for a while.
    #[must_use]
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

    /// A line that nobody sees.
    #[must_use]
    pub fn hidden() -> Status {
        Status { bar: ProgressBar::hidden() }
    }

    /// Whether nobody sees it.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// Takes the line away for as long as something else is written to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Says something else from now on. The text is printable and of one line.
    pub fn say(&self, text: String) {
        self.bar.set_message(text);
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
