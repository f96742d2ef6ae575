//! The lines of a record file, each bounded.

use std::io::{BufRead, Read};

use super::{ReadError, ReadErrorKind};
use crate::text;

/// The longest line that is written or read, in bytes, its newline included.
pub(super) const MAX_LINE: u64 = 64 * 1024 * 1024;

/// The lines of a file, one at a time; blank ones are passed over. Ends after the file's end or
/// after it could not be read further.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    number: u64,
    ended: bool,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Reads from this input.
    pub const fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, ended: false, buffer: Vec::new() }
    }

    /// The number of the next line, from 1, and its text without blanks at its end.
    pub fn next_line(&mut self) -> Option<Result<(u64, &[u8]), ReadError>> {
        while !self.ended {
            self.buffer.clear();
            self.number += 1;
            let mut bounded = (&mut self.input).take(MAX_LINE + 1);
            let read = match bounded.read_until(b'\n', &mut self.buffer) {
                Ok(read) => read as u64,
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
                break;
            }
        }
        let line = self.buffer.trim_ascii_end();
        (!line.is_empty()).then_some(Ok((self.number, line)))
    }

    const fn failed(&self, kind: ReadErrorKind) -> ReadError {
        ReadError { line: self.number, kind }
    }
}
