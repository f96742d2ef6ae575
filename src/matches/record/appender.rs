//! Appending to record files: one match a line, without a lock.
//!
//! Several programs may append to one file at the same time. The system keeps writes to a file that
//! was opened for appending apart, so that no program waits for another.

use std::io::{self, BufReader};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use super::lines::{MAX_LINE, RecordLines};
use super::pipe::{ReaderPatience, write_in_pieces};
use super::{LineFile, MatchRecord, ReadErrorKind, is_of_records};
use crate::text;

/// A record file that finished matches are appended to, or a pipe that they are written to.
pub struct Appender {
    lines: LineFile,
}

/// Why matches cannot be appended to a file.
#[derive(Debug, thiserror::Error)]
pub enum AppenderError {
    /// It holds something else, in words.
    #[error("it is {0}; give --record another file")]
    OtherFile(&'static str),
    /// The system refuses it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How long the reader of a full pipe is waited for.
const PIPE_PATIENCE: Duration = Duration::from_secs(5);

impl Appender {
    /// Opens the file for appending, and makes it when it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing, is a pipe without a reader, is the file of a
    /// tournament, or holds something else than records.
    pub fn open(path: &Path) -> Result<Appender, AppenderError> {
        let lines = LineFile::open(path)?;
        if !lines.is_regular {
            return Ok(Appender { lines });
        }
        if is_of_tournament(&lines) {
            return Err(AppenderError::OtherFile(
                "the file of a tournament, which holds no others",
            ));
        }
        if is_of_something_else(&lines)? {
            return Err(AppenderError::OtherFile(
                "another file: its first line is not the record of a match",
            ));
        }
        Ok(Appender { lines })
    }

    /// Reserves `bytes` of its disk for what is appended.
    ///
    /// # Errors
    ///
    /// When fewer are free.
    pub fn keep_free(&mut self, bytes: u64) -> io::Result<()> {
        self.lines.keep_free(bytes)
    }

    /// Appends one match. A line that another program left unfinished at the end of the file is
    /// ended first, and stays unreadable.
    ///
    /// # Errors
    ///
    /// When it cannot be written, for example to a full disk.
    pub fn append(&mut self, record: &MatchRecord) -> io::Result<()> {
        // The first newline is for a line that is not ended.
        let mut line = vec![b'\n'];
        record.write_line(&mut line)?;
        if line.len() as u64 - 1 > MAX_LINE {
            let longest = text::bytes(MAX_LINE);
            return Err(io::Error::other(format!("the record is longer than {longest}")));
        }
        if !self.lines.is_regular {
            let mut patience = ReaderPatience::for_each_piece(PIPE_PATIENCE);
            return write_in_pieces(self.lines.as_fd(), &line[1..], &mut patience).map_err(
                |error| match error.kind() {
                    io::ErrorKind::TimedOut => io::Error::other(format!(
                        "nobody read it for {} s",
                        PIPE_PATIENCE.as_secs()
                    )),
                    _ => error,
                },
            );
        }
        let end = self.lines.length()?;
        let begin = usize::from(!self.is_in_mid_line(end));
        self.lines.append(&line[begin..])?;
        if self.lines.is_removed()? {
            // Another match made the file, was not played, and removed it in this moment.
            self.lines.reopen()?;
            return self.lines.append(&line[1..]);
        }
        // Another program may have failed to write its line in the same moment.
        let end = self.lines.end_of_last_append()?.saturating_sub(line.len() as u64 - 1);
        if begin == 1 && self.is_in_mid_line(end) { self.lines.append(&line) } else { Ok(()) }
    }

    /// Whether the byte before `place` is in a line that has no end. The content of a file that may
    /// only be written is not known.
    fn is_in_mid_line(&self, place: u64) -> bool {
        place.checked_sub(1).is_some_and(|last| self.lines.byte_at(last).is_ok_and(|b| b != b'\n'))
    }
}

/// Whether the file begins as a tournament writes it.
fn is_of_tournament(lines: &LineFile) -> bool {
    let begin = br#"{"format":"mancala-tournament/"#;
    lines.beginning(begin.len()).is_ok_and(|found| found == begin)
}

/// Whether the file begins with a line that stands in no record file. What cannot be read is not
/// known, so that a file that may only be written is taken. So is a record that was cut off.
fn is_of_something_else(lines: &LineFile) -> io::Result<bool> {
    let begin = br#"{"format":"mancala-match/"#;
    let mut read = RecordLines::new(BufReader::new(lines.content()?));
    let is_known = match read.next_line() {
        None => true,
        Some(Ok((_, line))) => line.starts_with(begin) || is_of_records(line),
        Some(Err(error)) => matches!(error.kind, ReadErrorKind::Io(_)),
    };
    Ok(!is_known)
}
