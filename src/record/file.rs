//! Record files: one match a line, appended whole and read one at a time.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{FORMAT, MatchRecord, Note, TournamentHeader};
use crate::text;

/// A record file that finished matches are appended to. One that was made for it and stays empty
/// is gone when this is dropped.
#[derive(Debug)]
pub struct Appender {
    file: File,
    /// Where the file is, as long as it is new and empty.
    new: Option<PathBuf>,
}

impl Appender {
    /// Opens the file for appending, and makes it when it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing, or is the file of a tournament.
    pub fn open(path: &Path) -> io::Result<Appender> {
        let is_new = !path.exists();
        // Read access too, where there is some: a record that was cut off is told by its end.
        let options = |read| OpenOptions::new().read(read).append(true).create(true).open(path);
        let mut file = options(true).or_else(|_| options(false))?;
        if is_of_tournament(&mut file) {
            return Err(io::Error::other("it is the file of a tournament, which holds no others"));
        }
        Ok(Appender { file, new: is_new.then(|| path.to_owned()) })
    }

    /// Appends one match, in one piece beside what other programs append meanwhile, and without a
    /// lock that somebody else could hold. What could be written of a record that does not fit is
    /// taken back; where others have appended meanwhile it stays, as a line that is cut off.
    ///
    /// # Errors
    ///
    /// When it cannot be written, for example to a full disk.
    pub fn append(&mut self, record: &MatchRecord) -> io::Result<()> {
        let mut line = Vec::with_capacity(8 * 1024);
        if ends_in_mid_line(&mut self.file) {
            line.push(b'\n');
        }
        text::write_json(&mut line, record)?;
        line.push(b'\n');
        let mut written = 0;
        while written < line.len() {
            match self.file.write(&line[written..]) {
                Ok(0) => return Err(self.take_back(written, io::ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.take_back(written, error)),
            }
        }
        self.new = None;
        Ok(())
    }

    /// Takes back so many bytes, if they are the file's last. Pipes and devices hold nothing that
    /// could be taken back.
    fn take_back(&mut self, written: usize, why: io::Error) -> io::Error {
        // Where this descriptor has written last is where its part of the line ends.
        if let (Ok(end), Ok(metadata)) = (self.file.stream_position(), self.file.metadata())
            && end == metadata.len()
        {
            let _ = self.file.set_len(end.saturating_sub(written as u64));
        }
        why
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        if let Some(path) = &self.new
            && self.file.metadata().is_ok_and(|file| file.is_file() && file.len() == 0)
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Whether the file begins as a tournament writes it. Pipes and devices do not.
fn is_of_tournament(file: &mut File) -> bool {
    let begin = br#"{"format":"mancala-tournament/"#;
    let mut found = [0; 30];
    file.metadata().is_ok_and(|metadata| metadata.is_file())
        && file.read_exact(&mut found).is_ok()
        && found == *begin
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

/// Most bytes of a line: more than two rounds of a million moves take.
const MAX_LINE: u64 = 256 * 1024 * 1024;

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
                let why = format!("it has {MAX_LINE} bytes or more");
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
