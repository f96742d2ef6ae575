//! Values as JSON without a character that could steer a terminal.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

use super::is_unprintable;

/// A value as one line of JSON without its newline, every unprintable character in it escaped, so
/// that the line may be shown on a terminal and split at nothing but `\n`.
///
/// # Errors
///
/// When the value does not serialise.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> io::Result<Vec<u8>> {
    let mut json = Vec::new();
    // By one kind of writer only: each other one would be compiled for every type anew.
    let mut serializer = serde_json::Serializer::with_formatter(&mut json, PrintableJson);
    value.serialize(&mut serializer)?;
    Ok(json)
}

/// Writes a value as [`to_json`] has it, and a newline, at once.
///
/// # Errors
///
/// When the value does not serialise or the writer fails.
pub fn write_json_line<T: Serialize + ?Sized>(
    writer: &mut dyn io::Write,
    value: &T,
) -> io::Result<()> {
    let mut line = to_json(value)?;
    line.push(b'\n');
    writer.write_all(&line)
}

/// Writes a value as JSON of several indented lines, each as [`to_json`] has it.
///
/// # Errors
///
/// When the value does not serialise or the writer fails.
pub fn write_pretty_json<T: Serialize + ?Sized>(
    writer: &mut dyn io::Write,
    value: &T,
) -> io::Result<()> {
    // The only line ends in it are those between the fields: in a string they are escaped.
    for line in serde_json::to_string_pretty(value)?.split('\n') {
        write_printable(writer, line)?;
        writer.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes JSON, or a part of a string in it, with every unprintable character escaped. In JSON a
/// character beyond ASCII, or DEL, stands in a string only.
fn write_printable<W: io::Write + ?Sized>(writer: &mut W, fragment: &str) -> io::Result<()> {
    // Keys and words are short, so this is faster than a search.
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

struct PrintableJson;

impl Formatter for PrintableJson {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_printable(writer, fragment)
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_printable(writer, fragment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_lines_have_no_unprintable_character_and_read_back_the_same() {
        let text = "a\n\x7f\u{9b}\u{202e}\u{2028}\u{e0041}é\"";
        let line = String::from_utf8(to_json(text).unwrap()).unwrap();
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
