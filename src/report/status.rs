//! One line on stderr that says what is going on.

use indicatif::{ProgressBar, ProgressStyle};

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
