//! Text as Markdown that shows exactly this text: no link, image, HTML or markup comes of it.

use std::fmt::Write as _;

use super::printable;

/// Text in a sentence or in a cell of a table.
pub fn markdown(text: &str) -> String {
    let text = printable(text);
    let trimmed = text.trim();
    let begin = text.len() - text.trim_start().len();
    let mut shown = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        if character == ' ' && !(begin..begin + trimmed.len()).contains(&index) {
            // Blanks at the ends would be dropped, or make a block of code.
            shown.push_str("&#32;");
            continue;
        }
        if acts(&text[..index], character, &text[index + character.len_utf8()..]) {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}

/// Whether `character` is markup between the text before it and the text after it.
fn acts(before: &str, character: char, after: &str) -> bool {
    let before = before.trim_start();
    match character {
        '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '$' | '@' => true,
        // Within a word it is itself. What Markdown takes for a letter outside ASCII is not what Rust
        // does: Ⓐ is punctuation there.
        '_' => {
            let is_in_word = |c: char| c.is_ascii_alphanumeric();
            !before.ends_with(is_in_word) || !after.starts_with(is_in_word)
        }
        // Headings, which a # after a blank ends as well, lists and lines.
        '#' => before.is_empty() || before.ends_with(char::is_whitespace),
        '+' | '-' | '=' => before.is_empty(),
        // An ordered list, or an address: GitHub makes a link of www.x.y.
        '.' | ')' if before.bytes().all(|byte| byte.is_ascii_digit()) => {
            after.is_empty() || after.starts_with(char::is_whitespace)
        }
        '.' => before.to_ascii_lowercase().ends_with("www"),
        ':' => after.starts_with("//"),
        _ => false,
    }
}

/// Lines as a block that is shown as it is.
pub fn markdown_block(language: &str, lines: &[impl AsRef<str>]) -> String {
    let mut shown = String::new();
    let mut longest = 0;
    for line in lines {
        let line = printable(line.as_ref());
        longest = line.split(|character| character != '`').map(str::len).fold(longest, usize::max);
        let _ = writeln!(shown, "{line}");
    }
    // Longer than any run of backticks in it.
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{language}\n{shown}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_addresses_are_escaped_and_plain_text_is_not() {
        assert_eq!(markdown("a_b _ | <b>\x1b"), r"a_b \_ \| \<b\>\\u{1b}");
        assert_eq!(markdown("Ⓐ_b_Ⓐ é_1"), r"Ⓐ\_b\_Ⓐ é\_1");
        assert_eq!(markdown("![i](http://x.y)"), r"!\[i\](http\://x.y)");
        assert_eq!(markdown("WWW.x.y, a@b.c"), r"WWW\.x.y, a\@b.c");
        assert_eq!(markdown("# 1"), r"\# 1");
        assert_eq!(markdown("10. x"), r"10\. x");
        assert_eq!(markdown("10)"), r"10\)");
        assert_eq!(markdown("3.5"), "3.5");
        assert_eq!(markdown(" - x "), r"&#32;\- x&#32;");
        let plain = "my-bot 2.5: 41 : 31 (95 %), it's --x=3.";
        assert_eq!(markdown(plain), plain);
    }

    #[test]
    fn a_block_has_a_fence_that_its_lines_do_not_end() {
        assert_eq!(
            markdown_block("text", &["```", "x\u{202e}"]),
            "````text\n```\nx\\u{202e}\n````\n"
        );
    }
}
