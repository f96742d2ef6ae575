//! Reading record files: one match a line, one at a time.

use std::fmt;
use std::io::{BufRead, Read};

use super::{FORMAT, MatchRecord, Note, TournamentHeader};
use crate::text;

/// A line that is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

/// What is wrong with a line of a record file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The line ends in the middle of a record.
    CutOff,
    /// A line of something else, or a record with a field that cannot be.
    NotARecord(String),
    /// The file could not be read further.
    Io(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match &self.kind {
            ReadErrorKind::CutOff => {
                write!(f, "line {line}: the record is cut off: the line ends in the middle of it")
            }
            ReadErrorKind::NotARecord(why) => {
                write!(f, "line {line}: not a {FORMAT} record: {why}")
            }
            ReadErrorKind::Io(why) => write!(f, "line {line}: cannot be read: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// The longest line that is written or read, in bytes, its newline included.
pub(super) const MAX_LINE: u64 = 64 * 1024 * 1024;

/// Reads the records of a file one by one. Blank lines and what a tournament's file holds beside
/// records are passed over. Ends after the file's end or after it could not be read further.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: u64,
    ended: bool,
    buffer: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from this input.
    pub const fn new(input: R) -> Reader<R> {
        Reader { input, line: 0, ended: false, buffer: Vec::new() }
    }

    fn parse(&self) -> Result<MatchRecord, ReadErrorKind> {
        let line = self.buffer.trim_ascii_end();
        serde_json::from_slice(line).map_err(|error| {
            let why = error.to_string();
            // In what is only passed over, the parser takes half a number for a wrong one.
            let ends_in_mid_number = why.starts_with("invalid number")
                && line.last().is_some_and(|last| b"-+.eE".contains(last));
            if error.is_eof() || ends_in_mid_number {
                return ReadErrorKind::CutOff;
            }
            // The line that the parser counts is always the first.
            let why = why.split(" at line ").next().unwrap_or(&why);
            let column = error.column();
            let why = text::quoted(why.as_bytes());
            ReadErrorKind::NotARecord(format!("{why}, at column {column}"))
        })
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<(u64, MatchRecord), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.buffer.clear();
            self.line += 1;
            let line = self.line;
            let mut bounded = (&mut self.input).take(MAX_LINE + 1);
            let read = match bounded.read_until(b'\n', &mut self.buffer) {
                Ok(read) => read as u64,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(ReadError {
                        line,
                        kind: ReadErrorKind::Io(error.to_string()),
                    }));
                }
            };
            self.ended = read == 0 || read > MAX_LINE;
            if read > MAX_LINE {
                let why = format!("the line is longer than {}", text::bytes(MAX_LINE));
                return Some(Err(ReadError { line, kind: ReadErrorKind::NotARecord(why) }));
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            match self.parse() {
                Ok(record) => return Some(Ok((line, record))),
                Err(_) if is_beside_records(&self.buffer) => {}
                Err(kind) => return Some(Err(ReadError { line, kind })),
            }
        }
        None
    }
}

/// Whether the line is one that a tournament's file holds beside records.
fn is_beside_records(line: &[u8]) -> bool {
    serde_json::from_slice::<TournamentHeader>(line).is_ok()
        || serde_json::from_slice::<Note>(line).is_ok()
}
