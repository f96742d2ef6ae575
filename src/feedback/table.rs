//! Tables of Markdown whose cells may be links to files beside the page.

use std::fmt::Write as _;

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
    fn a_table_has_heads_and_rows() {
        let rows = [vec!["ann".to_owned(), "3".to_owned()]];
        assert_eq!(
            table(&["opponent", "won"], &rows),
            "| opponent | won |\n|---|---|\n| ann | 3 |\n"
        );
    }
}
