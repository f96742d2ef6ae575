//! Text as a cell of CSV that no spreadsheet runs.

use super::printable;

/// Text as a cell, before quotes. An apostrophe is put in front of text that a spreadsheet would take
/// for a formula (`=`, `+`, `-` or `@`, also in their full width, after blanks or not; tab; carriage
/// return), and of text that begins with one itself, so that leaving out the first apostrophe always
/// gives the text back.
/// Control characters are escaped as [`printable`] does it.
pub fn csv_cell(text: &str) -> String {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let mark = if is_formula || text.starts_with(['\'', '\t', '\r']) { "'" } else { "" };
    format!("{mark}{}", printable(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text() {
        let shown = ["=1+1", " =1", "+a", "-a", "@a", "\ta", "\ra", "'a", "a=b", ""].map(csv_cell);
        let expected = ["'=1+1", "' =1", "'+a", "'-a", "'@a", "'\\ta", "'\\ra", "''a", "a=b", ""];
        assert_eq!(shown, expected);
        let wide = ["＝1+1", "＋a", " －a", "＠a", "a＝b"].map(csv_cell);
        assert_eq!(wide, ["'＝1+1", "'＋a", "' －a", "'＠a", "a＝b"]);
    }
}
