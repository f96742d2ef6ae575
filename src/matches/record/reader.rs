//! Reading record files: one match a line, one at a time.

use std::io::BufRead;

use serde::Deserialize;

use super::{FORMAT, MatchRecord, Note, RecordLines, TournamentHeader};
use crate::text;

/// A line that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

/// What is wrong with a line of a record file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadErrorKind {
    /// The line ends in the middle of a record.
    #[error("the record is cut off: the line ends in the middle of it")]
    CutOff,
    /// A line of something else, or a record with an impossible field.
    #[error("not a {FORMAT} record: {0}")]
    NotARecord(String),
    /// The rest of the file cannot be read.
    #[error("cannot be read: {0}")]
    Io(String),
}

impl ReadErrorKind {
    /// What to do about it, to stand behind it; empty if nothing helps.
    pub const fn hint(&self) -> &'static str {
        match self {
            ReadErrorKind::NotARecord(_) => "; give it files that mancala wrote with --record",
            ReadErrorKind::CutOff | ReadErrorKind::Io(_) => "",
        }
    }
}

/// Reads the records of a file one by one. Blank lines are passed over. Ends after the file's end or
/// after it could not be read further.
pub struct Reader<R> {
    lines: RecordLines<R>,
    /// The headers of tournaments that were read so far. Whoever reads on takes them out.
    pub headers: Vec<TournamentHeader>,
    /// The notes that were read so far, with their lines, in the same way.
    pub notes: Vec<(u64, Note)>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from `input`.
    pub const fn new(input: R) -> Reader<R> {
        Reader { lines: RecordLines::new(input), headers: Vec::new(), notes: Vec::new() }
    }

    /// The line that was read last.
    pub fn line(&self) -> &[u8] {
        self.lines.line()
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<(u64, MatchRecord), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (number, line) = match self.lines.next_line()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            match parse_record(line) {
                Ok(record) => return Some(Ok((number, record))),
                Err(kind) => match parse_line(line) {
                    Ok(header) => self.headers.push(header),
                    Err(_) => match parse_line(line) {
                        Ok(note) => self.notes.push((number, note)),
                        Err(_) => return Some(Err(ReadError { line: number, kind })),
                    },
                },
            }
        }
    }
}

/// Reads a line of a record file.
///
/// # Errors
///
/// When it is not a record or is cut off.
pub fn parse_record(line: &[u8]) -> Result<MatchRecord, ReadErrorKind> {
    parse_line(line.trim_ascii_end())
}

/// Reads a line of JSON. That it is UTF-8 is checked at once, which is faster than text by text.
///
/// # Errors
///
/// When it is something else or is cut off.
pub fn parse_line<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, ReadErrorKind> {
    let text = std::str::from_utf8(line).map_err(|error| {
        if error.error_len().is_none() {
            return ReadErrorKind::CutOff;
        }
        let column = error.valid_up_to() + 1;
        ReadErrorKind::NotARecord(format!("it is not UTF-8, at column {column}"))
    })?;
    serde_json::from_str(text).map_err(|error| read_error(line, &error))
}

/// What is wrong with a line that the parser refused.
fn read_error(line: &[u8], error: &serde_json::Error) -> ReadErrorKind {
    let why = error.to_string();
    // In what is only passed over, the parser takes half a number for a wrong one.
    let ends_in_mid_number = why.starts_with("invalid number")
        && line.last().is_some_and(|last| b"-+.eE".contains(last));
    // A file system may fill what it had no time to write with NULs.
    if error.is_eof() || ends_in_mid_number || line.last() == Some(&0) {
        return ReadErrorKind::CutOff;
    }
    if let Some(why) = what_else_it_is(line) {
        return ReadErrorKind::NotARecord(why);
    }
    ReadErrorKind::NotARecord(place_in_line(error))
}

/// What the parser says of a line, which it always counts as the first.
fn place_in_line(error: &serde_json::Error) -> String {
    let (why, column) = (error.to_string(), error.column());
    let why = why.split(" at line ").next().unwrap_or(&why);
    let in_words = why.rsplit_once("expected ").and_then(|(before, integer)| {
        Some(format!("{before}expected {}", range_in_words(integer)?))
    });
    let why = in_words.unwrap_or_else(|| why.to_owned());
    format!("{}, at column {column}", text::quoted(why.as_bytes()))
}

/// The numbers of a type that the parser names.
fn range_in_words(integer: &str) -> Option<String> {
    let (least, most) = match integer {
        "u8" => (0, i64::from(u8::MAX)),
        "u16" => (0, i64::from(u16::MAX)),
        "u32" => (0, i64::from(u32::MAX)),
        "i8" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "i16" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "i32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "i64" => (i64::MIN, i64::MAX),
        "a nonzero u32" => (1, i64::from(u32::MAX)),
        "u64" | "usize" => return Some("a whole number of at least 0".to_owned()),
        "a nonzero u64" => return Some("a whole number of at least 1".to_owned()),
        "f64" => return Some("a number".to_owned()),
        _ => return None,
    };
    Some(format!("a whole number from {least} to {most}"))
}

