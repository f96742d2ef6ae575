//! Record files: one match a line, appended whole and read one at a time.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{FORMAT, MatchRecord};
use crate::text;

/// A record file that finished matches are appended to.
#[derive(Debug)]
pub struct Appender {
    file: File,
}

impl Appender {
    /// Opens the file for appending, and makes it when it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing.
    pub fn open(path: &Path) -> io::Result<Appender> {
        // Read access too, where there is some: a record that was cut off is told by its end.
        let options = |read| OpenOptions::new().read(read).append(true).create(true).open(path);
        let mut file = options(true).or_else(|_| options(false))?;
        if ends_in_mid_line(&mut file) {
            file.write_all(b"\n")?;
        }
        Ok(Appender { file })
    }

    /// Appends one match, flushed. A record that does not fit is taken back.
    ///
    /// # Errors
    ///
    /// When it cannot be written, for example to a full disk.
    pub fn append(&mut self, record: &MatchRecord) -> io::Result<()> {
        let mut line = Vec::with_capacity(8 * 1024);
        text::write_json(&mut line, record)?;
        line.push(b'\n');
        let length = self.file.metadata()?.len();
        self.file.write_all(&line).inspect_err(|_| {
            // Fails on a pipe or a device, which hold nothing that could be taken back.
            let _ = self.file.set_len(length);
        })
    }
}

/// Whether the file holds something that no newline ends. Pipes and devices hold nothing.
fn ends_in_mid_line(file: &mut File) -> bool {
    let mut last = [0];
    file.metadata().is_ok_and(|metadata| metadata.is_file())
        && file.seek(SeekFrom::End(-1)).is_ok()
        && file.read_exact(&mut last).is_ok()
        && last != *b"\n"
}

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
    /// The last line ends in the middle of a record.
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
                write!(f, "line {line}: the record is cut off: the file ends in the middle of it")
            }
            ReadErrorKind::NotARecord(why) => {
                write!(f, "line {line}: not a {FORMAT} record: {why}")
            }
            ReadErrorKind::Io(why) => write!(f, "line {line}: cannot be read: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Most bytes of a line; a match of a thousand moves with much information has a few hundred KiB.
const MAX_LINE: u64 = 64 * 1024 * 1024;

/// Reads the records of a file one by one; blank lines are passed over. Ends after the file's end
/// or after it could not be read further.
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
        let whole = self.buffer.ends_with(b"\n");
        serde_json::from_slice(&self.buffer).map_err(|error| {
            if !whole && error.is_eof() {
                ReadErrorKind::CutOff
            } else {
                ReadErrorKind::NotARecord(text::printable(&error.to_string()))
            }
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
            let mut bounded = (&mut self.input).take(MAX_LINE);
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
            self.ended = read == 0 || read == MAX_LINE;
            if read == MAX_LINE {
                let why = format!("it is longer than {MAX_LINE} bytes");
                return Some(Err(ReadError { line, kind: ReadErrorKind::NotARecord(why) }));
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Some(
                    self.parse()
                        .map(|record| (line, record))
                        .map_err(|kind| ReadError { line, kind }),
                );
            }
        }
        None
    }
}
