//! Text from bots and their authors as Markdown that shows it and nothing else.

use std::fmt::Write as _;

use crate::text::printable;

/// Text in a sentence or a cell.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in printable(text).chars() {
        if "\\`*_[]<>|&".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// Lines as a block that is shown as it is.
pub(super) fn block(language: &str, lines: &[String]) -> String {
    // Longer than any fence in it.
    let longest = lines.iter().map(|line| backticks(line)).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let mut block = format!("{fence}{language}\n");
    for line in lines {
        let _ = writeln!(block, "{}", printable(line));
    }
    block + &fence + "\n"
}

/// The longest run of backticks.
fn backticks(line: &str) -> usize {
    line.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// A table with these heads.
pub(super) fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = format!("| {} |\n|", heads.join(" | "));
    table += &"---|".repeat(heads.len());
    table.push('\n');
    for row in rows {
        let _ = writeln!(table, "| {} |", row.join(" | "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_bot_says_is_markup() {
        assert_eq!(plain("a_b | <b>\x1b"), r"a\_b \| \<b\>\\u{1b}");
        let lines = ["```".to_owned(), "x\u{202e}".to_owned()];
        assert_eq!(block("text", &lines), "````text\n```\nx\\u{202e}\n````\n");
    }

    #[test]
    fn a_table_has_heads_and_rows() {
        let rows = [vec!["ann".to_owned(), "3".to_owned()]];
        assert_eq!(
            table(&["opponent", "won"], &rows),
            "| opponent | won |\n|---|---|\n| ann | 3 |\n"
        );
    }
}
