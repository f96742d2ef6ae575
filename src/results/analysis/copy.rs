//! A copy of a file with the values of its moves, written line by line and continued where an earlier
//! analysis stopped.

use std::io::{self, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use super::annotation::annotated;
use super::{AnalysedFile, Job, JudgedMatch, MatchPlace, Unusable, judged_before};
use crate::record::{LineFile, MAX_LINE, MatchRecord, OpenLockedError, parse_record, read_line};
use crate::referee::verify;
use crate::text::{self, printable_path};

/// Why a copy cannot be written. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The name is not one for a copy, or the file there is not its beginning; in words.
    #[error("{0}")]
    OtherFile(String),
    /// The copy cannot be written now; in words.
    #[error("{0}")]
    Refused(String),
    /// The system reports an error.
    #[error("cannot write {0}: {1}")]
    Io(String, io::Error),
    /// The analysed file can no longer be read.
    #[error(transparent)]
    Source(#[from] Unusable),
}

/// A copy of a source with values beside the moves: a line for each line of the source.
#[derive(Debug)]
pub struct AnnotatedCopy<'a> {
    file: LineFile,
    name: String,
    source: &'a AnalysedFile,
    /// Bytes of the source that are copied.
    copied: u64,
}

impl<'a> AnnotatedCopy<'a> {
    /// Opens the copy, or creates it.
    ///
    /// # Errors
    ///
    /// When it cannot be written, another analysis is writing it, or it is the source itself.
    pub fn open(path: &Path, source: &'a AnalysedFile) -> Result<AnnotatedCopy<'a>, CopyError> {
        let name = printable_path(path);
        let failed = |error| CopyError::Io(name.clone(), error);
        let own = source.identity().map_err(failed)?;
        if path.metadata().is_ok_and(|found| (found.dev(), found.ino()) == own) {
            let why = format!("{name} is the file that is analysed; give --write a new file");
            return Err(CopyError::OtherFile(why));
        }
        let file = LineFile::open_locked(path, Duration::ZERO).map_err(|error| match error {
            OpenLockedError::NotRegular => CopyError::OtherFile(format!(
                "cannot write {name}: it is not a regular file; give --write a new file"
            )),
            OpenLockedError::Locked => {
                CopyError::Refused(format!("{name} is being written by another analysis"))
            }
            OpenLockedError::Io(error) => failed(error),
        })?;
        Ok(AnnotatedCopy { file, name, source, copied: 0 })
    }

    /// Continues an earlier analysis: calls `each` for the matches that the copy holds, which are the
    /// first of `places`, and returns their number. A last line that was cut off is removed. A copy
    /// in which no move has a value is begun again, for it holds nothing that the source lacks: 0 is
    /// returned then.
    ///
    /// # Errors
    ///
    /// When the copy holds anything but what an analysis of the source writes.
    pub fn resume(
        &mut self,
        places: &[MatchPlace],
        each: &mut dyn FnMut(&MatchPlace, MatchRecord, &JudgedMatch),
    ) -> Result<usize, CopyError> {
        let mut own = BufReader::new(self.file.content().map_err(|e| self.failed(e))?);
        let mut theirs = self.source.reader();
        let (mut line, mut original, mut whole) = (Vec::new(), Vec::new(), 0);
        let (mut count, mut has_values) = (0, false);
        for number in 1.. {
            let length = read_line(&mut own, &mut line).map_err(|e| self.failed(e))?;
            if length == 0 {
                break;
            }
            let other = || {
                CopyError::OtherFile(format!(
                    "{}:{number}: not what an analysis of {} writes there; give --write a new file",
                    self.name,
                    self.source.name()
                ))
            };
            let taken = read_line(&mut theirs, &mut original)
                .map_err(|error| CopyError::Source(self.source.unreadable(&error)))?;
            if taken == 0 {
                return Err(other());
            }
            if line.last() != Some(&b'\n') {
                if !is_begun(&line, &original) {
                    return Err(other());
                }
                break;
            }
            match places.get(count).filter(|place| place.line == number) {
                Some(place) => {
                    let (record, judged) = copied_match(&line, &original).ok_or_else(other)?;
                    has_values |= judged.iter().flatten().any(|found| found.value.is_some());
                    each(place, record, &judged);
                    count += 1;
                }
                None if line.trim_ascii_end() == original.trim_ascii_end() => {}
                None => return Err(other()),
            }
            whole += length;
            self.copied += taken;
        }
        if !has_values {
            (whole, self.copied, count) = (0, 0, 0);
        }
        self.file.cut(whole).map_err(|e| self.failed(e))?;
        Ok(count)
    }

    /// Writes the next match, and the lines before it in the source.
    ///
    /// # Errors
    ///
    /// When it cannot be written; no part of its line is left then.
    pub fn append(&mut self, job: &Job, judged: &JudgedMatch) -> Result<(), CopyError> {
        self.copy_up_to(job.place.bytes.start)?;
        let failed = |error: serde_json::Error| CopyError::Io(self.name.clone(), error.into());
        let line = copy_of(&job.line, judged).map_err(failed)?;
        if line.len() as u64 > MAX_LINE {
            let (file, number, most) = (self.source.name(), job.place.line, text::bytes(MAX_LINE));
            return Err(CopyError::Refused(format!(
                "{file}:{number}: with its values the record is longer than {most}"
            )));
        }
        self.write(&line)?;
        self.copied = job.place.bytes.end;
        Ok(())
    }

    /// Writes the lines after the last match of the source.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), CopyError> {
        self.copy_up_to(self.source.length())
    }

    /// Copies the lines without a match up to byte `end` of the source.
    fn copy_up_to(&mut self, end: u64) -> Result<(), CopyError> {
        if self.copied >= end {
            return Ok(());
        }
        let mut between = self.source.bytes(self.copied..end)?;
        if between.last() != Some(&b'\n') {
            between.push(b'\n');
        }
        self.write(&between)?;
        self.copied = end;
        Ok(())
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), CopyError> {
        self.file.append(lines).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> CopyError {
        CopyError::Io(self.name.clone(), error)
    }
}

/// The line of the copy for a line of the source and what is known of its moves.
fn copy_of(original: &[u8], judged: &JudgedMatch) -> Result<Vec<u8>, serde_json::Error> {
    let text = original.trim_ascii_end();
    let mut line = annotated(text, judged)?;
    line.extend_from_slice(&original[text.len()..]);
    if line.last() != Some(&b'\n') {
        line.push(b'\n');
    }
    Ok(line)
}

/// The record in a line of a copy and the values in it, if it is valid and the line is what an
/// analysis writes for `original`.
fn copied_match(line: &[u8], original: &[u8]) -> Option<(MatchRecord, JudgedMatch)> {
    let record = parse_record(line).ok().filter(|record| verify(record).is_ok())?;
    let judged = judged_before(&record);
    let is_copy = copy_of(original, &judged).is_ok_and(|expected| expected == line);
    is_copy.then_some((record, judged))
}

/// Whether a line that was cut off begins like `original`, up to the moves.
fn is_begun(cut: &[u8], original: &[u8]) -> bool {
    let moves = memchr::memmem::find(original, b"\"moves\"");
    let head = &original[..moves.unwrap_or(original.len())];
    let length = cut.len().min(head.len());
    cut[..length] == head[..length] && (moves.is_some() || cut.len() <= original.len())
}
