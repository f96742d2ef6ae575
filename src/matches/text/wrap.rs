//! Text broken into lines of a given width.

use unicode_width::UnicodeWidthStr;

/// The width of text that a pipe or a wide window sees.
pub const COLUMNS: usize = 80;

/// Breaks each line between words so that none takes more than `width` columns of a terminal. A line
/// that begins with a blank, or with a short label and a gap, goes on below the second of its columns,
/// if it has two. A word that is longer by itself stays whole.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.width() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let hang = second_column(line);
        let indent = " ".repeat(line[..hang].width());
        let mut broken = line[..hang].to_owned();
        let mut is_empty = true;
        for word in line[hang..].split_whitespace() {
            if !is_empty && broken.width() + 1 + word.width() > width {
                lines.push(std::mem::replace(&mut broken, indent.clone()));
                is_empty = true;
            }
            if !is_empty {
                broken.push(' ');
            }
            broken.push_str(word);
            is_empty = false;
        }
        lines.push(broken);
    }
    lines
}

/// The most bytes of a label at the beginning of a line that is not indented.
const LABEL: usize = 12;

/// Where the second column of an indented line, or of one with a label, begins, in bytes: behind a gap
/// of two blanks or more. Of other lines, where their text begins.
fn second_column(line: &str) -> usize {
    let indented = line.len() - line.trim_start().len();
    let gap = line[indented..].find("  ").filter(|gap| indented > 0 || *gap <= LABEL);
    let Some(gap) = gap else { return indented };
    let rest = &line[indented + gap..];
    indented + gap + rest.len() - rest.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three\n\nfour", 8), ["one two", "three", "", "four"]);
        assert_eq!(wrap("extraordinary", 5), ["extraordinary"]);
        assert_eq!(wrap("   a drawing", 12), ["   a drawing"]);
        assert_eq!(wrap("播棋 播棋 a", 9), ["播棋 播棋", "a"]);
    }

    #[test]
    fn lists_keep_their_columns() {
        assert_eq!(
            wrap("  undo  takes a move back\n  ←  goes left and on", 15),
            ["  undo  takes a", "        move", "        back", "  ←  goes left", "     and on"]
        );
        assert_eq!(wrap("at most  1h on a core", 15), ["at most  1h on", "         a core"]);
        assert_eq!(wrap("A whole sentence.  Another.", 20), ["A whole sentence.", "Another."]);
    }
}
