//! Strangers' text made fit to be shown: the only place that escapes.
//!
//! On a terminal [`printable`] text is shown, in Markdown [`markdown()`], in CSV [`csv_cell`], in JSON
//! what [`to_json`] makes, in an address [`in_address`], in a page [`html()`]
//! and [`json_in_page`]: nothing of it steers a terminal, links, runs or grows without end.

mod csv;
mod durations;
mod folders;
mod html;
mod json;
mod markdown;
mod stderr;
mod wrap;

use std::path::Path;

pub use csv::csv_cell;
pub use durations::{CENTURY, duration_in_words, estimate_in_words, time_left};
pub use folders::relative;
pub use html::{base64, html, in_address, json_in_page};
pub use json::{to_json, write_json_line, write_pretty_json};
pub use markdown::{markdown, markdown_block};
pub use stderr::TellingLines;
pub(crate) use stderr::names_an_error;
pub use wrap::{COLUMNS, wrap};

/// Most characters of a bot's line that are quoted.
pub(crate) const QUOTED_CHARACTERS: usize = 200;

/// Whether a character would act on a terminal, or on the order of the text around it, instead of
/// being seen: controls (C0, DEL, C1), line separators, bidirectional marks, zero-width and other
/// format characters.
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The text with every unprintable character escaped (`\n`, `\u{1b}`).
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|character| push_printable(&mut shown, character));
    shown
}

pub fn printable_path(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Bytes as one line of printable text of at most [`QUOTED_CHARACTERS`] characters (escapes and
/// the final `…` of a cut not counted); bytes that are not UTF-8 appear as `\xff`.
pub fn quoted(bytes: &[u8]) -> String {
    printable_up_to(bytes, QUOTED_CHARACTERS)
}

/// All of `bytes` as one line of printable text, as [`quoted`] has them.
pub(crate) fn printable_bytes(bytes: &[u8]) -> String {
    printable_up_to(bytes, bytes.len())
}

fn printable_up_to(bytes: &[u8], characters: usize) -> String {
    // Four bytes a character are the most that UTF-8 needs; the rest is never looked at.
    let looked_at = &bytes[..bytes.len().min(characters.saturating_add(1).saturating_mul(4))];
    let pieces = looked_at
        .utf8_chunks()
        .flat_map(|chunk| chunk.valid().chars().map(Ok).chain(chunk.invalid().iter().map(Err)));
    let mut shown = String::new();
    for (count, piece) in pieces.enumerate() {
        match piece {
            _ if count == characters => return shown + "…",
            Ok(character) => push_printable(&mut shown, character),
            Err(byte) => shown += &format!("\\x{byte:02x}"),
        }
    }
    if looked_at.len() < bytes.len() {
        shown.push('…');
    }
    shown
}

fn push_printable(shown: &mut String, character: char) {
    if is_unprintable(character) {
        shown.extend(character.escape_default());
    } else {
        shown.push(character);
    }
}

/// Whether a list, with blanks between its words, has this one.
pub fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|it| it == word)
}

/// A number and the word for that many: `1 match`, `2 matches`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A text as a whole sentence: with one full stop, unless it ends as a question or a call.
pub fn with_full_stop(text: &str) -> String {
    let text = text.trim_end_matches('.');
    format!("{text}{}", if text.ends_with(['?', '!']) { "" } else { "." })
}

/// A text with its first letter large.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// ` and 3 more`; empty if there are no more.
pub fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

/// These in a sentence: `a, b and c`, or `a, b and 3 more` where there are more than `most`.
pub fn and_listed(names: impl IntoIterator<Item = String>, most: usize) -> String {
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(most).collect();
    let more = names.count();
    let last = if more == 0 && shown.len() > 1 { shown.pop() } else { None };
    shown.join(", ") + &last.map_or_else(|| and_more(more), |last| format!(" and {last}"))
}

/// A number of bytes as its options take it: `64MiB`, or plain where no larger unit fits exactly.
pub fn bytes(count: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fits = units.iter().find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit));
    fits.map_or_else(|| format!("{count}B"), |(unit, name)| format!("{}{name}", count / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_one_stop() {
        for (text, expected) in [
            ("a", "a."),
            ("a.", "a."),
            ("a?", "a?"),
            ("a?.", "a?"),
            ("a!", "a!"),
            ("(a?)", "(a?)."),
        ] {
            assert_eq!(with_full_stop(text), expected);
        }
    }

    #[test]
    fn nothing_unprintable_is_left() {
        assert_eq!(printable("a\x1b[31m\u{9b}b\u{202e}"), "a\\u{1b}[31m\\u{9b}b\\u{202e}");
        assert_eq!(printable("Zoë 播棋"), "Zoë 播棋");
    }

    #[test]
    fn names_in_a_sentence_have_an_and() {
        let listed = |names: &str| and_listed(names.chars().map(|name| name.to_string()), 3);
        let all = ["", "a", "ab", "abc", "abcde"].map(listed);
        assert_eq!(all, ["", "a", "a and b", "a, b and c", "a, b, c and 2 more"]);
    }

    #[test]
    fn a_quote_is_cut_and_shows_bytes_that_are_no_text() {
        assert_eq!(quoted(b"hi\xff\n"), "hi\\xff\\n");
        assert_eq!(quoted("é".repeat(200).as_bytes()), "é".repeat(200));
        assert_eq!(quoted("é".repeat(201).as_bytes()), "é".repeat(200) + "…");
        assert_eq!(quoted(&vec![b'x'; 70_000]), "x".repeat(200) + "…");
        assert_eq!(printable_bytes(&[b'x'; 300]), "x".repeat(300));
        assert_eq!(printable_bytes("é\x1b\u{9b}".as_bytes()), "é\\u{1b}\\u{9b}");
    }

    #[test]
    fn bytes_are_in_the_largest_unit_that_fits() {
        let shown = [0, 1023, 1024, 1 << 20, 3 << 29, 1 << 30].map(bytes);
        assert_eq!(shown, ["0B", "1023B", "1KiB", "1MiB", "1536MiB", "1GiB"]);
    }
}
