//! Strangers' text made fit to be shown: nothing in it can steer a terminal or grow without end.

mod wrap;

use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

pub use wrap::{COLUMNS, wrap};

/// Most characters of a bot's line that are quoted.
pub const QUOTED_CHARACTERS: usize = 200;

/// Whether a character would act on a terminal, or on the order of the text around it, instead of
/// being seen: controls (C0, DEL, C1), line separators, bidirectional marks, zero-width and other
/// format characters.
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// The text with every unprintable character escaped (`\n`, `\u{1b}`).
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|character| push_printable(&mut shown, character));
    shown
}

/// Text of several lines with its line ends and tabs kept and all else as [`printable`] has it.
#[must_use]
pub fn printable_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\n' | '\t') {
            shown.push(character);
        } else {
            push_printable(&mut shown, character);
        }
    }
    shown
}

/// Bytes as one line of printable text of at most [`QUOTED_CHARACTERS`] characters (escapes and
/// the final `…` of a cut not counted); bytes that are not UTF-8 appear as `\xff`.
#[must_use]
pub fn quoted(bytes: &[u8]) -> String {
    printable_up_to(bytes, QUOTED_CHARACTERS)
}

/// All of these bytes as one line of printable text, as [`quoted`] has them.
#[must_use]
pub fn printable_bytes(bytes: &[u8]) -> String {
    printable_up_to(bytes, bytes.len())
}

fn printable_up_to(bytes: &[u8], characters: usize) -> String {
    // Four bytes a character are the most that UTF-8 needs; the rest is never looked at.
    let looked_at = &bytes[..bytes.len().min(characters.saturating_add(1).saturating_mul(4))];
    let mut shown = String::new();
    let mut count = 0;
    for chunk in looked_at.utf8_chunks() {
        for character in chunk.valid().chars() {
            if count == characters {
                shown.push('…');
                return shown;
            }
            push_printable(&mut shown, character);
            count += 1;
        }
        for byte in chunk.invalid() {
            if count == characters {
                shown.push('…');
                return shown;
            }
            let _ = write!(shown, "\\x{byte:02x}");
            count += 1;
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

/// A number of bytes as its options take it: `64MiB`, or plain where no larger unit fits exactly.
#[must_use]
pub fn bytes(count: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fits = units.iter().find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit));
    fits.map_or_else(|| format!("{count}B"), |(unit, name)| format!("{}{name}", count / unit))
}

/// Writes a value as one line of JSON without its newline, every unprintable character in it
/// escaped, so that the line may be shown on a terminal and split at nothing but `\n`.
///
/// # Errors
///
/// When the value does not serialise or the writer fails.
pub fn write_json<W: io::Write, T: Serialize + ?Sized>(writer: W, value: &T) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(writer, PrintableJson);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// Writes a value as JSON of several indented lines, each as [`write_json`] has it.
///
/// # Errors
///
/// When the value does not serialise or the writer fails.
pub fn write_pretty_json<W: io::Write, T: Serialize + ?Sized>(
    mut writer: W,
    value: &T,
) -> io::Result<()> {
    // The only line ends in it are those between the fields: in a string they are escaped.
    for line in serde_json::to_string_pretty(value)?.split('\n') {
        PrintableJson::write(&mut writer, line)?;
        writer.write_all(b"\n")?;
    }
    Ok(())
}

struct PrintableJson;

impl PrintableJson {
    fn write<W: io::Write + ?Sized>(writer: &mut W, fragment: &str) -> io::Result<()> {
        // Short as keys and words are, this is faster than a search.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut units = [0; 2];
        for character in fragment.chars() {
            if is_unprintable(character) {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                write!(writer, "{character}")?;
            }
        }
        Ok(())
    }
}

impl Formatter for PrintableJson {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        PrintableJson::write(writer, fragment)
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // In JSON a character beyond ASCII, or DEL, stands in a string only.
        PrintableJson::write(writer, fragment)
    }

    fn write_char_escape<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unprintable_is_left() {
        assert_eq!(printable("a\x1b[31m\u{9b}b\u{202e}"), "a\\u{1b}[31m\\u{9b}b\\u{202e}");
        assert_eq!(printable_lines("a\n\tb\rc"), "a\n\tb\\rc");
        assert_eq!(printable("Zoë 播棋"), "Zoë 播棋");
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
    fn bytes_are_told_in_the_largest_unit_that_fits() {
        let told = [0, 1023, 1024, 1 << 20, 3 << 29, 1 << 30].map(bytes);
        assert_eq!(told, ["0B", "1023B", "1KiB", "1MiB", "1536MiB", "1GiB"]);
    }

    #[test]
    fn json_lines_have_no_unprintable_character_and_read_back_the_same() {
        let text = "a\n\x7f\u{9b}\u{202e}\u{2028}\u{e0041}é\"";
        let mut line = Vec::new();
        write_json(&mut line, text).unwrap();
        let line = String::from_utf8(line).unwrap();
        assert!(!line.contains(is_unprintable), "{line}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);

        let mut lines = Vec::new();
        write_pretty_json(&mut lines, &[text, "b"]).unwrap();
        let lines = String::from_utf8(lines).unwrap();
        assert_eq!(lines.lines().count(), 4);
        assert!(lines.lines().all(|line| !line.contains(is_unprintable)), "{lines}");
        assert_eq!(serde_json::from_str::<[String; 2]>(&lines).unwrap(), [text, "b"]);
    }
}
