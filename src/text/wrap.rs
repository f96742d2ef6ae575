//! Text broken into lines of a given width.

/// The width of text that a pipe or a wide window sees.
pub const COLUMNS: usize = 80;

/// Breaks each line between words so that none is longer than `width` characters. A line that
/// begins with a blank goes on below the second of its columns, if it has two. A word that is
/// longer by itself stays whole.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.chars().count() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let hang = second_column(line);
        let indent = " ".repeat(hang);
        let mut broken: String = line.chars().take(hang).collect();
        let mut is_empty = true;
        for word in line.chars().skip(hang).collect::<String>().split_whitespace() {
            let fits = broken.chars().count() + 1 + word.chars().count() <= width;
            if !is_empty && !fits {
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

/// Where the second column of an indented line begins: behind a gap of two blanks or more. Of
/// other lines, where they begin.
fn second_column(line: &str) -> usize {
    let indented = line.len() - line.trim_start().len();
    let Some(gap) = line[indented..].find("  ").filter(|_| indented > 0) else { return indented };
    let rest = &line[indented + gap..];
    let column = indented + gap + rest.len() - rest.trim_start().len();
    line[..column].chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three\n\nfour", 8), ["one two", "three", "", "four"]);
        assert_eq!(wrap("extraordinary", 5), ["extraordinary"]);
        assert_eq!(wrap("   a drawing", 12), ["   a drawing"]);
    }

    #[test]
    fn lists_keep_their_columns() {
        assert_eq!(
            wrap("  undo  takes a move back\n  ←  goes left and on", 15),
            ["  undo  takes a", "        move", "        back", "  ←  goes left", "     and on"]
        );
    }
}
