//! Messages on stderr, which begin with the program's name.

use std::io::{self, Write};

use super::width::Width;
use crate::text::wrap;

/// What a message begins with.
const NAME: &str = "mancala: ";

/// Prints a message on stderr. A closed stderr is ignored.
pub fn print_message(message: &str) {
    let _ = io::stderr().write_all(message_text(message, Width::of_stderr()).as_bytes());
}

/// The message with its newline: on a terminal broken between words, with the further lines below its
/// first word; elsewhere as it is.
pub fn message_text(message: &str, width: Width) -> String {
    let Some(columns) = width.columns() else { return format!("{NAME}{message}\n") };
    let lines = wrap(message, columns.saturating_sub(NAME.len()));
    format!("{NAME}{}\n", lines.join(&format!("\n{}", " ".repeat(NAME.len()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_broken_on_a_terminal_only() {
        let message = "bot \"ann\" is disqualified: it does not start";
        let whole = format!("mancala: {message}\n");
        assert_eq!(message_text(message, Width::Whole), whole);
        assert_eq!(message_text(message, Width::StderrColumns(53)), whole);
        let broken = "\
mancala: bot \"ann\" is
         disqualified: it
         does not start
";
        assert_eq!(message_text(message, Width::StderrColumns(26)), broken);
    }
}