/// What editors of other systems put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Formats of this program that hold no records, and what they hold.
const OTHER_FORMATS: [(&str, &str); 6] = [
    ("mancala-analysis", "an analysis"),
    ("mancala-check", "the report of a check"),
    ("mancala-replay", "a replay"),
    ("mancala-season", "a table"),
    ("mancala-solve", "exact values"),
    ("mancala-standings", "a table"),
];

/// Formats of the lines of record files.
const FORMATS_OF_RECORDS: [&str; 3] = ["mancala-match", "mancala-note", "mancala-tournament"];

/// A line that names its format.
#[derive(Deserialize)]
struct Formatted {
    format: String,
}

/// Whether a line says that it is one of a record file, of whatever version.
pub fn is_of_records(line: &[u8]) -> bool {
    let Ok(Formatted { format }) = parse_line(line) else { return false };
    FORMATS_OF_RECORDS.contains(&format.split('/').next().unwrap_or_default())
}

/// What a line is that does not belong in a record file, in words; `None` if that is not known.
pub fn what_else_it_is(line: &[u8]) -> Option<String> {
    if line.starts_with(BYTE_ORDER_MARK) {
        return Some("it begins with a byte order mark; save it as UTF-8 without one".to_owned());
    }
    // A parser's words about another text than JSON help nobody.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Some("it is not a JSON object".to_owned());
    }
    let line = std::str::from_utf8(line).ok()?;
    let Formatted { format } = serde_json::from_str(line).ok()?;
    let (family, version) = format.split_once('/')?;
    let version: u32 = version.parse().ok()?;
    if let Some((_, what)) = OTHER_FORMATS.iter().find(|(other, _)| *other == family) {
        return Some(format!("it is {family}/{version}: {what}, not records"));
    }
    if version > 1 && FORMATS_OF_RECORDS.contains(&family) {
        return Some(format!("it is {family}/{version}, of a later version of mancala"));
    }
    let error = match family {
        "mancala-note" => serde_json::from_str::<Note>(line).err()?,
        "mancala-tournament" => serde_json::from_str::<TournamentHeader>(line).err()?,
        _ => return None,
    };
    Some(format!("it is {family}/{version} with {}", place_in_line(&error)))
}

/// Whether the line is one that a tournament's file holds beside records.
pub fn is_beside_records(line: &[u8]) -> bool {
    parse_line::<TournamentHeader>(line).is_ok() || parse_line::<Note>(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_no_records_is_named() {
        for (line, words) in [
            (r#"{"format":"mancala-match/2","x":1}"#, "mancala-match/2, of a later version"),
            (r#"{"format":"mancala-note/3"}"#, "mancala-note/3, of a later version of mancala"),
            (r#"{"format":"mancala-standings/1","rows":[]}"#, "mancala-standings/1: a table, not"),
            ("\u{feff}{\"format\":\"mancala-match/1\"}", "begins with a byte order mark"),
            (r#"{"format":"other/2"}"#, "unknown variant"),
            (
                r#"{"format":"mancala-note/1","tournament":"00ba7816bf8f01cf","match":2,"note":"new"}"#,
                "it is mancala-note/1 with unknown variant `new`, expected one of `unfinished`",
            ),
            (
                r#"{"format":"mancala-tournament/1","id":5,"plan":{}}"#,
                "it is mancala-tournament/1 with invalid type: integer `5`",
            ),
            (
                r#"{"format":"mancala-match/1","opening":[300]}"#,
                "integer `300`, expected a whole number from 0 to 255, at column 42",
            ),
        ] {
            let error = parse_record(line.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_text_that_is_no_json_is_told_without_the_words_of_a_parser() {
        for line in ["name = \"autumn\"", "[[bots]]", "# A class", "3 3 3"] {
            let why = parse_record(line.as_bytes()).unwrap_err().to_string();
            assert_eq!(why, "not a mancala-match/1 record: it is not a JSON object");
        }
    }

    #[test]
    fn what_is_not_utf_8_has_a_place_and_half_a_letter_is_a_cut() {
        let why = |line: &[u8]| parse_line::<&str>(line).unwrap_err().to_string();
        assert_eq!(
            why(b"\"M\xfcller\""),
            "not a mancala-match/1 record: it is not UTF-8, at column 3"
        );
        let cut = &"\"M\u{fc}ller\"".as_bytes()[..3];
        assert_eq!(parse_line::<&str>(cut), Err(ReadErrorKind::CutOff));
        assert_eq!(parse_line::<&str>(&cut[..2]), Err(ReadErrorKind::CutOff));
        assert_eq!(parse_line::<&str>("\"M\u{fc}ller\"".as_bytes()), Ok("M\u{fc}ller"));
    }
}
