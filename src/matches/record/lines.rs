//! The lines of a record file, each bounded.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use super::{ReadError, ReadErrorKind};
use crate::text;

/// The longest line that is written or read, in bytes, its newline included.
pub const MAX_LINE: u64 = 64 * 1024 * 1024;

/// Reads the next line with its newline into `line`, and returns its length in bytes: 0 at the end.
/// A line that is not ended, or is longer than [`MAX_LINE`], comes without a newline.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut input = input.take(MAX_LINE + 1);
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        // `BufRead::read_until` searches without vector instructions.
        let newline = memchr::memchr(b'\n', buffer);
        let length = newline.map_or(buffer.len(), |at| at + 1);
        line.extend_from_slice(&buffer[..length]);
        input.consume(length);
        if newline.is_some() || length == 0 {
            return Ok(line.len() as u64);
        }
    }
}

/// The lines of a file, one at a time; blank ones are passed over. Ends after the file's end or
/// after it could not be read further.
pub struct RecordLines<R> {
    input: R,
    number: u64,
    ended: bool,
    buffer: Vec<u8>,
    /// Bytes that were read before the buffer's.
    before: u64,
}

impl<R: BufRead> RecordLines<R> {
    /// Reads from `input`.
    pub const fn new(input: R) -> RecordLines<R> {
        RecordLines { input, number: 0, ended: false, buffer: Vec::new(), before: 0 }
    }

    /// The number of the next line, from 1, and its text without blanks at its end.
    pub fn next_line(&mut self) -> Option<Result<(u64, &[u8]), ReadError>> {
        loop {
            self.before += self.buffer.len() as u64;
            self.buffer.clear();
            if self.ended {
                return None;
            }
            self.number += 1;
            let read = match read_line(&mut self.input, &mut self.buffer) {
                Ok(read) => read,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(self.failed(ReadErrorKind::Io(error.to_string()))));
                }
            };
            self.ended = read == 0 || read > MAX_LINE;
            if read > MAX_LINE {
                let why = format!("the line is longer than {}", text::bytes(MAX_LINE));
                return Some(Err(self.failed(ReadErrorKind::NotARecord(why))));
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Some(Ok((self.number, self.buffer.trim_ascii_end())));
            }
        }
    }

    /// The line that was read last.
    pub(crate) fn line(&self) -> &[u8] {
        &self.buffer
    }

    /// Where the line that was read last stands in the input, in bytes, its newline included.
    pub fn place(&self) -> Range<u64> {
        self.before..self.before + self.buffer.len() as u64
    }

    const fn failed(&self, kind: ReadErrorKind) -> ReadError {
        ReadError { line: self.number, kind }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, repeat};

    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_refused_after_64_mib() {
        // The line never ends: reading it whole would never return.
        let mut lines = RecordLines::new(BufReader::new(repeat(b'x')));
        let error = lines.next_line().unwrap().unwrap_err();
        assert_eq!(error.to_string().split(": ").last(), Some("the line is longer than 64MiB"));
        assert_eq!(error.line, 1);
        assert!(lines.next_line().is_none());
    }

    #[test]
    fn a_line_of_64_mib_is_read_and_so_is_the_next() {
        let longest = repeat(b'x').take(MAX_LINE - 1).chain(&b"\n\nnext"[..]);
        let mut lines = RecordLines::new(BufReader::new(longest));
        let (number, line) = lines.next_line().unwrap().unwrap();
        assert_eq!((number, line.len() as u64), (1, MAX_LINE - 1));
        assert_eq!(lines.next_line(), Some(Ok((3, &b"next"[..]))));
        assert!(lines.next_line().is_none());
    }
}
