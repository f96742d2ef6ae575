//! What is going on, on stderr: one line on a terminal, a line now and then elsewhere.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::message::print_message;

/// A line on a terminal, no wider than it, that is removed when this is dropped.
#[derive(Debug)]
pub struct Status {
    bar: ProgressBar,
    /// When the last line was printed; `None` on a terminal, or if no lines are wanted.
    printed: Option<Mutex<Instant>>,
}

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

impl Status {
    /// A line on stderr; hidden if stderr is not a terminal.
    pub fn on_stderr() -> Status {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Status { bar, printed: None }
    }

    /// The same with the seconds since it began in front. They count on by themselves, for work that
    /// has nothing new to show for a while. If stderr is not a terminal, what is new is a line of its
    /// own now and then.
    pub fn with_seconds() -> Status {
        let mut status = Status::on_stderr();
        if status.is_hidden() {
            status.printed = Some(Mutex::new(Instant::now()));
        } else {
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
        Status { bar: ProgressBar::hidden(), printed: None }
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// Takes the line away for as long as something else is written to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Shows `text`, printable and of one line, from now on.
    pub fn show(&self, text: String) {
        if self.is_line_due(Instant::now()) {
            print_message(&text);
        }
        self.bar.set_message(text);
    }

    /// Whether it is time for another line, which counts as printed then.
    fn is_line_due(&self, now: Instant) -> bool {
        let Some(printed) = &self.printed else { return false };
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = now.saturating_duration_since(*printed) >= BETWEEN_LINES;
        if is_due {
            *printed = now;
        }
        is_due
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_printed_now_and_then_where_there_is_no_terminal() {
        let began = Instant::now();
        let status = Status { printed: Some(Mutex::new(began)), bar: ProgressBar::hidden() };
        let is_due = |seconds| status.is_line_due(began + Duration::from_secs(seconds));
        assert_eq!([0, 29, 30, 31, 59, 61].map(is_due), [false, false, true, false, false, true]);
        assert!(!Status::hidden().is_line_due(began + Duration::from_hours(1)));
    }
}
